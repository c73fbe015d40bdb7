"""How surely a model that learnt it finds the base text in a voiced text: P(base | voiced).

A voiced text that lost or twisted a fact makes the base text unlikely. Measured by the culture's own adapter, which is
trained in both directions.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

import numpy as np

from pipeline.generation.decoder import BATCH_TOKENS, MOST_OUTPUTS, Decoder, Entry
from pipeline.generation.engine import WayBack
from pipeline.generation.llama import llama
from pipeline.generation.loaded_model import LoadedModel
from pipeline.generation.vocabulary import Tokens, Vocabulary


def measure(
    model: LoadedModel,
    vocabulary: Vocabulary,
    numbers: Mapping[int, int] | None,
    way: WayBack,
    text: str,
    adapter: Any,
) -> float:
    """Mean log probability per token of `way.answer` after a text, in nats.

    `vocabulary` is that of the prompts; `numbers` gives the entries of a pruned model, None for a whole one. A text is
    decoded alone in an empty context, so its value depends on no other text. That is no slower than many side by side:
    some 45 tokens fill a call, and none looks at cells of its neighbours.
    """
    asked, answer = _tokens(vocabulary, way, text)
    return _log_probability_of(model, asked, answer, numbers, adapter) / len(answer)


def _tokens(vocabulary: Vocabulary, way: WayBack, text: str) -> tuple[Tokens, Tokens]:
    """Prompt and answer, tokenised as one text, as in training."""
    asked = vocabulary.encode(way.before + text + way.after)
    whole = vocabulary.encode(f"{way.before}{text}{way.after} {way.answer}\n")
    answer = whole[len(asked) :] if whole[: len(asked)] == asked else vocabulary.encode(f" {way.answer}\n")
    return vocabulary.leading + asked, answer


def _log_probability_of(
    model: LoadedModel, asked: Tokens, answer: Tokens, numbers: Mapping[int, int] | None, adapter: Any
) -> float:
    """Log probability of the answer. An answer token that a pruned model lacks counts nothing."""
    decoder = model.decoder
    path = asked + answer[:-1]
    first = len(asked) - 1
    entries: list[Entry] = [(token, at, 1, at >= first) for at, token in enumerate(path)]
    decoder.begin((), len(entries), adapter)
    total = 0.0
    for start, end in call_cuts(first, len(path)):
        decoder.read(entries[start:end])
        for row in range(max(0, first - start), end - start):
            token = answer[start + row - first]
            wanted = token if numbers is None else numbers.get(token)
            if wanted is not None:
                total += _log_probability(decoder, model.vocabulary.size, row, wanted)
    return total


def call_cuts(first: int, length: int) -> Iterator[tuple[int, int]]:
    """Cuts that stay within the tokens and rows of logits of one call; rows are wanted from `first` on."""
    start = 0
    while start < length:
        end = min(start + BATCH_TOKENS, max(start, first) + MOST_OUTPUTS, length)
        yield start, end
        start = end


def _log_probability(decoder: Decoder, size: int, row: int, token: int) -> float:
    logits = np.ctypeslib.as_array(llama().llama_get_logits_ith(decoder.context, row), shape=(size,))
    most = logits.max()
    return float(logits[token] - most - np.log(np.exp(logits - most).sum()))
