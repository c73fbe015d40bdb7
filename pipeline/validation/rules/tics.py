"""Tics over a zone: a tag, an opener or a mark of punctuation that comes up too often."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from pipeline.content.terms import Kind, Severity, TellState
from pipeline.prompting.jobs import VariantKey
from pipeline.validation.finding import Finding
from pipeline.validation.normalise import words
from pipeline.validation.rule import RuleDoc
from pipeline.validation.zone import ChosenText, ZoneCanary

_DOC = RuleDoc(
    catches="A tag such as `nods once` or `That's it.` in many lines, and an opener or a mark of punctuation "
    "that carries a tell state "
    "alone: players would learn it.",
    severity="review, on the lines beyond the cap. Tics never change which candidate another line chose.",
    bad=("Five Guarded lines that end in: That's all.", "Every RoutineDeviation line opens with an ellipsis."),
    good=("A tag that comes up two or three times in a zone.",),
    waive="regenerate some of the lines, or approve them when the tag is wanted.",
)


def _lines(state: TellState, kind: Kind, *texts: str) -> tuple[ChosenText, ...]:
    return tuple(
        ChosenText(f"npc{at}", "line", state, "canary", kind, text, "The base text of a line.")
        for at, text in enumerate(texts)
    )


_DULL = (
    "Pump's off.",
    "Lock needs a seal.",
    "Wait by the tug.",
    "Crew went home.",
    "No more bolts.",
    "Rent's due.",
    "Heat's low.",
    "Gate's shut.",
)
_CANARIES = (
    ZoneCanary(
        _lines(TellState.Guarded, Kind.dialogue, *(f"{text} Nothing more to it." for text in _DULL)),
        "one tag in every line",
    ),
    ZoneCanary(
        _lines(TellState.RoutineDeviation, Kind.dialogue, *(f"...{text}" for text in _DULL)), "one mark in every line"
    ),
    ZoneCanary(
        _lines(TellState.Angry, Kind.behavior, *(f"sweeps bay {at}, nods just once" for at in "abcdefgh")),
        "one gesture in every behavior",
    ),
    ZoneCanary(
        _lines(TellState.Friendly, Kind.dialogue, *(f"Hey, {text.lower()}" for text in _DULL)),
        "one opener in every line",
    ),
)
_LEADING = re.compile(r"\A(?:\.\.\.|…)")
_TRAILING = re.compile(r"(?:—|–|--)\Z")
_FADING = re.compile(r"(?:\.\.\.|…)\Z")


@dataclass(frozen=True)
class Tics:
    """Counts tags of three and four words at the ends of lines, openers, and pauses at the edges, state by state."""

    id: str = "tics"
    doc: RuleDoc = _DOC
    canaries: Sequence[ZoneCanary] = _CANARIES
    tag_cap: int = 3
    """Lines of a zone that may share a tag."""
    state_share: float = 0.4
    """Share of a state's lines that may share an opener or a mark."""
    fewest: int = 6
    """Lines of a state from which shares are counted."""

    def check_zone(self, chosen: Sequence[ChosenText]) -> Iterable[tuple[VariantKey, Finding]]:
        """One finding per line beyond a cap, in the order of keys."""
        ordered = sorted(chosen, key=lambda one: one.key)
        yield from self._tags(ordered)
        for state in TellState:
            yield from self._edges([one for one in ordered if one.tell_state is state], state)

    def _tags(self, chosen: Sequence[ChosenText]) -> Iterator[tuple[VariantKey, Finding]]:
        holders: dict[tuple[str, ...], list[ChosenText]] = defaultdict(list)
        for one in chosen:
            said, base = words(one.text), f" {' '.join(words(one.base))} "
            for tag in {said[-3:], said[-4:], said[:3]}:
                if len(tag) >= 3 and len(said) > len(tag) and f" {' '.join(tag)} " not in base:
                    holders[tag].append(one)
        told: set[VariantKey] = set()
        for tag, lines in sorted(holders.items(), key=lambda item: (-len(item[1]), item[0])):
            speakers = {one.line_id + one.npc_id for one in lines}
            if len(speakers) <= self.tag_cap:
                continue
            for one in lines[self.tag_cap :]:
                if one.key not in told:
                    told.add(one.key)
                    message = f'"{" ".join(tag)}" ends or opens {len(lines)} lines of this zone.'
                    yield one.key, Finding(self.id, Severity.review, message, None, "Regenerate this line.")

    def _edges(self, chosen: Sequence[ChosenText], state: TellState) -> Iterator[tuple[VariantKey, Finding]]:
        if len(chosen) < self.fewest:
            return
        groups: dict[str, list[ChosenText]] = defaultdict(list)
        for one in chosen:
            for mark in _marks(one, state):
                groups[mark].append(one)
        for mark, lines in sorted(groups.items()):
            cap = int(self.state_share * len(chosen))
            for one in lines[cap:]:
                message = f"{mark} in {len(lines)} of {len(chosen)} {state} lines: the state hangs on it."
                yield one.key, Finding(self.id, Severity.review, message, None, "Regenerate this line.")


def _marks(one: ChosenText, state: TellState) -> Iterator[str]:
    """What may carry a state alone: a pause first or last, a break, an opening word that neither base nor Neutral
    has."""
    if state is TellState.Neutral:
        return
    for name, pattern in (
        ("A pause first", _LEADING),
        ("A break at the end", _TRAILING),
        ("A pause at the end", _FADING),
    ):
        if pattern.search(one.text) and not pattern.search(one.base):
            yield name
    said = words(one.text)
    if (
        one.kind is Kind.dialogue
        and said
        and said[0] not in words(one.base)
        and said[:1] != words(one.neutral or "")[:1]
    ):
        yield f'The opener "{said[0]}"'
