"""How fast the validators are: `python benchmarks/validation.py`. CPU time of one process, so that a busy machine
counts less.

Aims: at least 50,000 lines a second for the first pass of the vocabulary matcher with 3,000 terms, and 5,000 lines a
second for all
deterministic rules together.
"""

from __future__ import annotations

import itertools
import json
import time
from pathlib import Path

from pipeline.content import load_content
from pipeline.content.terms import Kind, TellState
from pipeline.project import Project
from pipeline.validation.rule import Subject
from pipeline.validation.ruleset import build_rules

ROOT = Path(__file__).resolve().parents[1]
STATES = {
    "neutral": TellState.Neutral,
    "nervous": TellState.Nervous,
    "angry": TellState.Angry,
    "friendly": TellState.Friendly,
    "guarded": TellState.Guarded,
    "routine_deviation": TellState.RoutineDeviation,
}


def subjects(rounds: int) -> list[Subject]:
    """The voice bank's lines, `rounds` times, each made different by two last words, so that no cache answers for
    them."""
    rows = [json.loads(line) for line in (ROOT / "tests/corpora/voice_pairs.jsonl").read_text("utf-8").splitlines()]
    ordinary = sorted(
        {word for row in rows for word in row["base"].lower().split() if word.isalpha() and len(word) > 4}
    )
    tails = itertools.product(ordinary, reversed(ordinary))
    found = []
    for turn in range(rounds):
        for row in rows:
            for name, state in STATES.items():
                text = " ".join([row[name], *next(tails)]) if turn or rounds > 1 else row[name]
                found.append(Subject(row["base"], text, Kind(row["kind"]), state, neutral=row["neutral"]))
    return found


def main() -> None:
    """Print lines per CPU second for the first pass and for all rules."""
    content = load_content(Project(ROOT))
    started = time.process_time()
    rules = build_rules(content, ROOT / "build")
    print(f"build the rules: {time.process_time() - started:.2f} s, {len(rules.lexicon.entries)} terms")
    texts = [subject.voiced for subject in subjects(16)]
    started = time.process_time()
    hits = sum(rules.lexicon.matches(text) for text in texts)
    spent = time.process_time() - started
    print(f"first pass: {len(texts) / spent:,.0f} lines/s ({len(texts)} lines, {hits} with a match)")
    batch = subjects(4)
    for subject in batch[:200]:
        rules.validate(subject)
    started = time.process_time()
    for subject in batch[200:]:
        rules.validate(subject)
    spent = time.process_time() - started
    print(f"all rules: {(len(batch) - 200) / spent:,.0f} lines/s ({len(batch) - 200} lines)")


if __name__ == "__main__":
    main()
