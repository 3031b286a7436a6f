"""Test the adapters: an environment of their own, this one's packages, and every framework.

What is installed here (the oracles, among them torch) is not installed again: the new environment
looks it up. Arguments go to pytest.
"""

import subprocess
import sys
import sysconfig
import venv
from configparser import ConfigParser
from pathlib import Path

import book

ROOT = Path(__file__).resolve().parent.parent
FOLDER = ROOT / "build" / "frameworks-venv"
PYTHON = FOLDER / "bin" / "python"


def main() -> None:
    """Make the environment, and run the chapters and tests that need a framework."""
    make()
    tests = [*chapters(), *sorted((ROOT / "tests").glob("test_with_*.py"))]
    command = [PYTHON, "-m", "pytest", *(sys.argv[1:] or tests)]
    sys.exit(subprocess.run(command, cwd=ROOT).returncode)


def make() -> None:
    """An environment that has what the extra `frameworks` asks for."""
    if not PYTHON.exists():
        venv.create(FOLDER, with_pip=True)
    version = f"python{sys.version_info.major}.{sys.version_info.minor}"
    place = FOLDER / "lib" / version / "site-packages" / "beside.pth"
    place.write_text(f"{ROOT}\n{sysconfig.get_path('purelib')}\n", encoding="utf-8")
    install = [PYTHON, "-m", "pip", "install", "--quiet", *requirements()]
    subprocess.run(install, check=True)


def requirements() -> list[str]:
    """What the extras of the frameworks ask for, and what their tests do."""
    settings = ConfigParser()
    settings.read(ROOT / "settings.ini", encoding="utf-8")
    names = settings["frameworks"]["extras"].split()
    texts = [*(settings["extras"][name] for name in names), settings["frameworks"]["tests"]]
    return [line.strip() for text in texts for line in text.splitlines() if line.strip()]


def chapters() -> list[Path]:
    """The notebooks that need a framework."""
    return [path for path in sorted((ROOT / "nbs").glob("*.ipynb")) if book.needed(path)]


if __name__ == "__main__":
    main()
