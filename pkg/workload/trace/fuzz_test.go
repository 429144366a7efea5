package trace

import (
	"bytes"
	"context"
	stdcsv "encoding/csv"
	"encoding/json"
	"fmt"
	"math/big"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"github.com/parquet-go/parquet-go"
)

// Any text ends in rows that add up or an error.
func FuzzText(f *testing.F) {
	for _, seed := range []string{
		head + "a,2025-03-01T00:00:00Z,1\n\"b\r\n\"\"\",1,2\r\n,\n", "a\t1700000000\nb\t-1\n", "\xef\xbb\xbfts;user\r2025-03-01;x\r",
		"{\"user\":\"a\",\"ts\":1}\n{\"ts\":null,\"user\":[{}]}\n", "{}\n", "\"a,1\nb,2\n", "a|b\n\"c\"d|1\n", "\"\"x\n",
	} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		if bytes.HasPrefix(data, gzipMagic) || bytes.HasPrefix(data, zstdMagic) {
			return
		}
		tr, r, err := Read(context.Background(), bytes.NewReader(data), "events", Defaults())
		if err != nil {
			if tr != nil || strings.TrimSpace(err.Error()) == "" {
				t.Errorf("an error and a trace: %v", err)
			}
			return
		}
		defer tr.Close()
		contents(t, tr)
		if r.Rows != tr.Rows() || r.Rows == 0 || int64(len(r.First)) != min(r.Bad, keptBad) {
			t.Errorf("%+v", r)
		}
	})
}

// What the standard library takes for CSV is cut into the same fields, and blocks of any size into the same rows.
func FuzzRecords(f *testing.F) {
	f.Add([]byte("a,b\n\"c\n,\"\"d\",\r\n\n,e\n"), uint8(7))
	f.Add([]byte("a;\"b\r\"\rc\r\r\n\"d;\n"), uint8(3))
	f.Fuzz(func(t *testing.T, data []byte, size uint8) {
		text := append(bytes.Clone(data), '\n')
		reader := stdcsv.NewReader(bytes.NewReader(text))
		reader.FieldsPerRecord = -1
		if want, err := reader.ReadAll(); err == nil && bytes.Count(text, []byte("\r")) == bytes.Count(text, []byte("\r\n")) {
			got := firstRecords(text, ',')
			for _, record := range got {
				for i := range record {
					record[i] = strings.ReplaceAll(record[i], "\r\n", "\n") // as the standard library does
				}
			}
			if len(want) <= sampleRows && len(got)+len(want) > 0 && !reflect.DeepEqual(got, want) {
				t.Errorf("%q is cut into %q, want %q", text, got, want)
			}
		}
		// Rows of numbers: each record's first field is the entity and its second one the time.
		read := func(block int) string {
			m := meaning{choice: choice{entity: Column{Number: 1}, time: Column{Number: 2}}, clock: clock{unit: Seconds}}
			source := &source{Reader: bytes.NewReader(data), close: func() {}}
			t, err := readHead(source, block)
			if err != nil {
				return err.Error()
			}
			t.textFormat = newCSV(m, ',')
			var out strings.Builder
			lines := int64(0)
			err = t.each(context.Background(), func(r *rows) error {
				for i, e := range r.entity {
					fmt.Fprintf(&out, "%q %d\n", r.names.at(int(e)), r.time[i])
				}
				lines += r.lines
				return nil
			})
			fmt.Fprint(&out, lines, err)
			return out.String()
		}
		if block := len(data) + 1 + int(size); len(data) > 0 {
			want := read(1 << 16)
			if got := read(block); got != want {
				t.Errorf("%q in blocks of %d:\n%s\nwant\n%s", data, block, got, want)
			}
			read(2 + int(size)) // records may be too long: it must end
		}
	})
}

