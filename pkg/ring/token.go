// Package ring is where partitions live: a partition key is hashed to a token, and tokens decide both the order of
// partitions in a file and the nodes that hold them. The hash is that of Apache Cassandra's Murmur3Partitioner.
package ring

import (
	"encoding/binary"
	"math"
	"math/bits"
)

// Token is a place on the ring.
type Token int64

// TokenOf is the token of a serialized partition key: the first half of its hash. The smallest token is the empty key's
// alone; a hash that is the smallest number becomes the largest (org.apache.cassandra.dht.Murmur3Partitioner).
func TokenOf(key []byte) Token {
	if len(key) == 0 {
		return math.MinInt64
	}
	h, _ := Hash(key)
	if int64(h) == math.MinInt64 {
		return math.MaxInt64
	}
	return Token(h)
}

// Hash is MurmurHash3 x64 128 (Appleby) with seed 0, in Cassandra's variant, which extends the sign of the bytes after
// the last whole block (org.apache.cassandra.utils.MurmurHash).
func Hash(key []byte) (h1, h2 uint64) {
	const c1, c2 = 0x87c37b91114253d5, 0x4cf5ad432745937f
	tail := key
	for ; len(tail) >= 16; tail = tail[16:] {
		k1, k2 := binary.LittleEndian.Uint64(tail), binary.LittleEndian.Uint64(tail[8:])
		h1 ^= bits.RotateLeft64(k1*c1, 31) * c2
		h1 = (bits.RotateLeft64(h1, 27)+h2)*5 + 0x52dce729
		h2 ^= bits.RotateLeft64(k2*c2, 33) * c1
		h2 = (bits.RotateLeft64(h2, 31)+h1)*5 + 0x38495ab5
	}
	var k1, k2 uint64
	for i, b := range tail {
		extended := uint64(int64(int8(b)))
		if i < 8 {
			k1 ^= extended << (8 * i)
		} else {
			k2 ^= extended << (8 * (i - 8))
		}
	}
	h2 ^= bits.RotateLeft64(k2*c2, 33) * c1
	h1 ^= bits.RotateLeft64(k1*c1, 31) * c2
	h1 ^= uint64(len(key))
	h2 ^= uint64(len(key))
	h1 += h2
	h2 += h1
	h1, h2 = finish(h1), finish(h2)
	h1 += h2
	return h1, h2 + h1
}

func finish(k uint64) uint64 {
	k = (k ^ k>>33) * 0xff51afd7ed558ccd
	k = (k ^ k>>33) * 0xc4ceb9fe1a85ec53
	return k ^ k>>33
}

// EntityKey is the partition key (entity int), as Cassandra serializes it.
func EntityKey(entity int32) []byte {
	return binary.BigEndian.AppendUint32(nil, uint32(entity))
}

// BucketKey is the composite partition key (entity int, bucket bigint), as Cassandra serializes it: two bytes of
// length before each component, a zero byte after it.
func BucketKey(entity int32, bucket int64) [18]byte {
	var k [18]byte
	k[1] = 4
	binary.BigEndian.PutUint32(k[2:], uint32(entity))
	k[8] = 8
	binary.BigEndian.PutUint64(k[9:], uint64(bucket))
	return k
}

// ShardKey is the composite partition key (entity int, bucket bigint, shard int).
func ShardKey(entity int32, bucket int64, shard int32) [25]byte {
	var k [25]byte
	head := BucketKey(entity, bucket)
	copy(k[:], head[:])
	k[19] = 4
	binary.BigEndian.PutUint32(k[20:], uint32(shard))
	return k
}
