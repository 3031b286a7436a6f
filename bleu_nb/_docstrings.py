"""Where `nbdev-export` finds tools/docstrings.py: pyproject.toml names it, nothing else."""

import sys
from importlib import import_module
from pathlib import Path

sys.path.append(str(Path(__file__).parents[1] / "tools"))  # nbdev sees what is installed, no more
with_comments = import_module("docstrings").with_comments
