"""Runs of pytest in a process of their own, with this project's helpers and tools."""

import os
import subprocess
import sys
from pathlib import Path
from xml.etree import ElementTree

ROOT = Path(__file__).resolve().parents[2]
BROKEN = '''import sys

class Broken:
    """Raise OSError for a package, as a library does that was built for another torch."""

    def find_spec(self, name, *_):
        if name.partition(".")[0] == {package!r}:
            raise OSError("{package} does not load")

sys.meta_path.insert(0, Broken())
'''


def reported(folder: Path, *arguments: str) -> dict[str, tuple[str, str]]:
    """The status and message of each item in a folder, by file and name."""
    paths = os.pathsep.join([str(ROOT), str(ROOT / "tests" / "helpers"), str(ROOT / "tools")])
    done = subprocess.run(
        [sys.executable, "-m", "pytest", "-p", "no:cacheprovider", "--junitxml=log.xml",
         *arguments],
        cwd=folder, text=True, env={**os.environ, "PYTHONPATH": paths}, capture_output=True,
        timeout=120)
    assert done.returncode in (0, 1), done.stdout + done.stderr
    return {
        f"{case.get('classname', '').split('.')[-2]}::{case.get('name')}": (
            " ".join(each.tag for each in case) or "passed",
            "\n".join(f"{each.get('message')}\n{each.text}" for each in case))
        for case in ElementTree.parse(folder / "log.xml").iter("testcase")}
