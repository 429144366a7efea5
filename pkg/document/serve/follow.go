package serve

import (
	"context"
	"fmt"
	"io/fs"
	"path/filepath"
	"strings"
	"time"
)

const interval = 300 * time.Millisecond

// follow calls changed after a file was saved. It looks at dates and sizes: that works on every machine and every kind
// of file system, and a few hundred files cost nothing.
func follow(ctx context.Context, watch []string, changed func()) {
	tick := time.NewTicker(interval)
	defer tick.Stop()
	known := look(watch)
	before := known
	for {
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
			now := look(watch)
			if now != known && now == before { // an editor may write in several steps: wait until it is quiet
				known = now
				changed()
			}
			before = now
		}
	}
}

// look is a fingerprint of the files in watch. What cannot be read is part of it: it may come back.
func look(watch []string) string {
	var b strings.Builder
	for _, root := range watch {
		filepath.WalkDir(root, func(p string, e fs.DirEntry, err error) error {
			if err != nil || e.IsDir() {
				return nil
			}
			if info, err := e.Info(); err == nil {
				fmt.Fprintf(&b, "%s %d %d\n", p, info.Size(), info.ModTime().UnixNano())
			}
			return nil
		})
	}
	return b.String()
}
