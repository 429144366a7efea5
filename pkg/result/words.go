package result

// Plural is a count with its noun, an English one that takes an s: "1 row", "2,000 rows".
func Plural[T ~int | ~int64](n T, noun string) string {
	if n != 1 {
		noun += "s"
	}
	return Format(float64(n), 0) + " " + noun
}
