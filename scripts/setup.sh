# Makes what Jupyter needs to run the notebooks, if it is missing or out of date. Sourced by scripts/lab and
# scripts/notebooks, in the project's folder. Nothing is written outside the project but the caches of Go, pip and npm.
#
#   .venv/                           JupyterLab and nbclient (scripts/requirements.txt)
#   .jupyter/kernels/gonb-pagetouch  the Go kernel, GoNB, at go.mod's version, and its settings
#   .jupyter/bin                     goimports, which GoNB needs, and the program that draws figures
#   .jupyter/lsp                     gopls, for completion
#   .jupyter/config, runtime, ...    what Jupyter itself writes
#   .jupyter/made-*                  copies of what these were made from: where one equals what is there now, nothing is to do

root=$PWD
jupyter=$root/.jupyter
kernel=$jupyter/kernels/gonb-pagetouch

# A cell is built like this; so is all that it links.
export CGO_ENABLED=0 GOFLAGS=-buildvcs=false
unset GOWORK GOBIN

fail() { printf 'setup: %s\n' "$@" >&2; exit 1; }
say() { printf '%s\n' "$*" >&2; }

setup() {
  mkdir -p "$jupyter"
  (
    if command -v flock >/dev/null; then flock 9; fi # two starts at once: the second waits, and finds all made
    once venv make_venv scripts/requirements.txt
    once kernel make_kernel scripts/tools/go.mod <(gonb_version)
    once warm warm_up go.mod go.sum
    # Follows pkg/figure: building what is up to date takes a moment.
    go build -o "$jupyter/bin/draw" ./scripts/draw
  ) 9>"$jupyter/lock"
  jupyter_home
}

# once NAME FUNCTION FILE... runs the function unless it has run, here, for files of the same content.
once() {
  local made=$jupyter/made-$1 function=$2
  shift 2
  { printf '%s\n' "$root"; declare -f "$function"; cat "$@"; } >"$made.new"
  if cmp -s "$made.new" "$made"; then
    rm "$made.new"
    return
  fi
  rm -f "$made"
  check_go
  "$function"
  mv "$made.new" "$made"
}

gonb_version() { grep -F github.com/janpfeifer/gonb go.mod; }

check_go() {
  command -v go >/dev/null || fail 'Go is not to be found.' 'Install Go 1.26 or newer (https://go.dev/dl) and put its bin folder on PATH.'
  GOTOOLCHAIN=local go list -m >/dev/null 2>"$jupyter/go-says" || fail 'Go does not accept go.mod:' "$(cat "$jupyter/go-says")" \
    "This is $(GOTOOLCHAIN=local go env GOVERSION); Go 1.26 or newer is needed."
  rm -f "$jupyter/go-says"
}

# find_python prints the first Python that is new enough. PYTHON, if set, is the only one looked at.
find_python() {
  local p
  for p in ${PYTHON:+"$PYTHON"} ${PYTHON:-python3 python3.14 python3.13 python3.12 python3.11}; do
    if "$p" -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null; then
      command -v "$p"
      return
    fi
  done
  fail "No Python 3.11 or newer is to be found${PYTHON:+ under the name that PYTHON gives: $PYTHON}." \
    'Install one (Debian, Ubuntu: apt install python3 python3-venv), or name it: PYTHON=/path/to/python3 ./scripts/lab'
}

make_venv() {
  local python
  python=$(find_python)
  "$python" -c 'import venv, ensurepip' 2>/dev/null ||
    fail "$python cannot make virtual environments: its modules venv and ensurepip are missing." 'Debian, Ubuntu: apt install python3-venv'
  say 'Installing JupyterLab into .venv ...'
  rm -rf .venv
  "$python" -m venv .venv
  .venv/bin/python -m pip install --quiet --disable-pip-version-check --require-hashes -r scripts/requirements.txt
}

make_kernel() {
  say 'Building the Go kernel, goimports and gopls ...'
  mkdir -p "$kernel" "$jupyter/bin" "$jupyter/lsp"
  go build -o "$kernel/gonb" github.com/janpfeifer/gonb
  go -C scripts/tools build -o "$jupyter/bin/goimports" golang.org/x/tools/cmd/goimports
  go -C scripts/tools build -o "$jupyter/lsp/gopls" golang.org/x/tools/gopls
  # GOPROXY=off: GoNB runs "go get" before each cell, which must find go.mod's versions and not newer ones.
  # -s -w and no cgo: linking is most of a cell's time. -raw_error: errors as text, so that scripts/notebooks can name the line.
  .venv/bin/python - "$kernel/kernel.json" "$jupyter/bin" "$(command -v go)" <<'PYTHON'
import json, os, sys
file, bin, go = sys.argv[1:]
spec = {
    "argv": ["{resource_dir}/gonb", "--kernel", "{connection_file}", "-raw_error", "-logtostderr=false", "-log_file=/dev/null",
             "-stderrthreshold=3", "-go_work={resource_dir}/../../.."],
    "display_name": "Go (pagetouch)",
    "language": "go",
    "interrupt_mode": "message",
    "env": {"PATH": f"{bin}:${{PATH}}:{os.path.dirname(go)}", "PAGETOUCH_DRAW": f"{bin}/draw", "CGO_ENABLED": "0", "GOPROXY": "off",
            "GOWORK": "", "GOFLAGS": "-buildvcs=false \"-ldflags=-s -w\""},
}
with open(file, "w") as f:
    json.dump(spec, f, indent=1)
PYTHON
}

# warm_up builds a cell as GoNB will, so that every module it needs is here when the network is not, and the first cell
# does not compile the standard library.
warm_up() {
  say 'Filling the build cache ...'
  local cell=$jupyter/warm
  rm -rf "$cell" && mkdir "$cell"
  (
    cd "$cell"
    go mod init warm
    go work init
    go work use . "$root"
    go mod edit -replace "pagetouch=$root"
    { printf 'package main\n\nimport (\n'; (cd "$root" && cells_import) | sed 's/.*/\t_ "&"/'; printf ')\n\nfunc main() {}\n'; } >main.go
    go get
    go build -ldflags='-s -w' -o cell .
  ) >"$jupyter/warm.log" 2>&1 || fail 'The build cache could not be filled:' "$(tail -n 20 "$jupyter/warm.log")"
  rm -rf "$cell" "$jupyter/warm.log"
  go build -o "$jupyter/bin/draw" ./scripts/draw
  # Fetches ECharts into the cache.
  echo '{"as":"library"}' | "$jupyter/bin/draw" | grep -q '"drawn"' || fail 'The charts'\'' library could not be fetched:' \
    "$(echo '{"as":"library"}' | "$jupyter/bin/draw")" 'It needs npm (Debian, Ubuntu: apt install npm) and the network, once.'
}

cells_import() {
  printf '%s\n' fmt math sort strings time
  go list ./pkg/notebook ./pkg/experiment/... ./pkg/workload/... 2>/dev/null
}

# jupyter_home keeps what Jupyter writes inside the project.
jupyter_home() {
  export JUPYTER_CONFIG_DIR=$jupyter/config JUPYTER_DATA_DIR=$jupyter JUPYTER_RUNTIME_DIR=$jupyter/runtime IPYTHONDIR=$jupyter/ipython
  export JUPYTER_CONFIG_PATH=$root/scripts/jupyter JUPYTER_PATH=$jupyter
}
