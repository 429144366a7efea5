package trace

import (
	"context"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/parquet-go/parquet-go"
	"github.com/parquet-go/parquet-go/deprecated"
)

// write makes a Parquet file of the rows.
func write[T any](t testing.TB, rows []T, options ...parquet.WriterOption) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "events.parquet")
	if err := parquet.WriteFile(path, rows, options...); err != nil {
		t.Fatal(err)
	}
	return path
}

func open(t testing.TB, path string, change ...func(*Options)) (*Trace, *Report, error) {
	t.Helper()
	o := Defaults()
	for _, c := range change {
		c(&o)
	}
	tr, r, err := Open(context.Background(), path, o)
	if tr != nil {
		t.Cleanup(func() { tr.Close() })
	}
	return tr, r, err
}

func TestParquetTypes(t *testing.T) {
	const micros = int64(1740787200123456)
	when := time.UnixMicro(micros).UTC()
	const asMicros, asMillis = "a 2025-03-01T00:00:00.123456Z\n", "a 2025-03-01T00:00:00.123Z\n"
	const julian = 2440588 + 20148
	nanoseconds := int64(123456789)
	for _, c := range []struct{ name, path, want, times string }{
		{"millis", write(t, []struct {
			User string `parquet:"user"`
			TS   int64  `parquet:"ts,timestamp(millisecond)"`
		}{{"a", micros / 1000}}), asMillis, "times: milliseconds since 1970 (declared by the file)"},
		{"micros", write(t, []struct {
			User *string `parquet:"user,optional"`
			TS   int64   `parquet:"ts,timestamp(microsecond)"`
		}{{new("a"), micros}}), asMicros, "times: microseconds since 1970 (declared by the file)"},
		{"nanos", write(t, []struct {
			User string    `parquet:"user,dict"`
			TS   time.Time `parquet:"ts,timestamp(nanosecond)"`
		}{{"a", when}}), asMicros, "times: nanoseconds since 1970 (declared by the file)"},
		{"int64", write(t, []struct {
			User string `parquet:"user"`
			TS   int64  `parquet:"ts"`
		}{{"a", micros}}), asMicros, "times: microseconds since 1970 (recognised by magnitude)"},
		{"double", write(t, []struct {
			User string  `parquet:"user"`
			TS   float64 `parquet:"ts"`
		}{{"a", 1740787200.125}}), "a 2025-03-01T00:00:00.125Z\n", "times: seconds since 1970 (recognised by magnitude)"},
		{"string", write(t, []struct {
			User string `parquet:"user"`
			TS   string `parquet:"ts"`
		}{{"a", "2025-03-01 01:00:00.123456+01"}}), asMicros, "times: text"},
		{"date", write(t, []struct {
			User string `parquet:"user"`
			TS   int32  `parquet:"ts,date"`
		}{{"a", 20148}, {"a", -1}}), "a 2025-03-01T00:00:00Z\na 1969-12-31T00:00:00Z\n", "times: DATE"},
		{"int96", write(t, []struct {
			User string           `parquet:"user"`
			TS   deprecated.Int96 `parquet:"ts"`
		}{{"a", deprecated.Int96{uint32(nanoseconds), uint32(nanoseconds >> 32), julian}}}), asMicros, "times: INT96"},
		{"numbers as entities", write(t, []struct {
			User int32  `parquet:"user"`
			TS   int64  `parquet:"ts,timestamp(millisecond)"`
			Size uint64 `parquet:"size"`
		}{{10, 0, 5}, {-9, 1, 6}}), "10 1970-01-01T00:00:00Z 5\n-9 1970-01-01T00:00:00.001Z 6\n", ""},
		{"uuid", write(t, []struct {
			User [16]byte `parquet:"user,uuid"`
			TS   int64    `parquet:"ts,timestamp(millisecond)"`
		}{{[16]byte{15: 1}, 0}}), "00000000-0000-0000-0000-000000000001 1970-01-01T00:00:00Z\n", ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			tr, r, err := open(t, c.path)
			if err != nil {
				t.Fatal(err)
			}
			if got := show(t, tr); got != c.want {
				t.Errorf("rows\n%swant\n%s", got, c.want)
			}
			if got := strings.Join(r.Choices(), "\n"); !strings.Contains(got, c.times) {
				t.Errorf("choices\n%s\nwant\n%s", got, c.times)
			}
		})
	}
}

