package trace

import (
	"encoding/hex"
	"fmt"
	"strconv"
	"time"

	"github.com/parquet-go/parquet-go"
	"github.com/parquet-go/parquet-go/format"
)

// leaf is how the values of a flat Parquet column are read.
type leaf struct {
	index    int // among the leaf columns of the file
	kind     parquet.Kind
	unsigned bool
	uuid     bool
	date     bool   // days since 1970
	instant  bool   // a timestamp
	unit     Unit   // of an instant that is an int64
	zoned    bool   // whether the type says that times are UTC
	name     string // of the type, in words
	buffer   []byte
}

// newLeaf tells how a column is read, or why it cannot be.
func newLeaf(c *parquet.Column) (l *leaf, why string) {
	if !c.Leaf() || c.Repeated() {
		return nil, "nested"
	}
	t := c.Type()
	l = &leaf{index: c.Index(), kind: t.Kind(), name: t.String(), zoned: true}
	logical := t.LogicalType()
	if logical == nil {
		l.instant = l.kind == parquet.Int96
		return l, ""
	}
	switch v := logical.Value.(type) {
	case *format.TimestampType:
		l.instant, l.zoned = true, v.IsAdjustedToUTC
		switch v.Unit.Value.(type) {
		case *format.MilliSeconds:
			l.unit = Milliseconds
		case *format.MicroSeconds:
			l.unit = Microseconds
		case *format.NanoSeconds:
			l.unit = Nanoseconds
		default:
			return nil, "timestamp of unknown unit"
		}
	case *format.DateType:
		l.date, l.zoned = true, false
	case *format.IntType:
		l.unsigned = !v.IsSigned
	case *format.UUIDType:
		l.uuid = true
	case *format.TimeType:
		return nil, "time of day"
	case *format.DecimalType:
		return nil, "decimal"
	}
	return l, ""
}

// raw is a value as text; empty for null. It is valid until the next call and must not be changed.
func (l *leaf) raw(v parquet.Value) []byte {
	if v.IsNull() {
		return nil
	}
	b := l.buffer[:0]
	switch l.kind {
	case parquet.ByteArray:
		return v.ByteArray()
	case parquet.Boolean:
		b = strconv.AppendBool(b, v.Boolean())
	case parquet.Int32:
		if l.unsigned {
			b = strconv.AppendUint(b, uint64(v.Uint32()), 10)
		} else {
			b = strconv.AppendInt(b, int64(v.Int32()), 10)
		}
	case parquet.Int64:
		if l.unsigned {
			b = strconv.AppendUint(b, v.Uint64(), 10)
		} else {
			b = strconv.AppendInt(b, v.Int64(), 10)
		}
	case parquet.Float:
		b = strconv.AppendFloat(b, float64(v.Float()), 'f', -1, 32)
	case parquet.Double:
		b = strconv.AppendFloat(b, v.Double(), 'f', -1, 64)
	case parquet.Int96:
		b = time.UnixMicro(int96Micros(v)).UTC().AppendFormat(b, time.RFC3339Nano)
	default: // fixed length
		b = hex.AppendEncode(b, v.ByteArray())
		if l.uuid && len(b) == 32 {
			b = fmt.Appendf(nil, "%s-%s-%s-%s-%s", b[:8], b[8:12], b[12:16], b[16:20], b[20:])
		}
	}
	l.buffer = b
	return b
}

// show is a value as text for the sample, a time as a time.
func (l *leaf) show(v parquet.Value) string {
	t, _, ok := l.time(v, clock{unit: l.unit})
	if ok && (l.instant || l.date) && year0000 <= t && t <= year9999 {
		return time.UnixMicro(t).UTC().Format(time.RFC3339Nano)
	}
	return string(l.raw(v))
}

// time reads a value as microseconds since 1970. The clock reads what has no type of time of its own.
func (l *leaf) time(v parquet.Value, c clock) (t int64, zoned, ok bool) {
	switch {
	case v.IsNull():
		return 0, false, false
	case l.date:
		return int64(v.Int32()) * day, false, true
	case l.kind == parquet.Int96:
		return int96Micros(v), true, true
	case l.kind == parquet.Int64 && !l.unsigned && c.unit != Auto:
		n := v.Int64()
		if t, ok = c.unit.micros(n); ok && c.doubtful(t) {
			ok = c.misread(l.raw(v)) == ""
		}
		return t, l.zoned, ok
	}
	return c.parse(l.raw(v))
}

// int96Micros reads the old timestamp of Impala and Spark: nanoseconds of a day, then the Julian day.
func int96Micros(v parquet.Value) int64 {
	const julian1970 = 2440588
	n := v.Int96()
	nanoseconds := int64(n[1])<<32 | int64(n[0])
	return (int64(int32(n[2]))-julian1970)*day + nanoseconds/1000
}

// setParquetClock is setClock where the column may have a type of time.
func (m *parquetMeaning) setParquetClock(s *sample, o *Options, r *Report) error {
	l := m.leaf[timeField]
	switch {
	case l.date, l.kind == parquet.Int96:
		r.TimeType = l.name
		return nil
	case !l.instant:
		return m.setClock(s, o, r)
	}
	r.TimeType = l.name
	m.clock.unit, r.Unit, r.UnitHow = l.unit, l.unit, Declared
	if o.Unit != Auto {
		r.UnitHow = Named
	}
	// What makes a plain time is shown as one; the numbers left are those that do not.
	values := s.values(m.time.Number - 1)
	return m.checkUnit(l.unit, numbersOf(values), len(values), r)
}
