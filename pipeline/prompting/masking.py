"""Facts never pass through the model: figures and names become opaque slots, and come back after generation.

`{N1}`, `{N2}` ... stand for figures and `{P1}`, `{P2}` ... for names, numbered in order of appearance. Every
occurrence has a slot of its own, because a slot must come back exactly once. Authored slots (`{price}`) stay as they
are. A text that already holds something like `{N1}` keeps it: our numbering leaves that number out.

Letter case on the way back: a figure in words takes a capital where a sentence starts and none inside one ("Three
crates" comes back as "crates, three"). The same holds for a name that is written small ("span gate"). Everything else
keeps its case. A word that stands against this rule in the authored text ("Bay Three") gets a slot of the other
letter, which keeps its case; so `unmask(mask(t)) == t`.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from enum import Enum
from functools import lru_cache
from itertools import count
from typing import NamedTuple

from pipeline.prompting.figures import find_figures, is_number_words
from pipeline.prompting.jobs import Masked
from pipeline.prompting.lexicon import Span

OPAQUE_SLOT = re.compile(r"\{([NP][1-9][0-9]*)\}")
"""A slot of ours; group 1 is its name."""
_AUTHORED_SLOT = re.compile(r"\{[a-z_][A-Za-z0-9_]*\}")
_APOSTROPHE = re.compile("['’]")
_SENTENCE_END = ".?!"
_OPENING = " \t\u00a0\"'“‘«([-–—*"
_CLOSING = " \t\u00a0\"'”’»)]*"


class _Place(Enum):
    """Where in a sentence a slot stands."""

    start = "start"
    inside = "inside"
    unclear = "unclear"


def mask(text: str, names: Sequence[str] = (), *, keep: Sequence[str] = ()) -> Masked:
    """`text` with figures and `names` replaced by opaque slots.

    Names are matched as whole words, case-sensitive, the longest first; a name that is written small is also found
    with a capital. Of "Mirel's" the name alone is masked. Phrases of `keep` (institutions) are left alone, whatever
    letter case they have.
    """
    facts = _facts(text, tuple(names), tuple(keep))
    if not facts:
        return Masked(text, {})
    taken = {match[1] for match in OPAQUE_SLOT.finditer(text)}
    numbers = {"N": count(1), "P": count(1)}
    slots: dict[str, str] = {}
    pieces: list[tuple[Span, str]] = []
    for fact, place in zip(facts, _places(text, facts), strict=True):
        kind, value = fact.kind, fact.stored
        if _in_case(kind, value, place) != text[fact.span.start : fact.span.end]:
            kind, value = ("P" if kind == "N" else "N"), text[fact.span.start : fact.span.end]
        name = next(name for number in numbers[kind] if (name := f"{kind}{number}") not in taken)
        slots[name] = value
        pieces.append((fact.span, f"{{{name}}}"))
    return Masked(_replaced(text, pieces), slots)


def unmask(text: str, slots: Mapping[str, str]) -> str:
    """`text` with the facts of `slots` put back; slots that it does not name stay as they are."""

    def fact(match: re.Match[str]) -> str:
        value = slots.get(match[1])
        return match[0] if value is None else _in_case(match[1][0], value, _place(text, match.start()))

    return OPAQUE_SLOT.sub(fact, text)


def mask_pair(base: str, voiced: str, names: Sequence[str] = (), *, keep: Sequence[str] = ()) -> tuple[Masked, Masked]:
    """A base text and its voiced form, for examples and voice banks: the same fact has the same slot in both.

    Raises `ValueError` that names the fact when `voiced` holds a figure or a name that `base` lacks, or holds it more
    often.
    """
    masked, other = mask(base, names, keep=keep), mask(voiced, names, keep=keep)
    free = dict(masked.slots)
    renamed: dict[str, str] = {}
    for name, value in other.slots.items():
        match = next((ours for ours, fact in free.items() if _same_fact(fact, value)), None)
        if match is None:
            raise ValueError(f"{value!r} does not stand in the base text")
        del free[match]
        renamed[name] = match
    text = OPAQUE_SLOT.sub(lambda slot: f"{{{renamed.get(slot[1], slot[1])}}}", other.text)
    return masked, Masked(text, {renamed[name]: value for name, value in other.slots.items()})


class _Fact(NamedTuple):
    """Something to replace."""

    span: Span
    kind: str
    """`N` for a figure, `P` for a name."""
    stored: str
    """The fact as the slots hold it."""


def _facts(text: str, names: tuple[str, ...], keep: tuple[str, ...]) -> list[_Fact]:
    """What to replace, in order of appearance."""
    slots = [Span(*m.span()) for pattern in (_AUTHORED_SLOT, OPAQUE_SLOT) for m in pattern.finditer(text)]
    named = _clear_of(slots, _phrases(text, names, fold=False))
    kept = _clear_of([*slots, *named], _phrases(text, keep, fold=True), longer_wins=True)
    named = _clear_of(kept, named)
    figures = find_figures(text, [*slots, *kept, *named])
    facts = [_Fact(span, "P", _canonical(text[span.start : span.end], names)) for span in named]
    facts += [_Fact(span, "N", text[span.start : span.end]) for span in figures]
    return sorted(facts)


def _places(text: str, facts: Sequence[_Fact]) -> Iterator[_Place]:
    """Where each fact stands, judged with slots in their places, because that is what `unmask` sees."""
    skeleton = _replaced(text, [(fact.span, "{}") for fact in facts])
    shift = 0
    for fact in facts:
        yield _place(skeleton, fact.span.start + shift)
        shift += len("{}") - (fact.span.end - fact.span.start)


def _clear_of(others: Sequence[Span], spans: Iterable[Span], *, longer_wins: bool = False) -> list[Span]:
    """Those of `spans` that touch none of `others`; with `longer_wins`, none that is longer than they are."""

    def bars(other: Span, span: Span) -> bool:
        overlaps = span.start < other.end and other.start < span.end
        return overlaps and not (longer_wins and other.end - other.start <= span.end - span.start)

    return [span for span in spans if not any(bars(other, span) for other in others)]


def _phrases(text: str, phrases: tuple[str, ...], *, fold: bool) -> Iterator[Span]:
    pattern = _phrase_pattern(phrases, fold)
    return (Span(*match.span()) for match in pattern.finditer(text)) if pattern else iter(())


@lru_cache(maxsize=256)
def _phrase_pattern(phrases: tuple[str, ...], fold: bool) -> re.Pattern[str] | None:
    """Any of `phrases` as whole words, the longest first, all apostrophes the same; None when there is none."""
    forms = {phrase.strip() for phrase in phrases if phrase.strip()}
    forms |= {_capital(form) for form in forms}
    if not forms:
        return None
    longest_first = sorted(forms, key=lambda form: (-len(form), form))
    source = "|".join(
        r"\s+".join(_APOSTROPHE.sub(_APOSTROPHE.pattern, re.escape(word)) for word in form.split())
        for form in longest_first
    )
    return re.compile(rf"(?<!\w)(?:{source})(?!\w)", re.IGNORECASE if fold else 0)


def _canonical(found: str, names: tuple[str, ...]) -> str:
    """A name as the glossary writes it: small where only its place in the text gave it a capital."""
    small = found[:1].lower() + found[1:]
    return small if small in names and found not in names else found


def _capital(text: str) -> str:
    return text[:1].upper() + text[1:]


def _in_case(kind: str, value: str, place: _Place) -> str:
    """A fact as it is written at a place. Only first letters change, and only where the place is clear."""
    if value[1:2].isupper() or is_number_words(value) != (kind == "N"):
        return value
    if kind == "P" and value[:1].isupper():
        return value
    if place is _Place.start:
        return _capital(value)
    return value[:1].lower() + value[1:] if place is _Place.inside else value


def _place(text: str, at: int) -> _Place:
    """Where in its sentence the slot at `at` stands."""
    before = text[:at].rstrip(_OPENING)
    if not before:
        ended = text.rstrip(_CLOSING)[-1:] in (*_SENTENCE_END, "…", "—", "–")
        return _Place.start if ended and text else _Place.unclear
    if before.endswith(("…", "...")):
        return _Place.unclear
    # "3.{N1}" and "a.b" are no sentence ends: a blank or a quote must follow.
    return _Place.start if before[-1] in _SENTENCE_END and len(before) < at else _Place.inside


def _same_fact(one: str, other: str) -> bool:
    return _plain(one) == _plain(other)


def _plain(fact: str) -> str:
    return re.sub(r"^an? ", "", re.sub(r"[\s\-‐‑]+", " ", fact.casefold().replace("’", "'")))


def _replaced(text: str, pieces: Sequence[tuple[Span, str]]) -> str:
    """`text` with each span's text replaced; spans in order, without overlap."""
    parts: list[str] = []
    start = 0
    for span, piece in pieces:
        parts += [text[start : span.start], piece]
        start = span.end
    return "".join([*parts, text[start:]])
