package trace

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
)

// sample is the first rows of a file as text, whatever its format: what columns are chosen by.
type sample struct {
	names []string // of the columns; nil where the file names none
	rows  [][]string
}

func (s *sample) width() int {
	n := len(s.names)
	for _, row := range s.rows {
		n = max(n, len(row))
	}
	return n
}

// values are a column's texts, without surrounding spaces and without the empty ones.
func (s *sample) values(column int) []string {
	var values []string
	for _, row := range s.rows {
		if column < len(row) {
			if v := strings.TrimSpace(row[column]); v != "" {
				values = append(values, v)
			}
		}
	}
	return values
}

func (s *sample) column(i int, how How) Column {
	c := Column{Number: i + 1, How: how}
	if i < len(s.names) {
		c.Name = s.names[i]
	}
	return c
}

// list names all columns for an error.
func (s *sample) list() string {
	columns := make([]string, s.width())
	for i := range columns {
		columns[i] = strconv.Itoa(i + 1)
		if i < len(s.names) {
			columns[i] += " " + strconv.Quote(clip(s.names[i]))
		}
		if i == 49 && len(columns) > 50 {
			return strings.Join(columns[:50], ", ") + fmt.Sprintf(", and %d more", len(columns)-50)
		}
	}
	return strings.Join(columns, ", ")
}

// usual are the names that columns of a role usually have, the most telling first, and the endings of such names.
type usual struct{ names, endings []string }

var (
	usualEntity = usual{
		names: []string{"entity", "entityid", "user", "userid", "username", "account", "accountid", "author", "authorid",
			"device", "deviceid", "sensor", "sensorid", "series", "customer", "customerid", "client", "clientid", "tenant",
			"partitionkey", "key", "email", "owner", "actor", "channel", "channelid", "host", "hostname", "name", "id"},
		endings: []string{"userid", "deviceid", "sensorid", "accountid", "key", "id", "name"},
	}
	usualTime = usual{
		names: []string{"ts", "time", "timestamp", "eventtime", "datetime", "createdat", "created", "date", "when", "at",
			"occurredat", "recordedat", "updatedat", "t"},
		endings: []string{"timestamp", "datetime", "time", "ts", "at", "date"},
	}
	usualBytes = usual{
		names:   []string{"bytes", "rowbytes", "size", "rowsize", "length", "sizebytes", "bodybytes", "len"},
		endings: []string{"bytes", "size", "length"},
	}
)

// find returns the most telling column that is free and fits, or -1. Of equally telling ones the first is taken.
func (u usual) find(s *sample, free func(int) bool, fits func([]string) bool) int {
	plain := make([]string, len(s.names))
	for i, name := range s.names {
		plain[i] = strings.NewReplacer("_", "", "-", "", " ", "", ".", "").Replace(strings.ToLower(name))
	}
	for _, name := range u.names {
		for i := range plain {
			if plain[i] == name && free(i) && fits(s.values(i)) {
				return i
			}
		}
	}
	for _, ending := range u.endings {
		for i := range plain {
			if strings.HasSuffix(plain[i], ending) && free(i) && fits(s.values(i)) {
				return i
			}
		}
	}
	return -1
}

// choice is which columns are read.
type choice struct{ entity, time, bytes Column }

// choose picks the columns: those the user named; then by usual names, where the values fit; then by values alone.
// Of several that would do the leftmost is taken, so that the choice depends on nothing but the sample.
func choose(s *sample, o *Options) (choice, error) {
	var c choice
	for _, named := range []struct {
		flag, want string
		column     *Column
	}{{"-entity", o.Entity, &c.entity}, {"-time", o.Time, &c.time}, {"-bytes", o.Bytes, &c.bytes}} {
		if named.want == "" {
			continue
		}
		i, err := s.named(named.want)
		if err != nil {
			return c, fmt.Errorf("%s %s: %w", named.flag, named.want, err)
		}
		*named.column = s.column(i, Named)
	}
	for _, pair := range [][2]Column{{c.entity, c.time}, {c.entity, c.bytes}, {c.time, c.bytes}} {
		if pair[0].Number > 0 && pair[0].Number == pair[1].Number {
			return c, fmt.Errorf("%s is named for two roles: name two columns; the columns are %s", pair[0], s.list())
		}
	}
	free := func(i int) bool { return i+1 != c.entity.Number && i+1 != c.time.Number && i+1 != c.bytes.Number }

	if c.time.How == Absent {
		if i := usualTime.find(s, free, areTimesOrNumbers); i >= 0 {
			c.time = s.column(i, FoundByName)
		} else if i := s.look(free, areTimes, areEpochs); i >= 0 {
			c.time = s.column(i, FoundByLooking)
		} else {
			return c, fmt.Errorf("no column looks like a time: name one with -time; the columns are %s", s.list())
		}
	}
	// Sizes come before entities: a column named bytes is never an entity, but a lone number may be one.
	if c.bytes.How == Absent && o.RowBytes == 0 {
		if i := usualBytes.find(s, free, areSizes); i >= 0 {
			c.bytes = s.column(i, FoundByName)
		}
	}
	if c.entity.How == Absent {
		if i := usualEntity.find(s, free, anything); i >= 0 {
			c.entity = s.column(i, FoundByName)
		} else if i := s.look(free, areNames, mayRepeat, anything); i >= 0 {
			c.entity = s.column(i, FoundByLooking)
		} else {
			return c, fmt.Errorf("no column is left for the entity beside the time (%s): an entity and a time are needed", c.time)
		}
	}
	// Without names a number is taken for the size only where nothing else is left: entity, time and it.
	if c.bytes.How == Absent && o.RowBytes == 0 && s.names == nil && s.width() == 3 {
		if i := s.look(free, areSizes); i >= 0 {
			c.bytes = s.column(i, FoundByLooking)
		}
	}
	return c, nil
}

