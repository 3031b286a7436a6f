"""What common tools make of one real file, each as it comes, and what each choice is worth.

`python benchmarks/defaults.py` reads the evaluation sets beside the checkout (`BLEU_NB_DATA` names
another folder) and writes `defaults.json` into the package: numbers only. Chapter 1.9 shows them.
"""

import json
from typing import Any

from agreement import DATA, ROOT, read_lines

from bleu_nb import Bleu, __version__, explain

RECORD = ROOT / "bleu_nb" / "measured" / "defaults.json"
SET, SYSTEM, REFERENCE = "wmt17/en-de", "uedin-nmt.4722", "A"
TOOLS = [
    "sacrebleu", "multi-bleu", "multi-bleu-detok", "mteval-v14", "nltk", "torchtext",
    "torchmetrics", "ignite", "huggingface", "keras-hub", "tensor2tensor", "coco", "compare-mt",
    "google-bleu",
]  # fmt: skip


def measure(tool: str, candidates: list[str], references: list[list[str]]) -> dict[str, Any]:
    """A tool's score on 0 to 100, and what separates it from sacreBLEU's, largest first."""
    score = Bleu(tool)(candidates, references)
    parts = explain(candidates, references, "sacrebleu", tool).parts
    return {
        "tool": tool,
        "bleu": score.value * 100 / score.scale,
        "signature": score.signature.partition("|bleu_nb:")[0],
        "parts": [[part.points, part.choice, part.shown] for part in parts],
    }  # fmt: skip


def main() -> None:
    """Measure all tools, and write them down."""
    candidates = read_lines(DATA / SET / f"sys.{SYSTEM}.txt")
    references = [[line] for line in read_lines(DATA / SET / f"ref.{REFERENCE}.txt")]
    record = {
        "command": "python benchmarks/defaults.py",
        "source": f"WMT {SET}, system {SYSTEM}, reference {REFERENCE}",
        "segments": len(candidates),
        "package": f"bleu_nb {__version__}",
        "tools": [measure(tool, candidates, references) for tool in TOOLS],
    }
    RECORD.write_text(json.dumps(record, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")
    for each in record["tools"]:
        print(f"{each['tool']:20} {each['bleu']:6.2f}", each["parts"][:2])


if __name__ == "__main__":
    main()
