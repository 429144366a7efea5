package trace

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/klauspost/compress/gzip"
	"github.com/klauspost/compress/zstd"

	"pagetouch/pkg/workload"
)

const head = "entity,ts,bytes\n"

// Inputs that end in rows, with what is bad about others.
func TestOddTexts(t *testing.T) {
	const a, b = "a 2025-03-01T00:00:00Z 1\n", "b 2025-03-01T00:00:01Z 2\n"
	for _, c := range []struct{ name, text, rows, bad string }{
		{"no last line end", head + "a,2025-03-01T00:00:00Z,1\nb,2025-03-01T00:00:01Z,2", a + b, ""},
		{"mixed line ends", "entity,ts,bytes\r\na,2025-03-01T00:00:00Z,1\rb,2025-03-01T00:00:01Z,2\nx,,1\r", a + b, `events:4: column 2 "ts": no time`},
		{"carriage returns alone", "entity,ts,bytes\ra,2025-03-01T00:00:00Z,1\rb,2025-03-01T00:00:01Z,2\r", a + b, ""},
		{"byte order mark", "\xef\xbb\xbf" + head + "a,2025-03-01T00:00:00Z,1\n", a, ""},
		{"empty lines", "\n\r\n" + head + "\n\na,2025-03-01T00:00:00Z,1\n\n\nx,x,1\n", a, `events:9: column 2 "ts": "x" is not a time`},
		{"quotes", head + "\"a\",\"2025-03-01T00:00:00Z\",\"1\"\n\"b\",2025-03-01T00:00:01Z,2,\"more,\nlines\"\nx,x,1\n", a + b, `events:5: column 2 "ts": "x" is not a time`},
		{"quoted everything", head + "\"a \"\"q\"\"\r\n,b\",2025-03-01T00:00:00Z,1\n", "a \"q\"\r\n,b 2025-03-01T00:00:00Z 1\n", ""},
		{"a quote inside", head + "5\" pipe,2025-03-01T00:00:00Z,1\n", "5\" pipe 2025-03-01T00:00:00Z 1\n", ""},
		{"an open quote", head + "a,2025-03-01T00:00:00Z,1\n\"x,2025-03-01T00:00:00Z,1\nb,2025-03-01T00:00:01Z,2\n", a + b, "events:3: a quote is opened and not closed within 1048576 bytes"},
		{"text after a quote", head + "\"x\"y,2025-03-01T00:00:00Z,1\na,2025-03-01T00:00:00Z,1\n", a, "events:2: column 1: text after a closing quote"},
		{"cut in the middle", head + "a,2025-03-01T00:00:00Z,1\nb,2025-03-0", a, `events:3: the row has 2 of the columns: no column 3 "bytes"`},
		{"NUL bytes", head + "a,2025-03-01T00:00:00Z,1\na\x00b,2025-03-01T00:00:00Z,1\n\x00\x00\x00\n", a + "a\x00b 2025-03-01T00:00:00Z 1\n", `events:4: the row has 1 of the columns: no column 2 "ts"`},
		{"sizes", head + "a,2025-03-01T00:00:00Z,1\nx,2025-03-01T00:00:00Z,-1\n", a, `events:3: column 3 "bytes": "-1" is not a size of 0 to 2147483647 bytes`},
		{"no entity", head + "a,2025-03-01T00:00:00Z,1\n,2025-03-01T00:00:00Z,1\n", a, `events:3: column 1 "entity": no entity`},
		{"script", head + "<script>alert(1)</script>,2025-03-01T00:00:00Z,1\n", "<script>alert(1)</script> 2025-03-01T00:00:00Z 1\n", ""},
		{"before 1970, after 2262", head + "a,1492-10-12T00:00:00Z,1\na,9999-01-01T00:00:00Z,1\n", "a 1492-10-12T00:00:00Z 1\na 9999-01-01T00:00:00Z 1\n", ""},
		{"numbers before 1970, after 2262", head + "a,-15000000000,1\na,95617584000,1\n", "a 1494-09-01T21:20:00Z 1\na 5000-01-01T00:00:00Z 1\n", ""},
		{"a stray unit", head + strings.Repeat("a,1740787200,1\n", 20) + "x,1740787200000000000,1\n", strings.Repeat(a, 20), `events:22: column 2 "ts": "1740787200000000000" is in the year 55,163,352,346: nanoseconds given as seconds?`},
		{"out of range", head + strings.Repeat("a,1740787200,1\n", 20) + "x,-99999999999999,1\n", strings.Repeat(a, 20), `events:22: column 2 "ts": "-99999999999999" is not a time in seconds since 1970`},
		{"broken objects", "{\"user\":\"a\",\"ts\":\"2025-03-01T00:00:00Z\",\"size\":1}\n{\"user\":\"x\",\"ts\n", a, "events:2: byte 13 of the line: not valid JSON"},
		{"nested objects", "{\"user\":\"a\",\"ts\":\"2025-03-01T00:00:00Z\",\"size\":1}\n{\"user\":{\"id\":7},\"ts\":\"2025-03-01T00:00:00Z\"}\n", a, `events:2: column 1 "user": an object or array, not a single value`},
		{"escapes", "{\"\\u0075ser\":\"\\u0061\",\"ts\":\"2025-03-01T00:00:00Z\",\"size\":1}\n{\"user\":null,\"ts\":\"2025-03-01T00:00:00Z\",\"size\":1}\n", a, `events:2: column 1 "user": no entity`},
	} {
		t.Run(c.name, func(t *testing.T) {
			tr, r, err := parse(t, c.text)
			if err != nil {
				t.Fatal(err)
			}
			if got := show(t, tr); got != c.rows {
				t.Errorf("rows\n%swant\n%s", got, c.rows)
			}
			var bad []string
			for _, b := range r.First {
				bad = append(bad, b.String())
			}
			if got := strings.Join(bad, "\n"); got != c.bad || int64(len(r.First)) != r.Bad {
				t.Errorf("bad rows\n%s\nwant\n%s", got, c.bad)
			}
		})
	}
}

