"""How fast the validators are: `python benchmarks/validation.py [--rounds N]`. CPU time of one process, so that a busy
machine counts less.

Aims: at least 50,000 lines a second for the first pass of the vocabulary matcher with 3,000 terms, and 5,000 lines a
second for all deterministic rules together.

The lines are what a bake judges: each base text of the voice bank with its six variants. Every round swaps the rarer
words of a base and its variants for others of the bank, so that no text is met twice and only words are known from
before, as in a bake of many zones. The first round, which also learns the words, is shown by itself.
"""

from __future__ import annotations

import argparse
import json
import re
import time
from pathlib import Path

from pipeline.content import load_content
from pipeline.content.models import Culture
from pipeline.content.terms import Affect, Kind, TellState
from pipeline.project import Project
from pipeline.validation.rule import NpcFacts, Subject
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
NPC = NpcFacts("benchmark", "Bench Mark", ("look", "yeah"))
Row = dict[str, str]
_WORD = re.compile(r"[a-z]+")


def bank(rounds: int) -> list[list[Row]]:
    """The voice bank once per round; from the second round on with other words in base and variants alike."""
    rows = [json.loads(line) for line in (ROOT / "tests/corpora/voice_pairs.jsonl").read_text("utf-8").splitlines()]
    # Words of one length and ending change places: plurals stay plurals, most verbs stay verbs.
    alike: dict[tuple[int, str], list[str]] = {}
    for word in sorted({word for row in rows for word in _WORD.findall(row["base"]) if len(word) > 3}):
        alike.setdefault((len(word), word[-2:]), []).append(word)
    place = {word: (words, at) for words in alike.values() for at, word in enumerate(words)}

    def swapped(text: str, turn: int) -> str:
        def other(match: re.Match[str]) -> str:
            words, at = place.get(match[0], ((match[0],), 0))
            return words[(at + turn) % len(words)]

        return f"{_WORD.sub(other, text)}"

    return [
        [
            {key: swapped(value, turn) if key in STATES or key == "base" else value for key, value in row.items()}
            for row in rows
        ]
        for turn in range(rounds)
    ]


def subjects(rows: list[Row], culture: Culture) -> list[Subject]:
    """Each base text with its six variants, beside all that a bake knows."""
    return [
        Subject(
            row["base"],
            row[name],
            Kind(row["kind"]),
            state,
            culture=culture,
            npc=NPC,
            affect=Affect.even,
            neutral=None if state is TellState.Neutral else row["neutral"],
        )
        for row in rows
        for name, state in STATES.items()
    ]


def main() -> None:
    """Print lines per CPU second for the first pass and for all rules."""
    parser = argparse.ArgumentParser(description=main.__doc__)
    parser.add_argument("--rounds", type=int, default=9)
    rounds = bank(max(2, parser.parse_args().rounds))
    content = load_content(Project(ROOT))
    started = time.process_time()
    rules = build_rules(content, ROOT / "build")
    print(f"build the rules: {time.process_time() - started:.2f} s, {len(rules.lexicon.entries)} terms")

    texts = sorted({row[name] for rows in rounds for row in rows for name in STATES})
    started = time.process_time()
    hits = sum(rules.lexicon.matches(text) for text in texts)
    _told("first pass", len(texts), time.process_time() - started, f", {hits} with a match")

    culture = content.cultures["van_maanens_star"]
    batches = [subjects(rows, culture) for rows in rounds]
    seen: set[tuple[str, str]] = set()
    for name, batch in (("all rules, words unknown", batches[0]), ("all rules", [s for b in batches[1:] for s in b])):
        fresh = [subject for subject in batch if (subject.base, subject.voiced) not in seen]
        seen.update((subject.base, subject.voiced) for subject in fresh)
        started = time.process_time()
        found = sum(len(rules.validate(subject)) for subject in fresh)
        _told(name, len(fresh), time.process_time() - started, f", {found} findings")


def _told(what: str, lines: int, seconds: float, more: str) -> None:
    print(f"{what}: {lines / seconds:,.0f} lines/s ({lines} lines in {seconds:.2f} s{more})")


if __name__ == "__main__":
    main()
