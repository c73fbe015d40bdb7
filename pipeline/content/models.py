"""What writers author, as frozen pydantic models. Field names are the RON field names."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Annotated

from pydantic import BaseModel, ConfigDict, Field

from pipeline.content.terms import Affect, Kind, ReviewPolicy, Severity, TellState, Tier

Text = Annotated[str, Field(min_length=1)]


class ContentModel(BaseModel):
    """A RON struct: unknown fields are errors, values never change after loading."""

    model_config = ConfigDict(frozen=True, extra="forbid")


class Line(ContentModel):
    """One base text. In RON a bare string is short for `(base_text: "...")`."""

    id: str | None = Field(
        None,
        description="Stable name within the NPC. Hub lines need one; elsewhere it is derived from kind and base text.",
    )
    base_text: Text = Field(description="The neutral text that the game always has.")
    anchor_line: bool = Field(False, description="true: ships as written, in every tell state; never re-voiced.")
    affect: Affect = Field(
        Affect.even, description="How strongly the speaker feels: low, even or high. Exclamations need high."
    )
    slots: Mapping[str, Text] = Field(
        default_factory=dict, description="Meaning of each authored slot, such as {price}."
    )


class TellBehavior(ContentModel):
    """A behavior that shows one tell category. Never re-voiced, never sent to a model, shipped as authored."""

    category: TellState = Field(description="One of the five tell categories.")
    base_text: Text = Field(description="What can be seen.")


class CulturalMarkers(ContentModel):
    """What marks this NPC's speech within the culture."""

    filler_words: tuple[Text, ...] = Field((), description="The only pause words that this NPC uses.")


class Npc(ContentModel):
    """One person of a zone: `zones/<zone>/npcs/<file>.ron`."""

    id: Text = Field(description="Stable id, unique over all zones.")
    name: Text
    role: Text = Field(description="What the person does here.")
    tier: Tier
    culture: str | None = Field(None, description="Culture id; without it the zone's default culture.")
    traits: tuple[Text, ...] = Field(description="One to three words that colour the speech.")
    mood: Text = Field(description="The everyday mood, in a few words.")
    guarded_towards_one: bool = Field(False, description="true: Guarded uses the culture's row towards one person.")
    cultural_markers: CulturalMarkers = CulturalMarkers()
    observable_behaviors: tuple[Line, ...] = Field(
        (), description="What anyone can see: third person, lower case, no final stop."
    )
    dialogue: tuple[Line, ...] = Field((), description="What the person says.")
    tell_behaviors: tuple[TellBehavior, ...] = Field((), description="What shows a tell category.")


class Glossary(ContentModel):
    """Names that lines may use. They become opaque slots before a prompt is rendered."""

    places: tuple[Text, ...] = ()
    people: tuple[Text, ...] = ()
    terms: tuple[Text, ...] = ()


class Zone(ContentModel):
    """One place of the game: `zones/<zone>/zone.ron`."""

    id: Text = Field(description="The same as the folder's name.")
    name: Text
    hub: bool = False
    default_culture: Text = Field(description="Culture id for NPCs that name none.")
    adjacent_zones: tuple[Text, ...] = ()
    glossary: Glossary = Glossary()
    review_policy: ReviewPolicy = Field(ReviewPolicy.All, description="All or Flagged. A hub is always All.")


class Example(ContentModel):
    """A neutral base line and how a person of the culture says or does it."""

    kind: Kind
    base: Text
    voiced: Text


class CultureVocabulary(ContentModel):
    """Block 3 of the injector."""

    exclamations: tuple[Text, ...] = Field(description="The only exclamations; only where affect is high.")
    greetings: tuple[Text, ...]
    farewells: tuple[Text, ...]


class Exclusions(ContentModel):
    """Block 5 of the injector: what this speech never is."""

    text: Text = Field(description="For the prompt.")
    words: tuple[Text, ...] = Field((), description="What validation looks for.")


class Injector(ContentModel):
    """The six blocks that describe a culture's speech to a model."""

    register_: Text = Field(alias="register", description="Block 1: how people talk.")
    context: Text = Field(description="Block 2: the fact of life behind it.")
    vocabulary: CultureVocabulary = Field(description="Block 3.")
    values: Text = Field(description="Block 4: two values, as instructions.")
    exclusions: Exclusions = Field(description="Block 5.")
    examples: tuple[Example, ...] = Field(min_length=2, description="Block 6: at least two, one of them a behavior.")


