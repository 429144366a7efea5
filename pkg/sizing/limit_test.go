package sizing

import (
	"strings"
	"testing"

	"pagetouch/data"
	"pagetouch/pkg/dist"
)

func limit(t testing.TB, s string) Limit {
	t.Helper()
	l, err := ParseLimit(s)
	if err != nil {
		t.Fatal(err)
	}
	return l
}

// limits.md: what each store's lines say, in rows and bytes, and what the operator makes of the value itself.
func TestLimits(t *testing.T) {
	for _, c := range []struct {
		store, id string
		amount    int64
		keeps     bool // exactly the value
		on        bool
	}{
		{"cassandra", "rows-advice", 100_000, false, true},
		{"cassandra", "bytes-advice", 100_000_000, false, true},
		{"cassandra", "bytes-compaction-warning", 104_857_600, true, false},
		{"cassandra", "cells", 2_000_000_000, true, true},
		{"scylladb", "bytes-warning", 1000 << 20, true, true},
		{"scylladb", "rows-guardrail", 200_000, true, false},
		{"bigtable", "row-hard", 256 << 20, true, true},
		{"hbase", "row-hard", 1 << 30, true, true},
		{"dynamodb", "item-collection", 10 << 30, true, false},
		{"dynamodb", "write-units", 1000, true, true},
		{"cosmosdb", "logical-partition", 20_000_000_000, true, true},
		{"netflix", "over-partitioned", 10_000, true, true},
	} {
		limits, err := Limits(c.store)
		if err != nil {
			t.Fatal(err)
		}
		found := false
		for _, l := range limits {
			if l.ID == c.id {
				found = true
				if l.Amount() != c.amount || l.Keeps(c.amount) != c.keeps || l.On != c.on {
					t.Errorf("%v: amount %d, keeps itself %v, on %v; want %d, %v, %v", l, l.Amount(), l.Keeps(c.amount), l.On, c.amount, c.keeps, c.on)
				}
			}
		}
		if !found {
			t.Errorf("no limit %s of %s", c.id, c.store)
		}
	}
	if _, err := Limits("oracle"); err == nil || !strings.Contains(err.Error(), "cassandra, scylladb") {
		t.Errorf("unknown store: %v", err)
	}
}

func TestCheck(t *testing.T) {
	c := limit(t, "rows > 100000").Check(133_024)
	if c.Kept || c.Ratio != 1.33024 {
		t.Errorf("%+v", c)
	}
	small := limit(t, "bytes < 10kB")
	if small.Keeps(9_999) || !small.Keeps(10_000) {
		t.Error("a limit from below must be kept from its value up")
	}
	if got := limit(t, "write_units > 1000").Units(1025); got != 2 {
		t.Errorf("a write of 1,025 bytes costs %d units of 1 KiB, want 2", got)
	}
}

func TestReadLimitsErrors(t *testing.T) {
	line := "s,a,1,rows,>,rows,hard,on,source,2026\n"
	for in, want := range map[string]string{
		"":                                     "f.csv: reading the head line",
		"a,b\n":                                "f.csv: reading the head line",
		limitColumns + "\ns,a,1\n":             "line 2",
		limitColumns + "\n# x\n" + line + line: "f.csv:4: limit s a stands on line 3 already",
		limitColumns + "\n" + strings.Replace(line, "rows", "MB", 1):                `f.csv:2: unit "MB" does not measure rows`,
		limitColumns + "\n" + strings.Replace(line, ">", "=", 1):                    `f.csv:2: operator "="`,
		limitColumns + "\n" + strings.Replace(line, "on", "yes", 1):                 `f.csv:2: default "yes"`,
		limitColumns + "\n" + strings.Replace(line, "1", "1.5", 1):                  `f.csv:2: value "1.5"`,
		limitColumns + "\n" + strings.Replace(line, "source", "", 1):                "f.csv:2: column source is empty",
		limitColumns + "\n" + strings.Replace(line, "rows", "parsecs", 1):           `f.csv:2: unit "parsecs"`,
		limitColumns + "\ns,a,9223372036854775807,GB,>,bytes,hard,on,source,2026\n": "does not fit",
	} {
		if _, err := ReadLimits(strings.NewReader(in), "f.csv"); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: error %v, want %q", in, err, want)
		}
	}
}

// W13: a partition report's CSV.
func TestW13(t *testing.T) {
	bytes := []int64{110_158_965, 133_422_183, 373_362_819, 223_704_192}
	rows := []int64{91_490, 111_065, 310_706, 186_582}
	for s, want := range map[string]int{"bytes > 100MiB": 4, "rows > 100,000": 3, "rows > 200000": 1} {
		l := limit(t, s)
		amounts := rows
		if l.Counts == Bytes {
			amounts = bytes
		}
		if got := l.Broken(amounts); got != want {
			t.Errorf("%s: %d partitions, want %d", s, got, want)
		}
	}
	for _, amounts := range [][]int64{bytes, rows} {
		if d := dist.Of(amounts); d.P50 > d.Max || d.P99 > d.Max || d.P99 != d.Max {
			t.Errorf("percentiles beyond the maximum: %+v", d)
		}
	}
}

func FuzzLimits(f *testing.F) {
	f.Add(data.Limits(), "rows > 100000")
	f.Add(limitColumns+"\ns,a,1,rows,>,rows,hard,on,source,2026\n", "bytes>=100MB")
	f.Fuzz(func(t *testing.T, file, own string) {
		limits, err := ReadLimits(strings.NewReader(file), "f.csv")
		if err == nil && strings.Count(file, "\n")+1 < len(limits) {
			t.Errorf("%d limits of %d lines", len(limits), strings.Count(file, "\n")+1)
		}
		if l, err := ParseLimit(own); err == nil {
			limits = append(limits, l)
		}
		for _, l := range limits {
			if l.Amount() <= 0 || l.Operator != "<" && (!l.Keeps(l.Most()) || l.Keeps(l.Most()+1) && l.Most() < 1<<62) {
				t.Errorf("%+v contradicts itself", l)
			}
			l.Check(1)
			_ = l.String()
		}
	})
}
