"""What a person's verdict is bound to."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass

from pipeline.content.terms import Kind, TellState


@dataclass(frozen=True, slots=True, order=True)
class Root:
    """What a text is voiced from and for: with a text, what approvals and rejections are bound to.

    A verdict holds where a variant has the very same root and text. Change the base text or the voiced text and it
    lapses; put the text back and it lives again.
    """

    kind: Kind
    culture_id: str
    tell_state: TellState
    base_hash: str


@dataclass(frozen=True, slots=True, order=True)
class Place:
    """A line's own variant with its base text: what edits, waivers and requests belong to."""

    npc_id: str
    line_id: str
    root: Root


@dataclass(frozen=True, slots=True)
class VariantBase:
    """A variant as it is authored: whose it is and what it is voiced from."""

    npc_id: str
    line_id: str
    kind: Kind
    culture: str
    tell_state: TellState
    base: str

    @property
    def root(self) -> Root:
        """What it shares with every line of the same base text, kind, culture and state."""
        return Root(self.kind, self.culture, self.tell_state, base_hash(self.base))

    @property
    def place(self) -> Place:
        """What is its own."""
        return Place(self.npc_id, self.line_id, self.root)


def base_hash(text: str) -> str:
    """sha256 of a base text, 64 hexadecimal digits: of `base`, a zero byte and the text in UTF-8, byte for byte."""
    return _hash("base", text)


def voiced_hash(text: str) -> str:
    """sha256 of a voiced text, like `base_hash` with `voiced`; it is taken after facts were put back."""
    return _hash("voiced", text)


def _hash(what: str, text: str) -> str:
    # The leading word keeps a base hash from ever standing for the same text's voiced hash.
    return hashlib.sha256(f"{what}\0{text}".encode()).hexdigest()
