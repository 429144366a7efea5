package ring

import (
	"math"
	"slices"
	"testing"
)

// Three nodes with a token each: a key goes to the next token clockwise, past the last one to the first; each further
// copy to the next node.
func TestReplicasByHand(t *testing.T) {
	r := &Ring{nodes: 3, places: []place{{-50, 2}, {0, 0}, {10, 0}, {70, 1}}}
	for _, c := range []struct {
		key    Token
		copies int
		want   []int32
	}{
		{math.MinInt64, 1, []int32{2}}, {-50, 2, []int32{2, 0}}, {-49, 3, []int32{0, 1, 2}}, {0, 2, []int32{0, 1}},
		{11, 1, []int32{1}}, {71, 2, []int32{2, 0}}, {math.MaxInt64, 9, []int32{2, 0, 1}}, {0, 0, nil},
	} {
		if got := r.Replicas(c.key, c.copies, nil); !slices.Equal(got, c.want) {
			t.Errorf("%d copies of %d: nodes %v, want %v", c.copies, c.key, got, c.want)
		}
	}
}

// Adding a node takes keys for itself and moves none between the others: what makes the hashing consistent.
func TestAddingANodeMovesKeysOnlyToIt(t *testing.T) {
	small, err := New(9, 16, 24)
	if err != nil {
		t.Fatal(err)
	}
	large, err := New(10, 16, 24)
	if err != nil {
		t.Fatal(err)
	}
	moved := 0
	for e := range int32(2000) {
		key := TokenOf(EntityKey(e))
		before, after := small.Replicas(key, 3, nil), large.Replicas(key, 3, nil)
		slices.Sort(after)
		if len(slices.Compact(after)) != 3 {
			t.Fatalf("key %d lies on %v", e, after)
		}
		for _, node := range after {
			if node == 9 {
				moved++
			} else if !slices.Contains(before, node) {
				t.Errorf("key %d moved from %v to %v", e, before, after)
			}
		}
	}
	// 3/10 of 2,000 keys are expected; its 16 tokens leave its share a standard deviation of about a quarter.
	if moved < 300 || moved > 900 {
		t.Errorf("the new node took %d of 2,000 keys, expected about 600", moved)
	}
}

func TestRingNeedsNodes(t *testing.T) {
	for _, c := range [][2]int{{0, 1}, {-1, 16}, {3, 0}, {1 << 30, 1}, {3, 1 << 20}} {
		if _, err := New(c[0], c[1], 1); err == nil {
			t.Errorf("a ring of %d nodes with %d tokens must be an error", c[0], c[1])
		}
	}
}

// On how many nodes 12 random keys lie, with 3 copies: nodes (1 - (1 - 3/nodes)^12) where nodes own equal shares, a
// little less where they do not. Means of 400 rings, to be met within four standard errors.
func TestNodesThatHoldKeys(t *testing.T) {
	const rings, keys = 400, 12
	for _, nodes := range []int{3, 6, 20, 50} {
		sum, squares := 0.0, 0.0
		for seed := range uint64(rings) {
			r, err := New(nodes, 32, seed)
			if err != nil {
				t.Fatal(err)
			}
			holds := map[int32]bool{}
			for k := range int64(keys) {
				key := BucketKey(int32(seed), k)
				for _, node := range r.Replicas(TokenOf(key[:]), 3, nil) {
					holds[node] = true
				}
			}
			sum += float64(len(holds))
			squares += float64(len(holds) * len(holds))
		}
		mean := sum / rings
		want := float64(nodes) * (1 - math.Pow(1-3/float64(nodes), keys))
		se := math.Sqrt((squares/rings - mean*mean) / rings)
		if math.Abs(mean-want) > 4*se+.003*want {
			t.Errorf("%d nodes: %v hold a key, want %v within %v", nodes, mean, want, 4*se)
		}
	}
}
