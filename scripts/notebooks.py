"""Executes notebooks in fresh kernels. See scripts/notebooks for how to call it."""

import argparse
import asyncio
import copy
import difflib
import os
import re
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import nbformat
from nbclient import NotebookClient
from nbclient.exceptions import CellExecutionError, CellTimeoutError, DeadKernelError

KERNEL = "gonb-pagetouch"
KERNELSPEC = {"display_name": "Go (pagetouch)", "language": "go", "name": KERNEL}
LANGUAGE = {"file_extension": ".go", "mimetype": "text/x-go", "name": "go"}  # without Go's version of the day
COLOURS = re.compile(r"\x1b\[[0-9;]*m")
LINE = re.compile(r"Cell(?: ?\[\d+\]:?)? Line (\d+)")  # how GoNB names a line of a cell


class Failure(Exception):
    """A notebook that did not run, with the place."""

    def __init__(self, path, cell, line, text):
        place = f"{path}, cell {cell}" + (f", line {line}" if line else "")
        super().__init__(f"{place}: {text}")


def normal(nb):
    """The notebook with nothing that differs between two runs of the same cells: metadata, ids, counts."""
    nb = copy.deepcopy(nb)
    nb.nbformat, nb.nbformat_minor = 4, 5
    nb.metadata = nbformat.from_dict({"kernelspec": KERNELSPEC, "language_info": LANGUAGE})
    count = 0
    for i, cell in enumerate(nb.cells, 1):
        cell.id = f"cell-{i:02}"
        cell.metadata = nbformat.from_dict({k: v for k, v in cell.metadata.items() if k == "tags"})
        cell.pop("attachments", None) if not cell.get("attachments") else None
        if cell.cell_type != "code":
            continue
        count += 1
        cell.execution_count = count if cell.source.strip() else None
        for out in cell.outputs:
            if out.output_type == "execute_result":
                out.execution_count = cell.execution_count
    return nb


def text(nb):
    return nbformat.writes(nb, indent=1) + "\n"


class Run:
    """One notebook in one kernel, which has a folder for its temporary files; nothing of either is left behind."""

    def __init__(self, path, root, timeout, env):
        self.path, self.name, self.timeout, self.env = path, os.path.relpath(path, root), timeout, env
        self.cell = 0

    async def execute(self):
        nb = nbformat.read(self.path, as_version=4)
        for cell in nb.cells:
            if cell.cell_type == "code":
                cell.outputs, cell.execution_count = [], None
        client = NotebookClient(nb, kernel_name=KERNEL, resources={"metadata": {"path": str(self.path.parent)}},
                                record_timing=False, coalesce_streams=True, timeout=None, interrupt_on_timeout=True)
        with tempfile.TemporaryDirectory(prefix="notebook-", ignore_cleanup_errors=True) as tmp:
            try:
                async with asyncio.timeout(self.timeout) as deadline:
                    # GOTRACEBACK: a loop that is asked where it is (see stuck) answers from every thread.
                    await self.cells(client, nb, {**self.env, "TMPDIR": tmp, "GOTRACEBACK": "crash"}, deadline)
            except TimeoutError:
                self.fail(0, f"did not start and end within {self.timeout:g} s")
            finally:
                await end(client)
        return normal(nb)

    async def cells(self, client, nb, env, deadline):
        client.create_kernel_manager()
        await client.async_start_new_kernel(env=env)
        await client.async_start_new_kernel_client()
        for index, cell in enumerate(nb.cells):
            if cell.cell_type != "code" or not cell.source.strip():
                continue
            self.cell = index + 1
            job = asyncio.ensure_future(client.async_execute_cell(cell, index))
            left = deadline.when() - asyncio.get_running_loop().time()
            done, _ = await asyncio.wait([job], timeout=max(left - 8, left / 2))  # what remains is for asking and ending
            if not done:
                stuck(client.km.provisioner.pid)
                await asyncio.wait([job], timeout=4)
                job.cancel()
                await asyncio.gather(job, return_exceptions=True)
                stderr = "".join(o.text for o in cell.outputs if o.get("name") == "stderr")
                self.fail(line_of(cell.outputs) or line_by_text(stderr, cell.source, env["TMPDIR"]),
                          f"ran longer than the {self.timeout:g} s that a notebook may take")
            try:
                job.result()
            except CellExecutionError as e:
                said = first_line(e)
                stderr = "".join(o.text for o in cell.outputs if o.get("name") == "stderr")
                self.fail(line_of(cell.outputs) or line_in(e.traceback) or line_by_text(stderr, cell.source, env["TMPDIR"]), meaning(stderr) or said)
            except DeadKernelError:
                self.fail(0, "the kernel died")
            # A shell line that failed and an unknown magic end well for Jupyter; all they leave is this.
            stderr = "".join(o.text for o in cell.outputs if o.get("name") == "stderr")
            if stderr:
                self.fail(line_of(cell.outputs) or special(cell.source, stderr), "wrote to standard error: " + meaning(stderr))

    def fail(self, line, text):
        raise Failure(self.name, self.cell, line, text)


