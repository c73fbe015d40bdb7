"""Lints of voice banks and adapters, for `voicebake check`."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

from pipeline.content.lint import Level, View
from pipeline.content.problems import Problem
from pipeline.content.terms import Severity, TellState
from pipeline.content.voice_bank import FIELDS, load_bank
from pipeline.project import Project
from pipeline.training.record import AdapterState, adapter_state
from pipeline.validation.rule import NpcFacts, Subject
from pipeline.validation.ruleset import RuleSet


@dataclass(frozen=True, slots=True)
class OldAdapter:
    """A voice bank that has changed since its adapter was trained."""

    project: Project | None = None
    id: str = "old-adapter"
    level: Level = Level.warning
    explanation: str = (
        "The culture's voice bank is not the one that its adapter was trained on. The adapter works as before; what "
        "was added to the bank is not learnt yet. Train it again with `voicebake train CULTURE` when there is time."
    )

    def check(self, view: View) -> Iterator[Problem]:
        for culture in view.cultures():
            if self.project and adapter_state(self.project, culture.value) is AdapterState.older:
                yield culture.problem(
                    ("adapter",),
                    "the voice bank has changed since this adapter was trained",
                    hint=f"Train it again: voicebake train {culture.value.id}",
                )


@dataclass(frozen=True, slots=True)
class BankForms:
    """A voiced form in a bank that no bake would let pass."""

    project: Project | None = None
    rules: RuleSet | None = field(default=None, repr=False)
    id: str = "bank-form"
    level: Level = Level.warning
    explanation: str = (
        "A voiced form in a voice bank breaks a rule of the outputs: a bake would block the same text. An adapter that "
        "learns it will write more of the kind. Reword the form; `voicebake check --explain RULE` tells what the rule "
        "wants."
    )

    def check(self, view: View) -> Iterator[Problem]:
        if self.project is None or self.rules is None:
            return
        for culture in view.content.cultures.values():
            loaded = load_bank(self.project, culture.id)
            for number, line in enumerate(loaded.bank.lines if loaded else ()):
                for state in TellState:
                    subject = Subject(
                        base=line.base,
                        voiced=line.voiced.of(state),
                        kind=line.kind,
                        tell_state=state,
                        culture=culture,
                        npc=NpcFacts("", "", line.fillers),
                        affect=line.affect,
                        names=frozenset(loaded.bank.names) if loaded else frozenset(),
                        neutral=None if state is TellState.Neutral else line.voiced.neutral,
                    )
                    for finding in self.rules.validate(subject):
                        if loaded and finding.severity is Severity.block:
                            path = ("lines", number, "voiced", FIELDS[state])
                            yield loaded.bound.problem(
                                path, f"{finding.message} [{finding.rule}]", hint=finding.suggestion
                            )
