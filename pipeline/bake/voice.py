"""From a line's candidates to its variants: judge, choose, and ask for another round where nothing passes."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Protocol

from pipeline.content.models import ZoneContent
from pipeline.content.terms import TellState
from pipeline.generation import Candidate
from pipeline.prompting import LineJob, unmask
from pipeline.selection import CandidateText, Judged, VariantChoice, VariantFacts, choose_judged, judge
from pipeline.validation.finding import Finding
from pipeline.validation.rule import NpcFacts, Subject


class Supply(Protocol):
    """Where a line's candidates come from, and what is measured of them."""

    def candidates(self, round: int, state: TellState) -> Sequence[Candidate] | None:
        """The candidates of a round for a tell state; None when there are none to be had."""
        ...

    def ways_back(self, round: int, state: TellState, texts: Sequence[str]) -> Mapping[str, float] | None:
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
    complete: bool
    """False: candidates that the choice needs were never generated, or not measured."""

    @property
    def voiced(self) -> int:
        """How many variants have a text of their own."""
        return sum(choice.chosen is not None for choice in self.choices.values())


def zone_names(zone: ZoneContent) -> frozenset[str]:
    """The names that lines of a zone may use: its glossary and its people."""
    glossary = zone.zone.glossary
    return frozenset((*glossary.places, *glossary.people, *glossary.terms, *(npc.name for npc in zone.npcs)))


def voice_line(job: LineJob, names: frozenset[str], rules: Rules, supply: Supply, rounds: int) -> LineResult:
    """Chooses a line's variants, Neutral first: tell variants are judged beside it.

    Rounds are looked at in order and no further than the first with a passing candidate, whatever else is stored.
    """
    choices: dict[TellState, VariantChoice] = {}
    complete = True
    neutral: str | None = None
    taken: list[str] = []
    for state in TellState:
        facts = VariantFacts(job.line.line.base_text, job.line.kind, state, neutral, tuple(taken))
        choices[state], found_all = _voice_variant(job, names, facts, rules, supply, rounds)
        complete &= found_all
        if chosen := choices[state].chosen:
            if state is TellState.Neutral:
                neutral = chosen.candidate.voiced
            else:
                taken.append(chosen.candidate.voiced)
    return LineResult(job, choices, complete)


def _voice_variant(
    job: LineJob, names: frozenset[str], facts: VariantFacts, rules: Rules, supply: Supply, rounds: int
) -> tuple[VariantChoice, bool]:
    state = facts.tell_state
    judged: list[Judged] = []
    for round in range(rounds):
        of_round = _judge_round(job, names, facts, rules, supply, round)
        if of_round is None:
            return choose_judged(state, judged), False
        judged += of_round
        if any(one.passes for one in of_round):
            break
    return choose_judged(state, judged), True


def _judge_round(
    job: LineJob, names: frozenset[str], facts: VariantFacts, rules: Rules, supply: Supply, round: int
) -> list[Judged] | None:
    """A round's candidates, judged; None when something of it cannot be had.

    Measuring takes the model's time, so only candidates that pass all other rules are measured; a value that is known
    of another one is not looked at, or the same inputs would be judged in two ways.
    """

    def first(state: TellState, text: CandidateText, neutral: str | None) -> Sequence[Finding]:
        return rules.validate(subject(job, names, state, text, neutral))

    def again(one: Judged, way_back: float) -> Judged:
        text = replace(one.candidate, way_back=way_back)
        seen = subject(job, names, facts.tell_state, text, facts.neutral)
        return judge(facts, text, lambda *_: rules.validate_measured(seen, one.findings))

    candidates = supply.candidates(round, facts.tell_state)
    if candidates is None:
        return None
    texts = [
        CandidateText(round, one.index, one.text, unmask(one.text, job.masked.slots), one.finished)
        for one in candidates
    ]
    judged = [judge(facts, text, first) for text in texts]
    passing = dict.fromkeys(one.candidate.masked for one in judged if one.passes)
    ways_back = supply.ways_back(round, facts.tell_state, tuple(passing))
    if ways_back is None:
        return None
    return [
        again(one, ways_back[one.candidate.masked]) if one.passes and one.candidate.masked in ways_back else one
        for one in judged
    ]


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
        masked_slots=job.masked.slots,
        finished=text.finished,
        way_back=text.way_back,
    )
