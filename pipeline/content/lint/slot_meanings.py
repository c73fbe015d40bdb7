"""`slot-without-meaning`."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from pipeline.content.braces import authored_slots
from pipeline.content.lint.lint import Level, View
from pipeline.content.problems import Problem


@dataclass(frozen=True, slots=True)
class SlotWithoutMeaning:
    """An authored slot that the line does not explain."""

    id: str = "slot-without-meaning"
    level: Level = Level.warning
    explanation: str = (
        "A line has a slot such as {price}, but its `slots` do not say what it stands for. Whoever writes game code "
        'fills slots by their meaning, and reviewers judge a line by it. Add it: slots: {"price": "what it costs"}.'
    )

    def check(self, view: View) -> Iterator[Problem]:
        for zone in view.content.zones:
            for line in view.lines(zone):
                for name in authored_slots(line.ref.line.base_text):
                    if name not in line.ref.line.slots:
                        hint = f'Add slots: {{"{name}": ".."}} with what it stands for.'
                        yield line.problem(f"nothing says what {{{name}}} stands for", hint)
