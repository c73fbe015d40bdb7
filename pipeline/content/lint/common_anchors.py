"""`common-anchor`."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from pipeline.content.lint.lint import Level, View
from pipeline.content.problems import Problem

_WORD = re.compile(r"[^\W_]+(?:['’][^\W_]+)?")


@dataclass(frozen=True, slots=True)
class CommonAnchor:
    """An anchor so short that other lines may say the same by chance."""

    shortest: int = 4
    """Words that make a phrase its own."""
    id: str = "common-anchor"
    level: Level = Level.note
    explanation: str = (
        "An anchor is a phrase that players are to recognise, word for word. One of fewer than four words is said by "
        "chance as well, and one that another line contains is no longer a sign of anything: the leak audit can only "
        "report it. Make the anchor longer, or keep the phrase out of the other line."
    )

    def check(self, view: View) -> Iterator[Problem]:
        lines = [(line, _padded(line.ref.line.base_text)) for zone in view.content.zones for line in view.lines(zone)]
        for anchor, text in lines:
            if not anchor.ref.line.anchor_line:
                continue
            hint = "Make it longer, so that nobody says it by chance."
            if text.count(" ") - 1 < self.shortest:
                yield anchor.problem("this anchor is short enough to be said by chance", hint)
            for other, said in lines:
                if other is not anchor and not other.ref.line.anchor_line and text in said:
                    message = f"`{other.ref.line_id}` of {other.ref.npc.id} contains this anchor"
                    also = other.npc.excerpt((*other.path, "base_text"), "said here")
                    hint = "Keep the phrase out of that line, or make the anchor longer."
                    yield anchor.npc.problem((*anchor.path, "base_text"), message, hint=hint, also=also)


def _padded(text: str) -> str:
    return f" {' '.join(_WORD.findall(text.lower()))} "
