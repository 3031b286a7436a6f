"""What there is to choose from in the playground."""

from typing import Any

from bridge_examples import EXAMPLES
from bridge_files import MOST_BYTES, MOST_LINES
from bridge_sentence import CHOICES
from bridge_why import CHANGES

from bleu_nb import DIALECTS, Dialect, __version__
from bleu_nb.dialects import SMOOTHINGS, TOKENIZERS

ORDERS = range(1, 10)


def menus() -> dict[str, Any]:
    """What there is to choose from."""
    return {
        "version": __version__,
        "dialects": [dialect_entry(row) for row in DIALECTS.values()],
        "tokenizers": [name for name, record in TOKENIZERS.items() if not record.requires],
        "left_out": [name for name, record in TOKENIZERS.items() if record.requires],
        "smoothings": [
            {"name": name, "source": rule.source, "value": rule.value}
            for name, rule in SMOOTHINGS.items()
        ],
        "orders": list(ORDERS),
        "changes": list(CHANGES),
        "examples": list(EXAMPLES),
        "most": {"lines": MOST_LINES, "bytes": MOST_BYTES},
    }


def dialect_entry(row: Dialect) -> dict[str, Any]:
    """A dialect with the choices that the page offers to change."""
    return {
        "name": row.name,
        "version": row.version,
        "source": row.source,
        **{name: getattr(row, name) for name in CHOICES},
    }
