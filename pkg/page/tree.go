package page

// Tree is a B-tree packed full by a bulk load: entries in key order, Leaf to a leaf page, Inner children to an inner
// page. A sparse index is the same tree over fewer entries.
type Tree struct {
	Entries int64
	Leaf    int64 // entries a leaf
	Inner   int64 // children an inner page
}

// Fanout is how many entries of that size a page holds.
func (f Format) Fanout(entry int) int64 { return int64(f.Room() / entry) }

// Height is the number of levels, leaves included; a tree with no entries is one empty leaf.
func (t Tree) Height() int {
	height := 1
	for n := t.Leaves(); n > 1; n = (n + t.Inner - 1) / t.Inner {
		height++
	}
	return height
}

// Leaves is the number of leaf pages.
func (t Tree) Leaves() int64 { return max(1, (t.Entries+t.Leaf-1)/t.Leaf) }

// Pages is the number of pages of all levels.
func (t Tree) Pages() int64 {
	n := t.Leaves()
	sum := n
	for n > 1 {
		n = (n + t.Inner - 1) / t.Inner
		sum += n
	}
	return sum
}

// Descend visits the pages on the way from the root to the leaf of an entry: level Height-1 is the root, level 0 the
// leaf. An entry past the end leads to the last leaf.
func (t Tree) Descend(entry int64, visit func(level int, number int64)) {
	number := min(entry/t.Leaf, t.Leaves()-1)
	for level := range t.Height() {
		visit(level, number)
		number /= t.Inner
	}
}
