package layout

import (
	"fmt"

	"pagetouch/pkg/workload"
)

// Changes says which heap pages the visibility map does not vouch for, because a row on them was inserted, updated or
// deleted since VACUUM. Rows stay where they are: what an update writes elsewhere is not placed.
type Changes struct {
	name, title string
	share       float64
	of          func(h *heap) (func(page int64) bool, error)
}

// Unchanged is a heap right after VACUUM.
func Unchanged() Changes {
	return Changes{of: func(*heap) (func(int64) bool, error) { return func(int64) bool { return false }, nil }}
}

// ChangedPages is a heap of which a share of the pages, drawn by page number, has changed. Under one seed, the pages of
// a smaller share are among those of a larger one.
func ChangedPages(share float64, seed uint64) Changes {
	c := Changes{share: share, name: fmt.Sprintf("%.6g-pages", 100*share), title: fmt.Sprintf("%.6g %% of pages changed", 100*share)}
	draws := workload.NewDraws(seed, changeStream)
	c.of = func(*heap) (func(int64) bool, error) {
		return func(page int64) bool { return drawn(draws, page, share) }, nil
	}
	return c
}

// ChangedRows is a heap of which a share of the rows, drawn by position, has changed: a page with any of them has.
func ChangedRows(share float64, seed uint64) Changes {
	c := Changes{share: share, name: fmt.Sprintf("%.6g-rows", 100*share), title: fmt.Sprintf("%.6g %% of rows changed", 100*share)}
	draws := workload.NewDraws(seed, changeStream)
	c.of = func(h *heap) (func(int64) bool, error) {
		changed := newRanks(h.pages())
		err := h.in.Workload.Scan(func(b *workload.Batch) error {
			for i := range b.Entity {
				if position := b.First + int64(i); drawn(draws, position, share) {
					size := h.in.Census.RowBytes
					if b.Size != nil {
						size = int(b.Size[i])
					}
					changed.add(h.at(position, size).First)
				}
			}
			return nil
		})
		return changed.has, err
	}
	return c
}

// ChangedEnd is a heap whose newest pages, a share of all, were filled since VACUUM.
func ChangedEnd(share float64) Changes {
	c := Changes{share: share, name: fmt.Sprintf("%.6g-newest", 100*share), title: fmt.Sprintf("newest %.6g %% of pages changed", 100*share)}
	c.of = func(h *heap) (func(int64) bool, error) {
		first := h.pages() - int64(share*float64(h.pages()))
		return func(page int64) bool { return page >= first }, nil
	}
	return c
}

// Draws of changes are independent of those that made the rows, under any seed.
const changeStream = 1 << 32

// drawn reports whether number i is among a share of all.
func drawn(draws workload.Draws, i int64, share float64) bool {
	return float64(draws.At(i)>>11)/(1<<53) < share
}
