package experiment

import (
	"cmp"
	"fmt"
	"slices"
)

// experiments is filled while the package is initialized, one register call a file, and only read after that.
var experiments []Experiment

// register makes an experiment known; files call it as: var _ = register(Experiment{...}).
func register(e Experiment) Experiment {
	experiments = append(experiments, e)
	return e
}

// All lists every experiment in the appendix's order.
func All() []Experiment {
	all := slices.Clone(experiments)
	slices.SortFunc(all, func(a, b Experiment) int {
		return cmp.Or(cmp.Compare(a.Order, b.Order), cmp.Compare(a.Name, b.Name))
	})
	return all
}

// Named returns the experiments of those names, in the appendix's order; no names are all.
func Named(names []string) ([]Experiment, error) {
	all := All()
	if len(names) == 0 {
		return all, nil
	}
	known := make([]string, len(all))
	for i, e := range all {
		known[i] = e.Name
	}
	for _, n := range names {
		if !slices.Contains(known, n) {
			return nil, fmt.Errorf("no section %q; there are %q", n, known)
		}
	}
	return slices.DeleteFunc(all, func(e Experiment) bool { return !slices.Contains(names, e.Name) }), nil
}
