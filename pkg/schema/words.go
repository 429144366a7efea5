package schema

import (
	"slices"
	"strings"
	"unicode"
)

// What a column is for is read from its type and from the words of its name: nothing else says that year_month is a
// slice of time and year_of_birth is not. The lists below are this package's judgement.
var (
	// Units and words that buckets of time are called by.
	sliceWords = strings.Fields(`bucket hour day week month quarter year minute decade date dt yyyy yyyymm yyyymmdd yyyymmddhh yyyyww yymm yymmdd ym ymd ymdh yearmonth yearweek yearday monthyear dayhour datehour epochday
		timebucket timeslice timeslot timewindow daybucket hourbucket weekbucket monthbucket yearbucket datebucket dateint datekey
		eventdate eventday`)
	// Words that may stand beside them without changing what they say.
	sliceBeside = strings.Fields(`time event row part partition start started begin end ended first last of by the in at utc local iso id key nr no num
		number int index idx value str string truncated trunc rounded floor calendar fiscal report reported reporting log logged ingest ingested
		ingestion insert inserted inserting create created creation write written record recorded recording receive received arrival sample sampled
		sampling measure measured measurement reading observed observation message msg post posted order sale sales tx transaction trade
		trading visit view click access request sent send occurred happened collected collection publish timestamp ts slice hash shard`)
	// Slices only beside a word of time: a slot may be one of a hash ring, an epoch one of consensus.
	vagueWords = strings.Fields("slot slice period window epoch era interval")
	vagueProof = strings.Fields("time start begin end unix")
	// Words of what does not change: whose birthday it is, when a firm was founded.
	birthWords = strings.Fields(`birth born birthday birthdate birthyear bday dob age anniversary holiday weekday weekend dayofweek hourofday
		founded founding established built construction graduation graduated model make vintage`)
	// Other words of an attribute: what the hour costs, the month's name, when it expires. The column says nothing of when
	// the row was written.
	attributeWords = strings.Fields(`name names label title text description zone timezone tz format type kind class color colour rate price
		cost fee wage salary pay amount total sum avg mean max min limit quota cap count counts size length duration ttl retention experience
		tenure warranty term expiry expires expired expire expiration exp due deadline until valid by url uri path arn owner s gcs aws storage
		policy plan status state flag days hours months years weeks minutes quarters seconds worked spent elapsed response wait waiting run
		running prep cook travel processing play playing lead life up down ratio percent pct temperature temp`)
	timeWords = strings.Fields("time ts timestamp at when date datetime created updated dt timeuuid createdat createdon updatedat eventtime epoch")
	// Words that may follow or precede those without changing what they say: the unit, the place, what happened.
	timeBeside = strings.Fields("ms us ns millis micros nanos milliseconds microseconds nanoseconds sec secs unix utc local id key desc on posted sent written recorded received")
	countWords = strings.Fields("bucket chunk segment block page partition part seq sequence slice batch generation")
	// Words that may stand beside those: they number.
	countBeside = strings.Fields("nr no num number index idx id seq sequence key row event message msg")
)

// words cuts a name at underscores, hyphens, digits and capitals: "yearMonth_2" is year, month.
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

// certainty is how sure a name and a type make something.
type certainty int8

const (
	never    certainty = iota // the type, or no word, says so
	unlikely                  // a word says so, another says an attribute
	likely                    // a word says so, beside one that nobody knows
	surely
)

// numeric reports whether the type counts whole things; an unknown one may.
func (t Type) numeric() bool {
	return t.Of == nil && slices.Contains([]string{"", "tinyint", "smallint", "int", "bigint", "varint"}, t.Name)
}

// plain reports whether the type can hold a time as a number or a text.
func (t Type) plain() bool {
	return t.numeric() || t.Of == nil && slices.Contains([]string{"text", "varchar", "ascii", "timestamp", "date"}, t.Name)
}

