"""What rules can say of each variant of a result: the cases behind every automatic measure."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass

from rapidfuzz.distance import Indel

from pipeline.content.terms import Kind, TellState
from pipeline.spike.result import LineRow, VariantRow

Case = tuple[str, TellState]
"""A variant by line id and tell state."""

MEANING = frozenset(
    {
        "fidelity", "figures", "slots", "negation", "speech-act", "replies", "who-does-what", "tense", "way-back",
        "new-names",
    }
)  # fmt: skip
"""Rules whose finding means that something may be lost, added or turned round."""
ADDED = frozenset({"fidelity", "figures", "new-names"})
"""Rules that, where they point at words of the voiced text, have found something that the base text lacks."""
FRANCHISE = frozenset({"franchise-bleed"})
EARTH = frozenset({"earth-idiom", "guard-vocabulary/NI-5"})
REGISTER = FRANCHISE | EARTH | {"guard-vocabulary/NI-2", "guard-vocabulary/NI-4", "exclusions"}
"""Rules on words of another register: other stories, Earth, an army, banter, what the culture never says."""
INSTITUTIONS = frozenset({"authority-words", "politics"})
NAMING = frozenset({"tell-naming"})
_WORD = re.compile(r"[\w']+")


@dataclass(frozen=True, slots=True)
class Outcome:
    """A yes-or-no or a share per variant, for ablation and for comparing two results."""

    id: str
    title: str
    higher_is_better: bool | None
    """None: neither."""
    of: Callable[[LineRow, VariantRow], float | None]
    """None where the variant is no case."""

    def by_line(self, lines: Iterable[LineRow]) -> dict[str, float]:
        """The mean over each line's cases, by line id; lines without a case are left out."""
        means = {}
        for line in lines:
            cases = [value for one in line.variants if (value := self.of(line, one)) is not None]
            if cases:
                means[line.id] = sum(cases) / len(cases)
        return means


def has(variant: VariantRow, rules: frozenset[str]) -> bool:
    """Whether one of `rules` has something to say of the chosen text."""
    return any(one.rule in rules for one in variant.findings)


def adds(variant: VariantRow) -> bool:
    """Whether a rule points at something in the chosen text that the base text lacks."""
    return any(one.rule in ADDED and one.points for one in variant.findings)


def keeps_meaning(variant: VariantRow) -> bool:
    """Whether there is a text, and no rule on meaning has anything to say of it."""
    return variant.text is not None and not has(variant, MEANING)


def is_distinct(line: LineRow, variant: VariantRow) -> bool:
    """Whether a tell variant has words that neither Neutral, nor another state, nor the base text has just so."""
    if variant.text is None:
        return False
    others = [one.text for one in line.variants if one.tell is not variant.tell and one.text is not None]
    return _words(variant.text) not in [_words(text) for text in (line.base, *others)]


def exclaims(text: str, exclamations: Iterable[str]) -> bool:
    """Whether one of the culture's exclamations stands in the text."""
    said = f" {' '.join(_words(text))} "
    return any(f" {' '.join(_words(oath))} " in said for oath in exclamations)


def keeps_authority(line: LineRow, variant: VariantRow) -> bool:
    """Whether the text still names the authority of the base text, and no wrong one."""
    if variant.text is None or line.authority is None:
        return False
    return line.authority.casefold() in variant.text.casefold() and not has(variant, INSTITUTIONS)


def drift(variant: VariantRow, rules: frozenset[str]) -> float | None:
    """Upper share of the candidates that a rule of `rules` found something in, before any was chosen."""
    if not variant.candidates:
        return None
    return min(1.0, sum(variant.hits.get(rule, 0) for rule in rules) / variant.candidates)


def of_kind(lines: Iterable[LineRow], kind: Kind) -> tuple[LineRow, ...]:
    """The lines of a kind."""
    return tuple(line for line in lines if line.kind is kind)


def _of_text(variant: VariantRow, held: bool) -> float | None:
    return None if variant.text is None else float(held)


def _distance(line: LineRow, variant: VariantRow) -> float | None:
    neutral = line.variant(TellState.Neutral).text
    if variant.tell is TellState.Neutral or variant.text is None or neutral is None:
        return None
    return float(Indel.normalized_distance(neutral.casefold(), variant.text.casefold()))


def _words(text: str) -> list[str]:
    return _WORD.findall(text.replace("’", "'").lower())


OUTCOMES = (
    Outcome("voiced", "variants with a text of their own", True, lambda _, one: float(one.text is not None)),
    Outcome(
        "passing", "candidates that no rule blocks", True,
        lambda _, one: 1 - one.blocked / one.candidates if one.candidates else None,
    ),
    Outcome("fidelity", "variants without a finding on meaning", True, lambda _, one: float(keeps_meaning(one))),
    Outcome("invented", "texts that may add a fact", False, lambda _, one: _of_text(one, adds(one))),
    Outcome("naming", "texts that may name or infer the state", False, lambda _, one: _of_text(one, has(one, NAMING))),
    Outcome(
        "distinctness", "tell variants with words of their own", True,
        lambda line, one: None if one.tell is TellState.Neutral else float(is_distinct(line, one)),
    ),
    Outcome("distance", "distance from Neutral (0 equal, 1 nothing in common)", None, _distance),
    Outcome("franchise", "candidates with words of other stories", False, lambda _, one: drift(one, FRANCHISE)),
    Outcome("earth", "candidates with words of Earth", False, lambda _, one: drift(one, EARTH)),
)  # fmt: skip
OUTCOME: Mapping[str, Outcome] = {one.id: one for one in OUTCOMES}
