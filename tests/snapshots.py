"""Snapshot files: cases of a title, an input and the text that must come out.

A case is `=== title`, the input's lines, `---`, and the output's lines up to the next case. After a change that is
meant, run `python -m tests.ron.test_messages` or `python -m tests.content.test_typical_mistakes` and read what differs.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

CORPORA = Path(__file__).parent / "corpora"


@dataclass(frozen=True, slots=True)
class Case:
    title: str
    given: str
    wanted: str


def read_cases(name: str) -> list[Case]:
    """The cases of the snapshot file `name` in tests/corpora/."""
    cases = []
    for block in (CORPORA / name).read_text(encoding="utf-8").split("\n=== ")[1:]:
        title, _, rest = block.partition("\n")
        given, _, wanted = rest.partition("\n---\n")
        cases.append(Case(title, given, wanted.strip("\n")))
    return cases


def rewrite(name: str, output: Callable[[str], str]) -> None:
    """Writes what comes out today into the snapshot file."""
    head = (CORPORA / name).read_text(encoding="utf-8").partition("\n=== ")[0]
    blocks = [f"\n=== {each.title}\n{each.given}\n---\n{output(each.given)}\n" for each in read_cases(name)]
    (CORPORA / name).write_text(head + "".join(blocks), encoding="utf-8")
