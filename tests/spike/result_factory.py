"""Results without a model: a good one, and changes to it."""

from __future__ import annotations

import csv
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

from pipeline.content.terms import Affect, Kind, Severity, TellState
from pipeline.spike.evaluation import About, ControlLine, Register
from pipeline.spike.keys import Item, Key
from pipeline.spike.questions import CONVINCED, Sheet
from pipeline.spike.result import (
    ArmRow,
    Content,
    FindingRow,
    Inputs,
    LineRow,
    ModelRow,
    Result,
    Run,
    Settings,
    VariantRow,
    content_hash,
)

STATES = tuple(TellState)


def variant(line: str, tell: TellState, **changes: object) -> VariantRow:
    """A variant that nothing is wrong with."""
    text = f"{line} said as {tell.value.lower()}"
    row = VariantRow(tell=tell, text=text, findings=(), candidates=4, blocked=1, hits={"fidelity": 1})
    return row.model_copy(update=changes)


def finding(rule: str, *, points: bool = True) -> FindingRow:
    """A remark of a rule."""
    return FindingRow(rule=rule, severity=Severity.review, message=f"{rule} says <b>no</b>.", points=points)


def line(name: str, kind: Kind, about: About = About.fact, **changes: object) -> LineRow:
    """A line in six states."""
    row = LineRow(
        id=name,
        kind=kind,
        about=about,
        affect=Affect.even,
        base=f"base of {name}",
        authority=None,
        exclamation=False,
        fingerprint="f" * 64,
        variants=tuple(variant(name, state) for state in STATES),
    )
    return row.model_copy(update=changes)


def good_lines(each: int = 30) -> tuple[LineRow, ...]:
    """`each` behaviors and as many lines of dialogue, one that exclaims and one with an authority among them."""
    lines = [line(f"{kind.value[0]}{number}", kind) for kind in Kind for number in range(each)]
    oath = tuple(variant("oath", state, text=f"Stars, said as {state.value.lower()}") for state in STATES)
    lines[0] = line("oath", Kind.dialogue, About.frustration, exclamation=True, variants=oath)
    rule = tuple(variant("rule", state, text=f"the Commission, {state.value.lower()}") for state in STATES)
    lines[1] = line("rule", Kind.dialogue, About.authority, authority="Commission", variants=rule)
    return tuple(lines)


def result(lines: tuple[LineRow, ...] | None = None, *, model: str = "a model", set_lines: int | None = None) -> Result:
    """A result of those lines."""
    voiced = good_lines() if lines is None else lines
    content = Content(
        schema_version=1,
        evaluation="v1",
        evaluation_digest="e" * 64,
        set_lines=len(voiced) if set_lines is None else set_lines,
        culture="van_maanens_star",
        exclamations=("stars", "void take it"),
        model=ModelRow(
            name=model, sha256="a" * 64, engine="none", profile="adapter", adapter_sha256=None, override=False
        ),
        settings=Settings(
            candidates=4,
            rounds=3,
            temperature=0.4,
            top_k=40,
            top_p=0.95,
            greedy_first=True,
            width=24,
            vocabulary="whole",
        ),
        inputs=Inputs(prompts="p", rules="r", choosing="c", bank=None),
        arms=(ArmRow(arm="whole", lines=voiced),),
        ablations=(),
    )
    run = Run(written_at="2020-01-01T00:00:00+00:00", seconds=1.0, lines_generated=len(voiced), threads=None)
    return Result(content_hash=content_hash(content), content=content, run=run)


def changed(lines: tuple[LineRow, ...], at: int, tell: TellState, **changes: object) -> tuple[LineRow, ...]:
    """The lines with one variant changed."""
    variants = tuple(one.model_copy(update=changes) if one.tell is tell else one for one in lines[at].variants)
    return (*lines[:at], lines[at].model_copy(update={"variants": variants}), *lines[at + 1 :])


CONTROLS = tuple(
    ControlLine(id=f"c{number}", register=register, text=f"Control {number} of {register.value}.")
    for number, register in enumerate([*Register] * 4)
)


def perfect(item: Item, key: Key) -> dict[str, str]:
    """What a reviewer answers who finds nothing wrong."""
    cared = item.tell is not TellState.Neutral
    if item.sheet is Sheet.lines:
        return {
            "what": "Somebody does something.",
            "careful": "yes" if cared else "no",
            "says_what": "no",
            "explainable": "Y",
        }
    if item.sheet is Sheet.culture:
        return {"of_culture": "no" if item.control else "yes", "sounds_like": "none"}
    if item.sheet is Sheet.checks:
        return {"kept": "yes", "added": "no", "says_what": "No", "sounds_like": "none"}
    first = key.of(item.reviewer, Sheet.lines)[0].code
    return {"line": first if item.line == CONVINCED else "none", "why": "It sounds lived in."}


@dataclass
class Filling:
    """Fills in the sheets below a folder as `perfect` does, but for what `instead` says of a row."""

    key: Key
    instead: Callable[[Item], dict[str, str]] = field(default=lambda _item: {})

    def fill(self, folder: Path) -> None:
        """Writes into every CSV file below `folder`."""
        items = {one.code: one for one in self.key.items}
        for path in sorted(folder.rglob("*.csv")):
            with path.open(encoding="utf-8-sig", newline="") as file:
                rows = list(csv.DictReader(file))
            for row in rows:
                item = items[row["item"]]
                row.update(perfect(item, self.key) | self.instead(item))
            with path.open("w", encoding="utf-8-sig", newline="") as file:
                writer = csv.DictWriter(file, list(rows[0]))
                writer.writeheader()
                writer.writerows(rows)
