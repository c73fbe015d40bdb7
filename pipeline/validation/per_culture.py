"""What rules work out of a culture once, whatever the number of its lines."""

from __future__ import annotations

from collections.abc import Callable
from typing import Generic, TypeVar

from pipeline.content.models import Culture

_Made = TypeVar("_Made")


class PerCulture(Generic[_Made]):
    """A function of a culture that remembers its results. Cultures are told apart by identity: to compare or hash one
    field by field would take longer than most of what is worked out of it."""

    _MOST = 64

    def __init__(self, make: Callable[[Culture], _Made]) -> None:
        self._make = make
        self._known: dict[int, tuple[Culture, _Made]] = {}

    def __call__(self, culture: Culture) -> _Made:
        known = self._known.get(id(culture))
        if known is None:  # what is kept holds on to its culture, so that no other can get its identity
            if len(self._known) >= self._MOST:
                self._known.clear()
            known = self._known[id(culture)] = culture, self._make(culture)
        return known[1]
