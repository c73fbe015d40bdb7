"""The criteria of spec section 6: what rules can judge, and what waits for people."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

from pipeline.content.terms import TELL_CATEGORIES, Kind, TellState
from pipeline.spike import measure
from pipeline.spike.measure import PEOPLE, RULES, Criterion, Measure, behind
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
from pipeline.spike.questions import ADDED, KEPT, SAYS_WHAT, SOUNDS_LIKE
from pipeline.spike.result import Content, LineRow, Result, VariantRow
from pipeline.spike.statistics import Share, most_likely_missed, share_interval
from pipeline.spike.told import CHANCE, told_by_state

SENSED = (TellState.Guarded, TellState.Nervous, TellState.RoutineDeviation)
"""The states whose undertone people must sense."""
INFORMATION_BAR, UNDERTONE_BAR, EXCLAMATION_BAR, RECOGNITION_BAR = 0.9, 0.8, 0.6, 0.8


@dataclass(frozen=True, slots=True)
class People:
    """What people answered about one result."""

    measures: Mapping[str, Measure] = field(default_factory=dict)
    """By measure id; absent: not answered."""
    cleared: Mapping[str, frozenset[Case]] = field(default_factory=dict)
    """By question: variants of which most reviewers say that the suspicion is wrong."""


_NOBODY = People()
PEOPLE_MEASURES: Mapping[str, tuple[str, float | None, bool]] = {
    "people-named": ("texts of which most reviewers say that they tell what the person is careful about", 0, True),
    "people-added": ("texts that add something, most reviewers say", 0, True),
    "people-kept-behavior": ("behaviors that hold all that the base text says", INFORMATION_BAR, False),
    "people-kept-dialogue": ("lines of dialogue that hold all that the base text says", INFORMATION_BAR, False),
    **{
        f"people-sensed-{state.value}": (f"{state.value} texts in which people sense care", UNDERTONE_BAR, False)
        for state in SENSED
    },
    "people-sensed-Neutral": ("Neutral texts in which people sense care: false alarms", None, True),
    "people-explained": ("texts whose phrasing could be explained without knowing more", None, False),
    "people-recognised": ("lines rightly told apart from lines of no culture", RECOGNITION_BAR, False),
    "people-register": ("voiced lines that sound of fantasy, an army, Earth or a comedy", 0, True),
    "people-convinced": ("reviewers who name a line that convinced them", 1, False),
}
"""What people are asked for: what it measures, the bar, and whether the bar is an upper one."""


def rule_criteria(result: Result) -> list[Criterion]:
    """The criteria as they stand before people have answered."""
    return criteria(result.content, _NOBODY)


def criteria(content: Content, people: People) -> list[Criterion]:
    """All criteria of a result."""

    def asked(name: str) -> Measure:
        what, bar, at_most = PEOPLE_MEASURES[name]
        return people.measures.get(name) or Measure(name, PEOPLE, what, bar, at_most, None, 0, note="nobody was asked")

    return [
        Criterion(
            "tell-naming",
            "No text names the tell state or infers it",
            measure.HARD,
            (_none_of(content, "rules-named", "texts that may name or infer the state", _naming, people, SAYS_WHAT),
             asked("people-named")),
        ),
        Criterion(
            "invented-facts",
            "No text adds a fact",
            measure.HARD,
            (_none_of(content, "rules-added", "texts that may add something", _adding, people, ADDED),
             asked("people-added")),
        ),
        *(
            Criterion(group, f"Information is kept in {name}", group, (_kept(content, kind, people),
                                                                       asked(f"people-kept-{kind.value}")))
            for group, name, kind in (
                (measure.INFORMATION_BEHAVIORS, "behaviors", Kind.behavior),
                (measure.INFORMATION_DIALOGUE, "dialogue", Kind.dialogue),
            )
        ),
        *_undertones(content, asked),
        Criterion("exclamations", "Lines that call for an exclamation have one", measure.CULTURE,
                  (_exclamations(content),)),
        Criterion("recognition", "The culture is recognised", measure.CULTURE, (asked("people-recognised"),)),
        Criterion("institution-words", "Institution words are right", measure.CULTURE, (_institutions(content),)),
        Criterion(
            "register",
            "No line in a fantasy, military, Earth or comic register",
            measure.CULTURE,
            (_none_of(content, "rules-register", "texts with a word of another register", _register, people,
                      SOUNDS_LIKE),
             asked("people-register")),
        ),
        Criterion("convincing-line", "Every reviewer names a line that convinced", measure.CONVINCING,
                  (asked("people-convinced"),)),
        Criterion("deniability", "The phrasing can be explained without knowing the state", measure.TOLD,
                  (asked("people-explained"), asked("people-sensed-Neutral"))),
    ]  # fmt: skip


def suspects(content: Content) -> dict[Case, frozenset[str]]:
    """The variants that a rule suspects of what must not be, with the questions that people have to answer."""
    found: dict[Case, set[str]] = {}
    for question, suspect in ((SAYS_WHAT, _naming), (ADDED, _adding), (SOUNDS_LIKE, _register)):
        for line in content.lines:
            for one in line.variants:
                if suspect(one):
                    found.setdefault((line.id, one.tell), set()).add(question)
    return {case: frozenset(questions) for case, questions in found.items()}


def _naming(variant: VariantRow) -> bool:
    return has(variant, NAMING)


def _adding(variant: VariantRow) -> bool:
    return adds(variant)


def _register(variant: VariantRow) -> bool:
    return has(variant, REGISTER)


def _none_of(
    content: Content, name: str, what: str, suspect: Callable[[VariantRow], bool], people: People, question: str
) -> Measure:
    """A count that must be 0: what rules suspect and people have not cleared."""
    voiced = [(line, one) for line in content.lines for one in line.variants if one.text is not None]
    suspected = [(line.id, one.tell) for line, one in voiced if suspect(one)]
    cleared = people.cleared.get(question, frozenset())
    left = [case for case in suspected if case not in cleared]
    missed = most_likely_missed(len(left), len(voiced))
    note = f"{len(suspected) - len(left)} of {len(suspected)} suspected texts were cleared by people; " if left else ""
    return Measure(
        name, RULES, what, 0, True, len(left) if voiced else None, len(voiced),
        lines=tuple(behind(content, case, _said(content, case)) for case in left),
        note=f"{note}95 %: at most {missed:.1%} of such texts" if missed is not None else "no text was chosen",
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
        note="" if cases else "no line of the set asks for it",
    )  # fmt: skip


def _kept(content: Content, kind: Kind, people: People) -> Measure:
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


def _undertones(content: Content, asked: Callable[[str], Measure]) -> list[Criterion]:
    texts = [(line.base, one.text, one.tell) for line in content.lines for one in line.variants if one.text]
    told = told_by_state(texts, punctuation=False)
    found = []
    for state in TELL_CATEGORIES:
        sensed = state in SENSED
        cases = [(line, line.variant(state)) for line in content.lines]
        distinct = _share(
            content,
            f"rules-distinct-{state.value}",
            "variants whose words are none of their siblings'",
            UNDERTONE_BAR if sensed else None,
            cases,
            is_distinct,
        )
        heard = Measure(
            f"rules-told-{state.value}", RULES,
            f"texts whose state a classifier finds from the words, without punctuation; chance is {CHANCE:.2f}",
            None, False, told[state] if told else None, sum(tell is state for *_, tell in texts),
            note="" if told else "too few texts to learn from",
        )  # fmt: skip
        measures = (distinct, heard, *((asked(f"people-sensed-{state.value}"),) if sensed else ()))
        title = f"Undertone of {state.value} is sensed" if sensed else f"Undertone of {state.value}"
        found.append(
            Criterion(f"undertone-{state.value}", title, measure.UNDERTONE if sensed else measure.TOLD, measures)
        )
    return found


def _exclamations(content: Content) -> Measure:
    cases = [(line, line.variant(TellState.Neutral)) for line in content.lines if line.exclamation]
    return _share(
        content,
        "rules-exclamations",
        "Neutral texts of lines that call for an exclamation which have one of the culture's",
        EXCLAMATION_BAR,
        cases,
        lambda _, one: one.text is not None and exclaims(one.text, content.exclamations),
    )


def _institutions(content: Content) -> Measure:
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
