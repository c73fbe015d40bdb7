"""How good the voiced lines are, on base lines that no adapter was trained on. Run: `python -m benchmarks.quality`.

For each culture with a bank, its held-out lines are voiced as a bake would, with prompts alone and with the adapter,
and measured: variants with a text of their own, what rules say of the chosen, how near they are to the writers' forms,
and whether the tell state can be told from the words. The last is a cross-validated classifier (words and word pairs,
logistic regression, no base line in both halves), with and without punctuation, against chance (1/6). The same
classifier on the writers' own forms shows what could be reached.

`--lines N` takes the first N held-out lines of each culture, `--json` prints one JSON object.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass, field, replace
from typing import Any

from rapidfuzz.distance import Indel

from pipeline.bake.plan import plan_zone
from pipeline.bake.status import project_status
from pipeline.bake.trial import TrialLine, plan_trial, voice_trial
from pipeline.bake.workspace import Workspace
from pipeline.content.terms import Kind, Severity, TellState
from pipeline.content.voice_bank import BankLine, load_bank
from pipeline.project import Project
from pipeline.spike.told import told


@dataclass(frozen=True, slots=True)
class Voiced:
    """What became of one variant."""

    kind: Kind
    state: TellState
    base: str
    reference: str
    text: str | None
    reviews: tuple[str, ...]
    """Rules with a `review` finding on the chosen text."""
    blocks: tuple[str, ...]
    """Rules with a `block` finding, once per blocked candidate."""
    candidates: int
    blocked: int
    """Candidates with a `block` finding."""
    like_neutral: bool


@dataclass(slots=True)
class Report:
    """The measures of one culture in one way of prompting."""

    culture: str
    profile: str
    lines: int
    variants: int = 0
    voiced: int = 0
    voiced_by: dict[str, float] = field(default_factory=dict)
    """Share of variants with a text, by kind and tell state."""
    passing_candidates: float = 0.0
    """Share of candidates without a `block` finding."""
    flagged: float = 0.0
    """Share of the chosen with a `review` finding."""
    like_neutral: float = 0.0
    """Share of chosen tell variants that equal their Neutral."""
    distance: float = 0.0
    """Mean normalised Indel distance of the chosen from the writers' forms; 0 is equal."""
    told: float = 0.0
    """Share of chosen texts whose tell state the classifier finds."""
    told_without_punctuation: float = 0.0
    told_references: float = 0.0
    """The same on the writers' forms of these lines, without punctuation."""
    blocks: dict[str, int] = field(default_factory=dict)
    reviews: dict[str, int] = field(default_factory=dict)


def held_out(project: Project, culture: str) -> list[BankLine]:
    """The lines of a culture that are never trained on."""
    loaded = load_bank(project, culture)
    return [line for line in loaded.bank.lines if line.held_out] if loaded else []


def voice(workspace: Workspace, culture: str, line: BankLine) -> list[Voiced]:
    """Voices one line as a bake would and keeps nothing."""
    trial = plan_trial(workspace, TrialLine(line.base, line.kind, affect=line.affect, culture_id=culture))
    choices = voice_trial(workspace, trial).choices
    chosen = {state: choice.chosen.candidate.voiced if choice.chosen else None for state, choice in choices.items()}
    found = []
    for state, choice in choices.items():
        judged = [*([choice.chosen] if choice.chosen else []), *choice.others]
        text = chosen[state]
        found.append(
            Voiced(
                line.kind,
                state,
                line.base,
                line.voiced.of(state),
                text,
                _rules(choice.chosen.findings if choice.chosen else (), Severity.review),
                tuple(rule for one in judged for rule in _rules(one.findings, Severity.block)),
                len(judged),
                sum(not one.passes for one in judged),
                state is not TellState.Neutral and text is not None and text == chosen[TellState.Neutral],
            )
        )
    return found


def _rules(findings: Sequence[Any], severity: Severity) -> tuple[str, ...]:
    return tuple(sorted({finding.rule for finding in findings if finding.severity is severity}))


