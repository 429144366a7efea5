package main

import (
	"cmp"
	"fmt"
	"slices"

	"pagetouch/pkg/bucket"
	"pagetouch/pkg/sizing"
)

// sized is what size prints.
type sized struct {
	Widths         []sizing.Estimate      `json:"widths,omitempty"`
	Limits         []sizing.Check         `json:"limits,omitempty"`
	Recommendation *sizing.Recommendation `json:"recommendation,omitempty"`
	Key            *key                   `json:"key,omitempty"`
	Longest        *longest               `json:"longest_width,omitempty"`
	Partition      *partition             `json:"partition,omitempty"`
	Fits           []fit                  `json:"fits,omitempty"`
	Over           []over                 `json:"partitions,omitempty"`
	Growth         float64                `json:"growth,omitempty"` // that limits are held against; none: 1
	Warnings       []string               `json:"warnings,omitempty"`
}

// key is the partition key that the recommendation means, as the store writes one.
type key struct {
	Store string `json:"store"`
	Key   string `json:"key"`
}

// longest is the longest bucket that keeps every limit that decides.
type longest struct {
	Micros int64  `json:"microseconds"`
	Limit  string `json:"binding_limit"`
}

// partition is one of -rows rows.
type partition struct {
	Rows   int64 `json:"rows"`
	Bytes  int64 `json:"bytes,omitempty"`
	Micros int64 `json:"microseconds,omitempty"` // that it takes to fill at the rate
	checks []sizing.Check
}

// fit is what one limit leaves room for.
type fit struct {
	Limit      string `json:"limit"`
	LargestRow int64  `json:"largest_row_bytes,omitempty"` // in a partition of -rows rows
	Rows       int64  `json:"rows,omitempty"`              // of -row-bytes bytes
}

func (o *sizeOptions) answer() (*sized, error) {
	s := &sized{}
	if o.growth != 1 {
		s.Growth = o.growth
	}
	if o.rowBytes == 0 && o.rate.Rows > 0 {
		s.Warnings = append(s.Warnings, "Without -row-bytes no limit of bytes was checked.")
	}
	if o.rate.Rows > 0 {
		if err := o.atRate(s); err != nil {
			return nil, err
		}
	}
	if o.rows > 0 {
		if err := o.ofRows(s); err != nil {
			return nil, err
		}
	}
	for _, l := range o.limits() {
		if f := o.fit(l); f.LargestRow > 0 || f.Rows > 0 {
			s.Fits = append(s.Fits, f)
		} else if o.rows > 0 && l.Counts == sizing.Bytes && l.Operator != "<" {
			s.Warnings = append(s.Warnings, fmt.Sprintf("%v: of %s not even rows of one byte keep it.", l, plural(o.rows, "row", "rows")))
		}
	}
	if o.partitions != "" {
		return s, o.readPartitions(s)
	}
	return s, nil
}

// atRate sizes every width and chooses one.
func (o *sizeOptions) atRate(s *sized) (err error) {
	widths := bucket.Named()
	for _, w := range o.widths {
		known := false
		for _, v := range widths {
			known = known || v == w
		}
		if !known {
			widths = append(widths, w)
		}
	}
	choose := func(widths []bucket.Width) (sizing.Recommendation, error) {
		return sizing.RecommendRate(o.rate, o.rowBytes, widths, sizing.Question{Limits: o.checked(), Growth: o.growth, Latest: o.latest, Range: o.length})
	}
	r, err := choose(widths)
	if err != nil {
		return err
	}
	if finer := r.Finer(widths); len(o.widths) == 0 && len(finer) > 0 {
		best, err := choose(append(slices.Clone(widths), finer...))
		if err != nil {
			return err
		}
		widths = append(widths, best.Kept(finer)...)
		if r, err = choose(widths); err != nil {
			return err
		}
	}
	slices.SortStableFunc(widths, func(a, b bucket.Width) int { return cmp.Compare(a.Longest(), b.Longest()) })
	if s.Widths, err = sizing.ByRate(o.rate, o.rowBytes, widths, o.latest, o.length); err != nil {
		return err
	}
	s.Recommendation, s.Limits = &r, r.Checks
	speaks, err := o.speaks()
	if err != nil {
		return err
	}
	s.Key = &key{speaks.Name, speaks.Short(r.Shards)}
	if micros, binds, err := sizing.LongestWidth(o.rate, o.rowBytes, o.checked(), o.growth); err == nil {
		s.Longest = &longest{micros, binds.Store + " " + binds.ID}
	}
	return nil
}

// checked are the limits that can be: bytes only where a row's are known.
func (o *sizeOptions) checked() []sizing.Limit {
	return slices.DeleteFunc(o.limits(), func(l sizing.Limit) bool {
		return o.rowBytes == 0 && (l.Counts == sizing.Bytes || l.Counts == sizing.RowBytes)
	})
}

// ofRows holds one partition against the limits.
func (o *sizeOptions) ofRows(s *sized) (err error) {
	p := &partition{Rows: o.rows, Bytes: o.rows * o.rowBytes} // both below 2^31
	if o.rate.Rows > 0 {
		if p.Micros, err = o.rate.Time(o.rows); err != nil {
			return err
		}
	}
	s.Partition = p
	for _, l := range o.limits() {
		switch {
		case l.Counts == sizing.Rows:
			p.checks = append(p.checks, l.Check(sizing.Grown(o.rows, o.growth)))
		case l.Counts == sizing.Bytes && o.rowBytes > 0:
			p.checks = append(p.checks, l.Check(sizing.Grown(p.Bytes, o.growth)))
		}
	}
	s.Limits = append(s.Limits, p.checks...)
	return nil
}

// fit is zero where the limit says nothing about what was given.
func (o *sizeOptions) fit(l sizing.Limit) fit {
	f := fit{Limit: l.String()}
	if l.Operator == "<" {
		return fit{}
	}
	if o.rows > 0 && l.Counts == sizing.Bytes {
		f.LargestRow, _ = sizing.LargestRow(l, o.rows, o.growth)
	}
	if o.rowBytes > 0 && l.Counts == sizing.Bytes {
		f.Rows, _ = sizing.RowsThatFit(l, o.rowBytes, o.growth)
	}
	return f
}
