"""Content for the prompting tests, built from models so that a test can edit any field."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from pathlib import Path

from pipeline.content.models import (
    AuthorityWord,
    Content,
    Culture,
    CultureVocabulary,
    Example,
    Exclusions,
    Glossary,
    Guard,
    Injector,
    Institutions,
    Line,
    LineRef,
    Npc,
    TellBehavior,
    TellClass,
    TellTable,
    Term,
    ToneRow,
    Zone,
    ZoneContent,
)
from pipeline.content.terms import TELL_CATEGORIES, Affect, Kind, Severity, TellState, Tier
from pipeline.prompting import LineJob, Profile, load_profile, zone_jobs

PROFILES = Path(__file__).parents[2] / "prompts" / "profiles"
ZONE = "dock"

TONES = {
    TellState.Nervous: "Shorter than usual, the eyes stay on the work. Never name the state.",
    TellState.Angry: "Flat and even; one word lands harder than it needs to. Never name the state.",
    TellState.Friendly: "One easy phrase more than was asked. Never name the state.",
    TellState.Guarded: "Answers what was asked, then closes the subject. Never name the state.",
    TellState.RoutineDeviation: "On track, a beat late. Never name the state.",
}
CLASSES = {
    TellState.Nervous: ("stress", "faster and briefer"),
    TellState.Angry: ("suppression", "measured, contained"),
    TellState.Friendly: ("openness", "a little more than was asked"),
    TellState.Guarded: ("concealment", "each word weighed"),
    TellState.RoutineDeviation: ("departure from normal", "present but elsewhere"),
}


def culture(culture_id: str = "hull") -> Culture:
    """A culture inside its budgets."""
    return Culture(
        id=culture_id,
        name=culture_id.title(),
        injector=Injector(
            register="Direct and never cold. Everyone is short of time, so people say what is needed and stop.",
            context="Working people in a sealed hull with vacuum past the wall. Turning up beats rank and papers.",
            vocabulary=CultureVocabulary(
                exclamations=("void take it", "cold vacuum"),
                greetings=("hey", "morning"),
                farewells=("gotta move", "catch you later"),
            ),
            values="Show competence and never claim it. Stand by crew, shift and street.",
            exclusions=Exclusions(text="sir or ma'am, quips, formal phrasing.", words=("sir",)),
            examples=(
                Example(kind=Kind.dialogue, base="There are two tugs waiting.", voiced="Tugs waiting, two of them."),
                Example(kind=Kind.behavior, base="checks the gate", voiced="runs the gate check, quick and sure"),
            ),
        ),
        institutions=Institutions(
            use=(
                AuthorityWord(word="Commission", note="distant, wants its cut"),
                AuthorityWord(word="port authority", note="local, by the book"),
            ),
            never=("government", "senate", "empire", "navy"),
        ),
        tell_tones=(
            *(ToneRow(category=state, text=text) for state, text in TONES.items()),
            ToneRow(
                category=TellState.Guarded, towards_one=True, text="Turns to the work, polite. Never name the state."
            ),
        ),
    )


def npc(npc_id: str = "mirel", **changes: object) -> Npc:
    """An NPC with a tell of every category and five lines, one of them an anchor."""
    fields: dict[str, object] = {
        "id": npc_id,
        "name": npc_id.title(),
        "role": "runs the parts counter",
        "tier": Tier.SemiUnique,
        "traits": ("blunt", "patient"),
        "mood": "tired but steady",
        "cultural_markers": {"filler_words": ("look", "right")},
        "observable_behaviors": (Line(id="sorts", base_text="sorts pump seals into three trays"),),
        "dialogue": (
            Line(id="greet", base_text="Good morning. What do you need?"),
            Line(id="price", base_text="The seal costs {price}.", slots={"price": "what it costs"}),
            Line(id="crates", base_text="Eleven crates came to Dock Nine last shift."),
            Line(id="lift", base_text="The lift is broken again.", affect=Affect.high),
            Line(id="sign", base_text="Counter closes at shift change.", anchor_line=True),
        ),
        "tell_behaviors": tuple(
            TellBehavior(category=state, base_text=f"leaves the {npc_id} tray where {state.value.lower()} stood")
            for state in TELL_CATEGORIES
        ),
    }
    return Npc.model_validate(fields | changes)


def content(
    npcs: Sequence[Npc] | None = None,
    *,
    cultures: Sequence[Culture] | None = None,
    glossary: Glossary | None = None,
    guards: Sequence[Guard] | None = None,
    tells: TellTable | None = None,
) -> Content:
    """Content of one zone, with ids and order as the loader gives them."""
    by_id = {c.id: c for c in sorted(cultures or [culture()], key=lambda c: c.id)}
    zone = Zone(
        id=ZONE,
        name="Dock",
        default_culture=next(iter(by_id)),
        glossary=glossary or Glossary(places=("Dock Nine",), people=("Ilsa Renn",), terms=("Commission",)),
    )
    people = tuple(sorted(npcs or [npc()], key=lambda n: n.id))
    lines = tuple(
        LineRef(person, str(line.id), kind, line, by_id[person.culture or zone.default_culture])
        for person in people
        for kind, authored in ((Kind.behavior, person.observable_behaviors), (Kind.dialogue, person.dialogue))
        for line in authored
    )
    return Content(
        zones={ZONE: ZoneContent(zone, people, lines)},
        cultures=by_id,
        guards=tuple(guards or _guards()),
        word_lists=(),
        tells=tells or TellTable(rows=tuple(tell_class(state) for state in TELL_CATEGORIES)),
    )


def tell_class(state: TellState) -> TellClass:
    """The universal row of a tell category."""
    universal, everywhere = CLASSES[state]
    return TellClass(category=state, universal_class=universal, everywhere=everywhere)


def _guards() -> list[Guard]:
    return [
        Guard(
            id=f"NI-{number}",
            name=name,
            full=f"Nothing of {name} stands in a line, whatever the speaker feels.",
            compressed=f"No {name}.",
            vocabulary=(Term(term=name, severity=Severity.block, group=name),),
        )
        for number, name in enumerate(("religion", "ranks", "gadgets", "banter", "Earth"), start=1)
    ]


def count_tokens(texts: Sequence[str]) -> list[int]:
    """A stand-in for a tokeniser: a token per four characters."""
    return [-(-len(text) // 4) for text in texts]


@cache
def profile(name: str = "instruct") -> Profile:
    """A profile of the project, compiled once."""
    return load_profile(PROFILES, name)


IDENTITY: dict[str, object] = {"engine": "test 1", "model_sha256": "ab" * 32, "sampler": {"top_k": 40}, "width": 24}


def jobs(made: Content, name: str = "instruct", **more: object) -> tuple[LineJob, ...]:
    """The zone's jobs under a profile."""
    arguments: dict[str, object] = {"identity": IDENTITY, "count_tokens": count_tokens} | more
    return zone_jobs(made, ZONE, profile(name), **arguments)  # type: ignore[arg-type]
