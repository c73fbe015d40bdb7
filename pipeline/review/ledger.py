"""All verdict logs of a project as one set of verdicts, whatever the order of their lines."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

from pipeline.project import Project
from pipeline.review.binding import Place, Root, VariantBase
from pipeline.review.conflicts import Conflict, Judgements, find_conflicts
from pipeline.review.log import VerdictLog, logged_zones, read_log
from pipeline.review.verdict import Action, Verdict, age

_HOLDING = (Action.approve, Action.edit)
_JUDGING = (Action.approve, Action.reject)


@dataclass(frozen=True)
class Ledger:
    """All verdicts of a project by what they bear on.

    Every answer is a function of the set of verdicts: a union merge may shuffle and double the lines of a log.
    """

    logs: tuple[VerdictLog, ...] = ()

    def extended(self, zone_id: str, verdicts: Sequence[Verdict]) -> Ledger:
        """The ledger with further verdicts of a zone."""
        return Ledger((*self.logs, VerdictLog(zone_id, tuple(verdicts)))) if verdicts else self

    @property
    def problems(self) -> list[str]:
        """Lines that cannot be read."""
        return [problem for log in self.logs for problem in log.problems]

    @property
    def doubts(self) -> list[str]:
        """All that keeps verdicts from counting: lines that cannot be read, then contradictions."""
        return [*self.problems, *(conflict.message for conflict in self.conflicts)]

    @cached_property
    def conflicts(self) -> list[Conflict]:
        """All contradictions, ordered by the oldest verdict in each."""
        judged = (one for by_text in self._judged.values() for one in by_text.values())
        return find_conflicts(judged, (_holding(verdicts) for verdicts in self._at.values()))

    @cached_property
    def verdicts(self) -> dict[str, Verdict]:
        """All verdicts by id, oldest first."""
        found = {verdict.id: verdict for log in self.logs for verdict in log.verdicts}
        return {verdict.id: verdict for verdict in sorted(found.values(), key=age)}

    def is_live(self, verdict_id: str) -> bool:
        """True for a known verdict that was not withdrawn. A withdrawal itself is final: to undo it, decide again."""
        return verdict_id in self._live

    def zone_of(self, verdict_id: str) -> str:
        """The zone whose log holds a verdict."""
        return next(log.zone_id for log in self.logs if any(one.id == verdict_id for one in log.verdicts))

    def of_line(self, npc_id: str, line_id: str) -> list[Verdict]:
        """Every verdict of a line, on whatever base text, withdrawn ones and withdrawals too, oldest first."""
        return self._of_line.get((npc_id, line_id), [])

    def at(self, variant: VariantBase) -> list[Verdict]:
        """The live verdicts of the variant's own line on its base text as it stands, oldest first."""
        return self._at.get(variant.place, [])

    def holders(self, variant: VariantBase) -> list[Verdict]:
        """The approvals and edits of the variant's own line that no later one took the place of, oldest first.

        More than one text among them means that people decided apart from each other.
        """
        return _holding(self.at(variant))

    def judged(self, variant: VariantBase) -> Mapping[str, Judgements]:
        """By text, what people said of it for the variant's base text, kind, culture and state, on any line."""
        return self._judged.get(variant.root, {})

    @cached_property
    def _live(self) -> set[str]:
        return self.verdicts.keys() - {verdict.withdraws for verdict in self.verdicts.values()}

    @cached_property
    def _speaking(self) -> list[Verdict]:
        """Live verdicts that say something of a text, oldest first."""
        return [one for one in self.verdicts.values() if one.id in self._live and one.action is not Action.withdraw]

    @cached_property
    def _at(self) -> dict[Place, list[Verdict]]:
        found: dict[Place, list[Verdict]] = defaultdict(list)
        for one in self._speaking:
            found[one.place].append(one)
        return dict(found)

    @cached_property
    def _of_line(self) -> dict[tuple[str, str], list[Verdict]]:
        found: dict[tuple[str, str], list[Verdict]] = defaultdict(list)
        for one in self.verdicts.values():
            found[one.npc_id, one.line_id].append(one)
        return dict(found)

    @cached_property
    def _judged(self) -> dict[Root, dict[str, Judgements]]:
        found: dict[Root, dict[str, Judgements]] = defaultdict(dict)
        for one in self._speaking:
            if one.action in _JUDGING and one.voiced is not None:
                judged = found[one.place.root].setdefault(one.voiced, Judgements())
                (judged.approvals if one.action is Action.approve else judged.rejections).append(one)
        return dict(found)


def load_ledger(project: Project) -> Ledger:
    """All logs of a project. Raises `UserError` for one that cannot be opened."""
    return Ledger(tuple(read_log(project, zone_id) for zone_id in logged_zones(project)))


def _holding(verdicts: Sequence[Verdict]) -> list[Verdict]:
    holders = [one for one in verdicts if one.action in _HOLDING]
    replaced = {earlier for one in holders for earlier in one.supersedes}
    return [one for one in holders if one.id not in replaced]