func TestParquetRefused(t *testing.T) {
	type row struct {
		User string `parquet:"user"`
		TS   int64  `parquet:"ts,timestamp(millisecond)"`
	}
	good := write(t, []row{{"a", 1}, {"b", 2}})
	whole, err := os.ReadFile(good)
	if err != nil {
		t.Fatal(err)
	}
	cut := filepath.Join(t.TempDir(), "cut.parquet")
	if err := os.WriteFile(cut, whole[:len(whole)-20], 0o600); err != nil {
		t.Fatal(err)
	}
	long := filepath.Join(t.TempDir(), "long.parquet")
	if err := os.WriteFile(long, append(whole[:len(whole)-8:len(whole)-8], "\xff\xff\xff\xffPAR1"...), 0o600); err != nil {
		t.Fatal(err)
	}
	nested := write(t, []struct {
		User struct {
			ID int64 `parquet:"id"`
		} `parquet:"user"`
		TS   int64    `parquet:"ts,timestamp(millisecond)"`
		Tags []string `parquet:"tags,list"`
	}{{}})
	for _, c := range []struct {
		name, path, want string
		change           func(*Options)
	}{
		{"cut", cut, "the Parquet file does not end in a footer: it was cut", nil},
		{"a footer of 4 GB", long, "the Parquet file does not end in a footer", nil},
		{"no rows", write(t, []row{}), "the file has no rows", nil},
		{"unknown column", good, `-entity device: no such column; the columns are 1 "user", 2 "ts"`, func(o *Options) { o.Entity = "device" }},
		{"no time", write(t, []struct {
			A string `parquet:"a"`
			B string `parquet:"b"`
		}{{"x", "y"}}), "no column looks like a time", nil},
		{"nested", nested, `no column is left for the entity`, nil},
		{"nested, by name", nested, `-entity user: no such column; the columns are 1 "user (nested)", 2 "ts", 3 "tags (nested)"`, func(o *Options) { o.Entity = "user" }},
		{"nested, by number", nested, `column 1 "user (nested)" is no flat column of a plain type`, func(o *Options) { o.Entity = "1" }},
		{"wrong unit", write(t, []row{{"a", 1759276800000000000}, {"b", 1759276800000000001}}),
			`column 2 "ts" ends in the year 55,751,232: nanoseconds given as milliseconds?`, nil},
		{"out of range", write(t, []row{{"a", math.MinInt64}}), "no good row, 1 bad ones:", nil},
	} {
		t.Run(c.name, func(t *testing.T) {
			_, _, err := open(t, c.path, func(o *Options) {
				if c.change != nil {
					c.change(o)
				}
			})
			if err == nil || !strings.Contains(err.Error(), c.want) {
				t.Errorf("error %v, want %s", err, c.want)
			}
		})
	}
}

// Nulls are bad rows, numbered over row groups of many pages.
func TestParquetManyPages(t *testing.T) {
	type row struct {
		User *string `parquet:"user,optional,dict"`
		TS   int64   `parquet:"ts,timestamp(microsecond)"`
		Size int32   `parquet:"size"`
	}
	const n = 50_000
	rows := make([]row, n)
	names := []string{"x", "y", "zz"}
	total := int64(0)
	for i := range rows {
		rows[i] = row{User: &names[i%3], TS: int64(i) * 1000, Size: int32(i % 100)}
		if i == 41_000 {
			rows[i].User = nil
		} else {
			total += int64(i % 100)
		}
	}
	path := write(t, rows, parquet.MaxRowsPerRowGroup(20_000), parquet.PageBufferSize(3000), parquet.Compression(&parquet.Zstd))
	var progress int64
	tr, r, err := open(t, path, func(o *Options) { o.Progress = func(read, size int64) { progress = size - read } })
	if err != nil {
		t.Fatal(err)
	}
	if tr.Rows() != n-1 || r.TotalBytes != total || r.Bad != 1 || r.First[0].Line != 41_001 || progress != 0 {
		t.Errorf("%+v, %d bytes to go", r, progress)
	}
	s := contents(t, tr)
	for i, at := 0, 0; i < n; i++ {
		if i == 41_000 {
			continue
		}
		if s.Entity[at] != int32(i%3) || s.Time[at] != int64(i)*1000 || s.Size[at] != int32(i%100) {
			t.Fatalf("row %d is %d %d %d", i, s.Entity[at], s.Time[at], s.Size[at])
		}
		at++
	}
}
