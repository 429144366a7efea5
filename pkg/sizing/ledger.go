package sizing

import (
	"encoding/binary"
)

// ledger keeps, for every entity, how many rows (and bytes) each of its buckets has, in two bytes or so a bucket.
//
// Rows of one entity come nearly in time order, so each entity has one open bucket; when a row of another bucket
// comes, the open one is closed: written behind the entity's earlier ones as variable-length differences. An entity
// whose rows come out of order may close one bucket several times; its entries are merged each time they have
// tripled, so memory grows with buckets and not with rows.
type ledger struct {
	sized   bool // rows vary in size, so bytes are kept too
	entity  []account
	chunks  [][]byte // blocks of chunks, so that growing copies nothing
	free    []int32  // chunks given back by merges
	next    int32    // the first chunk never used
	scratch []entry
	spare   []entry
}

// account is one entity's place in the ledger: 64 bytes, a cache line, because rows jump between entities.
type account struct {
	open       entry
	last       int64 // bucket of the entry written last
	rows       int64 // of the entity
	head, tail int32 // its chunks; meaningless while entries is 0
	entries    int32 // closed and written
	mergeAt    int32 // so many entries of a disordered account are merged
	used       uint8 // bytes written in the tail chunk
	disordered bool  // some bucket came after a later one
}

// entry is one bucket of one entity.
type entry struct{ bucket, rows, bytes int64 }

const (
	chunkBytes = 64 // a cache line: 60 bytes of entries and the number of the next chunk
	chunkData  = chunkBytes - 4
	blockShift = 14
	block      = 1 << blockShift // chunks
	firstMerge = 256             // entries before an entity out of order is merged
)

// add counts one row.
func (l *ledger) add(entity int32, bucket, bytes int64) {
	a := &l.entity[entity]
	if a.open.bucket != bucket || a.rows == 0 {
		l.turn(a, bucket)
	}
	a.rows++
	a.open.rows++
	a.open.bytes += bytes
}

// turn closes the open bucket and opens another.
func (l *ledger) turn(a *account, bucket int64) {
	if a.rows > 0 {
		if bucket < a.open.bucket {
			a.disordered = true
		}
		l.write(a, a.open)
		if a.disordered && a.entries >= max(a.mergeAt, firstMerge) {
			l.merge(a)
		}
	}
	a.open = entry{bucket: bucket}
}

// merge rewrites an account with one entry a bucket.
func (l *ledger) merge(a *account) {
	l.scratch, l.spare = tidy(l.read(a, l.scratch[:0]), l.spare)
	for c := a.head; ; c = l.follow(c) {
		l.free = append(l.free, c)
		if c == a.tail {
			break
		}
	}
	a.entries, a.last = 0, 0
	for _, e := range l.scratch {
		l.write(a, e)
	}
	a.mergeAt = 3 * a.entries
}

// An entry is: twice the distance from the bucket before, plus 1 if it has more than one row; behind a 0 where that
// distance is not forward; then rows - 1 if there are more; then bytes if rows vary in size.
func (l *ledger) write(a *account, e entry) {
	var buf [5 * binary.MaxVarintLen64]byte
	b := buf[:0]
	step := e.bucket - a.last
	if step <= 0 {
		step, b = -step, append(b, 0)
	}
	code := uint64(step) << 1
	if e.rows > 1 {
		code |= 1
	}
	b = binary.AppendUvarint(b, code)
	if e.rows > 1 {
		b = binary.AppendUvarint(b, uint64(e.rows-1))
	}
	if l.sized {
		b = binary.AppendUvarint(b, uint64(e.bytes))
	}
	if a.entries == 0 {
		a.head = l.chunk()
		a.tail, a.used = a.head, 0
	}
	chunk := l.at(a.tail)
	for _, x := range b { // three or four bytes: not worth a copy
		if int(a.used) == chunkData {
			c := l.chunk()
			binary.LittleEndian.PutUint32(chunk[chunkData:], uint32(c))
			a.tail, a.used, chunk = c, 0, l.at(c)
		}
		chunk[a.used] = x
		a.used++
	}
	a.entries++
	a.last = e.bucket
}

// chunk gives an empty chunk.
func (l *ledger) chunk() int32 {
	if n := len(l.free); n > 0 {
		c := l.free[n-1]
		l.free = l.free[:n-1]
		return c
	}
	if int(l.next)>>blockShift == len(l.chunks) {
		l.chunks = append(l.chunks, make([]byte, block*chunkBytes))
	}
	l.next++
	return l.next - 1
}

func (l *ledger) at(c int32) []byte {
	at := int(c) & (block - 1) * chunkBytes
	return l.chunks[c>>blockShift][at : at+chunkBytes]
}

func (l *ledger) follow(c int32) int32 { return int32(binary.LittleEndian.Uint32(l.at(c)[chunkData:])) }

// entries are the buckets of an entity in time order, each once, the open one too. Both slices are room to work in:
// the entries are in one of them, and the other is returned as the rest.
func (l *ledger) entries(entity int, buf, spare []entry) (entries, rest []entry) {
	a := &l.entity[entity]
	buf = append(l.read(a, buf[:0]), a.open)
	if a.disordered {
		return tidy(buf, spare)
	}
	return buf, spare
}

// read appends the entries as they were written.
func (l *ledger) read(a *account, buf []entry) []entry {
	if a.entries == 0 {
		return buf
	}
	c, at := a.head, l.at(a.head)[:chunkData]
	number := func() (x uint64) {
		for shift := 0; ; shift += 7 {
			if len(at) == 0 {
				c = l.follow(c)
				at = l.at(c)[:chunkData]
			}
			b := at[0]
			at = at[1:]
			x |= uint64(b&0x7f) << shift
			if b < 0x80 {
				return x
			}
		}
	}
	var e entry
	for range a.entries {
		code, forward := number(), int64(1)
		if code == 0 {
			code, forward = number(), -1
		}
		e.bucket += forward * int64(code>>1)
		e.rows, e.bytes = 1, 0
		if code&1 == 1 {
			e.rows += int64(number())
		}
		if l.sized {
			e.bytes = int64(number())
		}
		buf = append(buf, e)
	}
	return buf
}

// tidy puts entries in order of their buckets and adds up those of one bucket. Entries come as a few ascending runs,
// so runs are merged in pairs until one is left; spare is room to work in and may be used again afterwards.
func tidy(entries, spare []entry) (tidied, rest []entry) {
	for {
		out, runs := spare[:0], 0
		for at := 0; at < len(entries); runs++ {
			a, next := run(entries[at:])
			b, _ := run(entries[at+next:])
			out = zip(out, a, b)
			at += next + len(b)
		}
		entries, spare = out, entries
		if runs <= 1 {
			return entries, spare
		}
	}
}

// run is the ascending run at the start of entries.
func run(entries []entry) ([]entry, int) {
	n := min(1, len(entries))
	for n < len(entries) && entries[n].bucket > entries[n-1].bucket {
		n++
	}
	return entries[:n], n
}

// zip appends two runs as one.
func zip(out, a, b []entry) []entry {
	for len(a) > 0 && len(b) > 0 {
		switch {
		case a[0].bucket < b[0].bucket:
			out, a = append(out, a[0]), a[1:]
		case a[0].bucket > b[0].bucket:
			out, b = append(out, b[0]), b[1:]
		default:
			e := a[0]
			e.rows, e.bytes = e.rows+b[0].rows, e.bytes+b[0].bytes
			out, a, b = append(out, e), a[1:], b[1:]
		}
	}
	return append(append(out, a...), b...)
}