// beside is how sure words are that are all among two lists, one of the first at least.
func beside(name, of, known []string) certainty {
	sure, met := surely, false
	for _, w := range name {
		switch {
		case slices.Contains(of, w):
			met = true
		case !slices.Contains(known, w):
			sure = likely
		}
	}
	if !met {
		return never
	}
	return sure
}

func anyOf(name, of []string) bool {
	return slices.ContainsFunc(name, func(w string) bool { return slices.Contains(of, w) })
}

// recurs reports names such as day_of_week: the same few values come back for ever.
func recurs(name []string) bool {
	for i := 1; i+1 < len(name); i++ {
		if name[i] == "of" && slices.Contains(sliceWords, name[i-1]) && slices.Contains(sliceWords, name[i+1]) {
			return !anyOf(name, []string{"start", "first", "begin", "end", "last"})
		}
	}
	return false
}

// slice is how sure it is that the column holds a slice of time: a bucket.
func (c Column) slice() certainty {
	if !c.Type.plain() {
		return never
	}
	name, of := words(c.Name), sliceWords
	if c.Type.Name == "timestamp" { // called a date, it is a time like any other
		of = slices.DeleteFunc(slices.Clone(of), func(w string) bool { return slices.Contains([]string{"date", "dt", "eventdate"}, w) })
	}
	isDate, met := c.Type.Name == "date", anyOf(name, of)
	vague := !met && anyOf(name, vagueWords)
	switch {
	case anyOf(name, birthWords):
		return unlikely
	case anyOf(name, attributeWords) && isDate:
		return likely
	case anyOf(name, attributeWords) && (met || vague), met && recurs(name):
		return unlikely
	case isDate:
		return surely
	case vague && !anyOf(name, vagueProof):
		return likely
	}
	return beside(name, slices.Concat(vagueWords, of), slices.Concat(vagueProof, sliceBeside))
}

// attribute reports a name of what says nothing of when the row was written.
func (c Column) attribute() bool {
	name := words(c.Name)
	return anyOf(name, birthWords) || anyOf(name, attributeWords) || recurs(name)
}

// time is how sure it is that the column orders rows by time.
func (c Column) time() certainty {
	name := words(c.Name)
	switch {
	case anyOf(name, birthWords):
		return never
	case c.Type.Name == "timestamp", c.Type.Name == "timeuuid", c.Type.Name == "date":
		return surely
	case c.Type.Of != nil || !c.Type.plain() && c.Type.Name != "double" && c.Type.Name != "decimal", c.attribute():
		return never
	}
	for len(name) > 1 && slices.Contains(timeBeside, name[len(name)-1]) {
		name = name[:len(name)-1]
	}
	if len(name) > 0 && (slices.Contains(timeWords, name[len(name)-1]) || slices.Contains([]string{"time", "date", "timestamp", "ts"}, name[0])) {
		return max(c.slice(), likely)
	}
	return c.slice()
}

// turn reports a number that, by its name, begins again every year, week or day: a month without its year.
func (c Column) turn() bool {
	name := words(c.Name)
	return c.Type.Name != "" && c.Type.numeric() && len(name) == 1 && slices.Contains([]string{"month", "week", "day", "hour", "minute", "quarter"}, name[0])
}

// vague reports a name that says bucket and not of what.
func (c Column) vague() bool {
	name := words(c.Name)
	return len(name) == 1 && name[0] == "bucket" && c.Type.Name != "timestamp" && c.Type.Name != "date"
}

// moment reports a precise time.
func (c Column) moment() bool {
	return (c.Type.Name == "timestamp" || c.Type.Name == "timeuuid") && c.slice() < likely && c.time() == surely && !c.attribute()
}

// count is how sure it is that the column numbers parts that hold so many rows each. A shard does not: shards grow for
// ever.
func (c Column) count() certainty {
	if !c.Type.numeric() {
		return never
	}
	if c.attribute() {
		return never
	}
	return beside(words(c.Name), countWords, countBeside)
}
