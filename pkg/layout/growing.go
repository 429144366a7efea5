package layout

// growing is one level of a B-tree into which keys are inserted one by one. Keys are known by their rank among all keys
// that will ever come, so a node is no more than the rank from which on keys belong to it and the bytes that it holds.
// The level above holds the first ranks of this one's nodes and is of the same kind.
//
// A node that a key does not fit into is split in the middle of its bytes, and again while a part does not fit. A key
// greater than all others that does not fit into the edge's share of the last node begins a node of its own instead, as
// in InnoDB, which leaves the full ones 15/16 full (MySQL manual, "The Physical Structure of an InnoDB Index").
type growing struct {
	room, edge int64
	takes      func(rank int64) int64
	keys       ranks
	nodes      ranks
	used       map[int64]int64 // by a node's first rank
	greatest   int64
	splits     int64
	entry      int64 // bytes of a node's entry in the level above
	above      *growing
}

func newGrowing(bound, room, edge, entry int64, takes func(rank int64) int64) *growing {
	g := &growing{
		room: room, edge: edge, takes: takes, entry: entry,
		keys: newRanks(bound), nodes: newRanks(bound), used: map[int64]int64{0: 0}, greatest: -1,
	}
	g.nodes.add(0)
	return g
}

// insert adds the key of that rank.
func (g *growing) insert(rank int64) {
	node, takes := g.nodes.atMost(rank), g.takes(rank)
	g.keys.add(rank)
	atEdge := rank > g.greatest
	g.greatest = max(g.greatest, rank)
	used := g.used[node]
	if atEdge && used > 0 && used+takes > g.edge {
		g.begin(rank, takes)
		return
	}
	g.used[node] = used + takes
	if used+takes > g.room {
		g.split(node)
	}
}

// split cuts a node that holds too much, unless it is one key, where half of its bytes are reached.
func (g *growing) split(node int64) {
	used, left, at := g.used[node], int64(0), g.keys.atLeast(node)
	if used <= g.room || g.takes(at) == used {
		return
	}
	for {
		left += g.takes(at)
		if at = g.keys.atLeast(at + 1); 2*(left+g.takes(at)) > used {
			break
		}
	}
	g.used[node] = left
	g.begin(at, used-left)
	g.split(node)
	g.split(at)
}

// begin makes a node and its entry in the level above.
func (g *growing) begin(first, used int64) {
	g.nodes.add(first)
	g.used[first] = used
	g.splits++
	if g.above == nil {
		bound := int64(len(g.keys[0])) * 64
		// Two entries at least, or a tree of narrow pages would grow without end.
		edge := max(2*g.entry, g.edge)
		g.above = newGrowing(bound, g.room, edge, g.entry, func(int64) int64 { return g.entry })
		g.above.insert(0)
	}
	g.above.insert(first)
}
