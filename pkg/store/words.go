package store

import (
	"fmt"
	"strings"

	"pagetouch/pkg/cql"
	"pagetouch/pkg/result"
)

// words is a design in no language: its key, a directory of buckets, the read loop.
func (s Store) words(d cql.Design) (string, error) {
	if _, err := d.Statements(); err != nil { // what bounds nothing in one language bounds nothing in another
		return "", err
	}
	var b strings.Builder
	say := func(format string, a ...any) { fmt.Fprintf(&b, format+"\n", a...) }
	say("%s: %s", s.Name, s.Short(d.Shards))
	say("  bucket = %s", d.Slice())
	of := "(entity, bucket)"
	if d.Shards > 1 {
		say("  shard = hash(row) modulo %d", d.Shards)
		of = "(entity, bucket, shard)"
	}
	say("")
	say("Beside it, the buckets that have rows, so that a read meets no empty one: by entity, newest first.")
	say("")
	say("To read the %s:", d.Newest("latest"))
	say("  rows = []")
	say("  for bucket in the entity's buckets, newest first:")
	if d.Shards > 1 {
		say("    for shard in 0 .. %d, at the same time:", d.Shards-1)
		say("      read the %s of %s", d.Newest("newest"), of)
		say("    rows += the shards' rows merged by time, newest first")
	} else {
		say("    rows += the %s of %s", d.Newest("newest"), of)
	}
	if d.Latest == 1 {
		say("    once there is one: stop")
	} else {
		say("    once there are so many: keep the first %s and stop", result.Format(float64(d.Latest), 0))
	}
	return b.String(), nil
}
