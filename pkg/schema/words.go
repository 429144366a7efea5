package schema

import (
	"slices"
	"strings"
	"unicode"
)

// What a column is for is read from its type and from the words of its name: nothing else says that year_month is a
// slice of time. The lists below are this package's judgement.
var (
	sliceWords = []string{"bucket", "hour", "day", "week", "month", "quarter", "year", "period", "window", "epoch", "era", "yyyymm", "yyyymmdd", "yearmonth", "yyyy"}
	timeWords  = []string{"time", "ts", "timestamp", "at", "when", "date", "datetime", "created", "updated", "dt"}
	countWords = []string{"bucket", "chunk", "segment", "block", "page", "partition", "seq", "sequence", "slice", "batch", "generation"}
)

// words cuts a name at underscores, hyphens and capitals: "yearMonth_2" is year, month.
func words(name string) []string {
	var spaced strings.Builder
	lower := false
	for _, r := range name {
		if unicode.IsUpper(r) && lower {
			spaced.WriteByte(' ')
		}
		lower = unicode.IsLower(r)
		if !unicode.IsLetter(r) {
			r = ' '
		}
		spaced.WriteRune(unicode.ToLower(r))
	}
	return strings.Fields(spaced.String())
}

func named(c Column, any []string) bool {
	return slices.ContainsFunc(words(c.Name), func(w string) bool {
		return slices.Contains(any, w) || slices.Contains(any, strings.TrimSuffix(w, "s"))
	})
}

// plain reports whether the column can hold a number, a text or a time.
func (c Column) plain() bool {
	return c.Type.Of == nil && !slices.Contains([]string{"boolean", "inet", "blob", "uuid", "counter"}, c.Type.Name)
}

// slice reports whether the column holds a slice of time: a bucket.
func (c Column) slice() bool {
	switch {
	case !c.plain() || c.Type.Name == "timeuuid":
		return false
	case c.Type.Name == "date":
		return true
	case named(c, sliceWords):
		return true
	}
	return c.Type.Name != "timestamp" && slices.Contains(words(c.Name), "date")
}

// time reports whether the column orders rows by time.
func (c Column) time() bool {
	switch c.Type.Name {
	case "timestamp", "timeuuid", "date":
		return true
	}
	return c.plain() && (c.slice() || named(c, timeWords))
}

// count reports whether the column numbers parts that hold so many rows each. A shard does not: shards grow for ever.
func (c Column) count() bool { return c.plain() && named(c, countWords) }
