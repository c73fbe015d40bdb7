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


class Waiver(ContentModel):
    """A lint that does not apply to this file, and why."""

    lint: Text = Field(description="The lint's id, as `voicebake check` prints it.")
    reason: Text = Field(description="Why the file is right as it is; for whoever reads it next.")


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
    name: Text = Field(description="As others say it; lines may use it.")
    role: Text = Field(description="What the person does here.")
    tier: Tier = Field(description="How much the person matters to the plot; also the order of work.")
    culture: str | None = Field(None, description="Culture id; without it the zone's default culture.")
    traits: tuple[Text, ...] = Field(description="One to three words that colour the speech.")
    mood: Text = Field(description="The everyday mood, in a few words.")
    guarded_towards_one: bool = Field(False, description="true: Guarded uses the culture's row towards one person.")
    cultural_markers: CulturalMarkers = Field(CulturalMarkers(), description="This person's own marks of speech.")
    observable_behaviors: tuple[Line, ...] = Field(
        (), description="What anyone can see: third person, lower case, no final stop."
    )
    dialogue: tuple[Line, ...] = Field((), description="What the person says.")
    tell_behaviors: tuple[TellBehavior, ...] = Field((), description="What shows a tell category.")
    waive: tuple[Waiver, ...] = Field((), description="Lints of this file that are meant to be as they are.")


class Glossary(ContentModel):
    """Names that lines may use. They become opaque slots before a prompt is rendered."""

    places: tuple[Text, ...] = Field((), description="Every form that a line uses.")
    people: tuple[Text, ...] = Field((), description="Every form that a line uses: full names and first names.")
    terms: tuple[Text, ...] = Field((), description="Other names: ships, firms, brands.")


class Zone(ContentModel):
    """One place of the game: `zones/<zone>/zone.ron`."""

    id: Text = Field(description="The same as the folder's name.")
    name: Text = Field(description="As players see it.")
    hub: bool = Field(False, description="true: every variant is reviewed and every line has its own id.")
    default_culture: Text = Field(description="Culture id for NPCs that name none.")
    adjacent_zones: tuple[Text, ...] = Field((), description="Ids of zones that are one step away.")
    glossary: Glossary = Field(Glossary(), description="Names that lines of this zone may use.")
    review_policy: ReviewPolicy = Field(ReviewPolicy.All, description="All or Flagged. A hub is always All.")
    waive: tuple[Waiver, ...] = Field((), description="Lints of this file that are meant to be as they are.")


class Example(ContentModel):
    """A neutral base line and how a person of the culture says or does it."""

    kind: Kind = Field(description="What both texts are.")
    base: Text = Field(description="The neutral text.")
    voiced: Text = Field(description="The same, voiced.")


class CultureVocabulary(ContentModel):
    """Block 3 of the injector."""

    exclamations: tuple[Text, ...] = Field(description="The only exclamations; only where affect is high.")
    greetings: tuple[Text, ...] = Field(description="How people meet.")
    farewells: tuple[Text, ...] = Field(description="How people part.")


class Exclusions(ContentModel):
    """Block 5 of the injector: what this speech never is."""

    text: Text = Field(description="For the prompt.")
    words: tuple[Text, ...] = Field((), description="What validation looks for.")


class Injector(ContentModel):
    """The six blocks that describe a culture's speech to a model."""

    register_: Text = Field(alias="register", description="Block 1: how people talk.")
    context: Text = Field(description="Block 2: the fact of life behind it.")
    vocabulary: CultureVocabulary = Field(description="Block 3: exclamations, greetings, farewells.")
    values: Text = Field(description="Block 4: two values, as instructions.")
    exclusions: Exclusions = Field(description="Block 5: what this speech never is.")
    examples: tuple[Example, ...] = Field(min_length=2, description="Block 6: at least two, one of them a behavior.")


class AuthorityWord(ContentModel):
    """A word for those in charge, and what people mean by it."""

    word: Text = Field(description="The word itself.")
    note: Text = Field(description="What it stands for, in a few words.")


