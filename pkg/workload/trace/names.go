package trace

import (
	"bytes"
	"cmp"
	"hash/maphash"
	"slices"
)

// names numbers distinct texts from 0 in order of first appearance. The texts lie end to end in one array: the cost
// of a name is its bytes, 8 for where it ends and 16 to 32 in the hash table.
type names struct {
	seed  maphash.Seed
	text  []byte
	ends  []int64
	table []uint64 // open addressing: the upper 32 bits of a hash over a number + 1; 0 is free
}

func newNames() names { return names{seed: maphash.MakeSeed(), table: make([]uint64, 1<<10)} }

func (n *names) len() int { return len(n.ends) }

func (n *names) at(i int) []byte {
	start := int64(0)
	if i > 0 {
		start = n.ends[i-1]
	}
	return n.text[start:n.ends[i]]
}

// number returns the text's number; a text not seen before gets the next one.
func (n *names) number(text []byte) int32 {
	hash := maphash.Bytes(n.seed, text)
	mask := uint64(len(n.table) - 1)
	slot := hash & mask
	for ; n.table[slot] != 0; slot = (slot + 1) & mask {
		if entry := n.table[slot]; entry>>32 == hash>>32 {
			if i := int32(uint32(entry) - 1); bytes.Equal(n.at(int(i)), text) {
				return i
			}
		}
	}
	n.text = append(n.text, text...)
	n.ends = append(n.ends, int64(len(n.text)))
	n.table[slot] = hash>>32<<32 | uint64(len(n.ends))
	if 2*len(n.ends) > len(n.table) {
		n.grow()
	}
	return int32(len(n.ends) - 1)
}

func (n *names) grow() {
	n.table = make([]uint64, 2*len(n.table))
	mask := uint64(len(n.table) - 1)
	for i := range n.ends {
		hash := maphash.Bytes(n.seed, n.at(i))
		slot := hash & mask
		for n.table[slot] != 0 {
			slot = (slot + 1) & mask
		}
		n.table[slot] = hash>>32<<32 | uint64(i+1)
	}
}

// reset forgets all names and keeps the memory.
func (n *names) reset() {
	n.text, n.ends = n.text[:0], n.ends[:0]
	clear(n.table)
}

// order lists all numbers so that their texts increase: as integers where every text is one, else by their bytes.
// It depends on the set of texts alone, never on which came first.
func (n *names) order() []int32 {
	integers := true
	order := make([]int32, n.len())
	for i := range order {
		order[i] = int32(i)
		integers = integers && isInteger(n.at(i))
	}
	slices.SortFunc(order, func(a, b int32) int {
		x, y := n.at(int(a)), n.at(int(b))
		if integers {
			if c := compareIntegers(x, y); c != 0 {
				return c
			}
		}
		return bytes.Compare(x, y)
	})
	return order
}

func isInteger(text []byte) bool {
	digits := bytes.TrimPrefix(text, []byte("-"))
	for _, c := range digits {
		if c < '0' || c > '9' {
			return false
		}
	}
	return len(digits) > 0
}

// compareIntegers compares decimal integers of any length.
func compareIntegers(x, y []byte) int {
	if x[0] == '-' && y[0] == '-' {
		return compareIntegers(y[1:], x[1:])
	}
	x, xNegative := magnitude(x)
	y, yNegative := magnitude(y)
	if xNegative != yNegative {
		if xNegative {
			return -1
		}
		return 1
	}
	return cmp.Or(cmp.Compare(len(x), len(y)), bytes.Compare(x, y))
}

// magnitude is an integer's digits without leading zeros, and whether it is below zero.
func magnitude(x []byte) (digits []byte, negative bool) {
	digits = bytes.TrimLeft(bytes.TrimPrefix(x, []byte("-")), "0")
	return digits, x[0] == '-' && len(digits) > 0
}
