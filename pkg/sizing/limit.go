package sizing

import (
	"fmt"
	"math"
	"math/bits"
	"strconv"
	"strings"

	"pagetouch/pkg/result"
)

// Limit is one number that a store recommends or enforces.
type Limit struct {
	Store    string  `json:"store"`
	ID       string  `json:"limit"`    // unique in its store
	Value    int64   `json:"value"`    // in Unit
	Unit     string  `json:"unit"`     // "MB" is 10^6 bytes, "MiB" 2^20
	Operator string  `json:"operator"` // the comparison with the value that breaks it: > or >= or <
	Counts   Counted `json:"counts"`
	Kind     Kind    `json:"kind"`
	On       bool    `json:"on"` // false: the store ships with it switched off; it is shown and decides nothing
	Source   string  `json:"source,omitempty"`
	Date     string  `json:"date,omitempty"` // when the line was written; of a blog post, when it appeared
}

// Counted is what a limit counts.
type Counted string

const (
	Rows         Counted = "rows"          // of one partition
	Bytes        Counted = "bytes"         // of one partition
	Cells        Counted = "cells"         // of one partition: values that are not part of the key
	RowBytes     Counted = "row_bytes"     // of one row
	CellBytes    Counted = "cell_bytes"    // of one cell
	Tombstones   Counted = "tombstones"    // met by one read
	WriteUnits   Counted = "write_units"   // per partition and second
	ReadUnits    Counted = "read_units"    // per partition and second
	RequestUnits Counted = "request_units" // per partition and second
)

// Kind is how a store means a limit.
type Kind string

const (
	Hard     Kind = "hard"     // enforced
	Warn     Kind = "warn"     // logged
	Advice   Kind = "advice"   // the store's own guide
	Practice Kind = "practice" // what somebody who runs stores settled on
)

// unitSize is how many bytes, or plain things, one unit is. For a unit of a rate it is the size of one request in bytes;
// a request unit has no size of its own.
func unitSize(unit string) (size int64, ok bool) {
	switch unit {
	case "rows", "cells", "tombstones", "B", "RU/s":
		return 1, true
	case "kB":
		return 1e3, true
	case "MB":
		return 1e6, true
	case "GB":
		return 1e9, true
	case "KiB", "1KiB/s":
		return 1 << 10, true
	case "MiB":
		return 1 << 20, true
	case "GiB":
		return 1 << 30, true
	case "4KiB/s":
		return 4 << 10, true
	}
	return 0, false
}

// rate reports whether the limit is one per second: then its value is not multiplied by the unit's size.
func (l Limit) rate() bool { return strings.HasSuffix(l.Unit, "/s") }

// Amount is the limit's value in rows, bytes, cells, or units a second.
func (l Limit) Amount() int64 {
	if l.rate() {
		return l.Value
	}
	size, _ := unitSize(l.Unit)
	return l.Value * size
}

// Most is the largest amount that keeps the limit. One that asks for at least something allows any amount.
func (l Limit) Most() int64 {
	switch l.Operator {
	case ">=":
		return l.Amount() - 1
	case "<":
		return math.MaxInt64
	}
	return l.Amount()
}

// Keeps reports whether the amount keeps the limit.
func (l Limit) Keeps(amount int64) bool {
	if l.Operator == "<" {
		return amount >= l.Amount()
	}
	return amount <= l.Most()
}

// decides reports whether the limit can refuse a width: it is on, and one from above.
func (l Limit) decides() bool { return l.On && l.Operator != "<" }

// Broken counts the amounts that break the limit: of the partitions in a store's own report, say.
func (l Limit) Broken(amounts []int64) (n int) {
	for _, a := range amounts {
		if !l.Keeps(a) {
			n++
		}
	}
	return n
}

// Units is what one request of so many bytes costs under a limit per second: whole units of the limit's size.
func (l Limit) Units(rowBytes int64) int64 {
	size, _ := unitSize(l.Unit)
	return max(1, (rowBytes+size-1)/max(size, 1))
}

// Maker is the store as its makers write it: "DynamoDB".
func (l Limit) Maker() string {
	if name, ok := makers[l.Store]; ok {
		return name
	}
	return l.Store
}

var makers = map[string]string{
	"bigtable": "Bigtable", "cassandra": "Cassandra", "cosmosdb": "Cosmos DB", "dynamodb": "DynamoDB", "hbase": "HBase", "netflix": "Netflix", "scylladb": "ScyllaDB",
}

// Words is the amount as a sentence names it: "under 100,000 rows".
func (l Limit) Words() string {
	if l.Unit == "B" {
		return l.words("byte", "bytes")
	}
	return l.words(strings.TrimSuffix(l.Unit, "s"), l.Unit)
}

