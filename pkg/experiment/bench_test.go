package experiment

import "testing"

func BenchmarkFast(b *testing.B) {
	for b.Loop() {
		run(b, Lesson(), "latest-20", "march-2025")
	}
}
func BenchmarkAll4(b *testing.B) {
	for b.Loop() {
		run(b, Lesson(), "latest-20", "march-2025", "big-account", "month-buckets")
	}
}
