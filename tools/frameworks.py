"""Test the adapters: an environment of their own, this one's packages, and every framework.

What is installed here (the oracles, among them torch) is not installed again: the new environment
looks it up. Arguments go to pytest; without any it runs the chapters and tests of the adapters.
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
    if names := absent():
        sys.exit(f"{names} cannot be imported: look at the extras in settings.ini")
    tests = [*chapters(), *sorted((ROOT / "tests").glob("test_with_*.py"))]
    usual = ["-n", "auto", "--dist", "loadfile", *tests]
    command = [PYTHON, "-m", "pytest", *(sys.argv[1:] or usual)]
    sys.exit(subprocess.run(command, cwd=ROOT).returncode)


def make() -> None:
    """An environment that has what the extra `frameworks` asks for."""
    if not PYTHON.exists():
        venv.create(FOLDER, with_pip=True)
    version = f"python{sys.version_info.major}.{sys.version_info.minor}"
    place = FOLDER / "lib" / version / "site-packages" / "beside.pth"
    beside = f"import site; site.addsitedir({sysconfig.get_path('purelib')!r})"
    place.write_text(f"{ROOT}\n{beside}\n", encoding="utf-8")
    templates = Path("share", "jupyter", "nbconvert")  # Of `tools/prepare.py`, when it is run there
    if not (FOLDER / templates).exists():
        (FOLDER / templates).parent.mkdir(parents=True, exist_ok=True)
        (FOLDER / templates).symlink_to(Path(sys.prefix) / templates, target_is_directory=True)
    install = [PYTHON, "-m", "pip", "install", "--quiet", *requirements()]
    subprocess.run(install, check=True)


def requirements() -> list[str]:
    """What the extras of the frameworks ask for, and what their tests do."""
    settings = ConfigParser()
    settings.read(ROOT / "settings.ini", encoding="utf-8")
    names = settings["frameworks"]["extras"].split()
    texts = [*(settings["extras"][name] for name in names), settings["frameworks"]["tests"]]
    return [line.strip() for text in texts for line in text.splitlines() if line.strip()]


def absent() -> str:
    """What a chapter needs and the environment lacks; a skip would hide it."""
    names = sorted({name for path in chapters() for name in book.needed(path)})
    code = (
        "import sys, importlib.util as util\n"
        "print(*(name for name in sys.argv[1:] if util.find_spec(name) is None), sep=', ')"
    )
    done = subprocess.run([PYTHON, "-c", code, *names], check=True, capture_output=True, text=True)
    return done.stdout.strip()


def chapters() -> list[Path]:
    """The notebooks that need a framework."""
    return [path for path in book.notebooks() if book.needed(path)]


if __name__ == "__main__":
    main()
