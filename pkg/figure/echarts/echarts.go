// Package echarts is where the charts' JavaScript library comes from. It is not in this repository and not loaded from the
// web by a page: package-lock.json pins Apache ECharts and what it needs by their hashes, npm fetches them once, and
// esbuild bundles what entry.js names of them. The bundle is the same on every machine: its SHA-256 is pinned here, checked
// on every load, and the bundle is kept in the user's cache folder.
package echarts

import (
	"context"
	"fmt"
	"os"

	_ "embed"

	"pagetouch/pkg/figure/cache"
)

// SHA256 of the bundle. It changes with entry.js, package-lock.json and esbuild's version in go.mod only; the error of
// Load says the new one.
const SHA256 = "2fc0b81d3a037a097565400226c983c5fd33d677a056a1880457d0f2ed9434d0"

// Licences names what the bundle is made of, for whoever passes it on.
const Licences = "Apache ECharts 6.1.0 (Apache-2.0), zrender 6.1.0 (BSD-3-Clause), tslib 2.3.0 (0BSD)"

var (
	//go:embed package.json
	packageJSON []byte
	//go:embed package-lock.json
	packageLock []byte
	//go:embed entry.js
	entry []byte
)

// Load returns the bundle: a script that defines one global, echarts. The first load on a machine needs npm and the
// network; later ones need neither.
func Load(ctx context.Context) ([]byte, error) {
	name := "echarts-" + cache.Sum(packageJSON, packageLock, entry)[:16] + ".js"
	if code, ok := cache.Get(name); ok && cache.Sum(code) == SHA256 {
		return code, nil
	}
	code, err := build(ctx)
	if err != nil {
		return nil, fmt.Errorf("getting the chart library ECharts: %w", err)
	}
	if sum := cache.Sum(code); sum != SHA256 {
		return nil, fmt.Errorf("the ECharts bundle has SHA-256 %s, not %s as pinned: if entry.js, package-lock.json or "+
			"esbuild's version in go.mod changed on purpose, pin the new one in pkg/figure/echarts", sum, SHA256)
	}
	_ = cache.Put(name, code) // without a cache the next run only takes longer
	return code, nil
}

// LoadFile returns a local copy instead, for networks where npm cannot fetch: dist/echarts.min.js of npm's package, or
// a bundle that Load returned elsewhere. It is taken as it is.
func LoadFile(path string) ([]byte, error) {
	code, err := os.ReadFile(path)
	if err != nil {
		return nil, fmt.Errorf("reading the local ECharts: %w", err)
	}
	return code, nil
}
