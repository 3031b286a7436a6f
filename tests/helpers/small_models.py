"""A tokenizer of a few words and a causal model with random weights: nothing is fetched."""

from collections.abc import Sequence
from typing import Any


def word_tokenizer(words: Sequence[str], **more: Any) -> Any:
    """One id a word; any two ids may stand side by side."""
    import transformers
    from tokenizers import Tokenizer, models, pre_tokenizers

    inner = Tokenizer(models.WordLevel(
        {word: number for number, word in enumerate(words)}, unk_token="<unk>"))
    inner.pre_tokenizer = pre_tokenizers.Whitespace()
    return transformers.PreTrainedTokenizerFast(
        tokenizer_object=inner, pad_token="<pad>", eos_token="</s>", unk_token="<unk>", **more)


def causal_model(words: Sequence[str]) -> Any:
    """Its logits of a place are about the next."""
    import torch
    import transformers

    torch.manual_seed(3)
    return transformers.GPT2LMHeadModel(transformers.GPT2Config(
        vocab_size=len(words), n_positions=64, n_embd=16, n_layer=1, n_head=2,
        bos_token_id=1, eos_token_id=1))
