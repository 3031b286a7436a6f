"""The front page: a score as one types, one in five steps, a form for a printed number.

Every number that it shows is computed here, while the site is built.
"""

import json
import os
import re
from collections.abc import Iterable, Sequence
from html import escape
from typing import Any, NamedTuple

from pygments import highlight
from pygments.formatters import HtmlFormatter
from pygments.lexers import get_lexer_by_name

from bleu_nb import DIALECTS, __version__, sentence_bleu, tokenize
from bleu_nb.derivation.bleu import ngrams
from bleu_nb.derivation.tokenizer_13a import MARKUP, RULES
from bleu_nb.diagnosis.identification import settings
from bleu_nb.dialects.input_checks import LANGUAGES
from bleu_nb.dialects.more_tokenizers import SACREBLEU_NAMES

CANDIDATE = "In winter the boat came once a month."
REFERENCES = ("In winter the boat came only once a month.",
              "In the winter months the boat came just once a month.")
SHORT = ("The lamp is lit.", "A lamp is lit.")  # As much as a line of code has room for
ORDERS = {1: ("token", "tokens"), 2: ("pair", "pairs"), 3: ("triple", "triples"),
          4: ("run of four", "runs of four")}
STEPS = ("Count", "Clip", "Average", "Penalise", "One number")

# The drawing, in hundredths of its width from side to side and in pixels from top to bottom
GAP = 1.0           # Between two tokens
TOP = 40            # Of the first order
LABEL = 19          # Height of the words above the runs of an order
ROW = 9             # Height of a row of runs
APART = 7           # Between two orders
SHARE = 45          # From one share to the next, once the runs are gathered
PLACE = re.compile(r'style="([^"]*)"')


class Run(NamedTuple):
    """A run of tokens: where it stands, and whether it is credited."""

    order: int
    start: int
    credited: bool


def front() -> dict[str, str]:
    """Name -> HTML that the front page shows by writing the name in double braces."""
    return {"live": live(), "start": start(), "steps": steps(), "check": check()}


# -- To type over ----------------------------------------------------------------------------


def rules() -> dict[str, list[tuple[Any, ...]]]:
    """How the package cuts text into tokens, as JavaScript writes patterns and replacements."""
    return {"markup": [*MARKUP], "rules": [
        (pattern.pattern, re.sub(r"\\(\d)", r"$\1", put)) for pattern, put in RULES],
        "languages": [(*known, "char" if cure in SACREBLEU_NAMES else cure)
                      for *known, cure in LANGUAGES]}  # By what the playground has


def live() -> str:
    """Two sentences to type over, and the bars and the score that a script draws again."""
    score = sentence_bleu(CANDIDATE, REFERENCES[:1])
    counted = zip(ORDERS.values(), score.stats.matches, score.stats.totals, strict=True)
    bars = "".join(
        f'<div class="fl-row"><span>{name}</span><i class="fl-track">'
        f'<i style="--share:{matched / total:.4f}"></i></i><b>{matched} of {total}</b></div>'
        for (_, name), matched, total in counted)
    fields = "".join(
        f'<div class="ff-field fl-field"><label for="fl-{name}">{label}</label><input '
        f'id="fl-{name}" value="{escape(text)}" autocomplete="off" spellcheck="false"></div>'
        for name, label, text in (("candidate", "A machine’s sentence", CANDIDATE),
                                  ("reference", "A person’s sentence", REFERENCES[0])))
    mean = score.value / score.brevity_penalty
    return (f'<div class="ff fl" data-rules="{escape(json.dumps(rules()))}">{fields}'
            f'<div class="fl-bars">{bars}</div>'
            '<output class="fl-score" for="fl-candidate fl-reference">BLEU '
            f"<strong>{score.value:.1f}</strong> <span>= mean {mean:.1f} × brevity penalty "
            f"{score.brevity_penalty:.3f}</span></output>"
            '<p class="fl-hint" role="status" hidden></p>'
            '<p class="fl-note" hidden>A length without a match earns a part of one, so that the '
            'score is not 0: <a href="05_smoothing.html">smoothing</a>.</p></div>')


# -- Start -----------------------------------------------------------------------------------


def start() -> str:
    """One line of Python with its result, as a terminal shows it, and the version."""
    call = f'sentence_bleu("{SHORT[0]}", ["{SHORT[1]}"]).value'
    value = sentence_bleu(SHORT[0], SHORT[1:]).value
    typed = f">>> from bleu_nb import sentence_bleu\n>>> {call}\n{value!r}"
    code = highlight(typed, get_lexer_by_name("pycon"), HtmlFormatter(nowrap=True)).strip()
    about = [f'Version {__version__} (<a href="changelog.html">changes</a>)', "Apache License 2.0"]
    if repository := os.environ.get("GITHUB_REPOSITORY"):
        about.append(f'<a href="https://github.com/{escape(repository)}">source</a>')
    return (f'<div class="highlight-python"><div class="highlight"><pre>{code}</pre></div></div>\n'
            f'<p class="first-about">{" · ".join(about)}</p>').replace("\n>>>", "&#10;>>>")