class Institutions(ContentModel):
    """Authority words of a culture."""

    use: tuple[AuthorityWord, ...] = Field(min_length=1, description="Words that people use.")
    never: tuple[Text, ...] = Field(min_length=1, description="Words that nobody uses.")


class ToneRow(ContentModel):
    """How one tell category sounds in a culture."""

    category: TellState = Field(description="One of the five tell categories.")
    towards_one: bool = Field(False, description="true: the second Guarded row, towards one person.")
    text: Text = Field(
        description="30-40 tokens: what is heard or seen, no new fact; ends by forbidding to name the state."
    )


class Culture(ContentModel):
    """`cultures/<culture>/culture.ron`."""

    id: Text = Field(description="The same as the folder's name.")
    name: Text = Field(description="As people write it.")
    injector: Injector = Field(description="The six blocks; with the institutions 150-250 tokens as rendered.")
    institutions: Institutions = Field(description="Authority words: use, never use.")
    tell_tones: tuple[ToneRow, ...] = Field(description="A row for each tell category.")
    adapter: str | None = Field(None, description="File name of a LoRA GGUF in the culture's folder.")
    waive: tuple[Waiver, ...] = Field((), description="Lints of this file that are meant to be as they are.")

    def tone(self, state: TellState, *, towards_one: bool = False) -> str:
        """The tone text of a tell category; the row towards one person where it is asked for and exists.

        Raises `KeyError` for Neutral, and for a category without a row (the loader lets no such culture pass).
        """
        rows = {(row.category, row.towards_one): row.text for row in self.tell_tones}
        return rows.get((state, towards_one)) or rows[(state, False)]


class Term(ContentModel):
    """One entry of a word list."""

    term: Text = Field(description="The word or words to look for.")
    severity: Severity = Field(description="block bars a candidate, review asks a person, info is only shown.")
    group: Text = Field(description="The franchise, kind of rank, sport ... that the term belongs to.")
    match_case: bool = Field(False, description="true: only in the letter case that is written here.")
    pos: str | None = Field(
        None, description="noun, verb or adj: which inflections are added. Without it: the term as it stands."
    )
    forms: tuple[Text, ...] = Field((), description="Further spellings and forms.")
    allow: tuple[Text, ...] = Field((), description="Patterns of innocent uses; one must cover the hit.")
    replacement: str | None = Field(None, description="What to write instead.")
    note: str | None = Field(None, description="For whoever maintains the list.")


class Guard(ContentModel):
    """A universal negative rule set: `prompts/guards/*.ron`. Prompt text and words stand together, so none drifts."""

    id: Text = Field(description="NI-1 to NI-5.")
    name: Text = Field(description="What the guard is about.")
    full: Text = Field(description="For capable models. All five: about 265 tokens.")
    compressed: Text = Field(description="For small models. All five: about 100 tokens.")
    vocabulary: tuple[Term, ...] = Field(description="What validation enforces.")
    waive: tuple[Waiver, ...] = Field((), description="Lints of this file that are meant to be as they are.")


class WordList(ContentModel):
    """A vocabulary without prompt text: `prompts/vocabulary/*.ron`."""

    id: Text = Field(description="Unique among word lists.")
    name: Text = Field(description="What the list is about.")
    vocabulary: tuple[Term, ...] = Field(description="What validation enforces.")
    waive: tuple[Waiver, ...] = Field((), description="Lints of this file that are meant to be as they are.")


class TellClass(ContentModel):
    """The universal half of a tell context."""

    category: TellState = Field(description="One of the five tell categories.")
    universal_class: Text = Field(description="What the state is a sign of, in a word or two.")
    everywhere: Text = Field(description="How the class sounds in any culture.")


class TellTable(ContentModel):
    """`prompts/tells.ron`: one row per tell category."""

    rows: tuple[TellClass, ...] = Field(description="One row for each tell category.")

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
