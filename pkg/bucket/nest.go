package bucket

// Nests reports whether every bucket of w lies inside one bucket of v, so that counts by v are sums of counts by w.
func (w Width) Nests(v Width) bool {
	switch {
	case v.months == 0 && v.length == 0:
		return true
	case w.months > 0:
		return v.months > 0 && v.months%w.months == 0
	case w.length == 0:
		return false
	case v.months > 0: // calendar buckets begin at midnights
		return day%w.length == 0 && w.offset%w.length == 0
	}
	return v.length%w.length == 0 && (v.offset-w.offset)%w.length == 0
}

// Common is the longest fixed width whose buckets nest in those of every given width; Forever if it was given
// nothing else.
func Common(widths ...Width) Width {
	var length int64
	for _, w := range widths {
		length = gcd(gcd(length, w.length), w.offset)
		if w.months > 0 {
			length = gcd(length, day)
		}
	}
	if length == 0 {
		return Forever
	}
	return Fixed(length)
}

func gcd(a, b int64) int64 {
	for b != 0 {
		a, b = b, a%b
	}
	return a
}

// Even reports whether all buckets of w have one length, as those of calendar months have not.
func (w Width) Even() bool { return w.months == 0 }

// Nesting finds the wide bucket that holds a narrow one. A copy may be used by another goroutine.
type Nesting struct {
	narrow Width
	cursor Cursor
	first  int64   // the narrow bucket that table begins with
	base   int64   // and its wide one
	table  []int32 // wide buckets from base, by narrow ones from first; shared by copies
}

// Narrow buckets of a span of time are looked up in a table if they are not more than this: thirty years of hours.
const tableSize = 1 << 18

// NewNesting is for widths of which the first nests in the second; it is fastest between the times from and to.
func NewNesting(narrow, wide Width, from, to int64) Nesting {
	n := Nesting{narrow: narrow, cursor: Cursor{Width: wide}, first: narrow.Index(from)}
	size := narrow.Index(to) - n.first + 1
	if narrow == wide || size < 1 || size > tableSize {
		return n
	}
	n.base = n.slow(n.first)
	table := make([]int32, size)
	for i := range table {
		table[i] = int32(n.slow(n.first+int64(i)) - n.base)
	}
	n.table = table
	return n
}

// Index is the number of the wide bucket that holds narrow bucket k.
func (n *Nesting) Index(k int64) int64 {
	if i := k - n.first; uint64(i) < uint64(len(n.table)) {
		return n.base + int64(n.table[i])
	}
	return n.slow(k)
}

func (n *Nesting) slow(k int64) int64 {
	if n.narrow == n.cursor.Width {
		return k
	}
	return n.cursor.Index(n.narrow.Start(k))
}