# -- Learn -----------------------------------------------------------------------------------


def credits(tokens: Sequence[str], references: Sequence[Sequence[str]]) -> list[Run]:
    """Every run of the tokens, credited as often as the most generous reference has it."""
    found = []
    for order in ORDERS:
        left = {run: max(list(ngrams(each, order)).count(run) for each in references)
                for run in ngrams(tokens, order)}
        for start, run in enumerate(ngrams(tokens, order)):
            left[run] -= 1
            found.append(Run(order, start, left[run] >= 0))
    return found


def steps() -> str:
    """The score of one sentence in five steps, one below the other; a script makes them one."""
    score = sentence_bleu(CANDIDATE, REFERENCES)
    tokens = tokenize(CANDIDATE)
    references = [tokenize(each) for each in REFERENCES]
    runs = credits(tokens, references)
    matches = [sum(run.credited for run in runs if run.order == order) for order in ORDERS]
    totals = [sum(run.order == order for run in runs) for order in ORDERS]
    assert (matches, totals) == ([*score.stats.matches], [*score.stats.totals])
    written = [" ".join(each) for each in references]
    assert not any(" ".join(tokens[run.start:run.start + run.order]) in text
                   for run in runs for text in written if not run.credited), "none is clipped"
    numbers = {
        "score": f"{score.value:.1f}", "mean": f"{score.value / score.brevity_penalty:.1f}",
        "penalty": f"{score.brevity_penalty:.3f}", "length": len(tokens),
        "reference": score.stats.reference_length, "runs": len(runs), "credited": sum(matches),
        "lost": len(runs) - sum(matches), "lengths": " and ".join(str(len(r)) for r in references),
        "totals": listed(f"{total} {ORDERS[order][total != 1]}"
                         for order, total in zip(ORDERS, totals, strict=True)),
        "shares": listed(f"{m} of {t}" for m, t in zip(matches, totals, strict=True)),
        "precisions": listed(f"{each:.1f}" for each in score.precisions),
        "unmatched": " ".join(tokens[start] for start in range(*span(runs, 2))),
    }
    drawn, placed = with_places_apart(stage(tokens, runs, matches, totals, numbers))
    told = [text.format_map(numbers) for text in CAPTIONS]
    items = "\n".join(
        f'<li class="fs-step" id="step-{number}"><h3><span class="fs-number">{number}</span> '
        f"{title}</h3>\n<p>{text}</p>\n"
        f'<div class="fs-stage" data-step="{number}" aria-hidden="true">{drawn}</div></li>'
        for number, (title, text) in enumerate(zip(STEPS, told, strict=True), 1))
    buttons = "".join(
        f'<button type="button" tabindex="-1" data-to="{number}">'
        f'<span class="fs-number">{number}</span> <span class="fs-word">{title}</span></button>'
        for number, title in enumerate(STEPS, 1))
    sources = "\n".join(
        f"<div><dt>{who}</dt><dd>{escape(text)}</dd></div>"
        for who, text in (("Machine", CANDIDATE), *(("Person", each) for each in REFERENCES)))
    return (
        f'<dl class="fs-texts">\n{sources}\n</dl>\n'
        f"<style>{placed}</style>\n"
        '<div class="fs" role="group" aria-label="One score in five steps">\n'
        f'<div class="fs-buttons">{buttons}</div>\n'
        '<div class="fs-stage fs-moving" data-step="1" aria-hidden="true"></div>\n'
        f'<ol class="fs-strip">\n{items}\n</ol>\n<script>{MADE_ONE}</script>\n'
        '<div class="fs-foot"><p class="fs-hint">Arrow keys, numbers, or a swipe, lead from step '
        'to step.</p>'
        '<button type="button" class="fs-next" tabindex="-1">Next</button></div>\n'
        "</div>")


def with_places_apart(drawn: str) -> tuple[str, str]:
    """A drawing without its style attributes, and a sheet of them: five drawings share it."""
    styles = dict.fromkeys(PLACE.findall(drawn))
    places = {style: f"fs-{place}" for place, style in enumerate(styles)}
    return (PLACE.sub(lambda found: f'data-at="{places[found[1]]}"', drawn),
            "".join(f"[data-at={name}]{{{style}}}" for style, name in places.items()))


# Before the page is painted: the five drawings become one, which front.js moves.
MADE_ONE = """(({parentNode: figure}) => {
figure.classList.add("fs-live");
figure.querySelector(".fs-moving").innerHTML = figure.querySelector(".fs-step .fs-stage").innerHTML;
})(document.currentScript)"""

CAPTIONS = (
    "Cut the machine’s sentence into its tokens, and take every run of one to four neighbours: "
    "{totals}. That makes {runs} runs.",
    "Credit a run only as often as one of the two people wrote it. {credited} runs earn credit; "
    "{lost} do not, among them <em>{unmatched}</em>, which nobody wrote. No run here is said more "
    "often than a person said it; what is beyond would be clipped.",
    "Each length has a share of credited runs: {shares}. In percent these are {precisions}. Their "
    "geometric mean, the fourth root of their product, is {mean}.",
    "Saying little is an easy way to be right. The machine has {length} tokens, the people "
    "{lengths}; the nearer is {reference}. A sentence that is shorter than that pays: × {penalty}.",
    "{mean} × {penalty} = {score}. That is BLEU, on a scale from 0 to 100.",
)


