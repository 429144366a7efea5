package experiment

import "testing"

// BenchmarkTwoSections is what is raced against a script: the lesson's first two questions, from nothing.
func BenchmarkTwoSections(b *testing.B) {
	for b.Loop() {
		run(b, Lesson(), "latest-20", "march-2025")
	}
}

// BenchmarkLesson is all four.
func BenchmarkLesson(b *testing.B) {
	for b.Loop() {
		run(b, Lesson(), "latest-20", "march-2025", "big-account", "month-buckets")
	}
}
