"""Did-you-mean: the known word that a writer most likely meant."""

from __future__ import annotations

from collections.abc import Iterable


def closest(word: str, known: Iterable[str]) -> str | None:
    """The known word most like `word` (case aside), or None when none is near. Ties go to the first in order."""
    from difflib import get_close_matches  # only needed once something is wrong

    by_lower = {each.lower(): each for each in reversed(list(known))}
    found = get_close_matches(word.lower(), list(reversed(by_lower)), n=1, cutoff=0.6)
    return by_lower[found[0]] if found else None
