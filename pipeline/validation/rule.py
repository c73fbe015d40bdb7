"""The rule protocol: a rule sees one subject and gives findings."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Protocol, runtime_checkable

from pipeline.content.models import Culture
from pipeline.content.terms import Affect, Kind, TellState
from pipeline.validation.finding import Finding


@dataclass(frozen=True, slots=True)
class NpcFacts:
    """What rules may know of the speaker."""

    npc_id: str
    name: str
    filler_words: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Subject:
    """A voiced text beside all that rules may compare it with. `None` means unknown: rules that need the fact stay
    silent."""

    base: str
    voiced: str
    kind: Kind
    tell_state: TellState
    culture: Culture | None = None
    npc: NpcFacts | None = None
    affect: Affect | None = None
    names: frozenset[str] = frozenset()
    """Glossary names and NPC names that lines may use."""
    neutral: str | None = None
    """The chosen Neutral variant of the same line, for rules on siblings."""
    masked_voiced: str | None = None
    """The candidate before facts were put back; None for texts that people wrote."""
    masked_slots: Mapping[str, str] = field(default_factory=dict)
    """What each opaque slot stands for; empty for texts that people wrote."""
    finished: bool = True
    """False: the token budget ended the candidate."""
    way_back: float | None = None
    """How surely the model finds the base text in the candidate, mean nats per token; None: not measured."""


@runtime_checkable
class Rule(Protocol):
    """One check of one text. Implementations are dataclasses, one per file, whose fields are their configuration."""

    @property
    def id(self) -> str:
        """Kebab-case name, such as `tell-naming`."""
        ...

    @property
    def doc(self) -> RuleDoc:
        """What a reviewer reads about the rule."""
        ...

    @property
    def canaries(self) -> Sequence[Canary]: ...

    def check(self, subject: Subject) -> Iterable[Finding]: ...


@dataclass(frozen=True, slots=True)
class RuleDoc:
    """A rule explained; `voicebake check --explain RULE` and the Dagster check show `text`."""

    catches: str
    """What the rule finds, in a sentence or two."""
    severity: str
    """Which findings block, which ask a person."""
    bad: tuple[str, ...]
    """Examples that the rule catches, each `base -> voiced` or a bare text."""
    good: tuple[str, ...]
    """Look-alikes that it lets pass."""
    waive: str
    """What to do when the rule is wrong about a line."""

    @property
    def text(self) -> str:
        """The explanation as plain lines of Markdown."""
        bad = "".join(f"\n- caught: {example}" for example in self.bad)
        good = "".join(f"\n- passes: {example}" for example in self.good)
        return f"{self.catches}\n\nSeverity: {self.severity}\n{bad}{good}\n\nTo waive: {self.waive}"


@dataclass(frozen=True, slots=True)
class Canary:
    """A known-bad subject that its rule must catch in every bake."""

    subject: Subject
    why: str