func (l Limit) words(one, unit string) string {
	if l.Value == 1 && !l.rate() {
		unit = one
	}
	return fmt.Sprintf("%s %s %s", map[string]string{">": "at most", ">=": "under", "<": "at least"}[l.Operator], result.Format(float64(l.Value), 0), unit)
}

// String is the limit as a sentence names it: "cassandra rows-advice (under 100,000 rows)".
func (l Limit) String() string {
	return fmt.Sprintf("%s %s (%s)", l.Store, l.ID, l.words(strings.TrimSuffix(l.Unit, "s"), l.Unit))
}

// Check is one amount held against one limit.
type Check struct {
	Limit
	Width  string  `json:"width,omitempty"` // the bucket width whose partitions were measured
	Amount int64   `json:"amount"`          // what was measured, in rows, bytes, cells, or units a second
	Ratio  float64 `json:"ratio"`           // the amount as a multiple of the limit
	Kept   bool    `json:"kept"`
	Binds  bool    `json:"binds"` // of the limits that decide, the one this width comes closest to or breaks most
}

// Check holds an amount against the limit.
func (l Limit) Check(amount int64) Check {
	return Check{Limit: l, Amount: amount, Ratio: float64(amount) / float64(max(l.Amount(), 1)), Kept: l.Keeps(amount)}
}

// ParseLimit reads a limit of the reader's own: what it counts, the comparison that breaks it and an amount, for
// example "rows > 100000", "bytes>=100MB", "write_units>1000".
func ParseLimit(s string) (Limit, error) {
	fail := func(why string) (Limit, error) {
		return Limit{}, fmt.Errorf(`limit %q: %s; want what breaks it, for example "rows > 100000" or "bytes >= 100MB"`, s, why)
	}
	at := strings.IndexAny(s, "<>")
	if at < 0 {
		return fail("no > or >= or < in it")
	}
	l := Limit{Store: "yours", ID: "own", Operator: s[at : at+1], Counts: Counted(strings.TrimSpace(s[:at])), Kind: Hard, On: true}
	rest := s[at+1:]
	if strings.HasPrefix(rest, "=") {
		l.Operator, rest = l.Operator+"=", rest[1:]
	}
	rest = strings.ReplaceAll(strings.TrimSpace(rest), ",", "")
	digits := strings.IndexFunc(rest, func(r rune) bool { return r < '0' || r > '9' })
	if digits < 0 {
		digits = len(rest)
	}
	var err error
	if l.Value, err = strconv.ParseInt(rest[:digits], 10, 64); err != nil {
		return fail("no whole number after the comparison")
	}
	if l.Unit = strings.TrimSpace(rest[digits:]); l.Unit == "" {
		l.Unit = defaultUnit(l.Counts)
	}
	l.ID = string(l.Counts)
	if err := l.valid(); err != nil {
		return fail(err.Error())
	}
	return l, nil
}

func defaultUnit(c Counted) string {
	switch c {
	case Bytes, RowBytes, CellBytes:
		return "B"
	case WriteUnits:
		return "1KiB/s"
	case ReadUnits:
		return "4KiB/s"
	case RequestUnits:
		return "RU/s"
	}
	return string(c)
}

// valid says what is wrong with a limit, if anything.
func (l Limit) valid() error {
	size, ok := unitSize(l.Unit)
	switch {
	case l.Operator != ">" && l.Operator != ">=" && l.Operator != "<":
		return fmt.Errorf("operator %q is none of > >= <", l.Operator)
	case !ok:
		return fmt.Errorf("unit %q is none of rows cells tombstones B kB MB GB KiB MiB GiB 1KiB/s 4KiB/s RU/s", l.Unit)
	case l.Value <= 0:
		return fmt.Errorf("value %d is not positive", l.Value)
	}
	if hi, lo := bits.Mul64(uint64(l.Value), uint64(size)); hi != 0 || lo > math.MaxInt64 {
		return fmt.Errorf("value %d %s does not fit in 64 bits", l.Value, l.Unit)
	}
	var want bool
	switch l.Counts {
	case Rows, Cells, Tombstones:
		want = l.Unit == string(l.Counts)
	case Bytes, RowBytes, CellBytes:
		want = l.Unit == "B" || strings.HasSuffix(l.Unit, "B")
	case WriteUnits, ReadUnits:
		want = l.Unit == "1KiB/s" || l.Unit == "4KiB/s"
	case RequestUnits:
		want = l.Unit == "RU/s"
	default:
		return fmt.Errorf("counts %q is none of rows bytes cells row_bytes cell_bytes tombstones write_units read_units request_units", l.Counts)
	}
	if !want {
		return fmt.Errorf("unit %q does not measure %s", l.Unit, l.Counts)
	}
	switch l.Kind {
	case Hard, Warn, Advice, Practice:
		return nil
	}
	return fmt.Errorf("kind %q is none of hard warn advice practice", l.Kind)
}
