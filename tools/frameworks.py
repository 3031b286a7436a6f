"""Test the adapters: an environment of their own, this one's packages, and every framework.

What is installed here (the oracles, among them torch) is not installed again: the new environment
looks it up. Arguments go to pytest; without any it runs the chapters and tests of the adapters.
"""

import argparse
import re
import subprocess
import sys
import sysconfig
import venv
from pathlib import Path

import extras

ROOT = Path(__file__).resolve().parent.parent
FOLDER = ROOT / "build" / "frameworks-venv"
TESTS = [path for folder in ("adapters", "docs")    # README's command runs the others whole
         for path in sorted((ROOT / "tests" / folder).glob("test_*.py"))
         if path.stem[5:] not in ("sacrebleu", "nltk", "ignite", "torchmetrics", "option_tables")]
LOWEST = re.compile(r"^([\w-]+)(?:\[\w+\])?>=([\d.]+)", re.MULTILINE)


def main() -> None:
    """Make the environment, and run the chapters and tests that need a framework."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--oldest", action="store_true",
                        help="take the lowest versions that the extras allow, in another folder")
    options, tests = parser.parse_known_args()
    folder = FOLDER.with_name("frameworks-oldest-venv") if options.oldest else FOLDER
    python = make(folder, options.oldest)
    asked = [str(python), "-c", "import sys, extras; "
             "print(*(each for name in sys.argv[1:] for each in extras.missing(name)))",
             *names(options.oldest)]
    done = subprocess.run(asked, check=True, cwd=ROOT / "tools", capture_output=True, text=True)
    if lacking := done.stdout.strip():  # Otherwise a skip would hide it
        sys.exit(f"{lacking} cannot be used here: look at the extras in settings.ini")
    usual = ["-n", "auto", "--dist", "loadfile", *extras.chapters(), *TESTS]
    command = [python, "-m", "pytest", *(tests or usual)]
    sys.exit(subprocess.run(command, cwd=ROOT).returncode)


def make(folder: Path, oldest: bool = False) -> Path:
    """An environment that has what the frameworks ask for; the path of its interpreter."""
    python = folder / "bin" / "python"
    if not python.exists():
        venv.create(folder, with_pip=True)
    version = f"python{sys.version_info.major}.{sys.version_info.minor}"
    place = folder / "lib" / version / "site-packages" / "beside.pth"
    beside = f"import site; site.addsitedir({sysconfig.get_path('purelib')!r})"
    place.write_text(f"{ROOT}\n{beside}\n", encoding="utf-8")
    templates = Path("share", "jupyter", "nbconvert")  # Of `tools/prepare.py`, when it is run there
    if not (folder / templates).exists():
        (folder / templates).parent.mkdir(parents=True, exist_ok=True)
        (folder / templates).symlink_to(Path(sys.prefix) / templates, target_is_directory=True)
    asked = requirements(oldest)
    if oldest:
        lowest = folder / "lowest.txt"
        bounds = [found.expand(r"\1==\2") for each in asked if (found := LOWEST.match(each))]
        lowest.write_text("\n".join(bounds) + "\n", encoding="utf-8")
        asked += ["--constraint", str(lowest)]
    subprocess.run([python, "-m", "pip", "install", "--quiet", *asked], check=True)
    return python


def names(oldest: bool = False) -> list[str]:
    """The extras of the frameworks; the oldest versions of some do not go with each other."""
    section = extras.settings()["frameworks"]
    return section["extras"].split() + section["newest"].split() * (not oldest)


def requirements(oldest: bool = False) -> list[str]:
    """What the extras of the frameworks ask for, and what their tests do."""
    section = extras.settings()["frameworks"]
    asked = [each for name in names(oldest) for each in extras.requirements(name)]
    return asked + [line.strip() for line in section["tests"].splitlines() if line.strip()]


if __name__ == "__main__":
    main()
