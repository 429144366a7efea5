package layout

import (
	"encoding/binary"
	"fmt"
	"math"

	"pagetouch/pkg/bucket"
	"pagetouch/pkg/ring"
	"pagetouch/pkg/workload"
)

// MonthShards is month buckets split four ways.
var MonthShards = register(Sharded(bucket.Month, 4))

// Sharded splits each bucket of time into shards, partitions (entity, bucket, shard), so that writes of one bucket
// spread. A row's shard is a hash of its position, as it would be of a post's id: writers need not agree on a counter,
// and shards are as even as chance makes them.
//
// A reader can't know which shard holds what: latest n asks every shard of a bucket for as many rows as are still
// wanted, so it decodes up to shards times n, and merges them newest first; a range asks every shard of every bucket it
// touches. Which buckets are read follows the same rules as in Bucketed; with one shard it is the same layout.
func Sharded(width bucket.Width, shards int) Kind {
	k := Kind{Name: fmt.Sprintf("%s-shards-%d", width, shards), Title: fmt.Sprintf("Partition per %s and shard, %d", width, shards)}
	k.Place = func(in *Input) (Layout, error) {
		if shards < 1 {
			return nil, fmt.Errorf("%d shards: want at least 1", shards)
		}
		l := &sharded{width: width, shards: int64(shards)}
		cursor := bucket.Cursor{Width: width}
		d, err := newDealt(in, shards, func(_, time, position int64) int64 {
			return cursor.Index(time)*l.shards + int64(ShardOf(position, shards))
		})
		if err != nil {
			return nil, err
		}
		l.dealt = *d
		return l, nil
	}
	return k
}

type sharded struct {
	dealt
	width  bucket.Width
	shards int64
}

// ShardOf is the shard, of so many, that a row goes to: the token of its position.
func ShardOf(position int64, shards int) int {
	if shards < 2 {
		return 0
	}
	var id [8]byte
	binary.BigEndian.PutUint64(id[:], uint64(position))
	return int(uint64(ring.TokenOf(id[:])) % uint64(shards))
}

// Latest steps back from now, bucket by bucket.
func (l *sharded) Latest(t *Trail, e *workload.Entity, n int) {
	newest, oldest := l.in.steps(l.width, e, l.in.Now)
	for k := newest; n > 0 && k >= oldest; k-- {
		from := len(t.answer)
		l.each(t, e, k, func(rows []int32) { l.newest(t, e, rows, n) })
		t.mergeAnswer(from, n)
		n -= len(t.answer) - from
	}
}

// Range reads all shards of each bucket, newest bucket first.
func (l *sharded) Range(t *Trail, e *workload.Entity, from, to int64) {
	if from >= to {
		return
	}
	for k := l.width.Index(to - 1); k >= l.width.Index(from); k-- {
		answer := len(t.answer)
		l.each(t, e, k, func(rows []int32) { l.slice(t, e, rows, from, to) })
		t.mergeAnswer(answer, math.MaxInt)
	}
}

// each opens the shards of a bucket.
func (l *sharded) each(t *Trail, e *workload.Entity, k int64, read func(rows []int32)) {
	for number := k * l.shards; number < (k+1)*l.shards; number++ {
		s, ok := l.parts.find(e.ID, number)
		t.seek(l.index, l.parts, e, number, !ok)
		if ok {
			read(l.rows(e, s))
		}
	}
}

// Size counts the pages of the one file as written once.
func (l *sharded) Size() Size {
	s := l.size()
	s.PagesWritten = s.DataPages + s.IndexPages
	return s
}

func (l *sharded) at(now int64) Layout {
	in, later := *l.in, *l
	in.Now, later.in = now, &in
	return &later
}
