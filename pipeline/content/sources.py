"""Where each part of loaded content stands in its file."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from pipeline.content.bound import Bound, Path
from pipeline.content.models import Culture, Guard, Npc, TellTable, WordList, Zone
from pipeline.content.npc_checks import line_id, npc_lines


@dataclass(frozen=True, slots=True)
class Sources:
    """The bound files by id. `Bound.where(path)` gives `file:line:col`, `Bound.problem(path, ..)` a problem there."""

    zones: Mapping[str, Bound[Zone]]
    npcs: Mapping[str, Bound[Npc]]
    cultures: Mapping[str, Bound[Culture]]
    guards: Mapping[str, Bound[Guard]]
    word_lists: Mapping[str, Bound[WordList]]
    tells: Bound[TellTable]

    def line_path(self, npc_id: str, wanted: str) -> Path:
        """The path of a line within its NPC's file. Raises `KeyError` for an unknown NPC or line id."""
        for kind, path, line in npc_lines(self.npcs[npc_id].value):
            if line_id(kind, line) == wanted:
                return path
        raise KeyError((npc_id, wanted))

    def line(self, npc_id: str, wanted: str, field: str = "base_text") -> str:
        """`file:line:col` of a field of a line; of the line where it leaves the field out. Raises `KeyError`."""
        return self.npcs[npc_id].where((*self.line_path(npc_id, wanted), field))
