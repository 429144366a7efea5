package trace

import (
	"encoding/binary"
	"fmt"
	"io"
	"os"

	"pagetouch/pkg/workload"
)

// chunkRows is how many rows are kept, written and read together.
const chunkRows = 8192

// chunk is consecutive rows as columns.
type chunk struct {
	entity []int32
	time   []int64
	size   []int32 // nil where there are no sizes
}

func newChunk(sized bool) *chunk {
	c := &chunk{entity: make([]int32, 0, chunkRows), time: make([]int64, 0, chunkRows)}
	if sized {
		c.size = make([]int32, 0, chunkRows)
	}
	return c
}

func (c *chunk) truncate() { c.entity, c.time, c.size = c.entity[:0], c.time[:0], c.size[:0] }

// rowBytes is the size of a stored row.
func rowBytes(sized bool) int {
	if sized {
		return 16
	}
	return 12
}

// encode appends the chunk's columns to b, each number with its fixed width.
func (c *chunk) encode(b []byte) []byte {
	for _, e := range c.entity {
		b = binary.LittleEndian.AppendUint32(b, uint32(e))
	}
	for _, t := range c.time {
		b = binary.LittleEndian.AppendUint64(b, uint64(t))
	}
	for _, s := range c.size {
		b = binary.LittleEndian.AppendUint32(b, uint32(s))
	}
	return b
}

// decode reads n rows that encode wrote.
func (c *chunk) decode(b []byte, n int) {
	c.truncate()
	for i := range n {
		c.entity = append(c.entity, int32(binary.LittleEndian.Uint32(b[4*i:])))
	}
	b = b[4*n:]
	for i := range n {
		c.time = append(c.time, int64(binary.LittleEndian.Uint64(b[8*i:])))
	}
	b = b[8*n:]
	for i := 0; i < n && c.size != nil; i++ {
		c.size = append(c.size, int32(binary.LittleEndian.Uint32(b[4*i:])))
	}
}

// store keeps rows in arrival order: the first ones in memory, up to a budget, the others in a temporary file.
type store struct {
	sized   bool
	budget  int      // chunks that may stay in memory
	chunks  []*chunk // all full, but for the last where nothing is spilled
	open    *chunk   // being filled
	dir     string   // of the temporary file
	file    *os.File // nil while everything fits in memory
	spilled int64    // rows in file
	buffer  []byte
}

func newStore(sized bool, memory int64, dir string) *store {
	return &store{sized: sized, budget: int(memory / int64(chunkRows*rowBytes(sized))), dir: dir, open: newChunk(sized)}
}

// append adds rows whose entity e is numbered ids[e].
func (s *store) append(r *rows, ids []int32) error {
	for at := 0; at < len(r.entity); {
		n := min(chunkRows-len(s.open.entity), len(r.entity)-at)
		for _, e := range r.entity[at : at+n] {
			s.open.entity = append(s.open.entity, ids[e])
		}
		s.open.time = append(s.open.time, r.time[at:at+n]...)
		if s.sized {
			s.open.size = append(s.open.size, r.size[at:at+n]...)
		}
		at += n
		if len(s.open.entity) == chunkRows {
			if err := s.seal(); err != nil {
				return err
			}
		}
	}
	return nil
}

// seal puts the open chunk where it will stay.
func (s *store) seal() error {
	if len(s.open.entity) == 0 {
		return nil
	}
	if len(s.chunks) < s.budget {
		s.chunks = append(s.chunks, s.open)
		s.open = newChunk(s.sized)
		return nil
	}
	err := s.spill()
	s.open.truncate()
	return err
}

func (s *store) spill() error {
	if s.file == nil {
		f, err := os.CreateTemp(s.dir, "pagetouch-trace-*")
		if err != nil {
			return fmt.Errorf("rows beyond the memory budget need a temporary file: %w", err)
		}
		// Where the system allows it the name goes at once: then nothing stays behind, however the process ends.
		_ = os.Remove(f.Name())
		s.file = f
	}
	s.buffer = s.open.encode(s.buffer[:0])
	if _, err := s.file.Write(s.buffer); err != nil {
		return fmt.Errorf("rows beyond the memory budget go to a temporary file: after %d of them: %w; free disk space, "+
			"set TMPDIR to a larger disk or give more memory", s.spilled, err)
	}
	s.spilled += int64(len(s.open.entity))
	return nil
}

// renumber gives every entity e in memory its number rank[e]. Rows in the file get theirs when they are read.
func (s *store) renumber(rank []int32) {
	for _, c := range s.chunks {
		for i, e := range c.entity {
			c.entity[i] = rank[e]
		}
	}
}

// scan yields all rows in arrival order.
func (s *store) scan(rank []int32, yield func(*workload.Batch) error) error {
	first := int64(0)
	for _, c := range s.chunks {
		if err := yield(&workload.Batch{First: first, Entity: c.entity, Time: c.time, Size: c.size}); err != nil {
			return err
		}
		first += int64(len(c.entity))
	}
	if s.file == nil {
		return nil
	}
	c, buffer := newChunk(s.sized), make([]byte, chunkRows*rowBytes(s.sized))
	for done, at := int64(0), int64(0); done < s.spilled; {
		n := int(min(chunkRows, s.spilled-done))
		b := buffer[:n*rowBytes(s.sized)]
		if _, err := s.file.ReadAt(b, at); err != nil && err != io.EOF {
			return fmt.Errorf("rows in the temporary file, from row %d: %w", done, err)
		}
		c.decode(b, n)
		for i, e := range c.entity {
			c.entity[i] = rank[e]
		}
		if err := yield(&workload.Batch{First: first, Entity: c.entity, Time: c.time, Size: c.size}); err != nil {
			return err
		}
		done, at, first = done+int64(n), at+int64(len(b)), first+int64(n)
	}
	return nil
}

func (s *store) close() error {
	s.chunks = nil
	if s.file == nil {
		return nil
	}
	err := s.file.Close()
	_ = os.Remove(s.file.Name()) // gone already where an open file may be removed
	s.file = nil
	return err
}
