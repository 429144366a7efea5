package echarts

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"

	"github.com/evanw/esbuild/pkg/api"
)

// build fetches the pinned packages into a temporary folder and bundles them.
func build(ctx context.Context) ([]byte, error) {
	npm, err := exec.LookPath("npm")
	if err != nil {
		return nil, fmt.Errorf("no earlier run left a copy, and npm is not to be found (%w): install Node.js (18 or newer), which "+
			"brings npm, or pass -echarts FILE with dist/echarts.min.js of npm's package echarts 6.1.0", err)
	}
	dir, err := os.MkdirTemp("", "pagetouch-echarts-")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(dir)
	for name, data := range map[string][]byte{"package.json": packageJSON, "package-lock.json": packageLock, "entry.js": entry} {
		if err := os.WriteFile(filepath.Join(dir, name), data, 0o644); err != nil {
			return nil, err
		}
	}
	ci := exec.CommandContext(ctx, npm, "ci", "--ignore-scripts", "--no-audit", "--no-fund", "--loglevel=error")
	ci.Dir = dir
	ci.WaitDelay = 5 * time.Second
	if out, err := ci.CombinedOutput(); err != nil {
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		return nil, fmt.Errorf("npm ci: %w: %s\nwithout a network, pass -echarts FILE with dist/echarts.min.js of npm's package "+
			"echarts 6.1.0", err, strings.TrimSpace(string(out)))
	}
	return bundle(dir)
}

func bundle(dir string) ([]byte, error) {
	result := api.Build(api.BuildOptions{
		EntryPoints:       []string{"entry.js"},
		AbsWorkingDir:     dir,
		Bundle:            true,
		Format:            api.FormatIIFE,
		GlobalName:        "echarts",
		Target:            api.ES2015,
		Charset:           api.CharsetASCII,
		LegalComments:     api.LegalCommentsNone, // the page names the licences
		MinifySyntax:      true,
		MinifyWhitespace:  true,
		MinifyIdentifiers: true,
		Define:            map[string]string{"process.env.NODE_ENV": `"production"`},
	})
	if len(result.Errors) > 0 {
		return nil, fmt.Errorf("bundling: %s", strings.Join(api.FormatMessages(result.Errors, api.FormatMessagesOptions{}), ""))
	}
	return result.OutputFiles[0].Contents, nil
}
