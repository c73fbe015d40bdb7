"""From a line's candidates to its variants: judge, choose, and ask for another round where nothing passes."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from types import MappingProxyType
from typing import Protocol

from pipeline.content.models import ZoneContent
from pipeline.content.terms import TellState
from pipeline.generation import Candidate
from pipeline.prompting import LineJob, unmask
from pipeline.selection import (
    UNDECIDED,
    CandidateText,
    Judged,
    Standing,
    VariantChoice,
    VariantFacts,
    candidates_left,
    choose_judged,
    judge,
    judge_held,
    settles,
)
from pipeline.validation.finding import Finding
from pipeline.validation.rule import NpcFacts, Subject


class Supply(Protocol):
    """Where a line's candidates come from, and what is measured of them."""

    def candidates(self, attempt: int, round: int, state: TellState) -> Sequence[Candidate] | None:
        """The candidates of a round for a tell state, after `attempt` requests for other ones; None when there are
        none to be had."""
        ...

    def ways_back(self, attempt: int, round: int, state: TellState, texts: Sequence[str]) -> Mapping[str, float] | None:
        """The way back from candidates of that round, by their distinct masked texts; None when it cannot be had.

        Empty where the line's candidates are not measured at all.
        """
        ...


class Rules(Protocol):
    """What voicing needs of a rule set; its methods are explained there."""

    def validate(self, subject: Subject) -> Sequence[Finding]: ...

    def validate_measured(self, subject: Subject, known: Sequence[Finding]) -> Sequence[Finding]: ...


@dataclass(frozen=True, slots=True)
class LineResult:
    """What became of one line."""

    job: LineJob
    choices: Mapping[TellState, VariantChoice]
    """In the order of `TellState`."""
    missing: frozenset[TellState] = frozenset()
    """Variants for whose choice candidates were never generated, or not measured."""
    standings: Mapping[TellState, Standing] = field(default_factory=dict)
    """What people decided on the variants; those without an entry are undecided."""

    @property
    def complete(self) -> bool:
        """False: the next bake makes or measures candidates that may change a choice."""
        return not self.missing

    def standing(self, state: TellState) -> Standing:
        """What people decided on a variant."""
        return self.standings.get(state, UNDECIDED)

    @property
    def voiced(self) -> int:
        """How many variants have a text of their own."""
        return sum(choice.chosen is not None for choice in self.choices.values())


def zone_names(zone: ZoneContent) -> frozenset[str]:
    """The names that lines of a zone may use: its glossary and its people."""
    glossary = zone.zone.glossary
    return frozenset((*glossary.places, *glossary.people, *glossary.terms, *(npc.name for npc in zone.npcs)))


def voice_line(
    job: LineJob,
    names: frozenset[str],
    rules: Rules,
    supply: Supply,
    rounds: int,
    standings: Mapping[TellState, Standing] = MappingProxyType({}),
) -> LineResult:
    """Chooses a line's variants, Neutral first: tell variants are judged beside it.

    Rounds are looked at in order and no further than the first with a passing candidate, whatever else is stored.
    `standings` holds what people decided.
    """
    choices: dict[TellState, VariantChoice] = {}
    missing: set[TellState] = set()
    neutral: str | None = None
    taken: list[str] = []
    for state in TellState:
        facts = VariantFacts(job.line.line.base_text, job.line.kind, state, neutral, tuple(taken))
        variant = _Variant(job, names, facts, rules, supply, standings.get(state, UNDECIDED))
        choices[state], found_all = variant.voice(rounds)
        if not found_all:
            missing.add(state)
        if chosen := choices[state].chosen:
            if state is TellState.Neutral:
                neutral = chosen.candidate.voiced
            else:
                taken.append(chosen.candidate.voiced)
    return LineResult(job, choices, frozenset(missing), standings)


def rounds_of(attempts: int, rounds: int) -> Iterator[tuple[int, int]]:
    """Attempt and round in the order in which a variant looks at them: what was asked for last comes first.

    Round 0 of attempt 0 is the line's batch of all variants. Attempts that a person asked for have batches of their
    own for each variant, from round 1 on: their first candidate is not the greedy one, which would be the same again.
    """
    for attempt in range(attempts, 0, -1):
        yield from ((attempt, round) for round in range(1, rounds + 1))
    yield from ((0, round) for round in range(rounds))


@dataclass(frozen=True, slots=True)
class _Variant:
    """One variant of a line while it is voiced."""

    job: LineJob
    names: frozenset[str]
    facts: VariantFacts
    rules: Rules
    supply: Supply
    standing: Standing

    def voice(self, rounds: int) -> tuple[VariantChoice, bool]:
        """The choice, and whether all was there that it needs."""
        held = judge_held(self.facts, self._validate, self.standing)
        judged: list[Judged] = []
        lacking: set[int] = set()
        for attempt, round in rounds_of(self.standing.attempts, rounds):
            of_round = None if attempt in lacking else self._judge_round(attempt, round)
            if of_round is None:
                lacking.add(attempt)  # the candidates of earlier attempts do until the next bake
                continue
            judged += of_round
            if (held is not None and held.passes) or settles(of_round, self.standing):
                break
        return choose_judged(self.facts.tell_state, judged, self.standing, held), not lacking

    def _judge_round(self, attempt: int, round: int) -> list[Judged] | None:
        """A round's candidates, judged; None when something of it cannot be had.

        Measuring takes the model's time, so only candidates that pass all other rules are measured; a value that is
        known of another one is not looked at, or the same inputs would be judged in two ways.
        """
        state = self.facts.tell_state
        candidates = self.supply.candidates(attempt, round, state)
        if candidates is None:
            return None
        texts = [
            CandidateText(
                round, one.index, one.text, unmask(one.text, self.job.masked.slots), one.finished, attempt=attempt
            )
            for one in candidates
        ]
        left = candidates_left(texts, self.standing)
        judged = [judge(self.facts, text, self._validate, self.standing) for text in left]
        passing = dict.fromkeys(one.candidate.masked for one in judged if one.passes and one.candidate.masked)
        ways_back = self.supply.ways_back(attempt, round, state, tuple(passing))
        if ways_back is None:
            return None
        return [self._measured(one, ways_back) if one.passes else one for one in judged]

    def _measured(self, one: Judged, ways_back: Mapping[str, float]) -> Judged:
        way_back = ways_back.get(one.candidate.masked or "")
        if way_back is None:
            return one
        text = replace(one.candidate, way_back=way_back)
        seen = subject(self.job, self.names, self.facts.tell_state, text, self.facts.neutral)
        return judge(self.facts, text, lambda *_: self.rules.validate_measured(seen, one.findings), self.standing)

    def _validate(self, state: TellState, text: CandidateText, neutral: str | None) -> Sequence[Finding]:
        return self.rules.validate(subject(self.job, self.names, state, text, neutral))


def subject(job: LineJob, names: frozenset[str], state: TellState, text: CandidateText, neutral: str | None) -> Subject:
    """What the rules see of a candidate."""
    ref = job.line
    return Subject(
        base=ref.line.base_text,
        voiced=text.voiced,
        kind=ref.kind,
        tell_state=state,
        culture=ref.culture,
        npc=NpcFacts(ref.npc.id, ref.npc.name, ref.npc.cultural_markers.filler_words),
        affect=ref.line.affect,
        names=names,
        neutral=neutral,
        masked_voiced=text.masked,
        masked_slots={} if text.masked is None else job.masked.slots,
        finished=text.finished,
        way_back=text.way_back,
    )
