"""Voices base lines that stand in no zone file, the way a bake would, and keeps nothing: for `voicebake try`."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from difflib import get_close_matches
from itertools import chain

from pipeline.bake.candidates import line_request, way_back
from pipeline.bake.plan import line_jobs
from pipeline.bake.voice import LineResult, Rules, voice_line, zone_names
from pipeline.bake.workspace import Workspace
from pipeline.content.braces import brace_mistakes
from pipeline.content.models import Content, Culture, Glossary, Line, LineRef, Npc, Zone, ZoneContent
from pipeline.content.npc_checks import line_id, npc_lines
from pipeline.content.terms import Affect, Kind, TellState, Tier
from pipeline.content.text_checks import control_mistakes
from pipeline.errors import UserError
from pipeline.generation import Candidate
from pipeline.prompting import BudgetError, LineJob, audit
from pipeline.validation.finding import Finding
from pipeline.validation.rule import Subject

_ZONE = "tried"
_SHOWN = 60
SOMEONE = Npc(
    id="someone",
    name="Someone",
    role="anyone of the culture",
    tier=Tier.Ambient,
    traits=("practical",),
    mood="even",
)
"""Who speaks in prompts when no NPC is named. Rules take the speaker for unknown."""


@dataclass(frozen=True, slots=True)
class TrialLine:
    """A base text to try, and what is known of it."""

    base: str
    kind: Kind = Kind.dialogue
    npc_id: str | None = None
    """None: anyone of the culture; rules on the speaker are silent."""
    affect: Affect | None = None
    """None: that of the NPC's line that reads so, else unknown: prompts say even, rules on affect are silent."""
    culture_id: str | None = None
    """None: the NPC's, else the hub's."""


@dataclass(frozen=True, slots=True)
class Trial:
    """A line that is ready to be voiced."""

    line: TrialLine
    job: LineJob
    names: frozenset[str]
    affect_known: bool


def plan_trial(workspace: Workspace, line: TrialLine) -> Trial:
    """Renders and audits the prompts of a line. Loads no weights.

    Raises `UserError` for an unknown NPC or culture, marks that steer a model, control characters, braces that are no
    slots, a text over its budget, and `LeakError` for a text that no model may see.
    """
    content = workspace.content
    for _, message, hint in chain(control_mistakes(line.base), brace_mistakes(line.base)):
        raise UserError(f"In {line.base!r} {message}.", hint)
    if not line.base.strip():
        raise UserError("The base text is empty.", "Write what the person says or does.")
    home = _home(content, line.npc_id)
    npc = SOMEONE if line.npc_id is None else next(npc for npc in home.npcs if npc.id == line.npc_id)
    culture = find_culture(content, line.culture_id or npc.culture or home.zone.default_culture)
    authored = _authored(npc, line)
    tried = Line(base_text=line.base, affect=line.affect or (authored.affect if authored else Affect.even))
    ref = LineRef(npc, line_id(line.kind, authored or tried), line.kind, tried, culture)
    zone = replace(home, zone=home.zone.model_copy(update={"id": _ZONE}), npcs=(npc,), lines=(ref,))
    try:
        (job,) = line_jobs(workspace, replace(content, zones={_ZONE: zone}), _ZONE)
    except BudgetError as error:
        shown = line.base if len(line.base) <= _SHOWN else f"{line.base[:_SHOWN]}..."
        raise UserError(f"{shown!r} cannot be tried:\n{error.message}", error.hint) from None
    audit(content, [job]).raise_if_fatal()
    return Trial(line, job, zone_names(home), affect_known=bool(line.affect or authored))


def voice_trial(workspace: Workspace, trial: Trial) -> LineResult:
    """Generates, judges and chooses with a bake's own prompts, seeds, batch, rules and score. Stores nothing."""
    rounds = workspace.settings.sampling.rounds
    return voice_line(trial.job, trial.names, _TrialRules(workspace.rules, trial), _Unstored(workspace, trial), rounds)


