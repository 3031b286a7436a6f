"""What the tester of tests is told: which tests may notice, and what changes nothing."""

from mutate import PLANS, ROOT, equivalents, file_of, mutants, path_of


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
