package ring

import (
	"cmp"
	"encoding/binary"
	"fmt"
	"slices"
)

// Ring is the nodes of a cluster and the tokens they own. Each node has several random tokens (virtual nodes); a key
// belongs to the node of the next token from its own on, clockwise, and its further copies to the next nodes after that
// which have none yet (Cassandra's SimpleStrategy).
type Ring struct {
	nodes  int
	places []place // ascending by token
}

type place struct {
	token Token
	node  int32
}

// New is a ring of so many nodes with so many random tokens each, drawn from the seed. A node's tokens do not depend on
// how many nodes there are: a larger ring is the smaller one with nodes added.
func New(nodes, tokensEach int, seed uint64) (*Ring, error) {
	switch {
	case nodes < 1 || nodes > 1<<20:
		return nil, fmt.Errorf("nodes: %d: want 1 to %d", nodes, 1<<20)
	case tokensEach < 1 || tokensEach > 1<<12:
		return nil, fmt.Errorf("tokens a node: %d: want 1 to %d", tokensEach, 1<<12)
	}
	r := &Ring{nodes: nodes, places: make([]place, 0, nodes*tokensEach)}
	for node := range nodes {
		var draw [16]byte // hashed: as random as the tokens of keys
		binary.BigEndian.PutUint64(draw[:], seed)
		binary.BigEndian.PutUint32(draw[8:], uint32(node))
		for i := range tokensEach {
			binary.BigEndian.PutUint32(draw[12:], uint32(i))
			r.places = append(r.places, place{TokenOf(draw[:]), int32(node)})
		}
	}
	slices.SortFunc(r.places, func(a, b place) int {
		return cmp.Or(cmp.Compare(a.token, b.token), cmp.Compare(a.node, b.node))
	})
	return r, nil
}

// Nodes is how many nodes the ring has.
func (r *Ring) Nodes() int { return r.nodes }

// Replicas appends the nodes that hold a key's copies to into, the first copy's first: as many as asked for, or all nodes
// where there are fewer.
func (r *Ring) Replicas(key Token, copies int, into []int32) []int32 {
	from := len(into)
	at, _ := slices.BinarySearchFunc(r.places, key, func(p place, key Token) int { return cmp.Compare(p.token, key) })
	for i := 0; i < len(r.places) && len(into)-from < min(copies, r.nodes); i++ {
		node := r.places[(at+i)%len(r.places)].node
		if !slices.Contains(into[from:], node) {
			into = append(into, node)
		}
	}
	return into
}
