package trace

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"math/rand/v2"
	"runtime"
	"strconv"
	"sync/atomic"
	"testing"
	"time"
)

// events writes n rows of so many entities as CSV, the same ones for the same arguments.
func events(w io.Writer, n, entities int) error {
	random := rand.New(rand.NewPCG(1, 2))
	b := []byte("entity,ts,bytes\n")
	for i := range n {
		b = strconv.AppendInt(b, int64(random.IntN(entities)), 10)
		b = time.Unix(1357000000+int64(i)*10, 0).UTC().AppendFormat(append(b, ','), time.RFC3339)
		b = strconv.AppendInt(append(b, ','), int64(60+i%40), 10)
		if b = append(b, '\n'); len(b) > 64<<10 || i == n-1 {
			if _, err := w.Write(b); err != nil {
				return err
			}
			b = b[:0]
		}
	}
	return nil
}

func BenchmarkRead(b *testing.B) {
	for _, form := range []struct {
		name      string
		translate func([]byte) []byte
	}{
		{"csv", func(p []byte) []byte { return p }},
		{"crlf", func(p []byte) []byte { return bytes.ReplaceAll(p, []byte("\n"), []byte("\r\n")) }},
		{"quoted", func(p []byte) []byte {
			return bytes.ReplaceAll(bytes.ReplaceAll(p, []byte("\n"), []byte("\"\n\"")), []byte(","), []byte(`","`))[len("entity\",\"ts\",\"bytes\"\n"):]
		}},
		{"ndjson", func(p []byte) []byte {
			var out []byte
			for line := range bytes.Lines(p) {
				if f := bytes.Split(bytes.TrimSpace(line), []byte(",")); f[0][0] != 'e' {
					out = fmt.Appendf(out, "{\"entity\": %s, \"ts\": %q, \"bytes\": %s}\n", f[0], f[1], f[2])
				}
			}
			return out
		}},
	} {
		b.Run(form.name, func(b *testing.B) {
			const rows = 1_000_000
			var plain bytes.Buffer
			if err := events(&plain, rows, 4000); err != nil {
				b.Fatal(err)
			}
			text := form.translate(plain.Bytes())
			b.SetBytes(int64(len(text)))
			b.ReportAllocs()
			for b.Loop() {
				tr, _, err := Read(context.Background(), bytes.NewReader(text), "events", Defaults())
				if err != nil {
					b.Fatal(err)
				}
				if tr.Rows() < rows-1 {
					b.Fatal(tr.Rows())
				}
				tr.Close()
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/rows, "ns/row")
		})
	}
}

func BenchmarkReadParquet(b *testing.B) {
	type row struct {
		Entity int64 `parquet:"entity,delta"`
		TS     int64 `parquet:"ts,timestamp(microsecond),delta"`
		Bytes  int32 `parquet:"bytes"`
	}
	rows := make([]row, 1_000_000)
	random := rand.New(rand.NewPCG(1, 2))
	for i := range rows {
		rows[i] = row{random.Int64N(4000), int64(i) * 10_000_000, int32(60 + i%40)}
	}
	path := write(b, rows)
	b.ReportAllocs()
	for b.Loop() {
		tr, _, err := Open(context.Background(), path, Defaults())
		if err != nil {
			b.Fatal(err)
		}
		tr.Close()
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(len(rows)), "ns/row")
}

// peak is the largest heap, in bytes, while f runs.
func peak(f func()) uint64 {
	runtime.GC()
	var largest atomic.Uint64
	stop, done := make(chan struct{}), make(chan struct{})
	go func() {
		defer close(done)
		var m runtime.MemStats
		for {
			select {
			case <-stop:
				return
			case <-time.After(5 * time.Millisecond):
				runtime.ReadMemStats(&m)
				largest.Store(max(largest.Load(), m.HeapInuse))
			}
		}
	}()
	f()
	close(stop)
	<-done
	return largest.Load()
}

// stream hands a generated text to a reader without holding it.
func stream(t testing.TB, write func(io.Writer) error) io.Reader {
	r, w := io.Pipe()
	go func() { w.CloseWithError(write(w)) }()
	t.Cleanup(func() { r.Close() })
	return r
}

func TestMemoryGrowsWithEntitiesOnly(t *testing.T) {
	if testing.Short() {
		t.Skip("reads 3,000,000 rows")
	}
	for _, c := range []struct{ rows, entities int }{{1_000_000, 100_000}, {3_000_000, 100_000}} {
		used := peak(func() {
			o := Defaults()
			o.Memory = 8 << 20
			r := stream(t, func(w io.Writer) error { return events(w, c.rows, c.entities) })
			tr, report, err := Read(context.Background(), r, "events", o)
			if err != nil {
				t.Fatal(err)
			}
			defer tr.Close()
			if report.Rows != int64(c.rows) || report.Entities > c.entities || report.SpilledRows == 0 {
				t.Errorf("%+v", report)
			}
		})
		t.Logf("%d rows, %d entities: %d MB", c.rows, c.entities, used>>20)
		if used > 80<<20 {
			t.Errorf("%d rows: %d MB in use", c.rows, used>>20)
		}
	}
}
