package bucket

import (
	"math/rand/v2"
	"testing"
)

func TestCommon(t *testing.T) {
	minute := int64(60e6)
	for _, c := range []struct {
		widths []Width
		want   Width
	}{
		{nil, Forever},
		{[]Width{Forever}, Forever},
		{[]Width{Month, Forever}, Day},
		{Named(), Hour},
		{[]Width{Week}, Day}, // weeks begin four days after the epoch
		{[]Width{Fixed(7 * day)}, Fixed(7 * day)},
		{[]Width{Fixed(15 * minute), Fixed(20 * minute), Hour}, Fixed(5 * minute)},
	} {
		got := Common(c.widths...)
		if got != c.want {
			t.Errorf("Common(%v) = %v, want %v", c.widths, got, c.want)
		}
		for _, w := range c.widths {
			if !got.Nests(w) {
				t.Errorf("%v does not nest in %v", got, w)
			}
		}
	}
}

// Where Nests says yes, the bucket of a time is the bucket of its narrower bucket's start.
func TestNests(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 6))
	all := append(Named(), Forever, Fixed(7*day), Fixed(20*60e6), Fixed(90e6))
	for _, w := range all {
		for _, v := range all {
			nests := true
			from := r.Int64N(1<<52) - 1<<51
			look := NewNesting(w, v, from, from+1<<42)
			for range 300 {
				at := r.Int64N(1<<52) - 1<<51
				if w != Forever {
					nests = nests && v.Index(w.Start(w.Index(at))) == v.Index(at)
					for _, at := range []int64{at, from + at>>10} { // outside the table and, often, inside
						if got := look.Index(w.Index(at)); w.Nests(v) && got != v.Index(at) {
							t.Fatalf("%v in %v at %d: bucket %d, want %d", w, v, at, got, v.Index(at))
						}
					}
				}
			}
			if w.Nests(v) && !nests {
				t.Errorf("%v claims to nest in %v", w, v)
			}
		}
	}
	if Week.Nests(Month) || !Day.Nests(Week) || !Month.Nests(Quarter) || !Quarter.Nests(Year) || Year.Nests(Day) {
		t.Error("calendar widths nest wrongly")
	}
}
