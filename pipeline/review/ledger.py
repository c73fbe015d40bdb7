"""What all verdict logs of a project mean together, whatever the order of their lines."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

from pipeline.content.terms import Kind, TellState
from pipeline.project import Project
from pipeline.review.binding import base_hash
from pipeline.review.log import VerdictLog, logged_zones, read_log
from pipeline.review.verdict import Action, Verdict
from pipeline.selection.standing import UNDECIDED, Held, Standing

REQUEST_CAP = 3
"""How often other candidates are made for a variant; after that it keeps what it has, or falls back."""

HOLDS = (Action.approve, Action.edit)


@dataclass(frozen=True, slots=True)
class VariantBase:
    """A variant as it is authored: whose it is and what it would be voiced from."""

    npc_id: str
    line_id: str
    kind: Kind
    culture: str
    tell_state: TellState
    base: str

    @property
    def place(self) -> _Place:
        """The variant with its base text: what edits, waivers and requests belong to."""
        return self.npc_id, self.line_id, self.root

    @property
    def root(self) -> _Root:
        """What approvals and rejections belong to, together with a text."""
        return self.kind, self.culture, self.tell_state, base_hash(self.base)


@dataclass(frozen=True, slots=True)
class Conflict:
    """Live verdicts that contradict each other; none of them counts until one is withdrawn or a new one is made."""

    message: str
    verdicts: tuple[Verdict, ...]


_Root = tuple[Kind, str, TellState, str]
_Place = tuple[str, str, _Root]
_Pair = tuple[_Root, str]


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
    def verdicts(self) -> dict[str, Verdict]:
        """All verdicts by id, oldest first."""
        found = {verdict.id: verdict for log in self.logs for verdict in log.verdicts}
        return {verdict.id: verdict for verdict in sorted(found.values(), key=_age)}

    def is_live(self, verdict_id: str) -> bool:
        """True for a known verdict that was not withdrawn. A withdrawal itself is final: to undo it, decide again."""
        return verdict_id in self._live

    def zone_of(self, verdict_id: str) -> str:
        """The zone whose log holds a verdict."""
        return next(log.zone_id for log in self.logs if any(one.id == verdict_id for one in log.verdicts))

    def at(self, variant: VariantBase) -> list[Verdict]:
        """The live verdicts of the variant's own line on its base text as it stands, oldest first."""
        return self._by_place.get(variant.place, [])

    def of_line(self, npc_id: str, line_id: str) -> list[Verdict]:
        """Every verdict of a line, on whatever base text, withdrawn ones and withdrawals too, oldest first."""
        return self._by_line.get((npc_id, line_id), [])

    def on_text(self, variant: VariantBase, text: str, action: Action) -> list[Verdict]:
        """The live approvals or rejections of a text wherever it occurs, oldest first."""
        return self._by_pair.get((variant.root, text), {}).get(action, [])

    def holders(self, variant: VariantBase) -> list[Verdict]:
        """The approvals and edits of the variant's own line that no later one took the place of, oldest first.

        More than one text among them means that people decided apart from each other.
        """
        return self._current(self.at(variant))

    def standing(
        self, variant: VariantBase, is_authored: Callable[[Verdict], bool] = lambda _verdict: True
    ) -> Standing:
        """What the verdicts mean for the choice of a variant.

        `is_authored` tells whether the line that a verdict was made on still has that base text; texts of lines that
        are gone (renamed, moved to another NPC) are held where the base text is now.
        """
        own, elsewhere = self.at(variant), self._by_root.get(variant.root, {})
        if not own and not elsewhere:
            return UNDECIDED
        disputed = self._disputes(variant)
        approved = {
            text: _held(found[Action.approve][0], own=False)
            for text, found in elsewhere.items()
            if found[Action.approve] and text not in disputed
        }
        held = self._held_at(variant) or _orphan(elsewhere, disputed, is_authored)
        asked_from = {one.voiced for one in own if one.action is Action.regenerate and one.voiced}
        return Standing(
            held=held,
            approved=approved,
            rejected=frozenset(text for text, found in elsewhere.items() if found[Action.reject]) - disputed.keys(),
            passed_over=frozenset(asked_from - {held.text if held else None}),
            waived=_waivers(own),
            disputed=disputed,
            attempts=min(REQUEST_CAP, requests(own)),
        )

    @cached_property
    def conflicts(self) -> list[Conflict]:
        """All contradictions, ordered by the oldest verdict in each."""
        found = [
            Conflict(
                _both(pair[Action.approve][0], pair[Action.reject][0]), (*pair[Action.approve], *pair[Action.reject])
            )
            for by_text in self._by_root.values()
            for pair in by_text.values()
            if pair[Action.approve] and pair[Action.reject]
        ]
        for verdicts in self._by_place.values():
            holders = self._current(verdicts)
            if len({one.voiced for one in holders}) > 1:
                found.append(Conflict(_apart(holders), tuple(holders)))
        return sorted(found, key=lambda conflict: min(map(_age, conflict.verdicts)))

    def _held_at(self, variant: VariantBase) -> Held | None:
        holders = self.holders(variant)
        # Of contradictory ones the latest stays, so that no text moves; `disputed` keeps it from counting as decided.
        return _held(holders[-1], own=True) if holders else None

    def _disputes(self, variant: VariantBase) -> dict[str, str]:
        found: dict[str, str] = {}
        for text, pair in self._by_root.get(variant.root, {}).items():
            if pair[Action.approve] and pair[Action.reject]:
                found[text] = _both(pair[Action.approve][0], pair[Action.reject][0])
        holders = self.holders(variant)
        if len({one.voiced for one in holders}) > 1:
            found |= {one.voiced: _apart(holders) for one in holders if one.voiced is not None}
        return found

    def _current(self, verdicts: Sequence[Verdict]) -> list[Verdict]:
        holders = [one for one in verdicts if one.action in HOLDS]
        replaced = {earlier for one in holders for earlier in one.supersedes}
        return [one for one in holders if one.id not in replaced]

    @cached_property
    def _live(self) -> set[str]:
        return self.verdicts.keys() - {verdict.withdraws for verdict in self.verdicts.values()}

    @cached_property
    def _standing_verdicts(self) -> list[Verdict]:
        """Live verdicts that say something of a text, oldest first."""
        return [one for one in self.verdicts.values() if one.id in self._live and one.action is not Action.withdraw]

    @cached_property
    def _by_place(self) -> dict[_Place, list[Verdict]]:
        found: dict[_Place, list[Verdict]] = defaultdict(list)
        for one in self._standing_verdicts:
            found[one.npc_id, one.line_id, _root(one)].append(one)
        return dict(found)

    @cached_property
    def _by_line(self) -> dict[tuple[str, str], list[Verdict]]:
        found: dict[tuple[str, str], list[Verdict]] = defaultdict(list)
        for one in self.verdicts.values():
            found[one.npc_id, one.line_id].append(one)
        return dict(found)

    @cached_property
    def _by_root(self) -> dict[_Root, dict[str, dict[Action, list[Verdict]]]]:
        """Approvals and rejections by what they are bound to, then by text."""
        found: dict[_Root, dict[str, dict[Action, list[Verdict]]]] = defaultdict(dict)
        for one in self._standing_verdicts:
            if one.action in (Action.approve, Action.reject) and one.voiced is not None:
                pair = found[_root(one)].setdefault(one.voiced, {Action.approve: [], Action.reject: []})
                pair[one.action].append(one)
        return dict(found)

    @cached_property
    def _by_pair(self) -> dict[_Pair, dict[Action, list[Verdict]]]:
        return {(root, text): pair for root, by_text in self._by_root.items() for text, pair in by_text.items()}


