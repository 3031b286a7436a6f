"""README, the server and `.ci/run` name the same commands."""

import json
import os
import re
import subprocess
import sys
from pathlib import Path

import book
import extras
import frameworks
import pytest

ROOT = Path(__file__).resolve().parents[2]


WORKFLOW = ROOT / ".github" / "workflows" / "tests.yml"
STAGES = ["check-site", "frameworks", "check-release"]  # After README's command


def test_readme_gives_one_test_command() -> None:
    """The server runs it, and each other stage as a job."""
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    [command] = [line for line in readme.splitlines() if ".venv/bin/pytest" in line]
    assert re.search(rf"```sh\n(?:[^`]+\n)?{re.escape(command)}\n", readme)
    workflow = WORKFLOW.read_text(encoding="utf-8")
    assert f"        run: {command}\n" in workflow
    windows = command.replace("python3", "python").replace(".venv/bin/", ".venv/Scripts/")
    assert f"        run: {windows}\n" in workflow
    assert f"stage: [{', '.join(STAGES)}]\n" in workflow
    assert {*STAGES} <= {*re.findall(r"^([\w-]+):", (ROOT / "Makefile").read_text("utf-8"), re.M)}


@pytest.mark.skipif(sys.platform != "linux", reason="`.ci/run` is for a Linux server")
@pytest.mark.parametrize("fails", ["", STAGES[1]])
def test_ci_runs_the_command_and_then_every_stage_in_one_clone(
    tmp_path: Path, fails: str
) -> None:
    checkout = tmp_path / "checkout"
    (checkout / ".ci").mkdir(parents=True)
    for name, text in {
        ".ci/run": (ROOT / ".ci" / "run").read_text("utf-8"),
        "README.md": "mkdir .venv && pwd > .venv/place && : .venv/bin/pytest\n",
        "Makefile": f"{' '.join(STAGES)}:\n\t@cmp .venv/place <(pwd) && test $@ != '{fails}'\n",
    }.items():
        (checkout / name).write_text(text, encoding="utf-8")
    commit = "git init -q && git add . && git -c user.name=a -c user.email=b commit -q -m c"
    subprocess.run(["bash", "-ec", commit], cwd=checkout, check=True)
    done = subprocess.run(["bash", ".ci/run"], cwd=checkout, capture_output=True, text=True,
                          env={**os.environ, "MAKEFLAGS": "SHELL=/bin/bash"})
    results = re.findall(r"^ *\d+ s  (passed|failed)  (?:make )?(\S+)", done.stdout, re.MULTILINE)
    assert {each: result for result, each in results} == {"mkdir": "passed", **{
        stage: "failed" if stage == fails else "passed" for stage in STAGES}}, done
    assert bool(done.returncode) == bool(fails) and not (checkout / ".venv").exists()


def test_a_release_is_published_only_after_the_tests() -> None:
    assert "\n  workflow_call:\n" in WORKFLOW.read_text(encoding="utf-8")
    release = WORKFLOW.with_name("release.yml").read_text(encoding="utf-8")
    assert "\n  tests:\n    uses: ./.github/workflows/tests.yml\n" in release
    assert "\n  publish:\n    needs: [tests, build]\n" in release


def test_every_action_is_pinned_by_its_commit() -> None:
    """Dependabot updates the commit and the version behind it."""
    workflows = [*WORKFLOW.parent.glob("*.yml")]
    used = [line for path in workflows for line in re.findall(
        r"\buses: (.+)", path.read_text(encoding="utf-8"))]
    actions = [line for line in used if not line.startswith("./")]
    pinned = re.compile(r"[\w-]+/[\w-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+")
    assert [line for line in actions if not pinned.fullmatch(line)] == []
    assert len(workflows) == 3 and len(actions) > 10
    assert len({*actions}) == len({line.partition("@")[0] for line in actions})


def test_make_frameworks_installs_what_every_flag_asks_for() -> None:
    asked = {*frameworks.requirements()}
    assert all(asked >= {*extras.requirements(flag)} for flag in extras.flags())
    assert "lm-eval" in extras.flags()
    assert book.notebook("07_lm_eval") in extras.chapters()


def test_binder_and_the_dev_container_install_what_a_reader_needs() -> None:
    """As text: neither can be run here."""
    container = json.loads((ROOT / ".devcontainer" / "devcontainer.json").read_text("utf-8"))
    assert container["postCreateCommand"] == "pip install -e '.[learn]'"
    binder = (ROOT / "binder" / "postBuild").read_text(encoding="utf-8").splitlines()
    assert binder[-1] == 'pip install -e ".[learn]"'
    lab, *others = extras.requirements("learn")
    assert lab.startswith("jupyterlab") and {"nltk==3.10.4"} == {
        *others} & {*extras.requirements("dev")}