class AuthorityWord(ContentModel):
    """A word for those in charge, and what people mean by it."""

    word: Text
    note: Text


class Institutions(ContentModel):
    """Authority words of a culture."""

    use: tuple[AuthorityWord, ...] = Field(min_length=1)
    never: tuple[Text, ...] = Field(min_length=1)


class ToneRow(ContentModel):
    """How one tell category sounds in a culture."""

    category: TellState
    towards_one: bool = Field(False, description="true: the second Guarded row, towards one person.")
    text: Text = Field(
        description="30-40 tokens: what is heard or seen, no new fact; ends by forbidding to name the state."
    )


class Culture(ContentModel):
    """`cultures/<culture>/culture.ron`."""

    id: Text = Field(description="The same as the folder's name.")
    name: Text
    injector: Injector
    institutions: Institutions
    tell_tones: tuple[ToneRow, ...]
    adapter: str | None = Field(None, description="File name of a LoRA GGUF in the culture's folder.")

    def tone(self, state: TellState, *, towards_one: bool = False) -> str:
        """The tone text of a tell category; the row towards one person where it is asked for and exists.

        Raises `KeyError` for Neutral, and for a category without a row (the loader lets no such culture pass).
        """
        rows = {(row.category, row.towards_one): row.text for row in self.tell_tones}
        return rows.get((state, towards_one)) or rows[(state, False)]


class Term(ContentModel):
    """One entry of a word list."""

    term: Text
    severity: Severity
    group: Text = Field(description="The franchise, kind of rank, sport ... that the term belongs to.")
    match_case: bool = False
    pos: str | None = Field(
        None, description="noun, verb or adj: which inflections are added. Without it: the term as it stands."
    )
    forms: tuple[Text, ...] = Field((), description="Further spellings and forms.")
    allow: tuple[Text, ...] = Field((), description="Patterns of innocent uses; one must cover the hit.")
    replacement: str | None = Field(None, description="What to write instead.")
    note: str | None = None


class Guard(ContentModel):
    """A universal negative rule set: `prompts/guards/*.ron`. Prompt text and words stand together, so none drifts."""

    id: Text = Field(description="NI-1 to NI-5.")
    name: Text
    full: Text = Field(description="For capable models. All five: about 265 tokens.")
    compressed: Text = Field(description="For small models. All five: about 100 tokens.")
    vocabulary: tuple[Term, ...]


class WordList(ContentModel):
    """A vocabulary without prompt text: `prompts/vocabulary/*.ron`."""

    id: Text
    name: Text
    vocabulary: tuple[Term, ...]


class TellClass(ContentModel):
    """The universal half of a tell context."""

    category: TellState
    universal_class: Text
    everywhere: Text = Field(description="How the class sounds in any culture.")


class TellTable(ContentModel):
    """`prompts/tells.ron`: one row per tell category."""

    rows: tuple[TellClass, ...]

    def row(self, state: TellState) -> TellClass:
        """The row of a tell category. Raises `KeyError` for Neutral."""
        return {row.category: row for row in self.rows}[state]


@dataclass(frozen=True, slots=True)
class LineRef:
    """A line as the rest of the pipeline sees it: the authored `Line` with its id filled in, its kind and its NPC."""

    npc: Npc
    line_id: str
    kind: Kind
    line: Line
    culture: Culture


@dataclass(frozen=True, slots=True)
class ZoneContent:
    """A zone with its NPCs, sorted by id, and the culture of each."""

    zone: Zone
    npcs: tuple[Npc, ...]
    lines: tuple[LineRef, ...]
    """All lines in order of NPC id, behaviors before dialogue, as authored; anchors included."""


@dataclass(frozen=True, slots=True)
class Content:
    """All that writers author, checked. Mappings are sorted by id."""

    zones: Mapping[str, ZoneContent]
    cultures: Mapping[str, Culture]
    guards: tuple[Guard, ...]
    word_lists: tuple[WordList, ...]
    tells: TellTable
