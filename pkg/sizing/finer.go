package sizing

import (
	"cmp"
	"slices"

	"pagetouch/pkg/bucket"
)

// round are widths that people use between the named ones, from narrow to wide.
var round = []string{"1m", "5m", "10m", "15m", "20m", "30m", "2h", "3h", "4h", "6h", "8h", "12h", "2d", "3d", "10d"}

// Finer are the round widths worth trying beside the candidates that a recommendation chose from: those between the
// chosen one and the next wider, or narrower than all where none keeps the limits. It is empty where no limit refused
// anything, or no bucket helps.
func (r *Recommendation) Finer(candidates []bucket.Width) (finer []bucket.Width) {
	bounded := slices.DeleteFunc(slices.Clone(candidates), func(w bucket.Width) bool { return w == bucket.Forever })
	slices.SortStableFunc(bounded, func(a, b bucket.Width) int { return cmp.Compare(breadth(a), breadth(b)) })
	at := slices.IndexFunc(bounded, func(w bucket.Width) bool { return w.String() == r.Width })
	if at < 0 || r.NoBucket {
		return nil
	}
	from, to := breadth(bounded[at]), int64(0)
	switch {
	case !r.safe && at == 0:
		from, to = 0, from
	case r.safe && at+1 < len(bounded):
		to = breadth(bounded[at+1])
	}
	for _, s := range round {
		w, err := bucket.Parse(s)
		if err != nil {
			panic(err) // a constant, and tested
		}
		if l := breadth(w); from < l && l < to && l >= r.step {
			finer = append(finer, w)
		}
	}
	return finer
}

// Kept are those of the finer widths that a second recommendation among all of them needs to be understood: the
// chosen one and the next wider, which was refused.
func (r *Recommendation) Kept(finer []bucket.Width) []bucket.Width {
	for i, w := range finer {
		if w.String() == r.Width {
			return finer[i:min(i+2, len(finer))]
		}
	}
	return nil
}
