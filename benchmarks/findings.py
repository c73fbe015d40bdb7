"""How often the rules are right: `python -m benchmarks.findings [--json]`, on the corpora that people wrote.

Three sorts of corpora under `tests/corpora/`, one row a line:

- fidelity pairs: `base`, `voiced`, `label` (`ok` or what is wrong), for newer ones `kind_of_fault`; judged without a
  culture, so that only what the two texts say counts;
- bad lines, which must be caught: `fault` says what is wrong, `culture` whose line it is;
- good lines, which should be left alone.

A text counts as caught with any finding of `review` or `block`. Rates come with their 95 % Wilson interval.
"""

from __future__ import annotations

import argparse
import json
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import asdict, dataclass
from pathlib import Path

from pipeline.content import load_content
from pipeline.content.models import Content
from pipeline.content.terms import Kind, Severity, TellState
from pipeline.project import Project
from pipeline.validation.finding import Finding
from pipeline.validation.rows import judge_rows
from pipeline.validation.rule import Subject
from pipeline.validation.ruleset import RuleSet, build_rules
from pipeline.validation.texts import Speakers

ROOT = Path(__file__).resolve().parents[1]
CORPORA = ROOT / "tests" / "corpora"
FIDELITY = ("fidelity_pairs", "fidelity_held_out", "fidelity_held_out_2", "fidelity_fresh")
BAD = ("bad_fresh",)
GOOD = ("good_fresh",)
_Z = 1.96


@dataclass(frozen=True, slots=True)
class Rate:
    """So many of so many."""

    found: int
    of: int

    @property
    def share(self) -> float:
        return self.found / self.of if self.of else 0.0

    @property
    def interval(self) -> tuple[float, float]:
        """The 95 % Wilson score interval; of nothing it is everything."""
        if not self.of:
            return 0.0, 1.0
        n, p = self.of, self.share
        centre, spread = p + _Z**2 / (2 * n), _Z * ((p * (1 - p) + _Z**2 / (4 * n)) / n) ** 0.5
        return max(0.0, (centre - spread) / (1 + _Z**2 / n)), min(1.0, (centre + spread) / (1 + _Z**2 / n))

    def __str__(self) -> str:
        low, high = self.interval
        return f"{self.found} of {self.of}: {self.share:.2f} ({low:.2f}-{high:.2f})"


@dataclass(frozen=True, slots=True)
class Judged:
    """A row of a corpus with what the rules say of it."""

    row: dict[str, str]
    findings: tuple[Finding, ...]

    @property
    def good(self) -> bool:
        return self.fault == ""

    @property
    def fault(self) -> str:
        """What its writer says is wrong; empty for a good text."""
        label = self.row.get("label", "")
        return "" if label == "ok" else self.row.get("fault") or self.row.get("kind_of_fault") or label

    @property
    def worst(self) -> Severity | None:
        """`block` or `review`; None where nobody need look."""
        severities = {finding.severity for finding in self.findings}
        return next((each for each in (Severity.block, Severity.review) if each in severities), None)


def judged_pairs(rules: RuleSet, name: str) -> Iterator[Judged]:
    """A fidelity corpus, each pair judged as two texts alone."""
    for row in _rows(name):
        kind = Kind(row["kind"]) if "kind" in row else Kind.behavior if row["base"][0].islower() else Kind.dialogue
        subject = Subject(row["base"], row["voiced"], kind, TellState(row.get("tell", "Neutral")))
        yield Judged(row, rules.validate(subject))


def judged_lines(rules: RuleSet, content: Content, name: str) -> Iterator[Judged]:
    """A corpus of lines, judged as `voicebake validate` does."""
    rows = list(_rows(name))
    found = judge_rows((json.dumps(row).encode() for row in rows), rules, Speakers(content))
    return (Judged(row, one.findings) for row, one in zip(rows, found, strict=True))


def by_fault(judged: Iterable[Judged]) -> dict[str, Rate]:
    """The share caught of each kind of fault, of all faults as `bad`, and of good texts as `good`."""
    total: Counter[str] = Counter()
    caught: Counter[str] = Counter()
    for one in judged:
        for name in ("good",) if one.good else (one.fault, "bad"):
            total[name] += 1
            caught[name] += one.worst is not None
    return {name: Rate(caught[name], total[name]) for name in sorted(total)}


def false_alarms(judged: Iterable[Judged]) -> dict[str, dict[str, Rate]]:
    """By culture: the share of good lines that are blocked, and that go to review."""
    worst: dict[str, list[Severity | None]] = defaultdict(list)
    for one in judged:
        worst[one.row["culture"]].append(one.worst)
        worst["all"].append(one.worst)
    return {
        name: {str(each): Rate(found.count(each), len(found)) for each in (Severity.block, Severity.review)}
        for name, found in sorted(worst.items())
    }


def _rows(name: str) -> Iterator[dict[str, str]]:
    for line in (CORPORA / f"{name}.jsonl").read_text("utf-8").splitlines():
        yield json.loads(line)


def main() -> None:
    """Print the tables."""
    parser = argparse.ArgumentParser(description=main.__doc__)
    parser.add_argument("--json", action="store_true", help="one JSON object instead of tables")
    as_json = parser.parse_args().json
    content = load_content(Project(ROOT))
    rules = build_rules(content, ROOT / "build")
    tables: dict[str, dict[str, Rate]] = {name: by_fault(judged_pairs(rules, name)) for name in FIDELITY}
    tables |= {name: by_fault(judged_lines(rules, content, name)) for name in BAD}
    for name in GOOD:
        for culture, rates in false_alarms(judged_lines(rules, content, name)).items():
            tables[f"{name}, {culture}"] = rates
    if as_json:
        print(json.dumps({name: {key: asdict(rate) for key, rate in table.items()} for name, table in tables.items()}))
        return
    for name, table in tables.items():
        print(name)
        for key, rate in table.items():
            print(f"  {key}: {rate}")


if __name__ == "__main__":
    main()