def meaning(stderr):
    """What a program said before it died, without its stack."""
    lines = [l for l in COLOURS.sub("", stderr).splitlines() if l.strip()]
    for i, l in enumerate(lines):
        if l.startswith("goroutine "):
            lines = lines[:i]
            break
    return "\n    ".join(lines[:10])


def first_line(error):
    value = [l for l in COLOURS.sub("", error.evalue).splitlines() if l.strip() and not l.startswith("#")]
    return re.sub(r"^\S*main\.go:\d+:\d+: |^\./main\.go:\d+:\d+: ", "", value[0]) if value else error.ename


def line_in(said):
    found = LINE.search(COLOURS.sub("", said or "").replace(": Line", " Line"))
    return int(found[1]) if found else 0


def line_of(outputs):
    """The line of the cell that an error names, or the first in a stack: the innermost call from the cell."""
    for o in outputs:
        said = "\n".join(o.traceback) if o.output_type == "error" else o.text if o.get("name") == "stderr" else ""
        if line := line_in(said):
            return line
    return 0


def line_by_text(stderr, source, tmp):
    """The line when GoNB did not map it, as happens when a stack arrives in pieces: by what stands there in its program."""
    for number in re.findall(r"/main\.go:(\d+)", stderr):
        for program in Path(tmp).glob("gonb_*/main.go"):
            there = program.read_text(encoding="utf-8").splitlines()[int(number) - 1].strip()
            for i, l in enumerate(source.splitlines(), 1):
                if l.strip() == there:
                    return i
    return 0


def special(source, stderr):
    """The shell line or magic that failed, where only one can have: GoNB does not say which it was."""
    kind = r"%" if "unknown or not implemented" in stderr else r"!" if "exit status" in stderr else "$^"
    lines = [i for i, l in enumerate(source.splitlines(), 1) if re.match(rf"(//gonb:)?{kind}(?!%)", l)]
    return lines[0] if len(lines) == 1 else 0


def group(pid):
    """The processes that the kernel started: all that share its process group."""
    ps = subprocess.run(["ps", "-A", "-o", "pid=,pgid=,ppid="], capture_output=True, text=True).stdout
    return [int(p) for p, g, _ in (l.split() for l in ps.splitlines()) if int(g) == pid and int(p) != pid]


def stuck(kernel):
    """Asks the cell's program where it is: Go answers SIGQUIT with its stacks, which GoNB maps to the cell's lines."""
    for pid in group(kernel):
        try:
            os.kill(pid, signal.SIGQUIT)
        except ProcessLookupError:
            pass


async def end(client):
    """Ends the kernel and all that it started."""
    km = client.km
    if km is None or not km.has_kernel:
        return
    pid = km.provisioner.pid
    try:
        if client.kc is not None:
            client.kc.stop_channels()
        await km.shutdown_kernel(now=True)
    finally:
        try:
            os.killpg(pid, signal.SIGKILL)
        except ProcessLookupError:
            pass


def difference(old, new, name):
    """What to say of the first cell that differs, or nothing."""
    was, now = text(old), text(new)
    if was == now:
        return ""
    for i, (a, b) in enumerate(zip(old.cells, new.cells), 1):
        if a != b:
            a, b = pieces(a), pieces(b)
            break
    else:
        i, a, b = 0, was.splitlines(), now.splitlines()
    lines = list(difflib.unified_diff(a, b, "stored", "now", n=1, lineterm=""))
    shown = [l if len(l) < 200 else l[:200] + "…" for l in lines[:30]]
    if len(lines) > len(shown):
        shown.append(f"... and {len(lines) - len(shown)} lines more")
    where = f"{name}, cell {i}" if i else f"{name}, outside the cells"
    return f"{where}: the stored output is not what comes out now\n    " + "\n    ".join(shown)