def span(runs: Iterable[Run], order: int) -> tuple[int, int]:
    """Where the first run of an order that is not credited starts and ends."""
    start = next(run.start for run in runs if run.order == order and not run.credited)
    return start, start + order


def listed(parts: Iterable[str]) -> str:
    """As one lists them in a sentence."""
    *most, last = parts
    return f"{', '.join(most)} and {last}"


def stage(tokens: Sequence[str], runs: Sequence[Run], matches: Sequence[int],
          totals: Sequence[int], numbers: dict[str, object]) -> str:
    """All that the five drawings hold; the style sheet says what each of them shows, and where."""
    # A narrow letter and the frame around it take about two letters
    widths = [len(token) + 1.5 for token in tokens]
    unit = (100 - GAP * (len(tokens) - 1)) / sum(widths)
    lefts = [sum(widths[:place]) * unit + GAP * place for place in range(len(tokens))]
    rights = [left + width * unit for left, width in zip(lefts, widths, strict=True)]
    parts = [f'<span class="fs-token" style="--x:{left:.2f};--w:{right - left:.2f}">'
             f"{escape(token)}</span>"
             for token, left, right in zip(tokens, lefts, rights, strict=True)]
    top = TOP
    for order, matched, total in zip(ORDERS, matches, totals, strict=True):
        gathered = TOP + SHARE * (order - 1)
        name = ORDERS[order][1]
        parts.append(
            f'<span class="fs-label" style="--y:{top};--y3:{gathered}">{name}'
            f'<b class="fs-counted">{total}</b><b class="fs-credited">{matched} of {total}</b>'
            f'<b class="fs-share">{100 * matched / total:.1f} %</b></span>')
        places = {True: 0, False: matched}
        for run in (each for each in runs if each.order == order):
            left, width = lefts[run.start], rights[run.start + order - 1] - lefts[run.start]
            place = places[run.credited]
            places[run.credited] += 1
            parts.append(
                f'<i class="fs-run{"" if run.credited else " fs-none"}" style="--x:{left:.2f};'
                f"--w:{width:.2f};--y:{top + LABEL + ROW * (run.start % order)};"
                f"--x3:{100 * place / total:.2f};--y3:{gathered + LABEL};"
                f'--s:{(100 / total - 0.4) / width:.4f}"></i>')
        top += LABEL + ROW * order + APART
    mean, penalty = numbers["mean"], numbers["penalty"]
    squares = "".join(
        f'<span class="fs-lengths" style="--y:{y}"><em>{who}</em>{"<i></i>" * int(str(number))}'
        f"<b>{number}</b></span>"
        for y, who, number in ((8, "machine", numbers["length"]),
                               (36, "nearer person", numbers["reference"])))
    ticks = "".join(f'<i style="--x:{tick}">{tick}</i>' for tick in (0, 25, 50, 75, 100))
    return "".join(parts) + (
        f'<span class="fs-mean" style="--m:{mean}"><b>geometric mean {mean}</b></span>'
        f"{squares}"
        f'<i class="fs-ghost" style="--m:{mean}"></i>'
        f'<i class="fs-bar" style="--m:{mean};--p:{penalty}"></i>'
        f'<span class="fs-why">e<sup>1 − {numbers["reference"]}/{numbers["length"]}</sup> = '
        f'{penalty}</span><span class="fs-times">{mean} × {penalty}</span>'
        f'<span class="fs-axis">{ticks}</span>'
        f'<strong class="fs-score">{numbers["score"]} <small>of 100</small></strong>')


# -- Check -----------------------------------------------------------------------------------


def check() -> str:
    """A form for a score that somebody printed; the playground takes it from there."""
    number = f"{len(settings([*DIALECTS.values()])):,}"
    return f"""<form class="ff" action="playground.html" method="get">
<input type="hidden" name="tab" value="check">
<div class="ff-field"><label for="ff-score">The score, as it is printed</label>
<input id="ff-score" name="score" required autocomplete="off" inputmode="decimal" size="10"
placeholder="27.3"></div>
<div class="ff-field ff-wide">
<label for="ff-signature">Its signature, if there is one, or the whole line</label>
<input id="ff-signature" name="signature" autocomplete="off" spellcheck="false" autocapitalize="off"
placeholder="nrefs:1|case:mixed|eff:no|tok:13a|smooth:exp|version:2.6.0"></div>
<div class="ff-go"><button type="submit">Check it</button></div>
</form>
<p>Without a signature, up to {number} settings are tried on your files, and what people do to
files (<a href="03_causes.html">chapter 6.3</a>); the likeliest come first. The files stay in your
browser.</p>"""
