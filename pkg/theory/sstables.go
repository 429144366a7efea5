package theory

import "math"

// Piled is sorted files that rows went to one after another in time order, none merged with a later one.
type Piled struct {
	InMemory float64   // the newest rows' share that is in no file yet
	Shares   []float64 // each file's share of all rows, newest file first
	Bounds   bool      // files are skipped by the times of their rows
	Mistakes float64   // the chance that a filter finds a partition that a file lacks; 1 without a filter
}

// LatestFiles is how many files latest n looks into: newest first, until n rows are found, those that hold a row of the
// user and those that a filter mistakes.
func (s Even) LatestFiles(n int64, p Piled) Estimate {
	return s.piled(n, p, func(decoded int64) (mean, variance float64) {
		if decoded > 0 {
			return 1, 0
		}
		return p.Mistakes, p.Mistakes * (1 - p.Mistakes)
	})
}

// LatestFilePages is the data pages of the same read: in each file a partition that begins anywhere on a page.
func (s Even) LatestFilePages(n int64, p Piled) Estimate {
	return s.piled(n, p, func(decoded int64) (mean, variance float64) {
		if decoded == 0 {
			return 0, 0
		}
		m, v := crossings(decoded-1, s.PerPage)
		return 1 + m, v
	})
}

// piled follows the files from the newest on. State r is how many rows were found, n where the read is done; each keeps
// its chance and the first two moments of what was counted so far.
func (s Even) piled(n int64, p Piled, count given) Estimate {
	type moments struct{ chance, sum, squares float64 }
	step := func(to *moments, from moments, chance, mean, variance float64) {
		to.chance += float64(chance * from.chance)
		to.sum += float64(chance * (from.sum + float64(mean*from.chance)))
		to.squares += float64(chance * (from.squares + float64(2*mean*from.sum) + float64((variance+float64(mean*mean))*from.chance)))
	}
	// Nobody has more rows than the distribution reaches: asking for more than that is asking for all.
	all := newPoisson(s.mean(1))
	n = max(1, min(n, all.first+int64(len(all.p))))
	states := make([]moments, n+1)
	newest := newPoisson(s.mean(p.InMemory))
	for r := range n {
		states[r].chance = newest.at(r)
	}
	states[n].chance = 1 - newest.below(n)
	for _, share := range p.Shares {
		rows := newPoisson(s.mean(share))
		next := make([]moments, n+1)
		for r, from := range states[:n] {
			for x := range n - int64(r) {
				m, v := count(x)
				step(&next[int64(r)+x], from, rows.at(x), m, v)
			}
			m, v := count(n - int64(r))
			step(&next[n], from, 1-rows.below(n-int64(r)), m, v)
		}
		if p.Bounds {
			step(&next[n], states[n], 1, 0, 0)
		} else { // its first row is decoded, to find it too old
			none := rows.at(0)
			m, v := count(0)
			step(&next[n], states[n], none, m, v)
			m, v = count(1)
			step(&next[n], states[n], 1-none, m, v)
		}
		states = next
	}
	sum, squares := 0.0, 0.0
	for _, st := range states {
		sum += st.sum
		squares += st.squares
	}
	return Estimate{sum, math.Sqrt(max(0, squares-float64(sum*sum)))}
}

// FilesLookedInto is how many of some files, of so large a share of all rows each, hold a row of the user or are
// mistaken to.
func (s Even) FilesLookedInto(shares []float64, mistakes float64) Estimate {
	mean, variance := 0.0, 0.0
	for _, share := range shares {
		none := newPoisson(s.mean(share)).at(0)
		p := 1 - float64(none*(1-mistakes))
		mean += p
		variance += float64(p * (1 - p))
	}
	return Estimate{mean, math.Sqrt(variance)}
}

// KeysOf is how many users have a row in a file of that share.
func (s Even) KeysOf(share float64) float64 {
	return float64(s.Users) * (1 - newPoisson(s.mean(share)).at(0))
}

// Mistakes is the chance that a Bloom filter finds a key that was not added:
//
//	(1 - (1 - 1/bits)^(probes keys))^probes
//
// Source: Bloom, "Space/time trade-offs in hash coding with allowable errors", CACM 13(7), 1970.
func Mistakes(keys, bits int64, probes int) float64 {
	if bits <= 1 {
		return 1
	}
	set := 1 - power(1-1/float64(bits), int64(probes)*keys)
	return power(set, int64(probes))
}
