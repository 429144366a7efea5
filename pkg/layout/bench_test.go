package layout

import (
	"testing"
	"time"

	"pagetouch/pkg/page"
	"pagetouch/pkg/workload"
)

// lessonInput is the lesson's posts, 1,000 users asked.
func lessonInput(b *testing.B) *Input {
	from := time.Date(2025, 1, 1, 0, 0, 0, 0, time.UTC)
	posts := &workload.Posts{Count: 2_000_000, Users: 20_000, From: from.UnixMicro(), To: from.AddDate(1, 0, 0).UnixMicro(), Bytes: 200, Seed: 1}
	census, err := workload.Count(posts, workload.Sample(posts.Users, 1000, 1))
	if err != nil {
		b.Fatal(err)
	}
	return &Input{Workload: posts, Census: census, Page: page.Lesson, Entry: 16, Now: posts.To - 1, Floor: posts.From}
}

func BenchmarkPlace(b *testing.B) {
	in := lessonInput(b)
	for _, kind := range All() {
		b.Run(kind.Name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				if _, err := kind.Place(in); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

// BenchmarkReads is one user's latest 20 and a month's range, in each layout.
func BenchmarkReads(b *testing.B) {
	in := lessonInput(b)
	march := time.Date(2025, 3, 1, 0, 0, 0, 0, time.UTC)
	from, to := march.UnixMicro(), march.AddDate(0, 1, 0).UnixMicro()
	for _, kind := range All() {
		l, err := kind.Place(in)
		if err != nil {
			b.Fatal(err)
		}
		for name, read := range map[string]func(*Trail, *workload.Entity){
			"latest": func(t *Trail, e *workload.Entity) { l.Latest(t, e, 20) },
			"range":  func(t *Trail, e *workload.Entity) { l.Range(t, e, from, to) },
		} {
			b.Run(kind.Name+"/"+name, func(b *testing.B) {
				var trail Trail
				for i := 0; b.Loop(); i++ {
					trail.Reset()
					read(&trail, &in.Census.Asked[i%len(in.Census.Asked)])
					trail.Touch()
				}
			})
		}
	}
}
