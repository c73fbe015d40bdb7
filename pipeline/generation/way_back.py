"""How surely a model that learnt it finds the base text in a voiced text: P(base | voiced).

A voiced text that lost or twisted a fact makes the base text unlikely. Measured by the culture's own adapter, which is
trained in both directions.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
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
    texts: Sequence[str],
    *,
    width: int,
    adapter: Any,
) -> dict[str, float]:
    """Mean log probability per token of `way.answer` after each text, in nats, by text.

    `vocabulary` is that of the prompts; `numbers` gives the entries of a pruned model, None for a whole one. Texts are
    decoded in batches of `width`, in the order given, so a result depends on the texts of its line and nothing else.
    """
    found: dict[str, float] = {}
    for start in range(0, len(texts), width):
        group = texts[start : start + width]
        split = [_tokens(vocabulary, way, text) for text in group]
        sums = _sums(model, split, numbers, adapter)
        found |= {text: sums[i] / len(split[i][1]) for i, text in enumerate(group)}
    return found


def _tokens(vocabulary: Vocabulary, way: WayBack, text: str) -> tuple[Tokens, Tokens]:
    """Prompt and answer, tokenised as one text, as in training."""
    asked = vocabulary.encode(way.before + text + way.after)
    whole = vocabulary.encode(f"{way.before}{text}{way.after} {way.answer}\n")
    answer = whole[len(asked) :] if whole[: len(asked)] == asked else vocabulary.encode(f" {way.answer}\n")
    return vocabulary.leading + asked, answer


def _sums(
    model: LoadedModel, split: Sequence[tuple[Tokens, Tokens]], numbers: Mapping[int, int] | None, adapter: Any
) -> list[float]:
    """Log probability of each answer. An answer token that a pruned model lacks counts nothing."""
    decoder = model.decoder
    entries: list[Entry] = []
    owners: list[tuple[int, int] | None] = []
    for number, (asked, answer) in enumerate(split):
        path = asked + answer[:-1]
        first = len(asked) - 1
        entries += [(token, at, number + 1, at >= first) for at, token in enumerate(path)]
        owners += [(number, answer[at - first]) if at >= first else None for at in range(len(path))]
    decoder.begin((), len(entries), adapter)
    sums = [0.0] * len(split)
    for start, end in _calls(owners):
        decoder.read(entries[start:end])
        for row, owner in enumerate(owners[start:end]):
            wanted = None if owner is None else owner[1] if numbers is None else numbers.get(owner[1])
            if owner is not None and wanted is not None:
                sums[owner[0]] += _log_probability(decoder, model.vocabulary.size, row, wanted)
    return sums


def _calls(owners: Sequence[object | None]) -> Iterator[tuple[int, int]]:
    """Cuts of the entries that stay within the tokens and rows of logits of one call."""
    start = outputs = 0
    for at, owner in enumerate(owners):
        if at - start == BATCH_TOKENS or (owner is not None and outputs == MOST_OUTPUTS):
            yield start, at
            start, outputs = at, 0
        outputs += owner is not None
    yield start, len(owners)


def _log_probability(decoder: Decoder, size: int, row: int, token: int) -> float:
    logits = np.ctypeslib.as_array(llama().llama_get_logits_ith(decoder.context, row), shape=(size,))
    most = logits.max()
    return float(logits[token] - most - np.log(np.exp(logits - most).sum()))
