"""Verdicts that contradict each other, as two branches that are merged may bring them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from pipeline.review.verdict import Verdict, age


@dataclass(slots=True)
class Judgements:
    """Live approvals and rejections of one text for one root, oldest first."""

    approvals: list[Verdict] = field(default_factory=list)
    rejections: list[Verdict] = field(default_factory=list)

    @property
    def contradict(self) -> bool:
        """True when the text was approved and rejected."""
        return bool(self.approvals and self.rejections)


@dataclass(frozen=True, slots=True)
class Conflict:
    """Live verdicts that contradict each other; none of them counts until one is withdrawn or a new one is made."""

    message: str
    verdicts: tuple[Verdict, ...]


def find_conflicts(judged: Iterable[Judgements], holders: Iterable[Sequence[Verdict]]) -> list[Conflict]:
    """All contradictions, ordered by the oldest verdict in each.

    `judged` are the judgements of each text, `holders` the approvals and edits that hold at each line.
    """
    found = [Conflict(_both(one), (*one.approvals, *one.rejections)) for one in judged if one.contradict]
    found += [Conflict(_apart(one), tuple(one)) for one in holders if _differ(one)]
    return sorted(found, key=lambda conflict: min(map(age, conflict.verdicts)))


def disputes_at(judged: Mapping[str, Judgements], holders: Sequence[Verdict]) -> dict[str, str]:
    """The texts of one variant on which people contradict each other, each with what is wrong."""
    found = {text: _both(one) for text, one in judged.items() if one.contradict}
    if _differ(holders):
        found |= {one.voiced: _apart(holders) for one in holders if one.voiced is not None}
    return found


def _differ(holders: Sequence[Verdict]) -> bool:
    return len({one.voiced for one in holders}) > 1


def _both(judged: Judgements) -> str:
    approval, rejection = judged.approvals[0], judged.rejections[0]
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


def _who(verdict: Verdict) -> str:
    return f"{verdict.reviewer} ({verdict.time[:10]}, {verdict.id[:8]})"
