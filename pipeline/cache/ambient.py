"""Choosing among an NPC's ambient lines so that nobody says the same thing twice in a row."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable


class AmbientLines:
    """Deals line ids like cards, in rounds: all of them in a shuffled order, then all of them in another.

    None comes twice in a row, unless it is the only one. The order is a function of the ids, `seed` and `dealt` alone
    (docs/cache-format.md), so a saved game needs only those two to go on where it was. The order in which `line_ids`
    are given does not matter.

    An object is for one thread at a time; make one per NPC. Raises `ValueError` for no ids at all and for a negative
    `dealt`.
    """

    def __init__(self, line_ids: Iterable[str], *, seed: int, dealt: int = 0) -> None:
        self._ids = sorted(set(line_ids))
        if not self._ids:
            raise ValueError("there is no line to choose from")
        if dealt < 0:
            raise ValueError(f"dealt is {dealt}; it counts lines, from 0")
        self.seed = seed
        self.dealt = dealt
        """How many lines have been dealt; with `seed` all that is to be saved."""
        self._round = -1
        self._order: list[str] = []

    def next(self) -> str:
        """The id of the line to say now."""
        round, place = divmod(self.dealt, len(self._ids))
        if round != self._round:
            self._round, self._order = round, self._shuffled(round)
        self.dealt += 1
        return self._order[place]

    def _shuffled(self, round: int) -> list[str]:
        if len(self._ids) < 3:  # any order but the same one would repeat a line
            round = 0
        order = self._sorted(round)
        if round > 0 and order[0] == self._sorted(round - 1)[-1]:
            # The exchange leaves each round's last line where it was, so that rounds need not know of each other's.
            order[0], order[1] = order[1], order[0]
        return order

    def _sorted(self, round: int) -> list[str]:
        return sorted(self._ids, key=lambda line_id: _rank(self.seed, round, line_id))


def _rank(seed: int, round: int, line_id: str) -> bytes:
    return hashlib.sha256(f"{seed}:{round}:{line_id}".encode()).digest()
