// Package sizing answers how wide a time bucket should be. In come the rows of a trace, or a rate; out come the sizes
// of the partitions each candidate width makes, how many of them a read must ask for, which named limits of which
// store they keep or break, and a recommendation with its reasons.
//
//	Counter, Partitions   one pass over rows: partitions per width, at the peak that really occurred
//	ByRate                the same from a rate, for whoever has no rows yet
//	Walk, RangeFanout     what a read of the latest n rows or of a time range asks for
//	Limits, Limit         what stores recommend and enforce, read from data/limits
//	Columns               the sizes of a Cassandra partition by its documentation's formulas
//	Recommend             the choice
//
// A partition is what one entity wrote in one bucket: the unit that a wide-column store never splits. Times are
// microseconds since 1970-01-01T00:00:00Z.
package sizing
