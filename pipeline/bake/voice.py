"""From a line's candidates to its variants: judge, choose, and ask for another round where nothing passes."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from pipeline.content.models import ZoneContent
from pipeline.content.terms import TellState
from pipeline.generation import Candidate
from pipeline.prompting import LineJob, unmask
from pipeline.selection import CandidateText, VariantChoice, VariantFacts, choose_variant
from pipeline.validation.finding import Finding
from pipeline.validation.rule import NpcFacts, Subject

Fetch = Callable[[int, TellState], Sequence[Candidate] | None]
"""The candidates of a round for a tell state; None when there are none to be had."""

Validate = Callable[[Subject], Sequence[Finding]]


@dataclass(frozen=True, slots=True)
class LineResult:
    """What became of one line."""

    job: LineJob
    choices: Mapping[TellState, VariantChoice]
    """In the order of `TellState`."""
    complete: bool
    """False: candidates that the choice needs were never generated."""

    @property
    def voiced(self) -> int:
        """How many variants have a text of their own."""
        return sum(choice.chosen is not None for choice in self.choices.values())


def zone_names(zone: ZoneContent) -> frozenset[str]:
    """The names that lines of a zone may use: its glossary and its people."""
    glossary = zone.zone.glossary
    return frozenset((*glossary.places, *glossary.people, *glossary.terms, *(npc.name for npc in zone.npcs)))


def voice_line(job: LineJob, names: frozenset[str], validate: Validate, fetch: Fetch, rounds: int) -> LineResult:
    """Chooses a line's variants, Neutral first: tell variants are judged beside it.

    Rounds are looked at in order and no further than the first with a passing candidate, whatever else is stored.
    """
    choices: dict[TellState, VariantChoice] = {}
    complete = True
    neutral: str | None = None
    taken: list[str] = []
    for state in TellState:
        facts = VariantFacts(job.line.line.base_text, job.line.kind, state, neutral, tuple(taken))
        choices[state], found_all = _voice_variant(job, names, facts, validate, fetch, rounds)
        complete &= found_all
        if chosen := choices[state].chosen:
            if state is TellState.Neutral:
                neutral = chosen.candidate.voiced
            else:
                taken.append(chosen.candidate.voiced)
    return LineResult(job, choices, complete)


def _voice_variant(
    job: LineJob, names: frozenset[str], facts: VariantFacts, validate: Validate, fetch: Fetch, rounds: int
) -> tuple[VariantChoice, bool]:
    def findings(state: TellState, text: CandidateText, neutral: str | None) -> Sequence[Finding]:
        return validate(subject(job, names, state, text, neutral))

    texts: list[CandidateText] = []
    choice = VariantChoice(facts.tell_state, None, ())
    for round in range(rounds):
        candidates = fetch(round, facts.tell_state)
        if candidates is None:
            return choice, False
        texts += [
            CandidateText(round, one.index, one.text, unmask(one.text, job.masked.slots), one.finished, one.way_back)
            for one in candidates
        ]
        choice = choose_variant(facts, texts, findings)
        if choice.chosen:
            break
    return choice, True


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
