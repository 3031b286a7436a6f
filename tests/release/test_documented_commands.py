"""Every command that a page names does what the page says, in a fresh clone."""

import json
import os
import re
import shutil
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from clean_checkout import (
    ROOT,
    clone,
    empty_environment,
    require_npm,
    require_pip,
    run,
    shell,
)

FENCE = re.compile(r"^```(\w*)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
INLINE = re.compile(r"`([^`]+)`")
COMMAND = re.compile(
    r"(?:[A-Z_]+=\S+ )*(?:(?:\.venv/bin/\w+|nbdev-[\w-]+)(?: \S|$)|"
    r"(?:\S+/bin/python|python3?|pip|pytest|make|jupyter|pre-commit|bleu-nb|bash|npm|npx|uv|git|"
    r"source) \S)"
)
PAGES = ("README.md", "CONTRIBUTING.md", "tests/README.md", "tools/README.md",
         "benchmarks/README.md")
EVERYTHING = 'python3 -m venv .venv && .venv/bin/pip install -e ".[dev]"'
EXAMPLE = "python3 -m venv .venv && .venv/bin/pip install . && .venv/bin/bleu-nb example"
LEARN = ('python3 -m venv .venv && .venv/bin/pip install ".[learn]" && '
         ".venv/bin/jupyter lab nbs/01_derivation/00_by_hand.ipynb")
ACTIVATE, FAST = "source .venv/bin/activate", '.venv/bin/pip install ".[fast]"'
SUITE = ".venv/bin/pytest -n auto --dist loadfile"
IN_CI = "meta/test_ci.py::test_readme_gives_one_test_command"  # .ci/run runs that line
THEN_IN_CI = "meta/test_ci.py::test_ci_runs_the_command_and_then_every_stage_in_one_clone"
HERE = "release/test_documented_commands.py"
NBDEV = f"{HERE}::test_nbdevs_own_commands_leave_a_clean_checkout_clean"

# What a test elsewhere, or below, proves.
PROVED = {
    EXAMPLE: f"{HERE}::test_the_first_commands_work_in_an_empty_environment",
    ACTIVATE: f"{HERE}::test_the_first_commands_work_in_an_empty_environment",
    FAST: f"{HERE}::test_the_first_commands_work_in_an_empty_environment",
    LEARN: "release/test_package.py::test_the_path_runs_in_the_environment_of_a_reader",
    f"{EVERYTHING} && {SUITE}": IN_CI,
    "python3 -m venv .venv": IN_CI,
    '.venv/bin/pip install -e ".[dev]"': IN_CI,
    SUITE.removeprefix(".venv/bin/"): IN_CI,
    "bash .ci/run": THEN_IN_CI,
    "make check-site": THEN_IN_CI,
    "make frameworks": THEN_IN_CI,
    "make check-release": THEN_IN_CI,
    "make site": "site/test_build.py::test_the_site_is_served",
    "make serve": "site/test_build.py::test_the_site_is_served",
    "python tools/compare_recorded.py tests/recorded/files.json.gz":
        "dialects/test_golden.py::test_recorded_answers_to_files",
    "make lock": f"{HERE}::test_the_lock_is_fresh",
    "nbdev-prepare": NBDEV,
    "nbdev-update": f"{HERE}::test_nbdev_update_gives_one_line_back_to_one_cell",
    "pre-commit install": f"{HERE}::test_what_runs_before_a_commit_is_content",
    **dict.fromkeys([
        "nbdev-install-hooks", "nbdev-export", "nbdev-clean", "nbdev-test",
        "nbdev-test nbs/01_derivation/02_precision.ipynb",
        "python tools/prepare.py 02_precision",
    ], NBDEV),
}
# What is run here in a clone, in a short form where the documented one is long or waits.
LONG_RUNS = (
    "python benchmarks/run.py", ".venv/bin/python benchmarks/run.py corpora",
    ".venv/bin/python benchmarks/run.py kinds",
    "python benchmarks/discrepancies.py --make SEED --field N")
SHORT = {
    "jupyter lab nbs/01_derivation/02_precision.ipynb": "jupyter lab --version",
    "nbdev-test --flags keras": "nbdev-test --help",
    "nbdev-docs": "nbdev-docs --help",
    "python tools/prepare.py": "python tools/prepare.py 02_precision",
    "bleu-nb sacrebleu": "bleu-nb sacrebleu --version",
    "build/frameworks-venv/bin/python tools/prepare.py 09_keras": "python tools/prepare.py --help",
    **{each: f"{each.removeprefix('.venv/bin/').partition('.py')[0]}.py --help"
       for each in LONG_RUNS},
    "python tools/mutate.py": "python tools/mutate.py --help",
    "make check-long": "HYPOTHESIS_PROFILE=long pytest --collect-only -q tests/diagnosis",
    "make check-oldest": "python tools/frameworks.py --help",
    # No cause of this number is likely
    "bleu-nb identify --reported 27.3 output.txt reference.txt":
        "bleu-nb identify --reported 27.3 output.txt reference.txt || test $? -eq 1",
}
AS_WRITTEN = (
    "pytest nbs/01_derivation/02_precision.ipynb tests/derivation",
    "pytest 'nbs/01_derivation/01_ngrams.ipynb::how-many-there-are-edac8659'",
    "pytest nbs/01_derivation/01_ngrams.ipynb::outputs",
    "python tools/recipes.py use_shell",
    "python benchmarks/run.py --show",
    "python tools/compare_recorded.py tests/recorded/golden.json.gz",
    "bleu-nb score output.txt reference.txt",
    "bleu-nb score output.txt ref.A.txt ref.B.txt --decimals 4",
    "bleu-nb score output.txt reference.txt --confidence",
    "bleu-nb compare baseline.txt system.txt --ref reference.txt",
    "bleu-nb explain --from nltk --to sacrebleu output.txt reference.txt",
    "bleu-nb --cite",
)
RUN = {**SHORT, **{command: command for command in AS_WRITTEN}}


def commands(text: str) -> Iterator[str]:
    """Every shell command of a page, in a block or in a line."""
    for language, block in FENCE.findall(text):
        for line in block.splitlines():
            line = re.split(r"\s+#", line)[0].strip()
            if line and (language == "sh" or COMMAND.match(line)):
                yield line
    for code in INLINE.findall(FENCE.sub("", text)):
        if COMMAND.match(line := " ".join(code.split())):
            yield line


def test_every_command_is_in_a_list_and_every_entry_is_a_command() -> None:
    pages = [(ROOT / name).read_text(encoding="utf-8") for name in PAGES]
    assert not PROVED.keys() & RUN.keys()
    assert {each for page in pages for each in commands(page)} == PROVED.keys() | RUN.keys()


PROMISED = re.findall(r"\| `tests/([\w/]+\.py::\w+)` \|",
                      (ROOT / "RELEASING.md").read_text(encoding="utf-8"))


@pytest.mark.parametrize("proof", sorted({*PROVED.values(), *PROMISED}))
def test_a_proof_is_a_test(proof: str) -> None:
    file, _, name = proof.partition("::")
    assert f"\ndef {name}(" in (ROOT / "tests" / file).read_text(encoding="utf-8")


COMMIT = "git init -q && git add . && git -c user.name=a -c user.email=b commit -q -m c"


@pytest.fixture(scope="module")
def ready(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A clone that has an environment, this one, and the files of README's examples."""
    folder = clone(tmp_path_factory.mktemp("ready"))
    run("bash", "-ec", COMMIT, cwd=folder)
    (folder / ".venv").symlink_to(sys.prefix, target_is_directory=True)
    example = ROOT / "bleu_nb" / "example"
    systems = {"baseline": "heron", "system": "kestrel"}
    references = {"reference": "reference_1", "ref.A": "reference_1", "ref.B": "reference_2"}
    (folder / ".git" / "info" / "exclude").write_text(".venv\n/*.txt\n", encoding="utf-8")
    for name, source in {"output": "heron", **references, **systems}.items():
        shutil.copy(example / f"{source}.txt", folder / f"{name}.txt")
    return folder


@pytest.fixture
def environment(tmp_path: Path) -> dict[str, str]:
    """This environment, activated, with an empty home, and without what pytest tells its own."""
    (tmp_path / "home").mkdir()
    own = {name: value for name, value in os.environ.items() if not name.startswith("PYTEST_")}
    path = os.pathsep.join([str(Path(sys.prefix) / "bin"), own["PATH"]])
    return {**own, "PATH": path, "COLUMNS": "100", "HOME": str(tmp_path / "home")}


@pytest.mark.parametrize("command", RUN.values())
def test_a_command_works(ready: Path, environment: dict[str, str], command: str) -> None:
    assert shell(command, ready, environment)


def changed(folder: Path) -> str:
    """What git says has changed in a checkout."""
    return run("git", "status", "--porcelain", cwd=folder)


def test_nbdevs_own_commands_leave_a_clean_checkout_clean(
    ready: Path, environment: dict[str, str]
) -> None:
    """`nbdev-prepare` exports, tests and cleans all notebooks."""
    chapter = "nbs/01_derivation/02_precision.ipynb"
    for command in (
        "nbdev-install-hooks", "nbdev-export", f"nbdev-test {chapter}", "nbdev-clean",
        "python tools/prepare.py 02_precision", "nbdev-update", "nbdev-prepare",
    ):  # fmt: skip
        shell(command, ready, environment)
        assert not changed(ready), command
    assert Path(environment["HOME"], ".jupyter").is_dir()


@pytest.mark.parametrize(("module", "notebook"), [
    ("scoring/metric.py", "04_scoring/06_metric.ipynb"),
    ("significance/compare.py", "05_significance/04_systems.ipynb"),  # Of four chapters
    ("cli/options.py", "11_cli/02_terminal.ipynb"),
])
def test_nbdev_update_gives_one_line_back_to_one_cell(
    ready: Path, environment: dict[str, str], module: str, notebook: str
) -> None:
    """The line is the first one after the first head of a cell of that notebook."""
    edited, source = ready / "bleu_nb" / module, ready / "nbs" / notebook
    before = json.loads(source.read_text(encoding="utf-8"))
    lines = edited.read_text(encoding="utf-8").splitlines(keepends=True)
    head = next(place for place, line in enumerate(lines) if f"/{notebook} #" in line)
    cell = lines[head].split("#")[-1].strip()
    lines.insert(head + 1, "# One line\n")
    edited.write_text("".join(lines), encoding="utf-8")
    try:
        shell("nbdev-update", ready, environment)
        after = json.loads(source.read_text(encoding="utf-8"))
        places = [path.split()[-1] for path in changed(ready).splitlines()]
        stat = run("git", "diff", "--numstat", "--", source, cwd=ready).split()
        shell("nbdev-export", ready, environment)
        again = edited.read_text(encoding="utf-8")
    finally:
        run("git", "checkout", "-q", ".", cwd=ready)
    assert places == [f"bleu_nb/{module}", f"nbs/{notebook}"]
    assert stat[:2] == ["1", "0"]
    assert [old["id"] for old, new in zip(before["cells"], after["cells"], strict=True)
            if old != new] == [cell]
    assert again == "".join(lines)


def test_what_runs_before_a_commit_is_content(ready: Path, environment: dict[str, str]) -> None:
    shell("pre-commit install && pre-commit run --all-files", ready, environment)
    assert not changed(ready)


def test_the_first_commands_work_in_an_empty_environment(tmp_path: Path) -> None:
    environment = empty_environment(tmp_path / "home")
    require_pip(tmp_path / "probe", environment)
    folder = clone(tmp_path / "clone")
    assert "BLEU" in shell(EXAMPLE, folder, environment)
    assert "sacrebleu" in shell(f"{ACTIVATE} && bleu-nb dialects", folder, environment)
    shell(
        f"{FAST} && .venv/bin/python -c 'import bleu_nb.engines.numba_counts'", folder, environment
    )


def test_the_lock_is_fresh(environment: dict[str, str], tmp_path: Path) -> None:
    if shutil.which("uv", path=environment["PATH"]) is None:
        pytest.skip("uv is not installed: `make lock` needs it")
    require_pip(tmp_path / "probe")
    require_npm(environment)
    folder = clone(tmp_path / "clone")
    shell("make lock", folder, environment)
    for name in ("requirements.txt", "package-lock.json"):
        assert (folder / "docs" / name).read_text() == (ROOT / "docs" / name).read_text()
