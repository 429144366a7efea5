package main

import (
	"context"
	"crypto/sha256"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"pagetouch/pkg/figure/echarts"
)

// The appendix has the same bytes whoever builds it where: on one processor or several, in any time zone, language and
// umask, from another checkout, for other processors.
func TestSameBytes(t *testing.T) {
	if testing.Short() {
		t.Skip("builds the program six times")
	}
	if runtime.GOOS != "linux" || runtime.GOARCH != "amd64" {
		t.Skip("compares builds for linux/amd64 with others; this is " + runtime.GOOS + "/" + runtime.GOARCH)
	}
	library, err := echarts.Load(context.Background())
	if err != nil {
		t.Skip("no ECharts here: ", err)
	}
	dir := t.TempDir()
	local := filepath.Join(dir, "echarts.js")
	if err := os.WriteFile(local, library, 0o644); err != nil {
		t.Fatal(err)
	}
	elsewhere := filepath.Join(dir, "another checkout")
	if err := os.CopyFS(elsewhere, tracked{os.DirFS("..")}); err != nil {
		t.Fatal(err)
	}
	emulator := ""
	for _, name := range []string{"qemu-aarch64-static", "qemu-aarch64"} {
		if path, err := exec.LookPath(name); err == nil && emulator == "" {
			emulator = path
		}
	}
	want := ""
	for _, v := range []struct {
		name  string
		from  string   // checkout
		build []string // environment of go build
		run   []string // environment of the program
		shell string   // before the program's name
	}{
		{name: "as it is", from: ".."},
		{name: "GOMAXPROCS=1", from: "..", run: []string{"GOMAXPROCS=1"}},
		{name: "elsewhere in the world", from: "..", run: []string{"TZ=Asia/Kathmandu", "LANG=ne_NP.UTF-8", "LC_ALL=ne_NP.UTF-8"}, shell: "umask 077;"},
		{name: "another checkout", from: elsewhere},
		{name: "GOAMD64=v1", from: "..", build: []string{"GOAMD64=v1"}},
		{name: "GOAMD64=v3", from: "..", build: []string{"GOAMD64=v3"}},
		{name: "arm64", from: "..", build: []string{"GOARCH=arm64"}, shell: emulator},
	} {
		t.Run(v.name, func(t *testing.T) {
			if v.name == "arm64" && emulator == "" {
				t.Skip("no qemu-aarch64 here: Debian's package is qemu-user-static")
			}
			work := t.TempDir()
			program := filepath.Join(work, "report")
			build := exec.Command("go", "build", "-o", program, "./report")
			build.Dir, build.Env = v.from, append(os.Environ(), append(v.build, "CGO_ENABLED=0")...)
			if out, err := build.CombinedOutput(); err != nil {
				t.Fatalf("go build: %v\n%s", err, out)
			}
			execute := func(args string) []byte {
				shell := v.shell
				if !strings.HasSuffix(shell, ";") {
					shell = "exec " + shell
				} else {
					shell += " exec"
				}
				c := exec.Command("sh", "-c", fmt.Sprintf("%s '%s' %s", shell, program, args))
				// A cache of its own, so that everything is drawn afresh.
				c.Dir, c.Env = work, append(os.Environ(), append(v.run, "XDG_CACHE_HOME="+filepath.Join(work, "cache"))...)
				out, err := c.Output()
				if err != nil {
					said := ""
					if exit, ok := err.(*exec.ExitError); ok {
						said = string(exit.Stderr)
					}
					if strings.Contains(said, "microarchitecture") {
						t.Skip("this processor does not run it: " + said)
					}
					t.Fatalf("%s: %v\n%s", args, err, said)
				}
				return out
			}
			all := sha256.New()
			all.Write(execute("-json -posts 200000 -users 2000 -account 100000"))
			execute("-only latest-20,month-buckets -out out -echarts '" + local + "'")
			err := filepath.WalkDir(filepath.Join(work, "out"), func(path string, d fs.DirEntry, err error) error {
				if err != nil {
					return err
				}
				info, err := d.Info()
				if err != nil {
					return err
				}
				fmt.Fprintln(all, strings.TrimPrefix(path, work), info.Mode())
				if d.IsDir() {
					return nil
				}
				text, err := os.ReadFile(path)
				all.Write(text)
				return err
			})
			if err != nil {
				t.Fatal(err)
			}
			sum := fmt.Sprintf("%x", all.Sum(nil))
			if want == "" {
				want = sum
			}
			if sum != want {
				t.Errorf("other bytes than the first build: %s, not %s", sum, want)
			}
		})
	}
}

// tracked is a checkout without what git and tools keep in it.
type tracked struct{ fs.FS }

func (c tracked) ReadDir(name string) ([]fs.DirEntry, error) {
	entries, err := fs.ReadDir(c.FS, name)
	kept := entries[:0]
	for _, e := range entries {
		if hidden := strings.HasPrefix(e.Name(), "."); !hidden && (e.IsDir() || e.Type().IsRegular()) {
			kept = append(kept, e)
		}
	}
	return kept, err
}
