"""Which extras of the package are installed here, and which cells wait for one that is not.

A cell that needs more than the extra `dev` begins with a flag, such as `#| keras`: the extra's
name. `tst_flags` in pyproject.toml lists these flags, so `nbdev-test` leaves such cells out;
`nbdev-test --flags keras` runs them.
"""

from configparser import ConfigParser
from functools import cache
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

import book
from nbdev.config import get_config
from packaging.requirements import Requirement

ROOT = Path(__file__).resolve().parent.parent


@cache
def settings() -> ConfigParser:
    """The metadata of the package."""
    found = ConfigParser()
    found.read(ROOT / "settings.ini", encoding="utf-8")
    return found


@cache
def flags() -> tuple[str, ...]:
    """The flags that name an extra."""
    found = get_config(ROOT).tst_flags
    return tuple(flag for flag in found if flag in settings()["extras"])


def requirements(extra: str) -> list[str]:
    """What an extra asks for, one requirement a line."""
    return [line.strip() for line in settings()["extras"][extra].splitlines() if line.strip()]


@cache
def missing(extra: str) -> tuple[str, ...]:
    """What an extra asks for and is not installed here, in a version that it allows."""
    return tuple(each for each in requirements(extra) if not is_installed(Requirement(each)))


def is_installed(requirement: Requirement) -> bool:
    """Whether a package is installed here in a version that will do."""
    try:
        return requirement.specifier.contains(version(requirement.name), prereleases=True)
    except PackageNotFoundError:
        return False


def installed() -> list[str]:
    """The flags whose extras are installed here."""
    return [flag for flag in flags() if not missing(flag)]


def absent() -> list[str]:
    """What the flags ask for and is not installed here."""
    return [each for flag in flags() for each in missing(flag)]


def wait(source: str) -> str:
    """Why a cell cannot run here; empty if it can."""
    for flag in flags():
        if flag in book.directives(source) and (found := missing(flag)):
            return (f"the extra {flag} is not installed here ({', '.join(found)}): "
                    "`make frameworks` runs this cell")
    return ""


def chapters() -> list[Path]:
    """The notebooks with a cell that needs an extra beside `dev`."""
    return [path for path in book.notebooks()
            if any(book.directives(source) & {*flags()} for source in book.sources(path))]
