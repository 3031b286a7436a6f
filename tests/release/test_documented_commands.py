"""Every command that README and CONTRIBUTING name does what they say, from a fresh clone too."""

import os
import re
import shutil
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from urllib.request import ProxyHandler, build_opener

import book
import pytest
from clean_checkout import ROOT, clone, empty_environment, require_npm, require_pip, shell

FENCE = re.compile(r"^```(\w*)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
INLINE = re.compile(r"`([^`]+)`")
COMMAND = re.compile(
    r"(?:[A-Z_]+=\S+ )*(?:\.venv/bin/\w+(?: \S|$)|"
    r"(?:python3?|pip|pytest|make|bleu-nb|bash|npm|npx|uv|git|source) \S)"
)
EVERYTHING = 'python3 -m venv .venv && .venv/bin/pip install -e ".[dev]"'
EXAMPLE = "python3 -m venv .venv && .venv/bin/pip install . && .venv/bin/bleu-nb example"
ACTIVATE, FAST = "source .venv/bin/activate", '.venv/bin/pip install ".[fast]"'
SUITE = ".venv/bin/pytest -n auto --dist loadfile"
IN_CI = "test_project.py::test_readme_gives_one_test_command"  # .ci/run runs that line
THEN_IN_CI = "test_project.py::test_ci_then_tests_the_adapters_in_the_same_clone"  # and this one

# What a test elsewhere, or below, proves.
PROVED = {
    EXAMPLE: "test_newcomer.py::test_the_first_commands_work_in_an_empty_environment",
    ACTIVATE: "test_newcomer.py::test_the_first_commands_work_in_an_empty_environment",
    FAST: "test_newcomer.py::test_the_first_commands_work_in_an_empty_environment",
    f"{EVERYTHING} && {SUITE}": IN_CI,
    "python3 -m venv .venv": IN_CI,
    '.venv/bin/pip install -e ".[dev]"': IN_CI,
    SUITE: IN_CI,
    "bash .ci/run": "test_project.py::test_ci_runs_in_a_clone_of_its_own",
    "make frameworks": THEN_IN_CI,
    "make site": "test_newcomer.py::test_the_site_builds_from_a_clone",
    "make serve": "test_newcomer.py::test_the_site_builds_from_a_clone",
    "make lock": "test_newcomer.py::test_the_lock_is_fresh",
    ".venv/bin/python tools/prepare.py": "test_newcomer.py::test_prepare_changes_nothing",
    ".venv/bin/python tools/prepare.py 04_bleu": "test_newcomer.py::test_prepare_changes_nothing",
}
# What is run here in a clone, in a short form where the documented one is long or waits.
SHORT = {
    ".venv/bin/jupyter lab nbs/01_derivation/02_precision.ipynb": ".venv/bin/jupyter lab --version",
    ".venv/bin/python benchmarks/run.py": ".venv/bin/python benchmarks/run.py --help",
    ".venv/bin/python benchmarks/steps.py": ".venv/bin/python benchmarks/steps.py --help",
    ".venv/bin/python benchmarks/site.py": ".venv/bin/python benchmarks/site.py --help",
    ".venv/bin/python benchmarks/files.py": ".venv/bin/python benchmarks/files.py --help",
    ".venv/bin/python benchmarks/kinds.py": ".venv/bin/python benchmarks/kinds.py --help",
    ".venv/bin/python tools/mutate.py": ".venv/bin/python tools/mutate.py --help",
    "HYPOTHESIS_PROFILE=long .venv/bin/pytest":
        "HYPOTHESIS_PROFILE=long .venv/bin/pytest --collect-only -q tests/test_explain.py",
}
AS_WRITTEN = (
    ".venv/bin/pytest nbs --collect-only -q",
    ".venv/bin/pytest 'nbs/01_derivation/01_ngrams.ipynb::runs-of-neighbours-3e3a009b'",
    ".venv/bin/pytest nbs/01_derivation/01_ngrams.ipynb::outputs",
    ".venv/bin/python benchmarks/tables.py",
    ".venv/bin/python tests/compare_recorded.py tests/recorded/golden.json.gz",
    "bleu-nb score output.txt reference.txt",
    "bleu-nb score output.txt ref.A.txt ref.B.txt --decimals 4",
    "bleu-nb score - reference.txt < output.txt",
    "bleu-nb score output.txt reference.txt --score-only",
    "bleu-nb score output.txt reference.txt --sentence",
    "bleu-nb score output.txt reference.txt --format json",
    "bleu-nb score one.txt reference.txt --systems two.txt three.txt",
    "bleu-nb score output.txt reference.txt --dialect multi-bleu",
    "bleu-nb score output.txt reference.txt --confidence",
    "bleu-nb compare one.txt two.txt --references reference.txt",
    "bleu-nb compare one.txt two.txt --ref reference.txt --format latex",
    "bleu-nb compare one.txt two.txt --ref reference.txt --methods",
    "bleu-nb explain --from nltk --to sacrebleu output.txt reference.txt",
    "bleu-nb identify --reported 27.3 output.txt reference.txt",
    "bleu-nb dialects",
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
    pages = [(ROOT / name).read_text(encoding="utf-8") for name in ("README.md", "CONTRIBUTING.md")]
    assert not PROVED.keys() & RUN.keys()
    assert {each for page in pages for each in commands(page)} == PROVED.keys() | RUN.keys()


def test_commands_are_found_wherever_they_stand() -> None:
    page = "`make a`\n```sh\nls\ncd b # there\n```\n```text\nbleu-nb c   # d\nno\n```\n"
    page += "`make\ne` `f` `A=b .venv/bin/g`"
    assert [*commands(page)] == ["ls", "cd b", "bleu-nb c", "make a", "make e", "A=b .venv/bin/g"]


@pytest.mark.parametrize("proof", sorted({*PROVED.values()}))
def test_a_proof_is_a_test(proof: str) -> None:
    file, _, name = proof.partition("::")
    assert f"\ndef {name}(" in (ROOT / "tests" / file).read_text(encoding="utf-8")


@pytest.fixture(scope="module")
def ready(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A clone that has an environment, this one, and the files of README's examples."""
    folder = clone(tmp_path_factory.mktemp("ready"))
    (folder / ".venv").symlink_to(sys.prefix, target_is_directory=True)
    example = ROOT / "bleu_nb" / "example"
    systems = {"one": "heron", "two": "kestrel", "three": "reference_2"}
    references = {"reference": "reference_1", "ref.A": "reference_1", "ref.B": "reference_2"}
    for name, source in {"output": "heron", **references, **systems}.items():
        shutil.copy(example / f"{source}.txt", folder / f"{name}.txt")
    return folder


def this_environment() -> dict[str, str]:
    """This environment, activated, without what pytest tells its own processes."""
    own = {name: value for name, value in os.environ.items() if not name.startswith("PYTEST_")}
    path = os.pathsep.join([str(Path(sys.prefix) / "bin"), own["PATH"]])
    return {**own, "PATH": path, "COLUMNS": "100"}


@pytest.mark.parametrize("command", RUN.values())
def test_a_command_works(ready: Path, command: str) -> None:
    assert shell(command, ready, this_environment())


def test_prepare_changes_nothing(ready: Path) -> None:
    """Of one chapter: that the outputs of all are fresh is a test of each (`::outputs`)."""
    paths = [path for path in sorted(ready.rglob("*")) if path.suffix in (".py", ".ipynb", ".md")]
    paths = [path for path in paths if ".venv" not in path.parts]
    before = {path: path.read_bytes() for path in paths}
    shell(".venv/bin/python tools/prepare.py 04_bleu", ready, this_environment())
    assert not [path.name for path, content in before.items() if path.read_bytes() != content]


def test_the_first_commands_work_in_an_empty_environment(tmp_path: Path) -> None:
    environment = empty_environment(tmp_path / "home")
    require_pip(tmp_path / "probe", environment)
    folder = clone(tmp_path / "clone")
    assert "BLEU" in shell(EXAMPLE, folder, environment)
    assert "sacrebleu" in shell(f"{ACTIVATE} && bleu-nb dialects", folder, environment)
    shell(
        f"{FAST} && .venv/bin/python -c 'import bleu_nb.engines.numba_counts'", folder, environment
    )


def test_the_lock_is_fresh(tmp_path: Path) -> None:
    environment = this_environment()
    if shutil.which("uv", path=environment["PATH"]) is None:
        pytest.skip("uv is not installed: `make lock` needs it")
    require_pip(tmp_path / "probe")
    require_npm(environment)
    folder = clone(tmp_path / "clone")
    shell("make lock", folder, environment)
    for name in ("requirements.txt", "package-lock.json"):
        assert (folder / "docs" / name).read_text() == (ROOT / "docs" / name).read_text()


def test_the_site_builds_from_a_clone(tmp_path: Path) -> None:
    environment = empty_environment(tmp_path / "home")
    if shutil.which("make", path=environment["PATH"]) is None:
        pytest.skip("make is not installed")
    require_pip(tmp_path / "probe", environment)
    require_npm(environment)
    folder = clone(tmp_path / "clone")
    shell("make site", folder, environment, seconds=900)
    modules = {*filter(None, map(book.module_of, book.notebooks()))}
    assert {path.stem for path in (folder / "build/site/api").glob("*.html")} >= modules
    check_serving(folder, environment)


def check_serving(folder: Path, environment: dict[str, str]) -> None:
    """`make serve` shows the site that is there."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    direct = build_opener(ProxyHandler({}))  # `urlopen` keeps the proxy that another test closed
    said = folder / "build/serve.log"
    with said.open("wb") as log:
        server = subprocess.Popen(
            ["make", "serve", f"PORT={port}"], cwd=folder, env=environment, start_new_session=True,
            stdout=log, stderr=log,
        )  # fmt: skip
    try:
        shown = None
        for _ in range(1200):  # It makes the site anew first
            time.sleep(0.5)
            with suppress(OSError), direct.open(f"http://127.0.0.1:{port}/index.html") as page:
                shown = page.read()
            if shown is not None or server.poll() is not None:
                break
        assert shown is not None, said.read_text(encoding="utf-8")[-2000:]
        assert shown == (folder / "build/site/index.html").read_bytes()
    finally:
        if server.poll() is None:
            os.killpg(server.pid, signal.SIGTERM)
        server.wait()
