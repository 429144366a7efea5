// Package store says the key that was chosen in a store's own language: statements to paste where that is CQL, its own
// words for a partition key elsewhere. Which store speaks what is data, in data/limits/keys.csv.
package store

import (
	"encoding/csv"
	"fmt"
	"io"
	"slices"
	"strings"

	"pagetouch/data"
	"pagetouch/pkg/cql"
	"pagetouch/pkg/sizing"
)

// Store is how a store writes keys.
type Store struct {
	ID       string // as limits call it
	Name     string // as people write it
	Language string // one of Languages
	Key      string // for entity, bucket and time
	Sharded  string // where each bucket is split
}

// anyStore is the line for all stores that have none.
const anyStore = "*"

const (
	columns = "store,name,language,key,sharded"
	file    = "data/limits/keys.csv"
)

// Languages writes a design in each language that a line may name.
var Languages = map[string]func(Store, cql.Design) (string, error){
	"cql":   func(_ Store, d cql.Design) (string, error) { return d.Statements() },
	"words": Store.words,
}

// Named finds a store that has limits, in any case.
func Named(name string) (Store, error) {
	known, err := sizing.Stores()
	if err != nil {
		return Store{}, err
	}
	i := slices.IndexFunc(known, func(id string) bool { return strings.EqualFold(id, strings.TrimSpace(name)) })
	if i < 0 {
		return Store{}, fmt.Errorf("no limits of a store %q: want one of %s, or add its lines to data/limits/limits.csv", name, strings.Join(known, ", "))
	}
	all, err := Read(strings.NewReader(data.Keys()), file)
	if err != nil {
		return Store{}, err
	}
	return find(all, known[i]), nil
}

// find is the store's own line, or that for any.
func find(all []Store, id string) Store {
	for _, s := range all {
		if s.ID == id {
			return s
		}
	}
	s := all[len(all)-1]
	s.ID, s.Name = id, id
	return s
}

// Read reads a file of keys: comments after #, a head line, a store a line, and that for any store last. Name is how
// errors call the file.
func Read(r io.Reader, name string) (all []Store, err error) {
	c := csv.NewReader(r)
	c.Comment, c.FieldsPerRecord = '#', strings.Count(columns, ",")+1
	head, err := c.Read()
	if err != nil {
		return nil, fmt.Errorf("%s: reading the head line %s: %w", name, columns, err)
	}
	if strings.Join(head, ",") != columns {
		return nil, fmt.Errorf("%s: head line is %q, want %s", name, strings.Join(head, ","), columns)
	}
	for {
		f, err := c.Read()
		if err == io.EOF {
			break
		}
		if err != nil {
			return nil, fmt.Errorf("%s: %w", name, err)
		}
		line, _ := c.FieldPos(0)
		s := Store{f[0], f[1], f[2], f[3], f[4]}
		switch {
		case slices.Contains(f, ""):
			return nil, fmt.Errorf("%s:%d: store %s has an empty column: want all of %s", name, line, s.ID, columns)
		case Languages[s.Language] == nil:
			return nil, fmt.Errorf("%s:%d: language %q of store %s is neither cql nor words", name, line, s.Language, s.ID)
		case slices.ContainsFunc(all, func(o Store) bool { return o.ID == s.ID }):
			return nil, fmt.Errorf("%s:%d: store %s has a line already: remove one", name, line, s.ID)
		}
		all = append(all, s)
	}
	if len(all) == 0 || all[len(all)-1].ID != anyStore {
		return nil, fmt.Errorf("%s: its last line is not that of store %s, which stands for any other", name, anyStore)
	}
	return all, nil
}

// Short is the key in one line.
func (s Store) Short(shards int64) string {
	if shards > 1 {
		return s.Sharded
	}
	return s.Key
}

// Design writes the key, how to make it and how to read it in the store's language.
func (s Store) Design(d cql.Design) (string, error) { return Languages[s.Language](s, d) }
