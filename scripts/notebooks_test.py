"""Tests of scripts/notebooks: .venv/bin/python -m unittest discover -s scripts -p '*_test.py'"""

import os
import re
import shutil
import subprocess
import tempfile
import unittest
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
FIXTURES = ROOT / "scripts/testdata/notebooks"


def processes():
    """Kernels, their programs and drawers that are alive."""
    ps = subprocess.run(["ps", "-A", "-o", "stat=,args="], capture_output=True, text=True).stdout
    return sorted(l for l in ps.splitlines() if not l.startswith("Z") and re.search(r"notebook-\w+/|sleep 4242|-listen /\S*/notebooks-", l))


class Notebooks(unittest.TestCase):
    def setUp(self):
        self.dir = tempfile.TemporaryDirectory(prefix="notebooks test ")  # with a space
        self.addCleanup(self.dir.cleanup)
        self.tmp = Path(self.dir.name, "t")
        self.tmp.mkdir()

    def copy(self, name):
        return Path(shutil.copy(FIXTURES / f"{name}.ipynb", self.dir.name))

    def run_notebooks(self, *args):
        done = subprocess.run([ROOT / "scripts/notebooks", *map(str, args)], capture_output=True, text=True, timeout=120,
                              env={**os.environ, "TMPDIR": str(self.tmp)})
        self.assertEqual(list(self.tmp.iterdir()), [], "files left behind")
        self.assertEqual(processes(), [], "processes left behind")
        return done.returncode, done.stdout + done.stderr

    def test_failures_name_the_place(self):
        for name, place in {
            "compile": "cell 2, line 3: cannot use \"one\"",
            "panic": "cell 1, line 6: panic: runtime error: index out of range [3] with length 0",
            "exit": "cell 1: exit status 3",
            "loop": r"cell 2, line [3-6]: ran longer than the 16 s",
            "orphan": "cell 2: ran longer than the 16 s",
            "shell": "cell 1, line 3: wrote to standard error: ls: ",
            "magic": "cell 1, line 1: wrote to standard error: \"%no_such_magic\"",
            "stderr": "cell 1, line 5: wrote to standard error: careful",
            "failed": "cell 1: the experiment failed: squares of 0 numbers",
        }.items():
            with self.subTest(name):
                code, said = self.run_notebooks("-timeout", 16, self.copy(name))
                self.assertEqual(code, 1)
                pattern = place if "[3-6]" in place else re.escape(place)
                self.assertRegex(said, rf"{name}\.ipynb, {pattern}")

    def test_write_is_stable_and_check_names_the_changed_cell(self):
        path = self.copy("seed")
        self.assertEqual(self.run_notebooks("-check", path)[0], 1)  # not executed yet
        self.assertEqual(self.run_notebooks("-write", path)[0], 0)
        first = path.read_bytes()
        self.assertEqual(self.run_notebooks("-write", path)[0], 0)
        self.assertEqual(path.read_bytes(), first)
        self.assertNotRegex(first.decode(), r"go1\.|20\d\d-\d\d-\d\d|/tmp/")
        self.assertEqual(self.run_notebooks("-check", path)[0], 0)
        path.write_text(first.decode().replace("Squares(3)", "Squares(4)"))
        code, said = self.run_notebooks("-check", path)
        self.assertEqual(code, 1)
        self.assertRegex(said, r"seed\.ipynb, cell 1: the stored output is not what comes out now")
        self.assertIn("+<p><strong>The largest of 4 squares is 16.</strong></p>", said)


if __name__ == "__main__":
    unittest.main()
