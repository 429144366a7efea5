package theory

// NodesHolding is on how many nodes, of so many, partitions lie with so many copies each, when every node is as likely
// to hold one as another: Cardenas with copies picked at a time.
//
//	nodes (1 - (1 - copies/nodes)^partitions)
func NodesHolding(nodes, copies, partitions int64) float64 {
	if copies >= nodes {
		return float64(nodes)
	}
	return float64(nodes) * (1 - power(1-float64(copies)/float64(nodes), partitions))
}
