"""The criteria of spec section 6: what rules can judge, and what waits for people."""

from __future__ import annotations

from pipeline.content.terms import TELL_CATEGORIES, Kind
from pipeline.spike import measure
from pipeline.spike.measure import Criterion
from pipeline.spike.outcomes import adds
from pipeline.spike.people import SENSED, UNDERTONE_BAR, People
from pipeline.spike.questions import ADDED, SAYS_WHAT, SOUNDS_LIKE
from pipeline.spike.result import Content, Result
from pipeline.spike.rule_measures import (
    distinct,
    exclamations,
    heard,
    institutions,
    kept,
    names_state,
    none_of,
    other_register,
)
from pipeline.spike.told import told_by_state


def rule_criteria(result: Result) -> list[Criterion]:
    """The criteria as they stand before people have answered."""
    return criteria(result.content, People())


def criteria(content: Content, people: People) -> list[Criterion]:
    """All criteria of a result."""
    asked = people.measure
    return [
        *_hard(content, people),
        *_information(content, people),
        *_undertones(content, people),
        *_culture(content, people),
        Criterion(
            "convincing-line",
            "Every reviewer names a line that convinced",
            measure.CONVINCING,
            (asked("people-convinced"),),
        ),
        Criterion(
            "deniability",
            "The phrasing can be explained without knowing the state",
            measure.TOLD,
            (asked("people-explained"), asked("people-sensed-Neutral")),
        ),
    ]


def _hard(content: Content, people: People) -> list[Criterion]:
    named = none_of(content, "rules-named", "texts that may name or infer the state", names_state, people, SAYS_WHAT)
    added = none_of(content, "rules-added", "texts that may add something", adds, people, ADDED)
    return [
        Criterion(
            "tell-naming",
            "No text names the tell state or infers it",
            measure.HARD,
            (named, people.measure("people-named")),
        ),
        Criterion("invented-facts", "No text adds a fact", measure.HARD, (added, people.measure("people-added"))),
    ]


def _information(content: Content, people: People) -> list[Criterion]:
    kinds = (
        (measure.INFORMATION_BEHAVIORS, "behaviors", Kind.behavior),
        (measure.INFORMATION_DIALOGUE, "dialogue", Kind.dialogue),
    )
    return [
        Criterion(
            group,
            f"Information is kept in {name}",
            group,
            (kept(content, kind, people), people.measure(f"people-kept-{kind.value}")),
        )
        for group, name, kind in kinds
    ]


def _undertones(content: Content, people: People) -> list[Criterion]:
    """A criterion for each tell category; Angry and Friendly decide nothing."""
    texts = [(line.base, one.text, one.tell) for line in content.lines for one in line.variants if one.text]
    told = told_by_state(texts, punctuation=False)
    found = []
    for state in TELL_CATEGORIES:
        name, ruled = f"undertone-{state.value}", heard(content, state, told)
        if state in SENSED:
            measures = (distinct(content, state, UNDERTONE_BAR), ruled, people.measure(f"people-sensed-{state.value}"))
            found.append(Criterion(name, f"Undertone of {state.value} is sensed", measure.UNDERTONE, measures))
        else:
            found.append(
                Criterion(name, f"Undertone of {state.value}", measure.TOLD, (distinct(content, state, None), ruled))
            )
    return found


def _culture(content: Content, people: People) -> list[Criterion]:
    register = none_of(
        content, "rules-register", "texts with a word of another register", other_register, people, SOUNDS_LIKE
    )
    return [
        Criterion(
            "exclamations", "Lines that call for an exclamation have one", measure.CULTURE, (exclamations(content),)
        ),
        Criterion("recognition", "The culture is recognised", measure.CULTURE, (people.measure("people-recognised"),)),
        Criterion("institution-words", "Institution words are right", measure.CULTURE, (institutions(content),)),
        Criterion(
            "register",
            "No line in a fantasy, military, Earth or comic register",
            measure.CULTURE,
            (register, people.measure("people-register")),
        ),
    ]
