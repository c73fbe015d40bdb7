"""What can go wrong with a voice cache, told to the person who can mend it."""

from __future__ import annotations

from collections.abc import Iterable

from pipeline.errors import UserError


class CacheError(UserError):
    """A cache file, or a zone's file for it, that cannot be used."""


class UnknownText(UserError):
    """The cache holds no such NPC, line or tell state."""


class SlotError(UserError):
    """A slot that the text has and the caller did not fill, or the other way round."""


def did_you_mean(wrong: str, known: Iterable[str]) -> str | None:
    """A hint naming the nearest known names, nearest first; None when none is near."""
    from rapidfuzz import process
    from rapidfuzz.distance import DamerauLevenshtein

    near = process.extract(
        wrong, sorted(known), scorer=DamerauLevenshtein.normalized_similarity, limit=3, score_cutoff=0.6
    )
    return f"Did you mean {' or '.join(name for name, _, _ in near)}?" if near else None
