package sizing

import (
	"compress/gzip"
	"encoding/csv"
	"encoding/json"
	"os"
	"path/filepath"
	"strconv"
	"testing"
	"time"

	"pagetouch/pkg/workload"
)

// shared finds the folder of real traces and their answers: $PAGETOUCH_SHARED, or shared/ in some parent folder.
func shared(t testing.TB) string {
	t.Helper()
	if dir := os.Getenv("PAGETOUCH_SHARED"); dir != "" {
		return dir
	}
	dir, err := os.Getwd()
	for err == nil {
		try := filepath.Join(dir, "shared")
		if _, err := os.Stat(filepath.Join(try, "traces")); err == nil {
			return try
		}
		if up := filepath.Dir(dir); up != dir {
			dir = up
			continue
		}
		break
	}
	t.Skip("no real traces here: they are not part of the project; PAGETOUCH_SHARED names the folder that holds traces/")
	return ""
}

// readTrace is a trace of columns entity, ts, bytes.
func readTrace(t testing.TB, name string) *workload.Slice {
	t.Helper()
	f, err := os.Open(filepath.Join(shared(t), "traces", name+".csv.gz"))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	z, err := gzip.NewReader(f)
	if err != nil {
		t.Fatal(err)
	}
	records, err := csv.NewReader(z).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	s := &workload.Slice{}
	for _, r := range records[1:] {
		e, err1 := strconv.Atoi(r[0])
		at, err2 := time.Parse(time.RFC3339, r[1])
		bytes, err3 := strconv.Atoi(r[2])
		if err1 != nil || err2 != nil || err3 != nil {
			t.Fatal(name, r)
		}
		s.Entity, s.Time, s.Size = append(s.Entity, int32(e)), append(s.Time, at.UnixMicro()), append(s.Size, int32(bytes))
	}
	return s
}

// answer is a distribution as the reference answers write it.
type answer struct {
	N    int64   `json:"n"`
	Sum  int64   `json:"sum"`
	Mean float64 `json:"mean"`
	Min  int64   `json:"min"`
	P50  int64   `json:"p50_nearest_rank"`
	P99  int64   `json:"p99_nearest_rank"`
	Max  int64   `json:"max"`
}

type answers struct {
	Answers struct {
		Rows     int64 `json:"rows"`
		Entities int64 `json:"entities"`
		Measured int64 `json:"entities_ge20"`
		Bytes    int64 `json:"bytes_total"`
		Buckets  map[string]struct {
			Partitions int64 `json:"partitions"`
			MaxRows    int64 `json:"max_rows"`
			MaxAt      struct {
				Entity int    `json:"entity"`
				Start  string `json:"bucket_start"`
			} `json:"max_at"`
			Read      answer `json:"visited_incl_empty"`
			Directory answer `json:"visited_skip_empty"`
		} `json:"buckets"`
	} `json:"answers"`
}

func readAnswers(t testing.TB, name string) (a answers) {
	t.Helper()
	raw, err := os.ReadFile(filepath.Join(shared(t), "traces", name+".answers.json"))
	if err == nil {
		err = json.Unmarshal(raw, &a)
	}
	if err != nil {
		t.Fatal(err)
	}
	return a
}
