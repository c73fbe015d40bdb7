"""Repeats over a zone: two lines that say the same though their base texts do not."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from pipeline.content.terms import Kind, Severity, TellState
from pipeline.prompting.jobs import VariantKey
from pipeline.validation.finding import Finding
from pipeline.validation.normalise import words
from pipeline.validation.rule import RuleDoc
from pipeline.validation.zone import ChosenText, ZoneCanary

_DOC = RuleDoc(
    catches=(
        "Variants of different lines that read alike: of one NPC in the same state, or word for word "
        "anywhere in the zone."
    ),
    severity="review. Repeats never change which candidate another line chose.",
    bad=("Two lines of one NPC, both: Lift's down, take the stairs.",),
    good=("Two lines whose base texts are alike themselves.",),
    waive="regenerate the line that is the weaker of the two, or approve both.",
)


def _text(line: str, text: str, base: str, npc: str = "canary") -> ChosenText:
    return ChosenText(npc, line, TellState.Neutral, "canary", Kind.dialogue, text, base)


_CANARIES = (
    ZoneCanary(
        (
            _text("one", "Lift's down, take the stairs.", "The lift is broken, so use the stairs."),
            _text("two", "Lift's down. Take the stairs.", "There is no power on this level."),
        ),
        "two lines of one NPC in the same words",
    ),
    ZoneCanary(
        (
            _text("one", "Nothing here for you, keep walking.", "This bay is closed to visitors."),
            _text("two", "Nothing here for you, keep on walking.", "The seller has gone home."),
        ),
        "two lines of one NPC in nearly the same words",
    ),
    ZoneCanary(
        (
            _text("one", "That's how it goes down here.", "This is usual.", "first"),
            _text("two", "That's how it goes down here.", "The pumps are old.", "second"),
        ),
        "two NPCs in the same words",
    ),
)


@dataclass(frozen=True)
class Repeats:
    """Compares word lists by Indel similarity (rapidfuzz); the limit is the measured one of 57 in 100."""

    id: str = "repeats"
    doc: RuleDoc = _DOC
    canaries: Sequence[ZoneCanary] = _CANARIES
    alike: float = 0.57
    shortest: int = 4
    """Words from which a text can repeat another; shorter ones are bound to."""

    def check_zone(self, chosen: Sequence[ChosenText]) -> Iterable[tuple[VariantKey, Finding]]:
        """One finding per variant that repeats an earlier one, in the order of keys."""
        ordered = sorted(chosen, key=lambda one: one.key)
        yield from self._of_one_npc(ordered)
        yield from self._word_for_word(ordered)

    def _of_one_npc(self, chosen: Sequence[ChosenText]) -> Iterable[tuple[VariantKey, Finding]]:
        from rapidfuzz.distance import Indel

        groups: dict[tuple[str, TellState], list[ChosenText]] = defaultdict(list)
        for one in chosen:
            if len(words(one.text)) >= self.shortest:
                groups[one.npc_id, one.tell_state].append(one)
        for group in groups.values():
            for at, one in enumerate(group):
                for other in group[:at]:
                    same = Indel.normalized_similarity(words(one.text), words(other.text), score_cutoff=self.alike)
                    if same and same > Indel.normalized_similarity(words(one.base), words(other.base)) + 0.15:
                        yield one.key, self._finding(other, "says nearly the same")
                        break

    def _word_for_word(self, chosen: Sequence[ChosenText]) -> Iterable[tuple[VariantKey, Finding]]:
        seen: dict[tuple[str, ...], ChosenText] = {}
        for one in chosen:
            said = words(one.text)
            other = seen.setdefault(said, one)
            if other.npc_id != one.npc_id and len(said) >= self.shortest and words(one.base) != words(other.base):
                yield one.key, self._finding(other, f"of {other.npc_id} says the same")

    def _finding(self, other: ChosenText, how: str) -> Finding:
        message = f'The line {other.line_id} ({other.tell_state}) {how}: "{other.text}"'
        return Finding(self.id, Severity.review, message, None, "Regenerate this line.")