// named finds the column the user asked for by name or by number from 1.
func (s *sample) named(want string) (int, error) {
	same := func(equal func(name string) bool) (found []int) {
		for i, name := range s.names {
			if equal(strings.TrimSpace(name)) {
				found = append(found, i)
			}
		}
		return found
	}
	found := same(func(name string) bool { return name == want })
	if len(found) == 0 {
		found = same(func(name string) bool { return strings.EqualFold(name, want) })
	}
	switch {
	case len(found) == 1:
		return found[0], nil
	case len(found) > 1:
		return 0, fmt.Errorf("columns %d and %d have this name: give a number", found[0]+1, found[1]+1)
	}
	if n, err := strconv.Atoi(want); err == nil && n >= 1 && n <= s.width() {
		return n - 1, nil
	}
	return 0, fmt.Errorf("no such column; the columns are %s", s.list())
}

// look returns the first free column that fits the first test that any fits, or -1.
func (s *sample) look(free func(int) bool, tests ...func([]string) bool) int {
	for _, fits := range tests {
		for i := range s.width() {
			if values := s.values(i); free(i) && len(values) > 0 && fits(values) {
				return i
			}
		}
	}
	return -1
}

// most tells whether at least half of the values pass: bad rows do not hide what a column is.
func most(values []string, passes func(string) bool) bool {
	n := 0
	for _, v := range values {
		if passes(v) {
			n++
		}
	}
	return 2*n >= len(values)
}

func isTime(v string) bool {
	_, _, ok := parseText([]byte(v))
	return ok
}

func isNumber(v string) bool {
	f, err := strconv.ParseFloat(v, 64)
	return err == nil && !math.IsInf(f, 0) && !math.IsNaN(f)
}

func areTimes(values []string) bool { return most(values, isTime) }

func areTimesOrNumbers(values []string) bool {
	return most(values, func(v string) bool { return isTime(v) || isNumber(v) })
}

// areEpochs tells whether numbers, read in the unit of their magnitude, lie in the years 1990 to 2100.
func areEpochs(values []string) bool {
	numbers := numbersOf(values)
	if len(numbers) == 0 || !most(values, isNumber) {
		return false
	}
	unit := recognise(numbers)
	return most(values, func(v string) bool {
		f, err := strconv.ParseFloat(v, 64)
		return err == nil && unit.year(f) >= 1990 && unit.year(f) <= 2100
	})
}

func areSizes(values []string) bool {
	return most(values, func(v string) bool {
		_, ok := parseSize([]byte(v))
		return ok
	})
}

func anything([]string) bool { return true }

// mayRepeat is false for what names rows and not entities: among twenty rows no value occurs twice.
func mayRepeat(values []string) bool {
	return len(values) < 20 || len(slices.Compact(slices.Sorted(slices.Values(values)))) < len(values)
}

func areNames(values []string) bool { return mayRepeat(values) && !most(values, isNumber) }

func numbersOf(values []string) []float64 {
	var numbers []float64
	for _, v := range values {
		if isNumber(v) {
			f, _ := strconv.ParseFloat(v, 64)
			numbers = append(numbers, f)
		}
	}
	return numbers
}

// clip shortens a text that an error quotes.
func clip(s string) string {
	if len(s) > 40 {
		return s[:40] + "…"
	}
	return s
}
