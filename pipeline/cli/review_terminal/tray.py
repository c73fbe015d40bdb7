"""The queue of a zone as it lies before a person: which line, which variant, and what the filter leaves."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

Line = dict[str, Any]
"""A row of the queue file, as `pipeline.review.queue_row` makes it."""
Variant = Mapping[str, Any]
Finding = Mapping[str, Any]

Place = tuple[str, str]
"""NPC id and line id."""


def place_of(line: Line) -> Place:
    """How verdicts name the line."""
    return line["npc"]["id"], line["line_id"]


def open_findings(variant: Variant) -> list[Finding]:
    """The findings that ask for a look, the gravest first; `info` and waived ones do not."""
    found = [one for one in variant["findings"] if one["severity"] != "info"]
    return sorted(found, key=lambda one: one["severity"] != "block")


def is_flagged(variant: Variant) -> bool:
    """True when the variant needs more than a glance."""
    return bool(variant["trouble"] or open_findings(variant))


def approvable(variant: Variant) -> bool:
    """True when the variant waits, and approving its text is possible as it stands."""
    blocked = variant["trouble"] or any(one["severity"] == "block" for one in variant["findings"])
    return variant["pending"] and variant["voiced"] is not None and not blocked


@dataclass(frozen=True, slots=True)
class Filter:
    """What is shown; empty words leave everything."""

    rule: str = ""
    npc: str = ""
    state: str = ""

    def takes(self, line: Line, variant: Variant) -> bool:
        """True when a waiting variant is among what is shown."""
        return (
            variant["pending"]
            and self.npc in ("", line["npc"]["id"])
            and self.state in ("", variant["tell_state"])
            and (not self.rule or any(one["rule"] == self.rule for one in open_findings(variant)))
        )

    @property
    def words(self) -> str:
        """The filter for the head of the screen; empty when nothing is left out."""
        named = {"rule": self.rule, "NPC": self.npc, "state": self.state}
        return ", ".join(f"{name} {value}" for name, value in named.items() if value)

    def with_word(self, name: str, value: str) -> Filter:
        """The filter with one of its words changed."""
        return replace(self, **{name: value})


@dataclass
class Tray:
    """The lines, the filter, and where the person stands. Lines keep their order while they are decided on."""

    lines: list[Line]
    filter: Filter = Filter()
    at: int = 0
    """Index into `shown`."""
    variant_at: int = 0
    shown: list[int] = field(default_factory=list)
    """Indexes of the lines that the filter left when it was set: a decided line does not vanish under the hand."""

    def __post_init__(self) -> None:
        self.set_filter(self.filter)

    @property
    def line(self) -> Line | None:
        """The line in front."""
        return self.lines[self.shown[self.at]] if self.shown else None

    @property
    def variant(self) -> Variant | None:
        """The variant in front."""
        line = self.line
        return line["variants"][self.variant_at] if line else None

    def set_filter(self, wanted: Filter) -> bool:
        """Shows what `wanted` leaves and goes to its first waiting line. False, and no change, when that is nothing."""
        everything = wanted == Filter()
        shown = [
            index
            for index, line in enumerate(self.lines)
            if everything or any(wanted.takes(line, variant) for variant in line["variants"])
        ]
        if not shown and not everything:
            return False
        self.filter, self.shown = wanted, shown
        self.go_to(next((n for n, index in enumerate(shown) if self.lines[index]["pending"]), 0))
        return True

    def go_to(self, at: int) -> None:
        """Puts the shown line `at` in front, kept inside the list, with the variant that wants a decision first."""
        self.at = min(max(at, 0), max(len(self.shown) - 1, 0))
        self.variant_at = self._first_waiting() or 0

    def move_variant(self, by: int) -> None:
        """Goes up or down among the variants of the line."""
        if line := self.line:
            self.variant_at = min(max(self.variant_at + by, 0), len(line["variants"]) - 1)

    def find(self, place: Place, state: str | None = None) -> bool:
        """Puts a line in front, and one of its variants; False when it is not shown."""
        for at, index in enumerate(self.shown):
            if place_of(self.lines[index]) == place:
                self.go_to(at)
                states = [variant["tell_state"] for variant in self.lines[index]["variants"]]
                self.variant_at = states.index(state) if state in states else self.variant_at
                return True
        return False

    def next_waiting_variant(self) -> bool:
        """Goes to what waits in this line, downwards and then from the top; to the next line when nothing does."""
        line = self.line
        if line is None:
            return False
        order = [*range(self.variant_at + 1, len(line["variants"])), *range(self.variant_at + 1)]
        for index in order:
            if self.filter.takes(line, line["variants"][index]):
                self.variant_at = index
                return True
        return self.next_waiting_line()

    def next_waiting_line(self) -> bool:
        """Goes to the next shown line with a waiting variant, after the last from the top; False when none is left."""
        order = [*range(self.at + 1, len(self.shown)), *range(self.at + 1)]
        for at in order:
            line = self.lines[self.shown[at]]
            if any(self.filter.takes(line, variant) for variant in line["variants"]):
                self.go_to(at)
                return True
        return False

    def replace_line(self, fresh: Line) -> None:
        """Takes in a line as it stands now."""
        for index, line in enumerate(self.lines):
            if place_of(line) == place_of(fresh):
                self.lines[index] = fresh

    def waiting(self) -> Iterator[tuple[Line, Variant]]:
        """The shown variants that wait and that the filter takes."""
        for index in self.shown:
            line = self.lines[index]
            yield from ((line, variant) for variant in line["variants"] if self.filter.takes(line, variant))

    def counts(self) -> tuple[int, int]:
        """How many lines and variants of the zone wait."""
        waiting = [line["pending"] for line in self.lines if line["pending"]]
        return len(waiting), sum(waiting)

    def choices(self, name: str) -> list[tuple[str, int]]:
        """The values that a filter word can take, with the waiting variants of each, most frequent first."""
        counted = Counter(
            value
            for line in self.lines
            for variant in line["variants"]
            if variant["pending"]
            for value in _words(name, line, variant)
        )
        return sorted(counted.items(), key=lambda item: (-item[1], item[0]))

    def _first_waiting(self) -> int | None:
        """The variant to begin with: one that the filter takes and that is flagged, else one that waits."""
        line = self.line
        if line is None:
            return None
        taken = [n for n, variant in enumerate(line["variants"]) if self.filter.takes(line, variant)]
        return next((n for n in taken if is_flagged(line["variants"][n])), taken[0] if taken else None)


def _words(name: str, line: Line, variant: Variant) -> set[str]:
    """What a filter word can be set to so that it takes the variant."""
    if name == "rule":
        return {one["rule"] for one in open_findings(variant)}
    return {line["npc"]["id"] if name == "npc" else variant["tell_state"]}
