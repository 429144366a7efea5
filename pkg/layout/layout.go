// Package layout places the rows of a workload on pages and executes reads on them. A layout is an order (which row
// follows which), a file (how rows of that order lie on pages) and an index (how a read finds its rows). Every read
// starts cold; what it touched is a Trail, counted as a Touch. Nothing is estimated: a page is touched when a row or
// an index entry on it is looked at.
//
// Each layout is one file that registers its Kind; experiments, tests and tables go over All.
package layout

import (
	"fmt"
	"math"
	"slices"

	"pagetouch/pkg/page"
	"pagetouch/pkg/workload"
)

// Layout is rows placed on pages, ready to be read. It does not change after it was placed, so reads may run in
// parallel, each with a Trail of its own. Entities come from the census that the layout was placed with.
type Layout interface {
	// Latest reads the entity's n newest rows: of two with one time the later arrival is the newer.
	Latest(t *Trail, e *workload.Entity, n int)
	// Range reads the entity's rows with a time in [from, to), newest first.
	Range(t *Trail, e *workload.Entity, from, to int64)
	// Where is the data pages that row i of the entity, in time order, lies on: the row itself, not a copy in an index;
	// none, First after Last, where the row is in memory only.
	Where(e *workload.Entity, i int) page.Span
	// Size is what the layout stores.
	Size() Size
}

// Size is what a layout takes, and what writing it took.
type Size struct {
	DataPages    int64           // pages of rows
	IndexPages   int64           // pages of its indexes
	RowBytes     int64           // what the rows themselves take, headers included, copies counted each
	Partitions   int64           // groups of rows that are never split
	Largest      workload.Extent // the largest of them
	PagesWritten int64           // pages made dirty by inserting every row once, each insert on its own
	Files        int64           // sorted files; 0 where the layout is one file and never another
	RowsWritten  int64           // each row once and again whenever a sorted file was merged; 0: each once
}

// Input is what a layout is placed from.
type Input struct {
	Workload workload.Workload
	Census   *workload.Census
	Page     page.Format
	Entry    int   // bytes of an index entry
	Now      int64 // when reads are made; OwnNewest: at each entity's newest row
	Floor    int64 // no read looks for rows older than the bucket of this time; OwnOldest: of the entity's oldest row
	Cuts     *Cuts // remembers the workload cut into buckets, for all that is placed from it; nil: each cuts it anew
}

// What Input.Now and Input.Floor may be instead of a time.
const (
	OwnNewest = math.MaxInt64
	OwnOldest = math.MinInt64
)

// Validate reports the first part of the input that no layout can be placed from.
func (in *Input) Validate() error {
	if err := in.Page.Validate(); err != nil {
		return err
	}
	if in.Entry < 1 || in.Page.Fanout(in.Entry) < 2 {
		return fmt.Errorf("index entries of %d bytes: a page of %d holds fewer than 2", in.Entry, in.Page.Bytes)
	}
	return nil
}

// tree is a B-tree of so many entries on the input's pages.
func (in *Input) tree(entries int64) page.Tree {
	fanout := in.Page.Fanout(in.Entry)
	return page.Tree{Entries: entries, Leaf: fanout, Inner: fanout}
}

// Kind is a way to lay rows out.
type Kind struct {
	Name  string // short, for file names and JSON: "arrival"
	Title string // as printed: "Arrival order + index"
	Cost  Cost   // of placing
	Place func(in *Input) (Layout, error)
}

// Cost is what the memory and the time of placing a layout grow with, beyond a pass over the rows.
type Cost int

// A kind that says nothing may keep something for every row, and may be placed only with all rows of the asked entities.
// The others can read the newest rows of entities of which no more are here (workload.Newest).
const (
	PerRow    Cost = iota
	PerBucket      // partitions
	PerEntity      // entities, or less
)

// kinds is filled while the package is initialized, one register call a file, and only read after that.
var kinds []Kind

// register makes a kind known; files call it as: var _ = register(Kind{...}).
func register(k Kind) Kind {
	kinds = append(kinds, k)
	return k
}

// All lists every registered kind by name.
func All() []Kind {
	all := slices.Clone(kinds)
	slices.SortFunc(all, func(a, b Kind) int {
		if a.Name < b.Name {
			return -1
		}
		return 1
	})
	return all
}

// Named returns the registered kind of that name.
func Named(name string) (Kind, error) {
	for _, k := range kinds {
		if k.Name == name {
			return k, nil
		}
	}
	names := make([]string, len(kinds))
	for i, k := range All() {
		names[i] = k.Name
	}
	return Kind{}, fmt.Errorf("no layout %q; there are %q", name, names)
}