def pieces(cell):
    """A cell line by line, as a reader would compare it."""
    out = [f"{cell.cell_type} {cell.id} {dict(cell.metadata)}", *cell.source.splitlines()]
    for o in cell.get("outputs", []):
        out += [f"[{o.output_type}]", *(o.get("text") or "").splitlines()]
        for mime, data in o.get("data", {}).items():
            out += [mime, *(data if isinstance(data, str) else repr(data)).splitlines()]
    return out


def stored(path):
    nb = nbformat.read(path, as_version=4)
    return nb, path.read_text(encoding="utf-8")


def store(path, content):
    """Writes all or nothing."""
    fd, temporary = tempfile.mkstemp(dir=path.parent, prefix=".", suffix=".new")
    try:
        with os.fdopen(fd, "w", encoding="utf-8") as f:
            f.write(content)
        os.chmod(temporary, path.stat().st_mode & 0o777)
        os.replace(temporary, path)
    except BaseException:
        os.unlink(temporary)
        raise


async def one(path, args, env, slots, root):
    run = Run(path, root, args.timeout, env)
    async with slots:
        began = time.monotonic()
        try:
            new = await run.execute()
            problem = ""
            if args.check:
                old, content = stored(path)
                problem = difference(old, new, run.name)
                if not problem and content != text(new):
                    problem = f"{run.name}: written otherwise than -write writes"
            elif args.write and path.read_text(encoding="utf-8") != text(new):
                store(path, text(new))
        except Failure as e:
            problem = str(e)
        except Exception as e:  # a notebook that cannot be read, a kernel that cannot be started
            problem = f"{run.name}: {type(e).__name__}: {e}"
        print(f"{'FAIL' if problem else 'ok  '} {time.monotonic() - began:5.1f} s  {problem or run.name}", flush=True)
        return not problem


async def main(args):
    root = Path.cwd()
    paths = [Path(p).resolve() for p in args.notebook] or sorted((root / "notebooks").glob("*.ipynb"))
    if not paths:
        sys.exit("notebooks: there are none in notebooks/")
    for p in paths:
        if not p.is_file():
            sys.exit(f"notebooks: there is no file {p}")
    task = asyncio.current_task()
    for s in (signal.SIGINT, signal.SIGTERM):
        asyncio.get_running_loop().add_signal_handler(s, task.cancel)
    with tempfile.TemporaryDirectory(prefix="notebooks-") as tmp:
        socket = os.path.join(tmp, "draw")
        drawer = subprocess.Popen([".jupyter/bin/draw", "-listen", socket], stdin=subprocess.PIPE)
        try:
            slots = asyncio.Semaphore(args.jobs)
            env = {**os.environ, "PAGETOUCH_DRAW_SOCKET": socket}
            ok = await asyncio.gather(*(one(p, args, env, slots, root) for p in paths))
        finally:
            drawer.stdin.close()
            drawer.wait()
    print(f"{sum(ok)} passed, {len(ok) - sum(ok)} failed")
    return 0 if all(ok) else 1


if __name__ == "__main__":
    parser = argparse.ArgumentParser(prog="notebooks", allow_abbrev=False)
    mode = parser.add_mutually_exclusive_group()
    mode.add_argument("-check", action="store_true", help="fail if a stored output is not what comes out now")
    mode.add_argument("-write", action="store_true", help="store what comes out")
    parser.add_argument("-timeout", type=float, default=120, metavar="S", help="seconds that a notebook may take (120)")
    parser.add_argument("-jobs", type=int, default=2, metavar="N", help="notebooks at a time (2)")
    parser.add_argument("notebook", nargs="*", help="notebooks/*.ipynb by default")
    try:
        sys.exit(asyncio.run(main(parser.parse_args())))
    except asyncio.CancelledError:
        sys.exit("notebooks: interrupted")
