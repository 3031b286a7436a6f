"""BLEU derived in notebooks that are its library, its tutorial and its tests."""

from bleu_nb._lazy import attach_stub

__version__ = "0.10.0"
__getattr__, __dir__ = attach_stub(__name__)
