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
                long = [each for each in chosen if each[0].count(" ") + 1 >= self.shortest]
                yield from map(_problem, self._groups(long))

    def _groups(self, lines: list[tuple[str, LineView]]) -> Iterator[list[LineView]]:
        """Lines that say almost the same, in the order of the files; each line is in one group at most."""
        from rapidfuzz import process
        from rapidfuzz.distance import Indel

        # Sorted by length, so that each text is only compared with those long enough to be near it.
        order = sorted(range(len(lines)), key=lambda index: (len(lines[index][0]), index))
        texts = [lines[index][0] for index in order]
        cutoff = self.similarity / 100
        near: dict[int, set[int]] = {}
        end = 0
        for at, text in enumerate(texts):
            longest = len(text) * (2 - cutoff) / cutoff
            while end < len(texts) and len(texts[end]) <= longest:
                end += 1
            found = process.extract(
                text, texts[at + 1 : end], scorer=Indel.normalized_similarity, score_cutoff=cutoff, limit=None
            )
            for _, _, offset in found:
                one, other = order[at], order[at + 1 + offset]
                near.setdefault(one, set()).add(other)
                near.setdefault(other, set()).add(one)
        while near:
            group, waiting = [], [min(near)]
            while waiting:
                if (neighbours := near.pop(waiting[-1], None)) is None:
                    waiting.pop()
                    continue
                group.append(waiting.pop())
                waiting.extend(neighbours)
            yield [lines[index][1] for index in sorted(group)]


def _problem(group: list[LineView]) -> Problem:
    """One remark for a whole group, at its second line: a zone of alike lines must not bury everything else."""
    first, second, *others = group
    also = [first.npc.excerpt((*first.path, "base_text"), "said here")]
    also += [f"  {each.npc.where((*each.path, 'base_text'))}: and here" for each in others[:_SHOWN]]
    if len(others) > _SHOWN:
        also.append(f"  and in {len(others) - _SHOWN} more lines")
    more = f", and so {'are' if len(others) > 1 else 'is'} {len(others)} more" if others else ""
    return second.npc.problem(
        (*second.path, "base_text"),
        f"almost the same as `{first.ref.line_id}` of {first.ref.npc.id}{more}",
        hint="Say one of them differently, or drop it.",
        also="\n".join(also),
    )


_SHOWN = 5
"""Further places that a remark names."""


def _normalised(text: str) -> str:
    return " ".join(_WORD.findall(text.lower()))
