package trace

import (
	"context"
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"pagetouch/pkg/workload"
)

// contents is a whole trace as columns.
func contents(t testing.TB, tr *Trace) *workload.Slice {
	t.Helper()
	s := &workload.Slice{Number: tr.Entities(), Bytes: tr.RowBytes()}
	err := tr.Scan(func(b *workload.Batch) error {
		if b.First != int64(len(s.Entity)) {
			t.Fatalf("a batch begins at row %d, want %d", b.First, len(s.Entity))
		}
		s.Entity, s.Time = append(s.Entity, b.Entity...), append(s.Time, b.Time...)
		s.Size = append(s.Size, b.Size...)
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if int64(len(s.Entity)) != tr.Rows() {
		t.Fatalf("scanned %d rows of %d", len(s.Entity), tr.Rows())
	}
	return s
}

// parse reads a text with default options and the changes to them.
func parse(t testing.TB, text string, change ...func(*Options)) (*Trace, *Report, error) {
	t.Helper()
	o := Defaults()
	for _, c := range change {
		c(&o)
	}
	tr, r, err := Read(context.Background(), strings.NewReader(text), "events", o)
	if tr != nil {
		t.Cleanup(func() { tr.Close() })
	}
	return tr, r, err
}

// show writes a trace as lines "name time size".
func show(t testing.TB, tr *Trace) string {
	t.Helper()
	s := contents(t, tr)
	var b strings.Builder
	for i, e := range s.Entity {
		b.WriteString(tr.Name(int(e)) + " " + time.UnixMicro(s.Time[i]).UTC().Format(time.RFC3339Nano))
		if s.Size != nil {
			b.WriteString(" " + strconv.Itoa(int(s.Size[i])))
		}
		b.WriteByte('\n')
	}
	return b.String()
}

// sharedTraces finds the folder of real traces, or skips the test.
func sharedTraces(t testing.TB) string {
	t.Helper()
	if dir := os.Getenv("PAGETOUCH_SHARED"); dir != "" {
		return filepath.Join(dir, "traces")
	}
	dir, err := os.Getwd()
	if err != nil {
		t.Fatal(err)
	}
	for ; dir != filepath.Dir(dir); dir = filepath.Dir(dir) {
		traces := filepath.Join(dir, "shared", "traces")
		if _, err := os.Stat(traces); err == nil {
			return traces
		}
	}
	t.Skip("no shared/traces above the package and PAGETOUCH_SHARED is not set")
	return ""
}

func TestSharedTraces(t *testing.T) {
	dir := sharedTraces(t)
	for _, name := range []string{"git-head", "git-all", "nycflights-plane", "nycflights-carrier", "nab-sensors"} {
		t.Run(name, func(t *testing.T) {
			var want struct {
				Answers struct {
					Rows, Entities int64
					Bytes          int64 `json:"bytes_total"`
				}
				Stats struct {
					First   time.Time `json:"first_ts"`
					Last    time.Time `json:"last_ts"`
					Busiest struct{ Entity, Rows int }
				}
			}
			b, err := os.ReadFile(filepath.Join(dir, name+".answers.json"))
			if err != nil {
				t.Fatal(err)
			}
			if err := json.Unmarshal(b, &want); err != nil {
				t.Fatal(err)
			}
			var forms []*workload.Slice
			for _, ending := range []string{".csv.gz", ".parquet"} {
				o := Defaults()
				o.Memory = 1 << 20 // so that most rows go through the file
				tr, r, err := Open(context.Background(), filepath.Join(dir, name+ending), o)
				if errors.Is(err, os.ErrNotExist) && ending == ".parquet" {
					continue // two traces have this form
				}
				if err != nil {
					t.Fatal(err)
				}
				defer tr.Close()
				if tr.Rows() != want.Answers.Rows || int64(tr.Entities()) != want.Answers.Entities || r.TotalBytes != want.Answers.Bytes || r.Bad != 0 {
					t.Errorf("%s: %d rows, %d entities, %d bytes, %d bad; want %+v", ending, tr.Rows(), tr.Entities(), r.TotalBytes, r.Bad, want.Answers)
				}
				if !time.UnixMicro(r.FirstTime).Equal(want.Stats.First) || !time.UnixMicro(r.LastTime).Equal(want.Stats.Last) {
					t.Errorf("%s: times %d to %d, want %+v", ending, r.FirstTime, r.LastTime, want.Stats)
				}
				s := contents(t, tr)
				counts := make([]int, tr.Entities())
				for _, e := range s.Entity {
					counts[e]++
				}
				if i, ok := tr.Entity(strconv.Itoa(want.Stats.Busiest.Entity)); !ok || counts[i] != want.Stats.Busiest.Rows || slices.Max(counts) != counts[i] {
					t.Errorf("%s: the busiest entity is not %+v", ending, want.Stats.Busiest)
				}
				for i := 1; i < tr.Entities(); i++ {
					a, _ := strconv.Atoi(tr.Name(i - 1))
					b, _ := strconv.Atoi(tr.Name(i))
					if a >= b {
						t.Fatalf("entity %d is %d and the next one %d", i-1, a, b)
					}
				}
				if r.SpilledRows == 0 {
					t.Errorf("%s: nothing was spilled", ending)
				}
				forms = append(forms, s)
			}
			if len(forms) == 2 && !(slices.Equal(forms[0].Entity, forms[1].Entity) && slices.Equal(forms[0].Time, forms[1].Time) && slices.Equal(forms[0].Size, forms[1].Size)) {
				t.Error("CSV and Parquet differ")
			}
		})
	}
}
