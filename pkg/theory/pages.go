// Package theory holds closed forms for what the layouts count: an independent way to each number. Nothing here places
// a row. Products that are added to something are rounded first, float64(a*b)+c, so that a fused multiply-add cannot
// change a digit on another processor.
package theory

// Cardenas is the expected number of distinct pages, of so many, that hold picks rows chosen with replacement:
//
//	pages (1 - (1 - 1/pages)^picks)
//
// Source: Cardenas, "Analysis and performance of inverted data base structures", CACM 18(5), 1975.
func Cardenas(pages, picks int64) float64 {
	return float64(pages) * (1 - power(1-1/float64(pages), picks))
}

// Yao is the expected number of distinct pages that hold picks of rows chosen without replacement, perPage to a page:
//
//	pages (1 - C(rows-perPage, picks) / C(rows, picks))
//
// Source: Yao, "Approximating block accesses in database organizations", CACM 20(4), 1977.
func Yao(rows, perPage, picks int64) float64 {
	pages := (rows + perPage - 1) / perPage
	missed := 1.0 // the share of choices that miss a page: a product over the picks
	for i := range picks {
		if rows-perPage-i <= 0 {
			missed = 0
			break
		}
		missed *= float64(rows-perPage-i) / float64(rows-i)
	}
	return float64(pages) * (1 - missed)
}

// Shared is the chance that an entity's next older row lies on the same page of an arrival-order file, when each row is
// the entity's with chance p and a page holds perPage rows:
//
//	sum over gaps g = 1 .. perPage-1 of p (1-p)^(g-1) (perPage-g)/perPage
//
// The gap to the next row of the entity is geometric; a gap g stays on the page with chance (perPage-g)/perPage.
func Shared(p float64, perPage int64) float64 {
	sum, chance := 0.0, p
	for g := int64(1); g < perPage; g++ {
		sum += float64(chance * (float64(perPage-g) / float64(perPage)))
		chance *= 1 - p
	}
	return sum
}

// Height is the number of levels of a packed tree: the smallest h with fanout^h >= entries, at least 1.
func Height(entries, fanout int64) int {
	height, reach := 1, fanout
	for reach < entries {
		height++
		reach *= fanout
	}
	return height
}
