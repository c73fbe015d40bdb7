"""What prompting hands on: one `LineJob` per line, holding one `PromptJob` per tell state."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from pipeline.content.models import LineRef
from pipeline.content.terms import TellState


@dataclass(frozen=True, slots=True, order=True)
class VariantKey:
    """What a variant is called everywhere."""

    npc_id: str
    line_id: str
    tell_state: TellState
    culture_id: str


@dataclass(frozen=True, slots=True)
class Masked:
    """A text whose facts are opaque slots.

    `slots` maps a slot name without braces (`N1`, `P1`) to the text it stands for.
    """

    text: str
    slots: Mapping[str, str]


@dataclass(frozen=True, slots=True)
class Segment:
    """A part of a rendered prompt. Segments with equal text at the start of prompts are computed once."""

    block: str
    """`guards`, `injector`, `npc`, `task`, `tell` ...: the unit of budgets."""
    text: str
    tokens: int


@dataclass(frozen=True, slots=True)
class PromptJob:
    """One variant to generate."""

    key: VariantKey
    segments: tuple[Segment, ...]
    chat: bool
    """True: `text` is a user message for the model's chat template; False: the prompt itself."""

    @property
    def text(self) -> str:
        """The rendered prompt."""
        return "".join(segment.text for segment in self.segments)


@dataclass(frozen=True, slots=True)
class LineJob:
    """The unit of generation: all variants of one line."""

    line: LineRef
    masked: Masked
    jobs: tuple[PromptJob, ...]
    """One per tell state, in the order of `TellState`."""
    profile: str
    max_tokens: int
    """Budget per candidate, from the base text's length."""
    way_back: tuple[str, str] | None
    """The prompt of the way back before and after a voiced text, where the culture's adapter has learnt it."""
    fingerprints: tuple[str, ...]
    """sha256 over all that the line's batch is made of (spec section 2): as it was before a person asked for other
    candidates, then after the first request, and so on."""

    @property
    def fingerprint(self) -> str:
        """That of the line as it is asked for now, with all requests."""
        return self.fingerprints[-1]
