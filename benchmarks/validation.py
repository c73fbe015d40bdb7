"""How fast the validators are: `python benchmarks/validation.py [--rounds N]`. CPU time of one process, so that a busy
machine counts less.

Aims: at least 50,000 lines a second for the first pass of the vocabulary matcher with 3,000 terms, and 5,000 lines a
second for all deterministic rules together.

The lines are what a bake judges: `tests/corpora/bake_candidates.jsonl` holds the first round of the demo's bake, each
base text with its 24 candidates in the order in which the bake looks at them, the doubles too. Every round swaps the
rarer words of a base text and its candidates for others of the corpus, so that no text is met twice and only words are
known from before, as in a bake of many zones. The first round, which also learns the words, is shown by itself.
"""

from __future__ import annotations

import argparse
import json
import re
import time
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from pipeline.content import load_content
from pipeline.content.models import Culture
from pipeline.content.terms import Affect, Kind, TellState
from pipeline.project import Project
from pipeline.prompting import unmask
from pipeline.validation.rule import NpcFacts, Subject
from pipeline.validation.ruleset import build_rules

ROOT = Path(__file__).resolve().parents[1]
NAMES = frozenset({"Bram", "Ashline", "Gate Hall"})
_WORD = re.compile(r"(?<!\{)\b[a-z]+")


@dataclass(frozen=True)
class Line:
    """A base text with its candidates, as the bake has them before it judges them."""

    base: str
    kind: Kind
    culture: str
    affect: Affect
    fillers: tuple[str, ...]
    slots: dict[str, str]
    """What each opaque slot stands for."""
    neutral: str
    """The Neutral variant that the bake chose."""
    candidates: tuple[tuple[TellState, str], ...]
    """Masked texts in the order in which they are judged."""


def lines(rounds: int) -> Iterator[list[Line]]:
    """The corpus once per round; from the second round on with other words in base text and candidates alike."""
    rows = [json.loads(line) for line in (ROOT / "tests/corpora/bake_candidates.jsonl").read_text("utf-8").splitlines()]
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

    for turn in range(rounds):
        yield [
            Line(
                swapped(row["base"], turn),
                Kind(row["kind"]),
                row["culture"],
                Affect(row["affect"]),
                tuple(row["fillers"]),
                row["slots"],
                swapped(row["neutral"] or row["base"], turn),
                tuple((TellState(s), swapped(text, turn)) for s, texts in row["candidates"].items() for text in texts),
            )
            for row in rows
        ]


def subjects(some: Iterable[Line], cultures: Mapping[str, Culture]) -> list[Subject]:
    """Every candidate beside all that a bake knows."""
    return [
        Subject(
            line.base,
            unmask(text, line.slots),
            line.kind,
            state,
            culture=cultures[line.culture],
            npc=NpcFacts("benchmark", "Bench Mark", line.fillers),
            affect=line.affect,
            names=NAMES,
            neutral=None if state is TellState.Neutral else line.neutral,
            masked_voiced=text,
            masked_slots=line.slots,
            way_back=-0.5,
        )
        for line in some
        for state, text in line.candidates
    ]


def main() -> None:
    """Print lines per CPU second for the first pass and for all rules."""
    parser = argparse.ArgumentParser(description=main.__doc__)
    parser.add_argument("--rounds", type=int, default=8)
    rounds = max(2, parser.parse_args().rounds)
    content = load_content(Project(ROOT))
    started = time.process_time()
    rules = build_rules(content, ROOT / "build")
    print(f"build the rules: {time.process_time() - started:.2f} s, {len(rules.lexicon.entries)} terms")

    batches = [subjects(some, content.cultures) for some in lines(rounds)]
    texts = sorted({subject.voiced for batch in batches for subject in batch})
    started = time.process_time()
    hits = sum(rules.lexicon.matches(text) for text in texts)
    _told("first pass", len(texts), time.process_time() - started, f", {hits} with a match")

    for name, batch in (("all rules, words unknown", batches[0]), ("all rules", [s for b in batches[1:] for s in b])):
        distinct = len({(subject.base, subject.voiced) for subject in batch})
        started = time.process_time()
        found = sum(len(rules.validate(subject)) for subject in batch)
        _told(name, len(batch), time.process_time() - started, f", {distinct} distinct; {found} findings")


def _told(what: str, lines: int, seconds: float, more: str) -> None:
    print(f"{what}: {lines / seconds:,.0f} lines/s ({lines} lines in {seconds:.2f} s{more})")


if __name__ == "__main__":
    main()
