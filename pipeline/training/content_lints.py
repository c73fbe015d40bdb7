"""Lints of voice banks and adapters, for `voicebake check`."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator
from dataclasses import dataclass, field

from pipeline.content.lint import Level, View
from pipeline.content.models import Culture
from pipeline.content.problems import Problem
from pipeline.content.terms import Severity, TellState
from pipeline.content.voice_bank import FIELDS, LoadedBank, load_bank
from pipeline.generation.file_hashes import read_json, write_json
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
            if loaded is None:
                continue
            for number, field_name, message, hint in self._remembered(self.project, self.rules, culture, loaded):
                yield loaded.bound.problem(("lines", number, "voiced", field_name), message, hint=hint)

    @staticmethod
    def _remembered(project: Project, rules: RuleSet, culture: Culture, loaded: LoadedBank) -> list[_Fault]:
        """The faults of a bank, kept in `build/` while rules, culture and bank stay: judging a bank takes seconds."""
        parts = [rules.digest, culture.model_dump(mode="json"), loaded.bank.model_dump(mode="json")]
        key = hashlib.sha256(json.dumps(parts, sort_keys=True, ensure_ascii=False).encode()).hexdigest()
        path = project.build / "bank_forms.json"
        memory = read_json(path)
        known = memory.get(culture.id)
        if isinstance(known, dict) and known.get("key") == key:
            return [(number, name, message, hint) for number, name, message, hint in known["faults"]]
        faults = list(_faults(rules, culture, loaded))
        write_json(path, memory | {culture.id: {"key": key, "faults": faults}})
        return faults


_Fault = tuple[int, str, str, str | None]
"""Number of the bank's line, field of the voiced form, message, hint."""


def _faults(rules: RuleSet, culture: Culture, loaded: LoadedBank) -> Iterator[_Fault]:
    for number, line in enumerate(loaded.bank.lines):
        for state in TellState:
            subject = Subject(
                base=line.base,
                voiced=line.voiced.of(state),
                kind=line.kind,
                tell_state=state,
                culture=culture,
                npc=NpcFacts("", "", line.fillers),
                affect=line.affect,
                names=frozenset(loaded.bank.names),
                neutral=None if state is TellState.Neutral else line.voiced.neutral,
            )
            for finding in rules.validate(subject):
                if finding.severity is Severity.block:
                    yield number, FIELDS[state], f"{finding.message} [{finding.rule}]", finding.suggestion