def load_ledger(project: Project) -> Ledger:
    """All logs of a project. Raises `UserError` for one that cannot be opened."""
    return Ledger(tuple(read_log(project, zone_id) for zone_id in logged_zones(project)))


def requests(own: Iterable[Verdict]) -> int:
    """How often other candidates were asked for: once per rejected text, however many rejected it, and per request."""
    verdicts = list(own)
    rejected = {one.voiced for one in verdicts if one.action is Action.reject}
    return len(rejected) + sum(one.action is Action.regenerate for one in verdicts)


def _age(verdict: Verdict) -> tuple[str, str]:
    return verdict.time, verdict.id


def _root(verdict: Verdict) -> _Root:
    return verdict.kind, verdict.culture, verdict.tell_state, verdict.base_hash


def _held(verdict: Verdict, *, own: bool) -> Held:
    return Held(
        text=verdict.voiced or "",
        edited=verdict.action is Action.edit,
        own=own,
        accepted=frozenset(verdict.findings),
        fingerprint=verdict.fingerprint,
        verdict=verdict.id,
        reviewer=verdict.reviewer,
    )


def _orphan(
    elsewhere: Mapping[str, Mapping[Action, Sequence[Verdict]]],
    disputed: Mapping[str, str],
    is_authored: Callable[[Verdict], bool],
) -> Held | None:
    """The latest approval of a line that is no longer there."""
    left = [
        one
        for text, pair in elsewhere.items()
        if text not in disputed
        for one in pair[Action.approve]
        if not is_authored(one)
    ]
    return _held(max(left, key=_age), own=False) if left else None


def _waivers(own: Iterable[Verdict]) -> dict[str, dict[str, str]]:
    found: dict[str, dict[str, str]] = defaultdict(dict)
    for one in own:
        if one.action is Action.waive and one.voiced is not None and one.rule:
            found[one.voiced].setdefault(one.rule, one.reason)
    return dict(found)


def _who(verdict: Verdict) -> str:
    return f"{verdict.reviewer} ({verdict.time[:10]}, {verdict.id[:8]})"


def _both(approval: Verdict, rejection: Verdict) -> str:
    return (
        f'{approval.npc_id} {approval.line_id} ({approval.tell_state}): "{approval.voiced}" was approved by '
        f"{_who(approval)} and rejected by {_who(rejection)}. Withdraw one of the two."
    )


def _apart(holders: Sequence[Verdict]) -> str:
    first = holders[0]
    texts = "; ".join(f'"{one.voiced}" {one.action} by {_who(one)}' for one in holders)
    return (
        f"{first.npc_id} {first.line_id} ({first.tell_state}): people chose different texts apart from each other: "
        f"{texts}. Approve one of them."
    )
