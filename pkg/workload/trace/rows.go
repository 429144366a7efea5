package trace

import (
	"fmt"
	"math"
)

// keptBad is how many bad rows are kept with their reasons.
const keptBad = 10

// rows are consecutive parsed rows as columns. Entities are numbered within them, so that blocks can be parsed side
// by side; the store renumbers them.
type rows struct {
	names  names
	entity []int32
	time   []int64 // microseconds since 1970
	size   []int32 // bytes; empty where there is no column of sizes

	lines    int64 // of text read, or rows of Parquet
	zoneless int64
	total    int64 // sum of size
	earliest int64
	latest   int64

	bad     int64
	leading int64 // bad rows before the first good one
	first   []Bad // the first bad rows; their lines count from the rows' first
}

func newRows() rows { return rows{names: newNames()} }

func (r *rows) reset() {
	r.names.reset()
	*r = rows{names: r.names, entity: r.entity[:0], time: r.time[:0], size: r.size[:0], first: r.first[:0],
		earliest: math.MaxInt64, latest: math.MinInt64}
}

// fault notes a bad row.
func (r *rows) fault(line int64, format string, args ...any) {
	r.bad++
	if len(r.entity) == 0 {
		r.leading++
	}
	if len(r.first) < keptBad {
		r.first = append(r.first, Bad{Line: line, Reason: fmt.Sprintf(format, args...)})
	}
}

func (r *rows) add(entity int32, t int64, zoned bool) {
	r.entity = append(r.entity, entity)
	r.time = append(r.time, t)
	r.earliest, r.latest = min(r.earliest, t), max(r.latest, t)
	if !zoned {
		r.zoneless++
	}
}

func (r *rows) addSize(size int32) {
	r.size = append(r.size, size)
	r.total += int64(size)
}
