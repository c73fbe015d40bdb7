"""A result with all that is known of it by now: criteria with people's answers, and the decision."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from pipeline.project import Project
from pipeline.spike.answers import Answers, read_answers
from pipeline.spike.comparison import Comparison, ablation_table, compare_results, figures
from pipeline.spike.criteria import criteria
from pipeline.spike.decision import Choice, Decision, choose, decide
from pipeline.spike.evaluation import FOLDER
from pipeline.spike.keys import Key, read_key
from pipeline.spike.measure import Criterion
from pipeline.spike.people import People
from pipeline.spike.result import Result
from pipeline.spike.scoring import Scores, score


@dataclass(frozen=True, slots=True)
class Judged:
    """One result, judged."""

    result: Result
    criteria: tuple[Criterion, ...]
    decision: Decision
    scores: Scores | None
    """None: no packet of it was answered."""
    packets: tuple[tuple[Key, Answers], ...] = ()

    @property
    def fake(self) -> bool:
        """Whether the texts come from the engine of the tests."""
        return self.result.content.model.engine.startswith("fake")

    def as_json(self) -> dict[str, Any]:
        """For scripts."""
        content = self.result.content
        return {
            "content_hash": self.result.content_hash,
            "model": content.model.model_dump(mode="json"),
            "culture": content.culture,
            "evaluation": content.evaluation,
            "lines": len(content.lines),
            "settings": content.settings.model_dump(mode="json"),
            "decision": self.decision.as_json(),
            "criteria": [one.as_json() for one in self.criteria],
            "figures": [one.as_json() for one in figures(content)],
            "ablation": [
                {"arm": title, "remark": why, "comparison": found.as_json() if found else None}
                for title, why, found in ablation_table(content)
            ],
            "people": self.scores.as_json() if self.scores else None,
            "run": self.result.run.model_dump(mode="json"),
        }


@dataclass(frozen=True, slots=True)
class Report:
    """One or two judged results; for two, which is better and how they differ line by line."""

    judged: tuple[Judged, ...]
    choice: Choice | None = None
    comparison: Comparison | None = None

    def as_json(self) -> dict[str, Any]:
        """For scripts."""
        found: dict[str, Any] = {"results": [one.as_json() for one in self.judged]}
        if self.choice is not None and self.comparison is not None:
            winner = self.choice.winner
            found["choice"] = {
                "winner": None if winner is None else self.judged[winner].result.content_hash,
                "groups": {
                    group: None if at is None else self.judged[at].result.content_hash
                    for group, at in self.choice.groups.items()
                },
                "reason": self.choice.reason,
            }
            found["comparison"] = self.comparison.as_json()
        return found


def judge(project: Project, result: Result) -> Judged:
    """A result with the answers that are there. Of several answered packets the one with most answers counts."""
    packets = _packets(project, result)
    best = max(packets, key=lambda one: (len(one[1].rows), one[0].packet), default=None)
    scores = score(*best, result) if best else None
    found = tuple(criteria(result.content, scores.people if scores else People()))
    return Judged(result, found, decide(found, result.content), scores, (best,) if best else ())


def report(project: Project, results: Sequence[Result]) -> Report:
    """A report on one or two results."""
    judged = tuple(judge(project, one) for one in results)
    if len(judged) == 1 or judged[0].result.content_hash == judged[1].result.content_hash:
        return Report(judged[:1])
    first, second = judged[:2]
    return Report(
        (first, second),
        choose(first.criteria, second.criteria, (first.decision, second.decision)),
        compare_results(first.result, second.result, (first.packets, second.packets)),
    )


def _packets(project: Project, result: Result) -> list[tuple[Key, Answers]]:
    """The answered packets of a result."""
    found = []
    for path in sorted((project.root / FOLDER / "answers").glob("*.json")):
        answers = read_answers(project, path.stem)
        if answers is not None and answers.content_hash == result.content_hash:
            found.append((read_key(project, path.stem), answers))
    return found
