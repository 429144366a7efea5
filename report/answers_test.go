package main

import (
	"encoding/json"
	"os"
	"path/filepath"
	"testing"

	"pagetouch/pkg/dist"
)

// sharedTraces is the folder of real traces: in $PAGETOUCH_SHARED, or in shared/ of some parent folder.
func sharedTraces(t testing.TB) string {
	t.Helper()
	if dir := os.Getenv("PAGETOUCH_SHARED"); dir != "" {
		return filepath.Join(dir, "traces")
	}
	dir, err := os.Getwd()
	for err == nil {
		try := filepath.Join(dir, "shared", "traces")
		if _, err := os.Stat(try); err == nil {
			return try
		}
		up := filepath.Dir(dir)
		if up == dir {
			break
		}
		dir = up
	}
	t.Skip("no shared/traces above this folder and PAGETOUCH_SHARED is not set: the real traces are not part of the project")
	return ""
}

// printed is what trace -json prints, as far as the tests compare it.
type printed struct {
	Rows     int64 `json:"rows"`
	Entities int64 `json:"entities"`
	Measured int64 `json:"measured_entities"`
	Bytes    int64 `json:"bytes"`
	Bad      int64 `json:"bad_rows"`
	Latest   struct {
		N       int `json:"n"`
		Layouts map[string]struct {
			Data dist.D `json:"data_pages"`
		} `json:"layouts"`
	} `json:"latest"`
	Buckets map[string]struct {
		Partitions int64 `json:"partitions"`
		MaxRows    int64 `json:"max_rows"`
		MaxBytes   int64 `json:"max_bytes"`
		MaxAt      struct {
			Entity string `json:"entity"`
			Bucket string `json:"bucket"`
			Start  string `json:"bucket_start"`
		} `json:"max_at"`
		Latest fanout `json:"latest"`
		Fewer  fanout `json:"latest_of_fewer"`
	} `json:"buckets"`
	Limits         []json.RawMessage `json:"limits"`
	Recommendation struct {
		Width   string            `json:"width"`
		Binding string            `json:"binding_limit"`
		Shards  int64             `json:"shards"`
		NoHelp  bool              `json:"no_time_bucket_helps"`
		Reasons []string          `json:"reasons"`
		Refused []json.RawMessage `json:"refused"`
	} `json:"recommendation"`
}

type fanout struct {
	Read      dist.D `json:"partitions_read"`
	Empty     dist.D `json:"empty_partitions"`
	Directory dist.D `json:"with_directory"`
}

// reference is a distribution of the reference answers.
type reference struct {
	N    int64   `json:"n"`
	Sum  int64   `json:"sum"`
	Mean float64 `json:"mean"`
	P50  int64   `json:"p50_nearest_rank"`
	P99  int64   `json:"p99_nearest_rank"`
	Max  int64   `json:"max"`
}

func (r reference) D() dist.D { return dist.D(r) }

// Every number of the reference answers, worked out by DuckDB, by numpy and by a brute force, through the command.
func TestReferenceAnswers(t *testing.T) {
	for _, name := range []string{"git-head.csv.gz", "git-all.csv.gz", "nycflights-plane.csv.gz", "nycflights-carrier.csv.gz", "nab-sensors.csv.gz", "git-head.parquet", "nycflights-plane.parquet"} {
		t.Run(name, func(t *testing.T) {
			dir := sharedTraces(t)
			var want struct {
				Answers struct {
					Rows, Entities int64
					Measured       int64 `json:"entities_ge20"`
					Bytes          int64 `json:"bytes_total"`
					Arrival        struct {
						Pages reference `json:"pages_for_latest20"`
					} `json:"arrival_layout"`
					Partition struct {
						Pages reference `json:"pages_for_first20"`
					} `json:"partitioned_layout"`
					Buckets map[string]struct {
						Partitions int64
						MaxRows    int64 `json:"max_rows"`
						MaxAt      struct {
							Entity json.Number
							Start  string `json:"bucket_start"`
						} `json:"max_at"`
						Read      reference `json:"visited_incl_empty"`
						Directory reference `json:"visited_skip_empty"`
					}
				}
			}
			text, err := os.ReadFile(filepath.Join(dir, name[:len(name)-len(filepath.Ext(name))]+".answers.json"))
			if os.IsNotExist(err) {
				text, err = os.ReadFile(filepath.Join(dir, name[:len(name)-len(".csv.gz")]+".answers.json"))
			}
			if err == nil {
				err = json.Unmarshal(text, &want)
			}
			if err != nil {
				t.Fatal(err)
			}
			w := want.Answers
			var got printed
			answered(t, &got, "trace", filepath.Join(dir, name))
			if got.Rows != w.Rows || got.Entities != w.Entities || got.Measured != w.Measured || got.Bytes != w.Bytes || got.Bad != 0 || got.Latest.N != 20 {
				t.Errorf("rows, entities, measured, bytes, bad: %d %d %d %d %d; want %d %d %d %d 0", got.Rows, got.Entities, got.Measured, got.Bytes, got.Bad, w.Rows, w.Entities, w.Measured, w.Bytes)
			}
			if d := got.Latest.Layouts["arrival"].Data; d != w.Arrival.Pages.D() {
				t.Errorf("arrival: %+v, want %+v", d, w.Arrival.Pages)
			}
			if d := got.Latest.Layouts["partition"].Data; d != w.Partition.Pages.D() {
				t.Errorf("partition: %+v, want %+v", d, w.Partition.Pages)
			}
			if len(w.Buckets) != 4 || len(got.Buckets) != 6 {
				t.Errorf("%d widths in the reference, %d here: want 4 and 6", len(w.Buckets), len(got.Buckets))
			}
			for width, b := range w.Buckets {
				g := got.Buckets[width]
				if g.Partitions != b.Partitions || g.MaxRows != b.MaxRows || g.MaxAt.Entity != b.MaxAt.Entity.String() || g.MaxAt.Start != b.MaxAt.Start {
					t.Errorf("%s: %d partitions, %d rows at %+v; want %+v", width, g.Partitions, g.MaxRows, g.MaxAt, b)
				}
				if g.Latest.Read != b.Read.D() || g.Latest.Directory != b.Directory.D() {
					t.Errorf("%s: reads %+v, with a directory %+v; want %+v, %+v", width, g.Latest.Read, g.Latest.Directory, b.Read, b.Directory)
				}
			}
		})
	}
}
