package main

import (
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"strconv"
	"strings"

	"pagetouch/pkg/dist"
	"pagetouch/pkg/sizing"
)

// over is how many partitions of a store's own list break one limit.
type over struct {
	Counts string `json:"counts"`
	Of     dist.D `json:"of"`
	Limit  string `json:"limit"`
	Broken int    `json:"broken"`
}

// readPartitions holds every partition of a file against every limit of what it lists.
func (o *sizeOptions) readPartitions(s *sized) error {
	f, err := os.Open(o.partitions)
	if err != nil {
		return err
	}
	defer f.Close()
	columns, err := partitionColumns(f)
	if err != nil {
		return fmt.Errorf("%s: %w", o.partitions, err)
	}
	for _, l := range o.limits() {
		if amounts := columns[l.Counts]; amounts != nil {
			if l.Operator != "<" {
				amounts = slices.Clone(amounts)
				for i := range amounts {
					amounts[i] = sizing.Grown(amounts[i], o.growth)
				}
			}
			s.Over = append(s.Over, over{string(l.Counts), dist.Of(amounts), l.String(), l.Broken(amounts)})
		}
	}
	if s.Over == nil {
		return fmt.Errorf("%s: no limit counts what it lists", o.partitions)
	}
	return nil
}

// partitionColumns are the columns bytes and rows of a CSV with a head line.
func partitionColumns(f io.Reader) (map[sizing.Counted][]int64, error) {
	r := csv.NewReader(f)
	head, err := r.Read()
	if err == io.EOF {
		return nil, errors.New("the file is empty")
	} else if err != nil {
		return nil, err
	}
	at := map[sizing.Counted]int{}
	for _, c := range []sizing.Counted{sizing.Bytes, sizing.Rows} {
		if i := slices.IndexFunc(head, func(s string) bool { return strings.EqualFold(strings.TrimSpace(s), string(c)) }); i >= 0 {
			at[c] = i
		}
	}
	if len(at) == 0 {
		return nil, fmt.Errorf("no column bytes and none rows in the first line %q", strings.Join(head, ","))
	}
	columns := map[sizing.Counted][]int64{}
	for {
		record, err := r.Read()
		if err == io.EOF {
			if len(columns) == 0 {
				return nil, errors.New("no partitions below the first line")
			}
			return columns, nil
		} else if err != nil {
			return nil, err
		}
		for c, i := range at {
			n, err := strconv.ParseInt(strings.TrimSpace(record[i]), 10, 64)
			if err != nil || n < 0 {
				line, _ := r.FieldPos(i)
				return nil, fmt.Errorf("line %d: %q is no number of %s", line, record[i], c)
			}
			columns[c] = append(columns[c], n)
		}
	}
}
