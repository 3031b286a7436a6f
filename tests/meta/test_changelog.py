"""The changelog and the citation go with the version."""

import configparser
import re
from pathlib import Path

import pytest

import bleu_nb

ROOT = Path(__file__).resolve().parents[2]


VERSION = re.compile(r"\[(\d+)\.(\d+)\.(\d+)\] - \d{4}-\d\d-\d\d")


def changelog_fault(changelog: str, version: str) -> str:
    """What a release would trip over; empty if a version and its changelog go together."""
    sections = re.split(r"^## ", changelog, flags=re.MULTILINE)[1:]
    titles = [section.partition("\n")[0] for section in sections]
    first = titles[:1] == ["[Unreleased]"]
    unreleased = first and "\n- " in sections[0]
    found = [VERSION.fullmatch(title) for title in titles[first:]]
    numbers = [tuple(map(int, each.groups())) for each in found if each]
    here, newest = tuple(map(int, version.split("."))), max(numbers, default=(0, 0, 0))
    faults = {
        "[Unreleased] is not the first section": "[Unreleased]" in titles[1:],
        f"one of {titles} is no version with a date": not all(found),
        "versions do not go down": numbers != sorted({*numbers}, reverse=True),
        f"{version} is released already, and there are changes after it":
            unreleased and here <= newest,
        f"nothing says what is in {version}": not unreleased and here != newest,
    }
    return next((fault for fault, there in faults.items() if there), "")


def test_the_changelog_goes_with_the_version() -> None:
    changelog = (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")
    assert not changelog_fault(changelog, bleu_nb.__version__)


def test_the_citation_goes_with_the_version() -> None:
    lines = (ROOT / "CITATION.cff").read_text(encoding="utf-8").splitlines()
    told = dict(line.split(": ", 1) for line in lines if re.match(r"[a-z-]+: ", line))
    package = configparser.ConfigParser()
    package.read(ROOT / "settings.ini", encoding="utf-8")
    assert told["version"] == bleu_nb.__version__
    assert told["license"] == package["metadata"]["license"]
    assert f'  - name: "{package["metadata"]["author"]}"' in lines


NEWS, OLD = "## [Unreleased]\n\n- New.\n", "## [0.2.0] - 2026-01-31\n\n- Old.\n"


@pytest.mark.parametrize(
    ("changelog", "version", "fault"),
    [
        (NEWS, "0.1.0", ""),
        (NEWS + OLD, "0.3.0", ""),
        (OLD, "0.2.0", ""),
        ("## [Unreleased]\n" + OLD, "0.2.0", ""),
        ("# Changelog\n", "0.1.0", "nothing says"),
        ("## [Unreleased]\n", "0.1.0", "nothing says"),
        (OLD, "0.3.0", "nothing says"),
        ("## [Unreleased]\n" + OLD, "0.3.0", "nothing says"),
        (NEWS + OLD, "0.2.0", "released already"),
        (NEWS + OLD, "0.1.9", "released already"),
        (OLD + NEWS, "0.2.0", "not the first"),
        (OLD + OLD, "0.2.0", "do not go down"),
        ("## [0.1.0] - 2025-01-31\n" + OLD, "0.2.0", "do not go down"),
        ("## 0.2.0\n", "0.2.0", "no version with a date"),
    ],
)
def test_what_a_release_would_trip_over(changelog: str, version: str, fault: str) -> None:
    found = changelog_fault(changelog, version)
    assert fault in found and bool(fault) == bool(found)


PROMISED = re.compile(r"\| `(tests/[\w/]+\.py)::(\w+)` \|")


def test_each_promise_of_a_release_has_its_test() -> None:
    told = PROMISED.findall((ROOT / "RELEASING.md").read_text(encoding="utf-8"))
    assert len(told) == 4
    for file, name in told:
        assert f"\ndef {name}(" in (ROOT / file).read_text(encoding="utf-8"), name


def test_a_tag_is_released_only_if_it_is_the_version() -> None:
    text = (ROOT / ".github" / "workflows" / "release.yml").read_text(encoding="utf-8")
    [line] = re.findall(r"run: grep -qx \"(.+)\" bleu_nb/__init__.py", text)
    wanted = line.replace('\\"', '"').replace("${GITHUB_REF_NAME#v}", bleu_nb.__version__)
    init = (ROOT / "bleu_nb" / "__init__.py").read_text(encoding="utf-8")
    assert wanted in init.splitlines()
