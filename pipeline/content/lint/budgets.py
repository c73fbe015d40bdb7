"""`tone-budget`."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from pipeline.content.lint.lint import Level, View
from pipeline.content.problems import Problem


@dataclass(frozen=True, slots=True)
class ToneBudget:
    """A tell tone that is much longer or shorter than prompts have room for."""

    least: int = 30
    most: int = 40
    id: str = "tone-budget"
    level: Level = Level.warning
    explanation: str = (
        "A tell tone takes 30 to 40 tokens. A shorter one gives the model too little to show, a longer one pushes the "
        "line itself out of a small model's attention. Without a model at hand tokens are estimated from words and "
        "marks, and only clear cases are remarked on."
    )

    def check(self, view: View) -> Iterator[Problem]:
        rows = [
            (culture, index, row) for culture in view.cultures() for index, row in enumerate(culture.value.tell_tones)
        ]
        counts = view.tokens([row.text for _, _, row in rows])
        for (culture, index, row), count in zip(rows, counts, strict=True):
            if view.outside(count, self.least, self.most):
                verb = "Shorten" if count > self.most else "Lengthen"
                message = f"the tone for {row.category} takes {view.measured(count)}"
                hint = f"{verb} it: its budget is {self.least} to {self.most} tokens."
                yield culture.problem(("tell_tones", index, "text"), message, hint=hint)
