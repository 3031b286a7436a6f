"""The server runs README's test command and every stage after it, in a clone of its own."""

import json
import os
import re
import subprocess
from pathlib import Path

import book
import extras
import frameworks
import pytest

ROOT = Path(__file__).resolve().parents[2]


WORKFLOW = ROOT / ".github" / "workflows" / "tests.yml"
REPORTED = re.compile(r"^ *\d+ s  (passed|failed)  .*$", re.MULTILINE)
STAGES = ["check-site", "frameworks", "check-release"]  # After README's command


def run_ci(
    folder: Path, readme: str, after: str = "true", stage: str = "true", **environment: str
) -> subprocess.CompletedProcess[str]:
    """Run .ci/run in a checkout with this README and Makefile, and an environment in use."""
    checkout = folder / "checkout"
    (folder / "tmp").mkdir()
    for name, text in {
        ".ci/run": (ROOT / ".ci" / "run").read_text("utf-8"), "README.md": readme,
        "Makefile": f"{' '.join(STAGES)}:\n\t@{stage}\n", ".gitignore": ".venv/\n",
        ".venv/mine": "",
    }.items():  # fmt: skip
        (checkout / name).parent.mkdir(parents=True, exist_ok=True)
        (checkout / name).write_text(text, encoding="utf-8")
    commit = "git init -q && git add . && git -c user.name=a -c user.email=b commit -q -m c"
    subprocess.run(["bash", "-ec", f"{commit} && {after}"], cwd=checkout, check=True)
    inherited = {name: value for name, value in os.environ.items() if name != "BLEU_NB_DATA"}
    done = subprocess.run(["bash", ".ci/run"], cwd=checkout, stdin=subprocess.DEVNULL,
                          env={**inherited, "TMPDIR": str(folder / "tmp"), **environment},
                          capture_output=True, text=True)
    assert [path.name for path in (checkout / ".venv").iterdir()] == ["mine"]
    assert not list((folder / "tmp").iterdir())
    return done


def printed(done: subprocess.CompletedProcess[str]) -> list[str]:
    """What the stages print, without the report that follows."""
    return [line for line in done.stdout.splitlines() if not REPORTED.match(line)]


def test_readme_gives_one_test_command() -> None:
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    shell_lines = "".join(re.findall(r"```sh\n(.*?)```", readme, re.DOTALL)).splitlines()
    [command] = [line for line in readme.splitlines() if ".venv/bin/pytest" in line]
    assert command in shell_lines
    assert f"      - run: {command}\n" in WORKFLOW.read_text(encoding="utf-8")


def test_ci_runs_the_test_command_of_readme(tmp_path: Path) -> None:
    done = run_ci(tmp_path, "# Title\n\n```sh\necho tested with .venv/bin/pytest && false\n```\n")
    assert done.stdout.splitlines()[1] == "tested with .venv/bin/pytest"
    assert REPORTED.findall(done.stdout) == ["failed", *["passed"] * len(STAGES)]
    assert done.returncode == 1 and "Uncommitted" not in done.stderr


@pytest.mark.parametrize(("fault", "result"), [("true", "passed"), ("false", "failed")])
def test_ci_then_runs_every_stage_once_in_the_same_clone(
    tmp_path: Path, fault: str, result: str
) -> None:
    command = "mkdir .venv && pwd > .venv/place && : .venv/bin/pytest"
    done = run_ci(tmp_path, f"{command}\n", stage=f"cat .venv/place && pwd && {fault}")
    lines = [line for line in printed(done)[1:] if not line.startswith("make: ")]
    assert lines[::3] == [f"make {stage}" for stage in STAGES]
    assert len({*lines[1::3], *lines[2::3]}) == 1
    assert REPORTED.findall(done.stdout) == ["passed", *[result] * len(STAGES)]
    assert bool(done.returncode) == (fault == "false")


def test_the_server_runs_every_stage_as_a_job() -> None:
    assert f"stage: [{', '.join(STAGES)}]\n" in WORKFLOW.read_text(encoding="utf-8")
    makefile = (ROOT / "Makefile").read_text(encoding="utf-8")
    assert all(f"\n{stage}:" in makefile for stage in STAGES)


def test_ci_runs_in_a_clone_of_its_own(tmp_path: Path) -> None:
    command = "mkdir .venv && touch .venv/new && pwd && git rev-parse HEAD && : .venv/bin/pytest"
    done = run_ci(tmp_path, f"{command}\n")
    assert not done.returncode
    _, folder, commit, *_ = printed(done)
    git = ["git", "rev-parse", "HEAD"]
    head = subprocess.run(git, cwd=tmp_path / "checkout", capture_output=True, text=True).stdout
    assert (Path(folder).parents[1], commit) == (tmp_path / "tmp", head.strip())


def test_make_frameworks_installs_what_every_flag_asks_for() -> None:
    asked = {*frameworks.requirements()}
    assert all(asked >= {*extras.requirements(flag)} for flag in extras.flags())
    assert "lm-eval" in extras.flags()
    assert book.notebook("07_lm_eval") in extras.chapters()


@pytest.mark.parametrize("data", ["", "some/data", "/some/data"])
def test_ci_finds_the_data_that_the_checkout_finds(tmp_path: Path, data: str) -> None:
    command = 'echo "$BLEU_NB_DATA" && : .venv/bin/pytest\n'
    done = run_ci(tmp_path, command, **({"BLEU_NB_DATA": data} if data else {}))
    place = tmp_path / "checkout" / (data or "../shared/wmt")
    assert printed(done)[1] == str(place)


@pytest.mark.parametrize("change", ["touch new", "echo >> README.md"])
def test_ci_says_that_it_tests_what_is_committed(tmp_path: Path, change: str) -> None:
    done = run_ci(tmp_path, "ls && : .venv/bin/pytest\n", change)
    assert done.stderr.startswith("Uncommitted changes are left out: this tests commit ")
    assert printed(done)[1:3] == ["Makefile", "README.md"]


@pytest.mark.parametrize("readme", ["# Title\n", ".venv/bin/pytest\n.venv/bin/pytest -x\n"])
def test_ci_refuses_a_readme_without_one_command(tmp_path: Path, readme: str) -> None:
    done = run_ci(tmp_path, readme)
    assert done.returncode == 1
    assert "README.md must hold exactly one line" in done.stderr


def test_binder_and_the_dev_container_install_what_a_reader_needs() -> None:
    """As text: neither can be run here."""
    container = json.loads((ROOT / ".devcontainer" / "devcontainer.json").read_text("utf-8"))
    assert container["postCreateCommand"] == "pip install -e '.[learn]'"
    binder = (ROOT / "binder" / "postBuild").read_text(encoding="utf-8").splitlines()
    assert binder[-1] == 'pip install -e ".[learn]"'
    assert extras.requirements("learn")[0].startswith("jupyterlab")
    dev = extras.requirements("dev")
    assert {"nltk==3.10.4"} == {each for each in extras.requirements("learn") if each in dev}
