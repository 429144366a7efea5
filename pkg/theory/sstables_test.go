package theory

import (
	"math"
	"testing"
)

func TestPiledFiles(t *testing.T) {
	s := Even{Rows: 2_000_000, Users: 20_000, PerPage: 40, Fanout: 512}
	twenty := make([]float64, 20)
	for i := range twenty {
		twenty[i] = 1. / 20
	}
	near := func(what string, got, want, within float64) {
		t.Helper()
		if math.Abs(got-want) > within {
			t.Errorf("%s: %v, want %v", what, got, want)
		}
	}
	// Without filter and bounds every file is looked into; those with a row cost a page each: 20 (1 - e^-5), and the
	// rows that are given beyond each file's first cross into another page one time in 40.
	near("all files", s.LatestFiles(20, Piled{Shares: twenty, Mistakes: 1}).Mean, 20, 1e-9)
	near("their spread", s.LatestFiles(20, Piled{Shares: twenty, Mistakes: 1}).SD, 0, 1e-5)
	near("files with a row", s.LatestFiles(20, Piled{Shares: twenty}).Mean, 20*(1-math.Exp(-5)), 1e-9)
	near("the same", s.FilesLookedInto(twenty, 0).Mean, 20*(1-math.Exp(-5)), 1e-9)
	// With bounds and no filter it is a walk through buckets.
	near("files as buckets", s.LatestFiles(20, Piled{Shares: twenty, Bounds: true, Mistakes: 1}).Mean, s.BucketReads(20, twenty).Mean, 1e-9)
	near("and their spread", s.LatestFiles(20, Piled{Shares: twenty, Bounds: true, Mistakes: 1}).SD, s.BucketReads(20, twenty).SD, 1e-6)
	// One file of all is layout B.
	b := s.LatestPartitionPages(20)
	one := s.LatestFilePages(20, Piled{Shares: []float64{1}, Bounds: true})
	near("one file", one.Mean, b.Mean, 1e-9)
	near("one file, spread", one.SD, b.SD, 1e-6)
	// In the memtable there are no pages.
	near("all in memory", s.LatestFilePages(20, Piled{InMemory: 1, Bounds: true}).Mean, 0, 0)
	// 10 bits and 7 probes a key: 0.819 %; a filter of no bits is always mistaken.
	near("mistakes", Mistakes(20_000, 200_000, 7), 0.00819, 1e-5)
	near("no filter", Mistakes(20_000, 0, 1), 1, 0)
}

func TestNodesHolding(t *testing.T) {
	for _, c := range []struct {
		nodes, copies, partitions int64
		want                      float64
	}{
		{3, 3, 1, 3}, {300, 3, 1, 3}, {2, 3, 12, 2}, {6, 3, 2, 4.5}, {4, 1, 2, 1.75},
	} {
		if got := NodesHolding(c.nodes, c.copies, c.partitions); math.Abs(got-c.want) > 1e-9 {
			t.Errorf("%v copies of %v partitions on %v nodes: %v, want %v", c.copies, c.partitions, c.nodes, got, c.want)
		}
	}
}