def report(culture: str, profile: str, found: Sequence[Voiced]) -> Report:
    """Measures what was voiced."""
    chosen = [one for one in found if one.text is not None]
    tells = [one for one in chosen if one.state is not TellState.Neutral]
    groups: dict[str, list[Voiced]] = {}
    for one in found:
        groups.setdefault(f"{one.kind.value} {one.state.value}", []).append(one)
    candidates = sum(one.candidates for one in found)
    blocked = Counter(rule for one in found for rule in one.blocks)
    return Report(
        culture=culture,
        profile=profile,
        lines=len({one.base for one in found}),
        variants=len(found),
        voiced=len(chosen),
        voiced_by={name: _share(ones, lambda one: one.text is not None) for name, ones in sorted(groups.items())},
        passing_candidates=round(1 - sum(one.blocked for one in found) / max(1, candidates), 3),
        flagged=_share(chosen, lambda one: bool(one.reviews)),
        like_neutral=_share(tells, lambda one: one.like_neutral),
        distance=round(
            sum(Indel.normalized_distance(one.reference, one.text or "") for one in chosen) / max(1, len(chosen)), 3
        ),
        told=told(_texts(chosen), punctuation=True) or 0.0,
        told_without_punctuation=told(_texts(chosen), punctuation=False) or 0.0,
        told_references=told([(one.base, one.reference, one.state) for one in found], punctuation=False) or 0.0,
        blocks=dict(blocked.most_common()),
        reviews=dict(Counter(rule for one in chosen for rule in one.reviews).most_common()),
    )


def _texts(ones: Sequence[Voiced]) -> list[tuple[str, str, TellState]]:
    return [(one.base, one.text or "", one.state) for one in ones]


def _share(ones: Sequence[Voiced], holds: Callable[[Voiced], bool]) -> float:
    return round(sum(map(holds, ones)) / len(ones), 3) if ones else 0.0


def run(project: Project, lines: int | None) -> list[Report]:
    """All cultures with a bank, each with prompts alone and with its adapter where it has one."""
    reports = []
    with Workspace.open(project) as adapted:
        plain = Workspace(adapted.project, adapted.settings, adapted.content)
        cultures = {name: one.model_copy(update={"adapter": None}) for name, one in adapted.content.cultures.items()}
        zones = {
            name: replace(zone, lines=tuple(replace(ref, culture=cultures[ref.culture.id]) for ref in zone.lines))
            for name, zone in adapted.content.zones.items()
        }
        plain.content = replace(adapted.content, cultures=cultures, zones=zones)
        with plain:
            for culture, authored in adapted.content.cultures.items():
                chosen = held_out(project, culture)[:lines]
                ways = [("base", plain), *([("adapter", adapted)] if authored.adapter else [])]
                for profile, workspace in ways if chosen else []:
                    found = [one for line in chosen for one in voice(workspace, culture, line)]
                    reports.append(report(culture, profile, found))
                    workspace.close()
    return reports


def main() -> None:
    """Prints a table per culture, or JSON."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--lines", type=int)
    parser.add_argument("--json", action="store_true")
    options = parser.parse_args()
    project = Project.find()
    reports = run(project, options.lines)
    with Workspace.open(project) as workspace:
        zones = project_status(workspace, [plan_zone(workspace, zone) for zone in workspace.content.zones])
    if options.json:
        print(json.dumps({"held_out": [asdict(one) for one in reports], "zones": [asdict(zone) for zone in zones]}))
        return
    for one in reports:
        print(f"\n{one.culture}, profile {one.profile}: {one.lines} held-out lines, {one.variants} variants")
        for name, value in asdict(one).items():
            if name not in ("culture", "profile", "lines", "variants"):
                print(f"  {name:26} {value}")
    for zone in zones:
        share = zone.voiced / zone.variants if zone.variants else 1.0
        print(f"{zone.zone}: {share:.1%} of {zone.variants} variants voiced")


if __name__ == "__main__":
    sys.exit(main())
