"""What a template can see of the content: only the fields that may be sent to a model.

Provenance by construction: no view holds a tell behavior, an anchor, an id or a file name, so no template can reach
one.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from pipeline.content.models import Culture, Guard, LineRef, Npc, TellTable
from pipeline.content.terms import TellState
from pipeline.errors import UserError
from pipeline.prompting.jobs import Masked
from pipeline.prompting.masking import mask_pair


@dataclass(frozen=True, slots=True)
class GuardView:
    """The two prompt texts of a guard; a template picks one."""

    full: str
    compressed: str


@dataclass(frozen=True, slots=True)
class ExampleView:
    """A pair of the culture, its figures masked."""

    kind: str
    base: str
    voiced: str


@dataclass(frozen=True, slots=True)
class AuthorityView:
    """An authority word and what people mean by it."""

    word: str
    note: str


@dataclass(frozen=True, slots=True)
class CultureView:
    """The culture's name, the six blocks of the injector, and the institutions."""

    people: str
    """What the culture is called."""
    register: str
    context: str
    exclamations: tuple[str, ...]
    greetings: tuple[str, ...]
    farewells: tuple[str, ...]
    values: str
    exclusions: str
    examples: tuple[ExampleView, ...]
    use: tuple[AuthorityView, ...]
    never: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class NpcView:
    """How the speaker is."""

    traits: tuple[str, ...]
    mood: str
    fillers: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class LineView:
    """The line to voice, its facts masked."""

    kind: str
    base: str
    affect: str


@dataclass(frozen=True, slots=True)
class TellView:
    """The tell context: the universal class with how it sounds everywhere, and the culture's tone row."""

    universal_class: str
    everywhere: str
    tone: str


View = tuple[GuardView, ...] | CultureView | NpcView | LineView | TellView | None
"""What a template's variables hold; `tell` is None in Neutral."""


def guards_view(guards: Iterable[Guard]) -> tuple[GuardView, ...]:
    """The guards in the order of the content."""
    return tuple(GuardView(_one_line(guard.full), _one_line(guard.compressed)) for guard in guards)


def culture_view(culture: Culture) -> CultureView:
    """A culture's injector and institutions.

    Raises `UserError` when the voiced text of an example holds a figure that its base text lacks: no model could
    learn slots from it.
    """
    injector, institutions = culture.injector, culture.institutions
    return CultureView(
        people=_one_line(culture.name),
        register=_one_line(injector.register_),
        context=_one_line(injector.context),
        exclamations=injector.vocabulary.exclamations,
        greetings=injector.vocabulary.greetings,
        farewells=injector.vocabulary.farewells,
        values=_one_line(injector.values),
        exclusions=_one_line(injector.exclusions.text),
        examples=example_views(culture),
        use=tuple(AuthorityView(authority.word, _one_line(authority.note)) for authority in institutions.use),
        never=institutions.never,
    )


def example_views(culture: Culture) -> tuple[ExampleView, ...]:
    """The culture's example pairs, masked without a glossary. Raises `UserError` as `culture_view` does."""
    views = []
    for example in culture.injector.examples:
        # No glossary here: it belongs to a zone, and a new name there must not change what other lines are sent.
        try:
            base, voiced = mask_pair(
                example.base, example.voiced, keep=[word.word for word in culture.institutions.use]
            )
        except ValueError as error:
            raise UserError(
                f"cultures/{culture.id}/culture.ron: example {example.base!r}, voiced as {example.voiced!r}: {error}.",
                "An example keeps the figures of its base text, each once.",
            ) from error
        views.append(ExampleView(example.kind.value, _one_line(base.text), _one_line(voiced.text)))
    return tuple(views)


def npc_view(npc: Npc) -> NpcView:
    """Traits, mood and fillers of an NPC."""
    return NpcView(npc.traits, _one_line(npc.mood), npc.cultural_markers.filler_words)


def line_view(ref: LineRef, masked: Masked) -> LineView:
    """A line by its masked base text."""
    return LineView(ref.kind.value, _one_line(masked.text), ref.line.affect.value)


def tell_view(tells: TellTable, culture: Culture, state: TellState, *, towards_one: bool) -> TellView | None:
    """The tell context of a state in a culture; None for Neutral."""
    if state is TellState.Neutral:
        return None
    row = tells.row(state)
    tone = culture.tone(state, towards_one=towards_one)
    return TellView(_one_line(row.universal_class), _one_line(row.everywhere), _one_line(tone))


def _one_line(text: str) -> str:
    """A prompt's lines are its structure, so authored line breaks become spaces."""
    return " ".join(text.split())
