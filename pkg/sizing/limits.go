package sizing

import (
	"encoding/csv"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"

	"pagetouch/data"
)

// limitColumns is the head line of a file of limits.
const limitColumns = "store,id,value,unit,operator,counts,kind,default,source,date"

// Limits lists a store's limits in the order of data/limits/limits.csv.
func Limits(store string) ([]Limit, error) {
	all, err := ReadLimits(strings.NewReader(data.Limits()), "data/limits/limits.csv")
	if err != nil {
		return nil, err
	}
	var own []Limit
	for _, l := range all {
		if l.Store == store {
			own = append(own, l)
		}
	}
	if own == nil {
		return nil, fmt.Errorf("no limits of a store %q: want one of %s, or add its lines to data/limits/limits.csv", store, strings.Join(stores(all), ", "))
	}
	return own, nil
}

// Stores lists the stores that have limits.
func Stores() ([]string, error) {
	all, err := ReadLimits(strings.NewReader(data.Limits()), "data/limits/limits.csv")
	return stores(all), err
}

func stores(limits []Limit) (names []string) {
	for _, l := range limits {
		if !slices.Contains(names, l.Store) {
			names = append(names, l.Store)
		}
	}
	return names
}

// ReadLimits reads a file of limits: the columns of data/limits/limits.csv, comments after #. Name is how errors
// call the file.
func ReadLimits(r io.Reader, name string) ([]Limit, error) {
	c := csv.NewReader(r)
	c.Comment, c.FieldsPerRecord = '#', strings.Count(limitColumns, ",")+1
	head, err := c.Read()
	if err != nil {
		return nil, fmt.Errorf("%s: reading the head line %s: %w", name, limitColumns, err)
	}
	if strings.Join(head, ",") != limitColumns {
		return nil, fmt.Errorf("%s:1: head line is %q, want %s", name, strings.Join(head, ","), limitColumns)
	}
	var limits []Limit
	seen := map[string]int{}
	for {
		f, err := c.Read()
		if err == io.EOF {
			return limits, nil
		}
		if err != nil {
			return nil, fmt.Errorf("%s: %w", name, err)
		}
		line, _ := c.FieldPos(0)
		l, err := parseLimit(f)
		if err != nil {
			return nil, fmt.Errorf("%s:%d: %w", name, line, err)
		}
		key := l.Store + " " + l.ID
		if seen[key] > 0 {
			return nil, fmt.Errorf("%s:%d: limit %s stands on line %d already", name, line, key, seen[key])
		}
		seen[key] = line
		limits = append(limits, l)
	}
}

func parseLimit(f []string) (Limit, error) {
	l := Limit{Store: f[0], ID: f[1], Unit: f[3], Operator: f[4], Counts: Counted(f[5]), Kind: Kind(f[6]), On: f[7] == "on", Source: f[8], Date: f[9]}
	var err error
	if l.Value, err = strconv.ParseInt(f[2], 10, 64); err != nil {
		return l, fmt.Errorf("value %q is not a whole number", f[2])
	}
	for i, column := range strings.Split(limitColumns, ",") {
		if strings.TrimSpace(f[i]) == "" {
			return l, fmt.Errorf("column %s is empty", column)
		}
	}
	if f[7] != "on" && f[7] != "off" {
		return l, fmt.Errorf("default %q is neither on nor off", f[7])
	}
	return l, l.valid()
}
