"""The tester of tests: a fault that is noticed, one that is not, and one that never ends."""

from pathlib import Path

import pytest
from mutate import PLANS, ROOT, Mutant, equivalents, file_of, judge, mutants, outcome, path_of

TOY = '''"""A module."""

__all__ = ["reached"]


def reached(number: int, goal: int = 3) -> bool:
    "Whether a number is big enough."
    if number < 0:
        raise ValueError(f"{number:.3} is below {0 + 1}")
    left = goal
    while left > 0:
        left -= 1
    return number >= goal
'''
TESTS = '''from toy.steps import reached


def test_it():
    assert reached(9) is True and reached(2) is False and reached(0) is False
'''
STAGES = (("tests/test_toy.py",),)
SURVIVOR, NOTICED, ENDLESS = (Mutant("steps", "reached", line, change) for line, change in (
    ("return number >= goal", "comparison: number >= goal → number > goal"),
    ("return number >= goal", "comparison: number >= goal → number < goal"),
    ("left -= 1", "arithmetic: left -= 1 → left += 1")))


@pytest.mark.slow
def test_what_is_noticed_and_what_is_not_are_told_apart(tmp_path: Path) -> None:
    for name, text in {"toy/__init__.py": "", "toy/steps.py": TOY, "tests/test_toy.py": TESTS
                       }.items():
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text(text)
    package, found = tmp_path / "toy", mutants(TOY, "steps")
    assert len(found) == 16 and not [each for each in found if "raise" in each.line]
    made, known = (judge(package, "steps", STAGES, lambda _: [SURVIVOR, NOTICED], each)
                   for each in ({}, {SURVIVOR: "a reason", NOTICED: "a wrong one"}))
    assert (made["killed"], made["survivors"][0]["change"]) == (1, SURVIVOR.change)
    assert (known["equivalent"], known["survivors"]) == (1, [])
    assert len(known["called equivalent, but noticed"]) == 1
    assert outcome(package, "steps", found[ENDLESS](), STAGES, 20.0) == "timeout"
    assert outcome(package, "steps", "import nowhere", STAGES, 60.0) == "stillborn"
    assert (package / "steps.py").read_text() == TOY


def test_the_plans_name_what_there_is() -> None:
    for module, stages in PLANS.items():
        assert file_of(ROOT / "bleu_nb", module).exists()
        for path in (ROOT / path_of(name) for stage in stages for name in stage):
            assert path.exists()
            assert path.suffix != ".ipynb" or f"default_exp {module}" not in path.read_text("utf-8")


def test_every_equivalent_mutant_is_one_of_a_module_and_has_a_reason() -> None:
    for mutant, reason in equivalents().items():
        source = file_of(ROOT / "bleu_nb", mutant.module).read_text("utf-8")
        assert mutant in mutants(source, mutant.module) and len(reason) > 10, mutant