func FuzzJSON(f *testing.F) {
	for _, seed := range []string{`{"user":"a","ts":1}`, `{"a":{"b":["}",null]},"c":-1.5e3, "d" : true}`, `{"\u0061":"\ud800\n"}`, `{}`, `{"a":01}`, `{"a":1}}`} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, line []byte) {
		line = bytes.TrimSpace(line)
		got := map[string]string{}
		_, err := eachMember(line, func(key, value []byte) { got[string(key)] = string(value) })
		var want map[string]json.RawMessage
		wantErr := json.Unmarshal(line, &want)
		if bytes.Equal(line, []byte("null")) {
			return
		}
		if (err == nil) != (wantErr == nil) {
			t.Fatalf("%q: %v, want %v", line, err, wantErr)
		}
		if err != nil || !utf8.Valid(line) {
			return
		}
		if len(got) != len(want) {
			t.Fatalf("%q: %d members, want %d", line, len(got), len(want))
		}
		for key, value := range want {
			if got[key] != string(value) {
				t.Errorf("%q: %q is %q, want %q", line, key, got[key], value)
			}
		}
	})
}

func FuzzTimes(f *testing.F) {
	for _, seed := range []string{"2025-03-01T13:00:00.123456789+02:00", "2025-03-01 13:00", "1969-12-31", "-12.5", "20250301T130000Z", "Sat, 1 Mar 2025 13:00:00 GMT"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, s string) {
		got, _, ok := parseText([]byte(s))
		if want, err := time.Parse(time.RFC3339Nano, s); err == nil {
			if ok && got != want.Truncate(time.Microsecond).UnixMicro() {
				t.Errorf("%q is %d, want %d", s, got, want.UnixMicro())
			}
			if !ok && want.Format(time.RFC3339Nano) == s {
				t.Errorf("%q is not read", s)
			}
		}
		for unit := Seconds; unit <= Nanoseconds; unit++ {
			got, ok := unit.parse([]byte(s))
			if n, isInt := new(big.Int).SetString(s, 10); isInt && isInteger([]byte(s)) {
				want := n.Mul(n, big.NewInt(second))
				want.Div(want, big.NewInt(unit.perSecond()))
				if ok && (!want.IsInt64() || want.Int64() != got) || !ok && want.IsInt64() && want.BitLen() < 53 {
					t.Errorf("%s %q is %d (%t), want %s", unit, s, got, ok, want)
				}
			} else if ok && !isNumber(s) {
				t.Errorf("%s %q is %d", unit, s, got)
			}
		}
	})
}

// Any bytes in the place of a Parquet file end in rows or an error.
func FuzzParquet(f *testing.F) {
	type row struct {
		User *string `parquet:"user,optional,dict"`
		TS   int64   `parquet:"ts,timestamp(microsecond),delta"`
		Size int32   `parquet:"size,snappy"`
	}
	name := "a"
	for _, rows := range [][]row{nil, {{&name, 1, 2}, {nil, 3, 4}}} {
		var b bytes.Buffer
		if err := parquet.Write(&b, rows); err != nil {
			f.Fatal(err)
		}
		f.Add(b.Bytes())
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		path := filepath.Join(t.TempDir(), "events.parquet")
		if err := os.WriteFile(path, append([]byte("PAR1"), bytes.TrimPrefix(data, parquetMagic)...), 0o600); err != nil {
			t.Fatal(err)
		}
		tr, _, err := Open(context.Background(), path, Defaults())
		if err == nil {
			contents(t, tr)
			tr.Close()
		}
	})
}

// Compressed data is only ever damaged or read.
func FuzzCompressed(f *testing.F) {
	for _, how := range []string{"gzip", "zstd"} {
		f.Add([]byte(compress(f, how, head+"a,2025-03-01T00:00:00Z,1\n")))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		tr, _, err := Read(context.Background(), bytes.NewReader(data), "events", Defaults())
		if err == nil {
			contents(t, tr)
			tr.Close()
		}
	})
}
