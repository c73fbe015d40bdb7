"""Slots: each of the base text's exactly once, no other."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from pipeline.content.terms import Kind, Severity, TellState
from pipeline.validation.finding import Finding
from pipeline.validation.normalise import SLOT
from pipeline.validation.rule import Canary, RuleDoc, Subject
from pipeline.validation.rules.vocabulary import said

_DOC = RuleDoc(
    catches=(
        "A slot such as {price} that is lost, doubled, broken or invented; the opaque slots of a candidate "
        "({N1}, {P1}) likewise."
    ),
    severity="block.",
    bad=(
        "That is {price}. -> That's yours.",
        "That is {price}. -> {price}. That's {price}.",
        "Go to {dock}. -> Get to {berth}.",
    ),
    good=("That is {price} a night. -> {price} a night.",),
    waive="a line without its slot cannot ship; write the line anew (edit) with each slot once.",
)
_CANARIES = (
    Canary(said("That is {price} a night.", "Cheap, for a night."), "a slot lost"),
    Canary(said("That is {price} a night.", "{price}. {price} a night."), "a slot doubled"),
    Canary(said("That is {price} a night.", "{price} a night, {name}."), "a slot invented"),
    Canary(
        Subject(
            "Berth seven.",
            "Berth seven.",
            Kind.dialogue,
            TellState.Neutral,
            masked_voiced="Berth N1.",
            masked_slots={"N1": "seven"},
        ),
        "an opaque slot without its braces",
    ),
)


@dataclass(frozen=True)
class Slots:
    """Counts the slots of the voiced text, and of the masked candidate where there is one."""

    id: str = "slots"
    doc: RuleDoc = _DOC
    canaries: Sequence[Canary] = _CANARIES

    def check(self, subject: Subject) -> Iterable[Finding]:
        """One finding per slot name whose count differs."""
        open_slots = "{" in subject.base or "{" in subject.voiced or "}" in subject.voiced
        if not open_slots and (not subject.masked_slots or _each_once(subject)):
            return
        yield from self._compare(Counter(SLOT.findall(subject.base)), subject.voiced, spans=True)
        stray = SLOT.sub("", subject.voiced)
        if ("{" in stray or "}" in stray) and "{" not in SLOT.sub("", subject.base):
            at = next(i for i, c in enumerate(subject.voiced) if c in "{}")
            yield Finding(self.id, Severity.block, "A brace that belongs to no slot.", (at, at + 1))
        if subject.masked_voiced is not None and subject.masked_slots:
            hidden = Counter({f"{{{name}}}": 1 for name in subject.masked_slots})
            hidden.update(SLOT.findall(subject.base))
            yield from self._compare(hidden, subject.masked_voiced, spans=False, values=dict(subject.masked_slots))

    def _compare(
        self, wanted: Counter[str], text: str, *, spans: bool, values: dict[str, str] | None = None
    ) -> Iterable[Finding]:
        seen = Counter(SLOT.findall(text))
        for slot in sorted(wanted.keys() | seen.keys()):
            if wanted[slot] == seen[slot]:
                continue
            stands = (values or {}).get(slot[1:-1])
            name = f'{slot} ("{stands}")' if stands else slot
            at = text.find(slot) if spans else -1
            if not wanted[slot]:
                message = f"The slot {name} is not in the base text."
            elif not seen[slot]:
                message = f"The slot {name} is lost."
            else:
                message = f"The slot {name} stands {seen[slot]} times, not {wanted[slot]}."
            yield Finding(
                self.id,
                Severity.block,
                message,
                (at, at + len(slot)) if at >= 0 else None,
                f"Write {slot} {wanted[slot]} time(s).",
            )


def _each_once(subject: Subject) -> bool:
    """The cheap test for a base text without slots of its own: the candidate holds each opaque slot once, no other."""
    if subject.masked_voiced is None:
        return True
    held = SLOT.findall(subject.masked_voiced)
    return len(held) == len(subject.masked_slots) and {slot[1:-1] for slot in held} == subject.masked_slots.keys()