class _Unstored:
    """What a trial's line is voiced from: made once, kept as long as this object."""

    def __init__(self, workspace: Workspace, trial: Trial) -> None:
        self._workspace = workspace
        self._job = trial.job
        self._made: dict[tuple[int, TellState | None], list[Candidate]] = {}
        self._measured: dict[str, float] = {}

    def candidates(self, attempt: int, round: int, state: TellState) -> list[Candidate]:
        key = (round, None if round == 0 else state)
        if key not in self._made:
            self._made[key] = self._workspace.engine.generate(line_request(self._workspace, self._job, *key))[0]
        return [one for one in self._made[key] if one.variant == state.value]

    def ways_back(self, attempt: int, round: int, state: TellState, texts: Sequence[str]) -> dict[str, float]:
        way = way_back(self._workspace, self._job)
        missing = [text for text in texts if text not in self._measured]
        if way is not None and missing:
            self._measured |= dict(zip(missing, self._workspace.engine.measure(way, missing)[0], strict=True))
        return self._measured


class _TrialRules:
    """The project's rules, which are told only what is known of a trial's line."""

    def __init__(self, rules: Rules, trial: Trial) -> None:
        self._rules = rules
        self._trial = trial

    def validate(self, subject: Subject) -> Sequence[Finding]:
        return self._rules.validate(self._known(subject))

    def validate_measured(self, subject: Subject, known: Sequence[Finding]) -> Sequence[Finding]:
        return self._rules.validate_measured(self._known(subject), known)

    def _known(self, subject: Subject) -> Subject:
        if self._trial.line.npc_id is None:
            subject = replace(subject, npc=None)
        return subject if self._trial.affect_known else replace(subject, affect=None)


def _home(content: Content, npc_id: str | None) -> ZoneContent:
    """The NPC's zone; for no NPC one that stands for all: the names of every zone, the culture of the hub."""
    if npc_id is None:
        return _anywhere(content)
    for zone in content.zones.values():
        if any(npc.id == npc_id for npc in zone.npcs):
            return zone
    known = [npc.id for zone in content.zones.values() for npc in zone.npcs]
    near = get_close_matches(npc_id, known, n=1)
    raise UserError(
        f"There is no NPC {npc_id!r}.", f"Did you mean {near[0]}?" if near else f"The NPCs are: {', '.join(known)}."
    )


def _anywhere(content: Content) -> ZoneContent:
    zones = list(content.zones.values())
    glossaries = [zone.zone.glossary for zone in zones]
    glossary = Glossary(
        places=tuple(dict.fromkeys(name for one in glossaries for name in one.places)),
        people=tuple(dict.fromkeys(name for one in glossaries for name in one.people)),
        terms=tuple(dict.fromkeys(name for one in glossaries for name in one.terms)),
    )
    everyone = tuple(npc for zone in zones for npc in zone.npcs)
    zone = Zone(id=_ZONE, name=_ZONE, default_culture=hub_culture(content), glossary=glossary)
    return ZoneContent(zone, everyone, ())


def hub_culture(content: Content) -> str:
    """The id of the culture that is meant where none is named: the hub's."""
    zones = list(content.zones.values())
    return next((zone for zone in zones if zone.zone.hub), zones[0]).zone.default_culture


def find_culture(content: Content, culture_id: str) -> Culture:
    """The culture of that id. Raises `UserError` with the nearest name."""
    if culture_id in content.cultures:
        return content.cultures[culture_id]
    near = get_close_matches(culture_id, content.cultures, n=1)
    known = ", ".join(content.cultures)
    raise UserError(
        f"There is no culture {culture_id!r}.", f"Did you mean {near[0]}?" if near else f"The cultures are: {known}."
    )


def _authored(npc: Npc, line: TrialLine) -> Line | None:
    """The NPC's own line that reads so, if there is one."""
    return next((own for kind, _, own in npc_lines(npc) if kind is line.kind and own.base_text == line.base), None)
