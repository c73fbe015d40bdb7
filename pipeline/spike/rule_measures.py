"""What rules can judge of a result: counts that must be 0, and shares."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from pipeline.content.terms import Kind, TellState
from pipeline.spike.measure import RULES, Measure, behind
from pipeline.spike.outcomes import (
    NAMING,
    REGISTER,
    Case,
    adds,
    exclaims,
    has,
    is_distinct,
    keeps_authority,
    keeps_meaning,
    of_kind,
)
from pipeline.spike.people import EXCLAMATION_BAR, INFORMATION_BAR, People
from pipeline.spike.questions import ADDED, KEPT, SAYS_WHAT, SOUNDS_LIKE
from pipeline.spike.result import Content, LineRow, VariantRow
from pipeline.spike.statistics import Share, most_likely_missed, share_interval
from pipeline.spike.told import CHANCE


def suspects(content: Content) -> dict[Case, frozenset[str]]:
    """The variants that a rule suspects of what must not be, with the questions that people have to answer."""
    found: dict[Case, set[str]] = {}
    for question, suspect in ((SAYS_WHAT, names_state), (ADDED, adds), (SOUNDS_LIKE, other_register)):
        for line in content.lines:
            for one in line.variants:
                if suspect(one):
                    found.setdefault((line.id, one.tell), set()).add(question)
    return {case: frozenset(questions) for case, questions in found.items()}


def names_state(variant: VariantRow) -> bool:
    """Whether rules suspect that the text names or infers the state."""
    return has(variant, NAMING)


def other_register(variant: VariantRow) -> bool:
    """Whether rules suspect another register."""
    return has(variant, REGISTER)


def none_of(
    content: Content, name: str, what: str, suspect: Callable[[VariantRow], bool], people: People, question: str
) -> Measure:
    """A count that must be 0: what rules suspect and people have not cleared."""
    voiced = [(line, one) for line in content.lines for one in line.variants if one.text is not None]
    suspected = [(line.id, one.tell) for line, one in voiced if suspect(one)]
    cleared = people.cleared.get(question, frozenset())
    left = [case for case in suspected if case not in cleared]
    missed = most_likely_missed(len(left), len(voiced))
    note = (
        f"{len(suspected) - len(left)} of {len(suspected)} suspected texts were cleared by people; "
        if suspected
        else ""
    )
    return Measure(
        name, RULES, what, 0, True, len(left) if voiced else None, len(voiced),
        lines=tuple(behind(content, case, _said(content, case)) for case in left),
        note=f"{note}95 %: at most {missed:.1%} of such texts" if missed is not None else "no text was chosen",
        over=len({line.id for line, _ in voiced}),
    )  # fmt: skip


def _share(
    content: Content,
    name: str,
    what: str,
    bar: float | None,
    cases: list[tuple[LineRow, VariantRow]],
    holds: Callable[[LineRow, VariantRow], bool],
) -> Measure:
    """A share with an interval over lines; the lines behind it are the cases that do not hold."""
    by_line: dict[str, list[bool]] = {}
    wrong = []
    for line, variant in cases:
        held = holds(line, variant)
        by_line.setdefault(line.id, []).append(held)
        if not held:
            wrong.append((line.id, variant.tell))
    found = [Share(sum(held), len(held)) for held in by_line.values()]
    total = sum(one.total for one in found)
    value = round(sum(one.hits for one in found) / total, 3) if total else None
    return Measure(
        name, RULES, what, bar, False, value, len(cases), share_interval(found),
        tuple(behind(content, case, _said(content, case)) for case in wrong),
        note="" if cases else "no line of the set asks for it", over=len(by_line),
    )  # fmt: skip


def kept(content: Content, kind: Kind, people: People) -> Measure:
    """How many variants of a kind keep what the base text says; people may clear a suspected one."""
    cleared = people.cleared.get(KEPT, frozenset())
    cases = [(line, one) for line in of_kind(content.lines, kind) for one in line.variants]
    return _share(
        content,
        f"rules-kept-{kind.value}",
        "variants that have a text without a finding on meaning",
        INFORMATION_BAR,
        cases,
        lambda line, one: keeps_meaning(one) or (one.text is not None and (line.id, one.tell) in cleared),
    )


def distinct(content: Content, state: TellState, bar: float | None) -> Measure:
    """How many variants of a state have words of their own."""
    return _share(
        content,
        f"rules-distinct-{state.value}",
        "variants whose words are none of their siblings'",
        bar,
        [(line, line.variant(state)) for line in content.lines],
        is_distinct,
    )


def heard(content: Content, state: TellState, told: Mapping[TellState, float] | None) -> Measure:
    """How often a classifier tells the state; `told` as `told_by_state` gives it."""
    return Measure(
        f"rules-told-{state.value}",
        RULES,
        f"texts whose state a classifier finds from the words, without punctuation; chance is {CHANCE:.2f}",
        None,
        False,
        told[state] if told else None,
        sum(line.variant(state).text is not None for line in content.lines),
        note="" if told else "too few texts to learn from",
    )


def exclamations(content: Content) -> Measure:
    """How many lines that call for an exclamation have one, in Neutral."""
    cases = [(line, line.variant(TellState.Neutral)) for line in content.lines if line.exclamation]
    return _share(
        content,
        "rules-exclamations",
        "Neutral texts of lines that call for an exclamation which have one of the culture's",
        EXCLAMATION_BAR,
        cases,
        lambda _, one: one.text is not None and exclaims(one.text, content.exclamations),
    )


def institutions(content: Content) -> Measure:
    """How many variants call their authority by its word."""
    cases = [(line, one) for line in content.lines if line.authority for one in line.variants]
    return _share(
        content,
        "rules-institutions",
        "variants of lines about an authority that call it by its word",
        1,
        cases,
        keeps_authority,
    )


def _said(content: Content, case: Case) -> str:
    """What rules say of a text, in a line."""
    variant = next(one for one in content.lines if one.id == case[0]).variant(case[1])
    if variant.text is None:
        return "no candidate passed; the game falls back"
    return "; ".join(f"{one.rule}: {one.message}" for one in variant.findings) or "no rule has a remark"
