"""Which settings give a reported number, and what counts as giving it."""

from dataclasses import replace
from decimal import Decimal

import pytest

from bleu_nb import DIALECTS, Bleu, Dialect, identify, list_dialects
from bleu_nb.diagnosis.identification import MOST, fits, settings

CANDIDATES = ["the boat comes once a month", "two lamps burn on the island every night",
              "Nothing else was said, he wrote."]  # fmt: skip
REFERENCES = [["the boat came once a month"], ["two lamps burned on the island each night"],
              ["nothing else was said, wrote the keeper."]]  # fmt: skip


@pytest.mark.parametrize(("value", "reported", "fit"), [
    (27.25, "27.3", True), (27.3499, "27.3", True), (27.2499, "27.3", False),
    (27.351, "27.3", False), (26.5, "27", True), (27.5, "27", True), (27.51, "27", False),
    (27.3, "0.273", True), (0.273, "0.273", True), (27.36, "0.273", False), (27, "0.27", True),
    (30, "0.3", False), (0.3, "0.3", True), (100, "1.00", True), (100, "1.0", False),
    (27.1234567890125, "27.1234567890123", True), (27.1234567890135, "27.1234567890123", False),
    (float("nan"), "27", False), (float("inf"), "27", False), (120, "1e2", False),
])  # fmt: skip
def test_a_score_fits_if_it_rounds_to_the_number(value: float, reported: str, fit: bool) -> None:
    assert fits(value, Decimal(reported)) is fit


@pytest.mark.parametrize("order", [1, 2, 3])
def test_a_score_of_fewer_orders_is_found(order: int) -> None:
    score = Bleu("multi-bleu", max_order=order)(CANDIDATES, REFERENCES)
    found = identify(CANDIDATES, REFERENCES, f"{score.value:.6f}", ["multi-bleu"])
    assert replace(DIALECTS["multi-bleu"], max_order=order) in [
        each.dialect for match in found.matches for each in (match.setting, *match.others)
    ]


def test_no_setting_is_tried_twice_and_the_usual_ones_come_first() -> None:
    found = settings([*DIALECTS.values()])
    weights = [*found.values()]
    assert weights == sorted(weights, reverse=True) and next(iter(found)) == DIALECTS["sacrebleu"]
    assert len({repr(changed) for changed in found}) == len(found)
    twice = {
        changed.name
        for changed in found
        if sum(getattr(DIALECTS[changed.name], name) != value
               for name, value in vars(changed).items()) > 1
    }
    assert twice >= {"sacrebleu", "multi-bleu", "mteval-v13a", "nltk"}


def test_progress_ends_with_every_round() -> None:
    told: list[tuple[int, int]] = []
    found = identify(CANDIDATES, REFERENCES, 1.5, ["sacrebleu"], lambda *each: told.append(each))
    number = len(told)
    assert told == [(done, number) for done in range(1, number + 1)]
    assert found.tried > len(settings([DIALECTS["sacrebleu"]])) - sum(found.without.values())


def test_a_match_is_signed_with_the_numbers_of_references() -> None:
    score = Bleu()(CANDIDATES, REFERENCES)
    [match, *_] = identify(CANDIDATES, REFERENCES, score.value, ["sacrebleu"]).matches
    assert match.signature == score.signature
    uneven = [[*REFERENCES[0], "once a month it came"], *REFERENCES[1:]]
    score = Bleu()(CANDIDATES, uneven)
    [match, *_] = identify(CANDIDATES, uneven, score.value, ["sacrebleu"]).matches
    assert match.signature == score.signature
    assert "nrefs:var" in match.signature


def test_more_settings_than_fit_on_a_screen_are_counted() -> None:
    found = identify(["a b c d e"], [["a b c d e"]], 100)
    [match, *_] = found.matches
    assert len(match.others) > MOST
    assert f"and {len(match.others) - MOST} more" in " ".join(repr(found).split())


@pytest.mark.parametrize("lines", [1, 2, 3])
def test_a_text_of_few_lines_is_enough(lines: int) -> None:
    score = Bleu("nltk")(CANDIDATES[:lines], REFERENCES[:lines])
    found = identify(CANDIDATES[:lines], REFERENCES[:lines], f"{100 * score.value:.6f}")
    assert found.matches and found.sentence in " ".join(repr(found).split())


@pytest.mark.parametrize("name", DIALECTS)
def test_a_listed_dialect_is_sacrebleu_with_what_the_list_says(name: str) -> None:
    usual, row, told = DIALECTS["sacrebleu"], DIALECTS[name], list_dialects()[name]
    made: Dialect = replace(usual, name=name, **told)
    assert made == row
    differing = {each for each in vars(row) if getattr(row, each) != getattr(usual, each)}
    assert set(told) == differing - {"name"} | {"version", "source"}