// Inputs that end in one clear error.
func TestRefused(t *testing.T) {
	gz := compress(t, "gzip", head+strings.Repeat("a,2025-03-01T00:00:00Z,1\n", 10000))
	zst := compress(t, "zstd", head+strings.Repeat("a,2025-03-01T00:00:00Z,1\n", 10000))
	for _, c := range []struct {
		name, text, want string
		change           func(*Options)
	}{
		{"empty", "", "events: the file is empty", nil},
		{"blank", " \n\n \r\n", "events: the file is empty", nil},
		{"header only", head, "events: the file has no rows", nil},
		{"one column", "name\na\nb\n", `line 1 has one column, "name": an entity and a time are needed, split by comma, tab, semicolon or pipe`, nil},
		{"no time", "a,b\n1,x\n", `no column looks like a time: name one with -time; the columns are 1 "a", 2 "b"`, nil},
		{"unknown column", head + "a,2025-03-01T00:00:00Z,1\n", `-entity user: no such column; the columns are 1 "entity", 2 "ts", 3 "bytes"`, func(o *Options) { o.Entity = "user" }},
		{"column 4 of 3", head + "a,2025-03-01T00:00:00Z,1\n", `-time 4: no such column`, func(o *Options) { o.Time = "4" }},
		{"a name twice", "ts,ts,entity\n2025-03-01,2025-03-01,a\n", `-time ts: columns 1 and 2 have this name: give a number`, func(o *Options) { o.Time = "ts" }},
		{"one column for two", head + "a,2025-03-01T00:00:00Z,1\n", `column 2 "ts" is named for two roles`, func(o *Options) { o.Entity, o.Time = "ts", "2" }},
		{"two sizes", head, "a column of sizes (bytes) and one size for all rows (7): choose one", func(o *Options) { o.Bytes, o.RowBytes = "bytes", 7 }},
		{"wrong unit", "a,1697143333333333333\n", "column 2 ends in the year 53,782,301: nanoseconds given as milliseconds?", func(o *Options) { o.Unit = Milliseconds }},
		{"UTF-16", "\xff\xfea\x00,\x00", "the text is UTF-16", nil},
		{"NULs", strings.Repeat("\x00", 9000) + "\n", "more than a quarter of the first bytes are NUL", nil},
		{"array", " [\n {\"user\":1}]\n", "the file is a JSON array", nil},
		{"ZIP", "PK\x03\x04xxxx\n", "the file is a ZIP archive", nil},
		{"Parquet stream", "PAR1xxxx\n", "a Parquet trace needs a file", nil},
		{"gzip cut", gz[:len(gz)/2], "the gzip data ends in the middle: the file was cut, get it again", nil},
		{"gzip header cut", gz[:5], "the gzip data ends in the middle", nil},
		{"gzip damaged", gz[:len(gz)-8] + "12345678", "the gzip data is damaged", nil},
		{"zstd cut", zst[:len(zst)-5], "the zstd data", nil},
		{"twice", compress(t, "gzip", gz), "the file is compressed twice", nil},
		{"all bad", head + strings.Repeat("a,x,1\n", 150), "the first 100 rows are all bad:\n  events:2: column 2 \"ts\"", func(o *Options) { o.MaxBad, o.Time = -1, "ts" }},
		{"few, all bad", head + strings.Repeat("a,x,1\n", 3), "no good row, 3 bad ones:", func(o *Options) { o.Time = "ts" }},
		{"one bad too many", head + strings.Repeat("a,2025-03-01T00:00:00Z,1\n", 200) + "a,x,1\n", "more than 0 bad rows (-max-bad), the first ones:\n  events:202: ", func(o *Options) { o.MaxBad = 0 }},
		{"entities", head + "a,2025-03-01T00:00:00Z,1\nb,2025-03-01T00:00:00Z,1\n", `more than 1 entities`, func(o *Options) { o.MaxEntities = 1 }},
		{"open quote first", "\"entity,ts\na,2025-03-01T00:00:00Z\n", "line 1: a quote is opened and not closed", nil},
		{"nested only", "{\"user\":{\"id\":1},\"ts\":\"2025-03-01\"}\n", "(no columns, for they hold objects or arrays: user)", nil},
		{"no object", "{]\n{]\n", "no line holds a JSON object", nil},
	} {
		t.Run(c.name, func(t *testing.T) {
			o := func(o *Options) {
				if c.change != nil {
					c.change(o)
				}
			}
			_, _, err := parse(t, c.text, o)
			if err == nil || !strings.Contains(err.Error(), c.want) {
				t.Errorf("error %v, want %s", err, c.want)
			}
		})
	}
	if _, _, err := Open(context.Background(), t.TempDir(), Defaults()); err == nil || !strings.Contains(err.Error(), "is a directory") {
		t.Errorf("a directory: %v", err)
	}
	if _, _, err := Open(context.Background(), filepath.Join(t.TempDir(), "none"), Defaults()); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("no file: %v", err)
	}
}

