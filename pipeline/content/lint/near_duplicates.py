"""`near-duplicate-lines`."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from pipeline.content.lint.lint import Level, LineView, View
from pipeline.content.problems import Problem

_WORD = re.compile(r"[^\W_]+(?:'[^\W_]+)?|\{\w+\}")


@dataclass(frozen=True, slots=True)
class NearDuplicateLines:
    """Base lines of one zone and kind that say almost the same."""

    similarity: float = 90
    """Indel similarity in percent from which two normalised texts count as the same."""
    shortest: int = 4
    """Words that a line must have: short greetings and answers are alike by nature."""
    id: str = "near-duplicate-lines"
    level: Level = Level.warning
    explanation: str = (
        "Two base lines of a zone differ by a word or less. They will be voiced alike, and players hear the repeat at "
        "once. Say one of them differently, or drop it. Lines of fewer than four words are left alone."
    )

    def check(self, view: View) -> Iterator[Problem]:
        for zone in view.content.zones:
            lines = [(_normalised(line.ref.line.base_text), line) for line in view.lines(zone)]
            for kind in ("behavior", "dialogue"):
                chosen = [(text, line) for text, line in lines if line.ref.kind == kind]
                yield from self._pairs([each for each in chosen if each[0].count(" ") + 1 >= self.shortest])

    def _pairs(self, lines: list[tuple[str, LineView]]) -> Iterator[Problem]:
        from rapidfuzz import process
        from rapidfuzz.distance import Indel

        # Sorted by length, so that each text is only compared with those long enough to be near it.
        order = sorted(range(len(lines)), key=lambda index: (len(lines[index][0]), index))
        texts = [lines[index][0] for index in order]
        cutoff = self.similarity / 100
        for at, text in enumerate(texts):
            longest = len(text) * (2 - cutoff) / cutoff
            end = at + 1
            while end < len(texts) and len(texts[end]) <= longest:
                end += 1
            candidates = texts[at + 1 : end]
            found = process.extract(
                text, candidates, scorer=Indel.normalized_similarity, score_cutoff=cutoff, limit=None
            )
            for _, _, offset in found:
                first, second = sorted((order[at], order[at + 1 + offset]))
                yield _problem(lines[first][1], lines[second][1])


def _problem(first: LineView, second: LineView) -> Problem:
    other = first.npc.excerpt((*first.path, "base_text"), "said here")
    return second.npc.problem(
        (*second.path, "base_text"),
        f"almost the same as `{first.ref.line_id}` of {first.ref.npc.id}",
        hint="Say one of them differently, or drop it.",
        also=other,
    )


def _normalised(text: str) -> str:
    return " ".join(_WORD.findall(text.lower()))
