package theory

import "math"

// NodesHolding is on how many nodes, of so many, partitions lie with so many copies each, when every node is as likely
// to hold one as another: Cardenas with copies picked at a time.
//
//	nodes (1 - (1 - copies/nodes)^partitions)
func NodesHolding(nodes, copies, partitions float64) float64 {
	if copies >= nodes {
		return nodes
	}
	return -nodes * math.Expm1(float64(partitions*math.Log1p(-copies/nodes)))
}
