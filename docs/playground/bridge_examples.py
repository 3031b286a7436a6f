"""The sentences that the playground offers to start from, and the corpus that the package ships."""

from typing import Any

from bleu_nb.files.reading import example_path

CATS = ["the cat is on the mat", "there is a cat on the mat"]
PARTY = [
    "It is a guide to action that ensures that the military will forever heed Party commands.",
    "It is the guiding principle which guarantees the military forces always being under the "
    "command of the Party.",
    "It is the practical guide for the army always to heed the directions of the party.",
]
EXAMPLES: tuple[dict[str, Any], ...] = (
    {
        "name": "The boat",
        "about": "One sentence and two translations by people, as on the front page.",
        "candidate": "In winter the boat came once a month.",
        "references": [
            "In winter the boat came only once a month.",
            "In the winter months the boat came just once a month.",
        ],
        "dialect": "sacrebleu",
        "against": "nltk",
    },
    {
        "name": "The parrot",
        "about": "Two of its seven words are credited, the rest are clipped (chapter 1.2).",
        "candidate": "the the the the the the the",
        "references": CATS,
        "dialect": "papineni",
        "max_order": 1,
        "against": "sacrebleu",
    },
    {
        "name": "The mumble",
        "about": "Each word is right and most are missing: the brevity penalty (chapter 1.3).",
        "candidate": "the the",
        "references": CATS,
        "dialect": "papineni",
        "max_order": 1,
        "against": "nltk",
    },
    {
        "name": "The ships",
        "about": "No pair of words matches, and a zero that is left out counts as perfect "
        "(chapter 1.5).",
        "candidate": "ship ship ship",
        "references": ["this is a ship", "it is ship", "ship it is", "a ship, it is"],
        "dialect": "nltk-3.2",
        "against": "sacrebleu",
    },
    {
        "name": "The paper's first",
        "about": "Candidate 1 of Papineni et al. (2002), example 1.",
        "candidate": "It is a guide to action which ensures that the military always obeys the "
        "commands of the party.",
        "references": PARTY,
        "dialect": "papineni",
        "against": "sacrebleu",
    },
    {
        "name": "The paper's second",
        "about": "Candidate 2 of the same example, the worse one.",
        "candidate": "It is to insure the troops forever hearing the activity guidebook that party "
        "direct.",
        "references": PARTY,
        "dialect": "papineni",
        "against": "sacrebleu",
    },
    {
        "name": "Where a token ends",
        "about": "Quotation marks and full stops stick to words in nltk (chapter 1.6).",
        "candidate": '"The sea forgets nothing," he would say.',
        "references": ['"The sea forgets nothing," he often said.'],
        "dialect": "nltk",
        "against": "sacrebleu",
    },
    {
        "name": "Chinese",
        "about": "Without spaces the tokenizer decides what a word is (chapter 1.6).",
        "candidate": "冬天，船每月来一次。",
        "references": ["冬天，船每月只来一次。", "冬季里，船一个月才来一次。"],
        "dialect": "sacrebleu",
        "tokenizer": "zh",
        "against": "sacrebleu",
    },
)


def shipped() -> dict[str, Any]:
    """The files of the package's own example, as if somebody had pasted them."""
    def text(name: str) -> dict[str, str]:
        return {"name": name, "text": example_path(name).read_text(encoding="utf-8")}

    return {
        "candidate": text("heron.txt"),
        "second": text("kestrel.txt"),
        "references": [text("reference_1.txt"), text("reference_2.txt")],
    }
