"""The changelog and the citation go with the version."""

import configparser
import re
from pathlib import Path

import bleu_nb

ROOT = Path(__file__).resolve().parents[2]


VERSION = re.compile(r"\[(\d+)\.(\d+)\.(\d+)\] - \d{4}-\d\d-\d\d")


def test_the_changelog_goes_with_the_version() -> None:
    """What is not released comes first, then the versions with their dates, the newest first."""
    changelog = (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")
    first, *titles = re.findall(r"^## (.*)$", changelog, re.MULTILINE)
    released = titles if first == "[Unreleased]" else [first, *titles]
    numbers = [tuple(map(int, VERSION.fullmatch(title).groups())) for title in released]
    here = tuple(map(int, re.findall(r"\d+", bleu_nb.__version__)))
    assert numbers == sorted({*numbers}, reverse=True)
    is_empty = "## [Unreleased]\n\n## " in changelog
    assert here == numbers[0] if is_empty else here > numbers[0]


def test_the_changelog_is_short() -> None:
    changelog = (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")
    *_, before = changelog.partition(f"## [{bleu_nb.__version__}]")[2].partition("\n## [")
    assert len(changelog.encode()) <= 12 * 1024 and before.count("\n") <= 60


def test_the_citation_goes_with_the_version() -> None:
    citation = (ROOT / "CITATION.cff").read_text(encoding="utf-8")
    package = configparser.ConfigParser()
    package.read(ROOT / "settings.ini", encoding="utf-8")
    assert f"\nversion: {bleu_nb.__version__}\n" in citation
    assert f"\nlicense: {package['metadata']['license']}\n" in citation
    assert f'\n  - name: "{package["metadata"]["author"]}"\n' in citation


def test_a_tag_is_released_only_if_it_is_the_version() -> None:
    text = (ROOT / ".github" / "workflows" / "release.yml").read_text(encoding="utf-8")
    [line] = re.findall(r"run: grep -qx \"(.+)\" bleu_nb/__init__.py", text)
    wanted = line.replace('\\"', '"').replace("${GITHUB_REF_NAME#v}", bleu_nb.__version__)
    init = (ROOT / "bleu_nb" / "__init__.py").read_text(encoding="utf-8")
    assert wanted in init.splitlines()
