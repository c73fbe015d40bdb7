"""What a person's verdict is bound to."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass

from pipeline.content.terms import Kind, TellState


@dataclass(frozen=True, slots=True, order=True)
class Binding:
    """The texts and the place that a verdict speaks of.

    A verdict holds while a variant has the very same binding. Change the base text or the voiced text and it lapses;
    put the text back and it lives again. NPC and line ids are no part of it: renaming a line, or moving it to another
    NPC of the culture, keeps its verdicts.
    """

    kind: Kind
    culture_id: str
    tell_state: TellState
    base_hash: str
    voiced_hash: str


def bind(kind: Kind, culture_id: str, tell_state: TellState, base: str, voiced: str) -> Binding:
    """The binding of a voiced text."""
    return Binding(kind, culture_id, tell_state, base_hash(base), voiced_hash(voiced))


def base_hash(text: str) -> str:
    """sha256 of a base text, 64 hexadecimal digits: of `base`, a zero byte and the text in UTF-8, byte for byte."""
    return _hash("base", text)


def voiced_hash(text: str) -> str:
    """sha256 of a voiced text, like `base_hash` with `voiced`; it is taken after facts were put back."""
    return _hash("voiced", text)


def _hash(what: str, text: str) -> str:
    # The leading word keeps a base hash from ever standing for the same text's voiced hash.
    return hashlib.sha256(f"{what}\0{text}".encode()).hexdigest()
