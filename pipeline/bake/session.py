"""A session of one person at one zone: every decision is checked, written and taken back here. Loads no model."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from functools import cached_property
from typing import Self

from pipeline.bake.deciding import verdicts_of
from pipeline.bake.desk import Case, DeskLine
from pipeline.bake.finish import choice_records
from pipeline.bake.kept import kept_choices
from pipeline.bake.plan import ZonePlan, line_jobs, plan_zone
from pipeline.bake.queueing import queue_lines
from pipeline.bake.rebuilding import Rebuilt, judge_standing_line, rebuild, store_path
from pipeline.bake.verdicts import line_attempts, zone_standings
from pipeline.bake.voice import zone_names
from pipeline.bake.workspace import Workspace
from pipeline.content.models import LineRef
from pipeline.content.terms import TellState
from pipeline.errors import UserError
from pipeline.review import (
    Action,
    Contradiction,
    Decision,
    Ledger,
    QueueLine,
    Verdict,
    locked_log,
    raise_all,
    read_log,
)
from pipeline.store import BakeStore
from pipeline.validation.finding import Finding

_SHORTEST_ID = 6


def _now() -> str:
    return datetime.now(UTC).isoformat(timespec="milliseconds")


@dataclass
class ReviewSession:
    """One person at one zone. Opening it is cheap: lines are judged when they are decided on.

    Every decision is on disk when `decide` returns; `rebuild` brings queue and draft up to date, once for many.
    """

    workspace: Workspace
    zone_id: str
    reviewer: str
    clock: Callable[[], str] = _now
    _steps: list[tuple[Verdict, ...]] = field(default_factory=list)

    @classmethod
    def open(cls, workspace: Workspace, zone_id: str, reviewer: str) -> Self:
        """A session. Raises `UnknownZone`, and `UserError` without a reviewer."""
        if not reviewer.strip():
            raise UserError("It is not known who reviews.", "Say so with --reviewer NAME.")
        return cls(workspace, workspace.check_zone(zone_id), reviewer.strip())

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        """Nothing is pending: every decision is on disk."""

    def decide(self, decisions: Sequence[Decision]) -> tuple[Verdict, ...]:
        """Appends the verdicts of all decisions, or of none; gives those that were written. Raises as `decide`."""
        with locked_log(self.workspace.project, self.zone_id) as log, self._reading() as store:
            ledger = self.workspace.ledger()
            verdicts = self._checked(decisions, ledger, store)
            log.append(verdicts)
        if verdicts:
            self._steps.append(tuple(verdicts))
        return tuple(verdicts)

    def undo(self) -> tuple[Verdict, ...]:
        """Withdraws what the last step of this session wrote; gives the withdrawals, none when there is no step."""
        while self._steps:
            step = [one for one in self._steps.pop() if one.action is not Action.withdraw]
            if step:
                written = self.decide([Decision(Action.withdraw, verdict_id=one.id) for one in step])
                self._steps.pop()
                return written
        return ()

    def check_text(self, npc_id: str, line_id: str, state: TellState, text: str) -> tuple[Finding, ...]:
        """What the rules say of a text that a person is writing for a variant."""
        with self._reading() as store:
            return self._desk(npc_id, line_id, self.workspace.ledger(), store).findings(state, text)

    def line(self, npc_id: str, line_id: str) -> QueueLine:
        """A line as it stands now. Rules over the zone are not asked anew."""
        with self._reading() as store:
            desk = self._desk(npc_id, line_id, self.workspace.ledger(), store)
        plan = self._planned(self._ref(npc_id, line_id), desk.ledger)
        zone_wide = {key: desk.zone_wide.get(key.tell_state, ()) for key in (job.key for job in plan.jobs[0].jobs)}
        return queue_lines(plan, [desk.result], choice_records([desk.result], zone_wide))[0]

    def rebuild(self) -> Rebuilt:
        """Brings choices, queue and draft up to date."""
        return rebuild(self.workspace, self.zone_id)

    def _checked(self, decisions: Sequence[Decision], ledger: Ledger, store: BakeStore) -> list[Verdict]:
        time = self.clock()
        verdicts: list[Verdict] = []
        errors: list[UserError] = []
        # What an earlier decision of this call changes for a later one of the same line is seen by the later one.
        current: dict[tuple[str, str], DeskLine] = {}
        # But a text that only moved because its sibling was decided on is spoken of as the person saw it.
        before: dict[tuple[str, str], DeskLine] = {}
        changed: set[tuple[str, str, TellState]] = set()
        for decision in sorted(decisions, key=_turn):
            try:
                if decision.action is Action.withdraw:
                    written = [self._withdrawal(decision, ledger.extended(self.zone_id, verdicts), time)]
                else:
                    key = decision.npc_id, decision.line_id
                    desk = current.get(key) or self._desk(*key, ledger, store)
                    state = decision.tell_state
                    shown = desk if (*key, state) in changed else before.setdefault(key, desk)
                    written = verdicts_of(Case(decision, desk, self.reviewer, time, shown.chosen(state)))
                    changed.add((*key, state))
                    current[key] = self._after(desk, written, store)
            except UserError as error:
                errors.append(error)
            else:
                verdicts += [one for one in written if one not in verdicts]
        errors += _new_conflicts(ledger, ledger.extended(self.zone_id, verdicts))
        raise_all(errors)
        return verdicts

    def _after(self, desk: DeskLine, written: Sequence[Verdict], store: BakeStore) -> DeskLine:
        """The line once `written` counts; as it is while only the chosen text was approved, which moves nothing."""
        if all(one.action is Action.approve and one.voiced == desk.chosen(one.tell_state) for one in written):
            return desk
        ref = desk.result.job.line
        return self._desk(ref.npc.id, ref.line_id, desk.ledger.extended(self.zone_id, written), store)

    def _withdrawal(self, decision: Decision, ledger: Ledger, time: str) -> Verdict:
        wanted = decision.verdict_id or ""
        own = read_log(self.workspace.project, self.zone_id).verdicts
        found = [one for one in own if len(wanted) >= _SHORTEST_ID and one.id.startswith(wanted)]
        if len(found) != 1:
            raise UserError(
                f"{decision.what}: {'more than one verdict' if found else 'no verdict'} of zone {self.zone_id} has "
                f"an id that begins so.",
                f"Give at least {_SHORTEST_ID} characters; `voicebake history NPC LINE` shows the ids.",
            )
        (target,) = found
        if target.action is Action.withdraw or not ledger.is_live(target.id):
            raise UserError(f"{decision.what}: it is withdrawn already.", "To bring it back, decide again.")
        return replace(
            target,
            action=Action.withdraw,
            withdraws=target.id,
            reviewer=self.reviewer,
            time=time,
            reason=decision.reason.strip(),
            old_voiced=None,
            rule=None,
            supersedes=(),
            findings=(),
            fingerprint=None,
            id="",
        ).identified()

    def _desk(self, npc_id: str, line_id: str, ledger: Ledger, store: BakeStore) -> DeskLine:
        ref = self._ref(npc_id, line_id)
        plan = self._planned(ref, ledger)
        records = store.choices((npc_id, line_id))
        known = store.known({plan.jobs[0].fingerprints[0]})
        result = judge_standing_line(self.workspace, plan, store, plan.jobs[0], known, kept_choices(records))
        zone_rules = {rule.id for rule in self.workspace.rules.zone_rules}
        zone_wide = {
            TellState(one.tell_state): tuple(finding for finding in one.findings if finding.rule in zone_rules)
            for one in records
        }
        return DeskLine(result, zone_names(plan.zone), ledger, self.workspace.rules, zone_wide)

    def _planned(self, ref: LineRef, ledger: Ledger) -> ZonePlan:
        """The zone's plan with a single job: that of the line, under the verdicts of `ledger`."""
        content = self.workspace.content
        standings = zone_standings(content, ledger, [ref])
        zone = content.zones[self.zone_id]
        alone = replace(content, zones={self.zone_id: replace(zone, lines=(ref,))})
        jobs = line_jobs(self.workspace, alone, self.zone_id, line_attempts(standings))
        return replace(self._plan, jobs=jobs, ledger=ledger, standings=standings)

    @cached_property
    def _plan(self) -> ZonePlan:
        return plan_zone(self.workspace, self.zone_id)

    def _ref(self, npc_id: str, line_id: str) -> LineRef:
        for ref in self.workspace.content.zones[self.zone_id].lines:
            if (ref.npc.id, ref.line_id) == (npc_id, line_id):
                if ref.line.anchor_line:
                    raise UserError(f"{npc_id} {line_id} is an anchor: it ships as authored.", "There is no decision.")
                return ref
        raise UserError(
            f"zone {self.zone_id} has no line {line_id!r} of NPC {npc_id!r}.",
            f"review_queue/{self.zone_id}.queue.jsonl holds the ids of what waits.",
        )

    @contextmanager
    def _reading(self) -> Iterator[BakeStore]:
        with BakeStore.read_only(store_path(self.workspace, self.zone_id)) as store:
            yield store


def _turn(decision: Decision) -> tuple[bool, bool]:
    """Which decisions of one call are taken first.

    Withdrawals first. Neutral texts last: rules compare the other texts with them, so that another Neutral text might
    make the rules refuse an edit of a sibling that they took when the person wrote it.
    """
    return decision.action is not Action.withdraw, decision.tell_state is TellState.Neutral


def _new_conflicts(before: Ledger, after: Ledger) -> list[UserError]:
    """Contradictions that the decisions of one call make among themselves."""
    known = {conflict.message for conflict in before.conflicts}
    return [
        Contradiction(conflict.message, "Both were asked for in one step.")
        for conflict in after.conflicts
        if conflict.message not in known
    ]
