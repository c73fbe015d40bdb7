"""Small words that turn what they stand before: with and without, to and from."""

from __future__ import annotations

from pipeline.validation.analysis import Analysis
from pipeline.validation.dictionary import is_person
from pipeline.validation.relations import closeness
from pipeline.validation.wording import Word

_TURNED = (("with", "without"), ("to", "from"), ("into", "from"))
_TURNING = frozenset(one for pair in _TURNED for one in pair)


def turned_preposition(base: Analysis, voiced: Analysis) -> str:
    """The same thing with another preposition before it: with a permit for without one, from the man for to him."""
    if _TURNING.isdisjoint(base.texts):
        return ""
    for pair in _TURNED:
        for one, other in (pair, pair[::-1]):
            if one not in base.texts or other not in voiced.texts or other in base.texts or one in voiced.texts:
                continue
            was, now = _behind(base, one), _behind(voiced, other)
            if was is None or now is None or now.denied:  # with no help
                continue
            if closeness(was.text, now.text) >= 0.9 and (one not in _WAYS or is_person(now.text)):
                return f'"{other} {now.text}" in place of "{one} {was.text}".'
    return ""


_WAYS = frozenset({"to", "from", "into"})
"""Which way: told apart before persons only, since one looks up from what one keeps one's eyes to."""


def _behind(text: Analysis, preposition: str) -> Word | None:
    """The next word with a weight of its own behind the first such preposition, in its clause."""
    at = next(at for at, word in enumerate(text.words) if word.text == preposition)
    clause = text.words[at].clause
    return next((word for word in text.words[at + 1 : at + 4] if word.weight >= 0.5 and word.clause == clause), None)
