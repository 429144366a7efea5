package document

import (
	"cmp"
	"slices"
	"strconv"
	"strings"
)

// near ends an error message about an unknown name with the known ones most like it.
func near[T any](name string, known map[string]T) string {
	names := make([]string, 0, len(known))
	for k := range known {
		names = append(names, k)
	}
	if len(names) == 0 {
		return "; there are none"
	}
	slices.SortFunc(names, func(a, b string) int {
		return cmp.Or(cmp.Compare(distance(name, a), distance(name, b)), cmp.Compare(a, b))
	})
	names = names[:min(3, len(names))]
	for i := range names {
		names[i] = strconv.Quote(names[i])
	}
	return "; near it: " + strings.Join(names, ", ")
}

// distance is the number of bytes to insert, delete or change to get from a to b (Levenshtein).
func distance(a, b string) int {
	row := make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := range len(a) {
		diagonal := row[0]
		row[0] = i + 1
		for j := range len(b) {
			change := diagonal
			if a[i] != b[j] {
				change++
			}
			diagonal = row[j+1]
			row[j+1] = min(change, row[j]+1, row[j+1]+1)
		}
	}
	return row[len(b)]
}
