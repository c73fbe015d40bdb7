"""Renders the prompts of lines, each shared block once."""

from __future__ import annotations

from dataclasses import dataclass, field

from pipeline.content.models import Content, Culture, LineRef, Npc
from pipeline.content.terms import TellState
from pipeline.errors import UserError
from pipeline.prompting.jobs import Masked
from pipeline.prompting.templates import Block, Profile
from pipeline.prompting.views import (
    CultureView,
    NpcView,
    TellView,
    View,
    culture_view,
    guards_view,
    line_view,
    npc_view,
    tell_view,
)

_VOICED = "\ue000"
"""Stands for a voiced text; a character that no text may hold."""

RenderedPrompt = tuple[tuple[Block, str], ...]
"""The blocks of a prompt that are not empty, with their texts, in order."""


@dataclass(slots=True)
class Renderer:
    """Renders lines of one content under one profile.

    Shared blocks are kept: a block is rendered once for each distinct set of values that it reads.
    """

    content: Content
    profile: Profile
    _guards: View = field(init=False)
    _cultures: dict[str, CultureView] = field(default_factory=dict)
    _npcs: dict[str, NpcView] = field(default_factory=dict)
    _tells: dict[tuple[str, TellState, bool], TellView | None] = field(default_factory=dict)
    _texts: dict[tuple[object, ...], str] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self._guards = guards_view(self.content.guards)

    def prompts(self, ref: LineRef, masked: Masked) -> tuple[RenderedPrompt, ...]:
        """The prompts of a line, one per tell state in the order of `TellState`."""
        values: dict[str, View] = {
            "guards": self._guards,
            "culture": self._culture(ref.culture),
            "npc": self._npc(ref.npc),
            "line": line_view(ref, masked),
            "tell": None,
        }
        # Only what reads the tell differs between the states of a line.
        common = [None if "tell" in block.uses else self._text(block, values) for block in self.profile.blocks]
        prompts = []
        for state in TellState:
            values["tell"] = self._tell(ref, state)
            texts = (
                self._text(block, values) if text is None else text
                for block, text in zip(self.profile.blocks, common, strict=True)
            )
            prompts.append(tuple((block, text) for block, text in zip(self.profile.blocks, texts, strict=True) if text))
        return tuple(prompts)

    def way_back(self, ref: LineRef) -> tuple[str, str] | None:
        """The prompt of the way back before and after a voiced text; None where the profile knows of none.

        Raises `UserError` for a template that does not show the voiced text once.
        """
        if self.profile.way_back is None:
            return None
        values: dict[str, View] = {"line": line_view(ref, Masked(_VOICED, {}))}
        text = "".join(self._text(block, values) for block in self.profile.way_back.blocks)
        before, mark, after = text.partition(_VOICED)
        if not mark or _VOICED in after:
            raise UserError(
                f"prompts/profiles: the profile {self.profile.way_back.name!r} does not show the line exactly once."
            )
        return before, after

    def injector(self, culture: Culture) -> list[str]:
        """The injector blocks of a culture, as its budget measures them."""
        values: dict[str, View] = {"culture": self._culture(culture)}
        return [self._text(block, values) for block in self.profile.injector.blocks]

    def _text(self, block: Block, values: dict[str, View]) -> str:
        key = (block.file, block.name, *(values[name] for name in block.uses))
        if key not in self._texts:
            self._texts[key] = block.render(values)
        return self._texts[key]

    def _culture(self, culture: Culture) -> CultureView:
        if culture.id not in self._cultures:
            self._cultures[culture.id] = culture_view(culture)
        return self._cultures[culture.id]

    def _npc(self, npc: Npc) -> NpcView:
        if npc.id not in self._npcs:
            self._npcs[npc.id] = npc_view(npc)
        return self._npcs[npc.id]

    def _tell(self, ref: LineRef, state: TellState) -> TellView | None:
        towards_one = ref.npc.guarded_towards_one and state is TellState.Guarded
        key = (ref.culture.id, state, towards_one)
        if key not in self._tells:
            self._tells[key] = tell_view(self.content.tells, ref.culture, state, towards_one=towards_one)
        return self._tells[key]
