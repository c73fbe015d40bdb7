"""Batches and choices for the store's tests; also run as a child process that a test kills.

`python -m tests.store.batches ROOT batches|choices` writes one after the other until it is killed and prints the
number of each one after its commit.
"""

from __future__ import annotations

import itertools
import sys
from pathlib import Path

from pipeline.content.terms import Severity, TellState
from pipeline.generation.engine import Candidate
from pipeline.store import WHOLE_LINE, BakeStore, BatchRecord, ChoiceRecord
from pipeline.validation.finding import Finding

CANDIDATES_PER_STATE = 4
CHOICES = 300


def batch(number: int, round: int = 0, variant: str = WHOLE_LINE) -> tuple[BatchRecord, list[Candidate]]:
    record = BatchRecord(
        fingerprint=f"{number:064x}",
        round=round,
        variant=variant,
        npc_id="imke_dorr",
        line_id=f"line_{number}",
        culture_id="van_maanens_star",
        base_text="The lift is broken again – ’twas “fine”.",
        prompt_tokens=40,
        output_tokens=120,
        seconds=1.5,
        generated_at="2026-11-30T12:00:00+00:00",
    )
    candidates = [
        Candidate(str(state), index, f"text {number} {round} {state} {index}", index != 3, 7 + index)
        for state in TellState
        if variant in (WHOLE_LINE, state)
        for index in range(CANDIDATES_PER_STATE)
    ]
    return record, candidates


def choice(line: int, *, text: str = "Lift's out.") -> ChoiceRecord:
    return ChoiceRecord(
        npc_id="imke_dorr",
        line_id=f"line_{line}",
        tell_state="Guarded",
        culture_id="van_maanens_star",
        kind="dialogue",
        fingerprint="f" * 64,
        source="generated",
        base_hash="b" * 64,
        round=0,
        candidate_index=2,
        masked=text,
        voiced=text,
        voiced_hash="c" * 64,
        score=0.85,
        findings=(
            Finding("shape", Severity.review, "Two sentences.", (0, 5), "One."),
            Finding("slots", Severity.info, "-"),
        ),
    )


def _write_until_killed(store: BakeStore, what: str) -> None:
    for number in itertools.count():
        if what == "batches":
            store.add_batch(*batch(number))
        else:
            store.replace_choices(f"state {number}", [choice(line, text=f"text {number}") for line in range(CHOICES)])
        print(number, flush=True)


if __name__ == "__main__":
    with BakeStore(Path(sys.argv[1])) as opened:
        _write_until_killed(opened, sys.argv[2])
