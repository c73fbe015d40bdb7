"""`block-budget`."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from pipeline.content.bound import Bound, Path
from pipeline.content.lint.lint import Level, View
from pipeline.content.models import ContentModel, Culture
from pipeline.content.problems import Problem

_PIECE = re.compile(r"\w+|[^\w\s]")
_TOKENS_PER_PIECE = 1.03
"""Measured with Gemma 3's tokeniser on the demo culture: 1.00 to 1.06 per word or mark."""


@dataclass(frozen=True, slots=True)
class BlockBudget:
    """A block of a culture that is much longer or shorter than prompts have room for."""

    injector: tuple[int, int] = (150, 250)
    tone: tuple[int, int] = (30, 40)
    slack: float = 0.2
    """How far an estimate may lie outside before it is remarked on."""
    id: str = "block-budget"
    level: Level = Level.warning
    explanation: str = (
        "The injector with its institutions takes 150-250 tokens, a tell tone 30-40. Shorter ones do not carry the "
        "culture, longer ones push the line itself out of a small model's attention. Without a model at hand tokens "
        "are estimated from words and marks, and only clear cases are remarked on."
    )

    def check(self, view: View) -> Iterator[Problem]:
        for culture in view.cultures():
            blocks: list[tuple[str, Path, str, tuple[int, int]]] = [
                ("the injector with its institutions", ("injector",), _injector_text(culture.value), self.injector)
            ]
            for index, row in enumerate(culture.value.tell_tones):
                blocks.append((f"the tone for {row.category}", ("tell_tones", index, "text"), row.text, self.tone))
            tokens = _tokens(view, [text for _, _, text, _ in blocks])
            for (name, path, _, budget), count in zip(blocks, tokens, strict=True):
                yield from self._outside(view, culture, path, name, count, budget)

    def _outside(
        self, view: View, culture: Bound[Culture], path: Path, name: str, count: int, budget: tuple[int, int]
    ) -> Iterator[Problem]:
        slack = self.slack if view.count_tokens is None else 0
        if budget[0] * (1 - slack) <= count <= budget[1] * (1 + slack):
            return
        measured = f"about {count} tokens (estimated)" if view.count_tokens is None else f"{count} tokens"
        hint = f"{'Shorten' if count > budget[1] else 'Lengthen'} it: its budget is {budget[0]} to {budget[1]} tokens."
        yield culture.problem(path, f"{name} takes {measured}", hint=hint)


def _tokens(view: View, texts: Sequence[str]) -> Sequence[int]:
    if view.count_tokens is not None:
        return view.count_tokens(texts)
    return [round(len(_PIECE.findall(text)) * _TOKENS_PER_PIECE) for text in texts]


def _injector_text(culture: Culture) -> str:
    """All texts of the injector and the institutions; what a template writes between them is left out."""
    return " ".join([*_texts(culture.injector), *_texts(culture.institutions)])


def _texts(value: object) -> Iterator[str]:
    if isinstance(value, ContentModel):
        for name in type(value).model_fields:
            # Exclusion words are for validation only; kinds are marks, not text.
            if name not in ("words", "kind"):
                yield from _texts(getattr(value, name))
    elif isinstance(value, tuple):
        for each in value:
            yield from _texts(each)
    elif isinstance(value, str):
        yield value