func compress(t testing.TB, how, text string) string {
	var b bytes.Buffer
	var w io.WriteCloser = gzip.NewWriter(&b)
	if how == "zstd" {
		var err error
		if w, err = zstd.NewWriter(&b); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := io.WriteString(w, text); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

// Compression is told by the first bytes: a stream has no name.
func TestCompressed(t *testing.T) {
	text := head + "a,2025-03-01T00:00:00Z,1\n"
	for _, how := range []string{"gzip", "zstd"} {
		tr, r, err := parse(t, compress(t, how, text)+compress(t, how, "b,2025-03-01T00:00:01Z,2\n"))
		if err != nil || r.Compression != how || tr.Rows() != 2 {
			t.Errorf("%s: %v, %+v", how, err, r)
		}
	}
}

// A line of 256 MB, of 10 GB where PAGETOUCH_LONG is set: one bad row in bounded memory.
func TestLongLine(t *testing.T) {
	size := 256 << 20
	if os.Getenv("PAGETOUCH_LONG") != "" {
		size = 10 << 30
	}
	for _, c := range []struct{ name, start, fill, end, why string }{
		{"plain", "", "x", "\r\n", "events:3: the line is longer than 1048576 bytes"},
		{"quoted", "\"", "x", "\"\n", "events:3: the line is longer than 1048576 bytes"},
		{"open at the end", "", "x", "", "events:3: the line is longer than 1048576 bytes"},
	} {
		t.Run(c.name, func(t *testing.T) {
			r := stream(t, func(w io.Writer) error {
				fmt.Fprint(w, head, "a,2025-03-01T00:00:00Z,1\n", c.start)
				filling := []byte(strings.Repeat(c.fill, 1<<20))
				for range size >> 20 {
					if _, err := w.Write(filling); err != nil {
						return err
					}
				}
				_, err := fmt.Fprint(w, c.end, "b,x,1\n"[:min(6, 6*len(c.end))])
				return err
			})
			used := peak(func() {
				tr, report, err := Read(context.Background(), r, "events", Defaults())
				if err != nil {
					t.Fatal(err)
				}
				defer tr.Close()
				if report.First[0].String() != c.why || tr.Rows() != 1 {
					t.Errorf("%d rows, bad %v", tr.Rows(), report.First)
				}
				if c.end != "" && (report.Bad != 2 || report.First[1].Line != 4) {
					t.Errorf("bad %v", report.First)
				}
			})
			if used > 60<<20 {
				t.Errorf("%d MB in use", used>>20)
			}
		})
	}
	r := stream(t, func(w io.Writer) error {
		for {
			if _, err := w.Write(make([]byte, 1<<20)); err != nil {
				return err
			}
		}
	})
	if _, _, err := Read(context.Background(), r, "zeros", Defaults()); err == nil {
		t.Error("endless zeros are read")
	}
}

// A zip bomb is one row after another, or one long line: neither is ever held.
func TestBomb(t *testing.T) {
	var b bytes.Buffer
	w, err := gzip.NewWriterLevel(&b, gzip.BestSpeed)
	if err != nil {
		t.Fatal(err)
	}
	io.WriteString(w, head+"a,2025-03-01T00:00:00Z,1\n")
	for filling := bytes.Repeat([]byte("x"), 1<<20); b.Len() < 2<<20; {
		w.Write(filling)
	}
	w.Close()
	used := peak(func() {
		tr, r, err := parse(t, b.String())
		if err != nil || tr.Rows() != 1 || r.Bad != 1 {
			t.Errorf("%v, %+v", err, r)
		}
	})
	if used > 80<<20 {
		t.Errorf("%d MB in use", used>>20)
	}
}

func TestDiskFull(t *testing.T) {
	if _, err := os.Stat("/dev/full"); err != nil {
		t.Skip("no /dev/full here")
	}
	full, err := os.OpenFile("/dev/full", os.O_RDWR, 0)
	if err != nil {
		t.Skip(err)
	}
	s := newStore(true, 1, "")
	s.file = full
	r := newRows()
	for range chunkRows {
		r.add(0, 0, true)
		r.addSize(1)
	}
	err = s.append(&r, []int32{0})
	full.Close()
	if err == nil || !strings.Contains(err.Error(), "no space left on device; free disk space, set TMPDIR") {
		t.Errorf("disk full: %v", err)
	}
	if _, _, err := parse(t, head+strings.Repeat("a,2025-03-01T00:00:00Z,1\n", chunkRows), func(o *Options) { o.Memory, o.TempDir = 1, "/nowhere" }); err == nil ||
		!strings.Contains(err.Error(), "rows beyond the memory budget need a temporary file") {
		t.Errorf("no place for the file: %v", err)
	}
}

// Nothing is left behind, and what is spilled equals what is not.
func TestSpill(t *testing.T) {
	var b bytes.Buffer
	if err := events(&b, 3*chunkRows+5, 100); err != nil {
		t.Fatal(err)
	}
	whole, _, err := parse(t, b.String())
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	tr, r, err := parse(t, b.String(), func(o *Options) { o.Memory, o.TempDir = 16*chunkRows, dir })
	if err != nil || r.SpilledRows != 2*chunkRows+5 {
		t.Fatalf("%v, %+v", err, r)
	}
	first, again := show(t, tr), show(t, tr)
	if want := show(t, whole); first != want || again != want {
		t.Error("rows differ where they are spilled")
	}
	stop := errors.New("stop")
	if err := tr.Scan(func(*workload.Batch) error { return stop }); err != stop {
		t.Errorf("scan ends with %v", err)
	}
	if err := tr.Close(); err != nil {
		t.Error(err)
	}
	if left, _ := filepath.Glob(filepath.Join(dir, "*")); len(left) > 0 {
		t.Errorf("left behind: %v", left)
	}
}

func TestCancel(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	var progress int64
	o := Defaults()
	o.Progress = func(read, total int64) {
		if progress = read; read > 8<<20 {
			cancel()
		}
	}
	r := stream(t, func(w io.Writer) error {
		for {
			if err := events(w, 10000, 10); err != nil {
				return err
			}
		}
	})
	start := time.Now()
	if _, _, err := Read(ctx, r, "endless", o); !errors.Is(err, context.Canceled) {
		t.Errorf("cancelled: %v after %d bytes", err, progress)
	}
	if time.Since(start) > time.Minute {
		t.Error("it took long")
	}
}

// Every place where a block may end leaves the same rows, and other processors the same ones too.
func TestBlockBorders(t *testing.T) {
	text := "user,when,note,bytes\r\n" +
		"\"a, b\",2025-03-01T00:00:00Z,\"x\ny\",1\n" + "c,2025-03-01T00:00:01Z,\"\"\"\",22\r" +
		"d,2025-03-01T00:00:02Z,,333\r\n\r\n" + "\"e\r\n\",2025-03-01T00:00:03Z,5\" pipe,4\n" + "f,oops,,4\n" +
		"g,2025-03-01T00:00:04Z,\"\r\",5"
	want, wantReport, err := parse(t, text)
	if err != nil {
		t.Fatal(err)
	}
	for block := 48; block < len(text)+2; block++ {
		tr, r, err := parse(t, text, func(o *Options) { o.block = block })
		if err != nil {
			t.Fatalf("blocks of %d: %v", block, err)
		}
		if show(t, tr) != show(t, want) || fmt.Sprint(r.First) != fmt.Sprint(wantReport.First) {
			t.Fatalf("blocks of %d:\n%s%v\nwant\n%s%v", block, show(t, tr), r.First, show(t, want), wantReport.First)
		}
	}
}
