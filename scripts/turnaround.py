"""Measures the turnaround of a changed cell. See scripts/turnaround."""

import json
import os
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from jupyter_client.kernelspec import KernelSpecManager
from jupyter_client.manager import KernelManager

CELL = """import (
\t"pagetouch/pkg/notebook"
\t"pagetouch/pkg/notebook/sample"
)

%%
r, err := sample.Squares(8)
r.Figures[0].Series[0].Points[0].Y = NUMBER
notebook.Show(r, err)
"""


def stock(spec, root):
    """The kernel as "gonb --install" sets it up, which has to be told where the project is, and nothing more."""
    spec = json.loads(json.dumps(spec))
    spec["argv"] = [spec["argv"][0], "--kernel", "{connection_file}", f"-go_work={root}"]
    for name in ("CGO_ENABLED", "GOPROXY", "GOFLAGS"):
        spec["env"].pop(name)
    return spec


class Kernel:
    def __init__(self, spec, folder, name):
        home = Path(folder, "kernels", name)
        shutil.copytree(os.path.join(os.environ["JUPYTER_DATA_DIR"], "kernels", "gonb-pagetouch"), home)
        (home / "kernel.json").write_text(json.dumps(spec))
        specs = KernelSpecManager(kernel_dirs=[str(home.parent)], ensure_native_kernel=False)
        env = {k: v for k, v in os.environ.items() if k not in ("CGO_ENABLED", "GOFLAGS")}
        self.km = KernelManager(kernel_name=name, kernel_spec_manager=specs)
        self.km.start_kernel(env=env, stderr=subprocess.DEVNULL)
        self.kc = self.km.client()
        self.kc.start_channels()
        self.kc.wait_for_ready(timeout=60)

    def run(self, code):
        """The seconds until the cell is done."""
        images, errors = 0, []

        def output(msg):
            nonlocal images
            if msg["msg_type"] == "error" or msg["content"].get("name") == "stderr":
                errors.append(msg["content"])
            images += "<img" in msg["content"].get("data", {}).get("text/html", "")

        began = time.perf_counter()
        self.kc.execute_interactive(code, output_hook=output, timeout=300)
        took = time.perf_counter() - began
        if errors or images != 1:
            sys.exit(f"turnaround: the cell shows {images} figures and says {errors}")
        return took

    def end(self):
        self.kc.stop_channels()
        self.km.shutdown_kernel(now=True)


def build(folder, number, env):
    """The seconds that "go build" takes of the program in the cell, changed."""
    code = CELL.replace("%%", "func main() {").replace("NUMBER", str(number)) + "}\n"
    Path(folder, "main.go").write_text("package main\n\n" + code)
    began = time.perf_counter()
    subprocess.run(["go", "build", "-o", "cell", "."], cwd=folder, env=env, check=True)
    return time.perf_counter() - began


def main(runs):
    root = os.getcwd()
    spec = json.loads(Path(os.environ["JUPYTER_DATA_DIR"], "kernels/gonb-pagetouch/kernel.json").read_text())
    spec["argv"] = [a if not a.startswith("-go_work") else f"-go_work={root}" for a in spec["argv"]]
    env = {**os.environ, "GOPROXY": "off", "GOFLAGS": spec["env"]["GOFLAGS"], "CGO_ENABLED": "0"}
    with tempfile.TemporaryDirectory(prefix="turnaround-") as folder:
        program = Path(folder, "program")
        program.mkdir()
        for command in (["mod", "init", "program"], ["work", "init"], ["work", "use", ".", root]):
            subprocess.run(["go", *command], cwd=program, env=env, check=True, capture_output=True)
        socket = os.path.join(folder, "draw")
        os.environ["PAGETOUCH_DRAW_SOCKET"] = socket
        drawer = subprocess.Popen([".jupyter/bin/draw", "-listen", socket], stdin=subprocess.PIPE)
        kernels = {"this kernel": Kernel(spec, folder, "ours"), "stock kernel": Kernel(stock(spec, root), folder, "stock")}
        os.environ["PAGETOUCH_DRAW_SOCKET"] = ""
        kernels["this kernel, draw not listening"] = Kernel(spec, folder, "alone")
        try:
            times = {"go build": [], **{name: [] for name in kernels}}
            for run in range(-1, runs):  # the first warms up
                took = {"go build": build(program, time.time_ns(), env)}
                for name, kernel in kernels.items():
                    took[name] = kernel.run(CELL.replace("NUMBER", str(time.time_ns())))  # a figure that nobody has drawn yet
                if run >= 0:
                    for name, t in took.items():
                        times[name].append(t)
        finally:
            for kernel in kernels.values():
                kernel.end()
            drawer.stdin.close()
            drawer.wait()
    ours = statistics.median(times["this kernel"])
    for name, t in times.items():
        print(f"{name:32} median {statistics.median(t):5.2f} s, lowest {min(t):5.2f} s")
    ok = True
    for name, limit in (("go build", 1.5), ("stock kernel", 0.6)):
        ratio = ours / statistics.median(times[name])
        ok = ok and ratio <= limit
        print(f"{ratio:.2f} x {name}, at most {limit} x wanted: {'yes' if ratio <= limit else 'NO'}")
    return 0 if ok else 1


if __name__ == "__main__":
    sys.exit(main(int(sys.argv[1])))
