"""A culture's voice bank: base lines with a voiced form per tell state. Writers keep it; adapters are trained on it."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from pathlib import Path

from pydantic import Field

from pipeline.content.binding import bind
from pipeline.content.bound import Bound
from pipeline.content.models import ContentModel, Text, ToneRow
from pipeline.content.problems import ContentErrors, Problem
from pipeline.content.terms import Affect, Kind, TellState
from pipeline.content.text_checks import check_texts
from pipeline.project import Project, checked_id
from pipeline.ron import Document, RonError, parse_file

BANK_FILE = "voice_bank.ron"
HELD_OUT_SHARE = 10
"""One in so many base lines is kept aside for measuring, by the hash of its text, and never trained on."""


class VoicedForms(ContentModel):
    """How a person of the culture says or does one thing, in each tell state."""

    neutral: Text = Field(description="With nothing behind it.")
    nervous: Text = Field(description="Under stress.")
    angry: Text = Field(description="Holding something down.")
    friendly: Text = Field(description="Open.")
    guarded: Text = Field(description="Keeping something back.")
    routine_deviation: Text = Field(description="Not quite in the usual run.")

    def of(self, state: TellState) -> str:
        """The form for a tell state."""
        return str(getattr(self, FIELDS[state]))


FIELDS = dict(zip(TellState, VoicedForms.model_fields, strict=True))


class BankLine(ContentModel):
    """One base text with its voiced forms."""

    kind: Kind = Field(description="dialogue or behavior.")
    base: Text = Field(description="The neutral text, as a zone would have it.")
    affect: Affect = Field(Affect.even, description="How strongly the speaker feels; exclamations need high.")
    traits: tuple[Text, ...] = Field((), description="Traits of a speaker that the forms suit.")
    mood: str = Field("", description="The speaker's mood, if the forms depend on it.")
    fillers: tuple[Text, ...] = Field((), description="The only pause words that the forms use.")
    voiced: VoicedForms = Field(description="A form for each tell state.")

    @property
    def held_out(self) -> bool:
        """Whether the line is kept aside for measuring."""
        return int.from_bytes(hashlib.sha256(self.base.encode()).digest()[:8], "big") % HELD_OUT_SHARE == 0


class VoiceBank(ContentModel):
    """`cultures/<culture>/voice_bank.ron`."""

    names: tuple[Text, ...] = Field((), description="Names that lines use; masked as a zone's glossary is.")
    tones: tuple[ToneRow, ...] = Field(
        (), description="Further wordings of the culture's tone rows: from them an adapter learns to read a row."
    )
    lines: tuple[BankLine, ...] = Field(min_length=1, description="The lines, in any order.")


@dataclass(frozen=True, slots=True)
class LoadedBank:
    """A bank with where it stands."""

    culture_id: str
    bound: Bound[VoiceBank]

    @property
    def bank(self) -> VoiceBank:
        """What the file says."""
        return self.bound.value

    @property
    def digest(self) -> str:
        """sha256 of what an adapter learns from; comments and layout do not count."""
        return hashlib.sha256(self.bank.model_dump_json().encode()).hexdigest()


def bank_path(project: Project, culture_id: str) -> Path:
    """Where a culture's bank stands, whether it exists or not. Raises `UserError` for an id that is no plain name."""
    return project.cultures / checked_id(culture_id) / BANK_FILE


def load_bank(project: Project, culture_id: str) -> LoadedBank | None:
    """A culture's voice bank; None when the culture has none.

    Raises `ContentErrors` with every mistake of the file.
    """
    path = bank_path(project, culture_id)
    if not path.is_file():
        return None
    try:
        document = parse_file(path, project.shown(path))
    except RonError as error:
        raise ContentErrors([Problem.unreadable(error)]) from error
    return loaded_bank(culture_id, document)


def loaded_bank(culture_id: str, document: Document) -> LoadedBank:
    """The voice bank that a document holds. Raises `ContentErrors` with every mistake."""
    bound, problems = bind(VoiceBank, document)
    if bound is None:
        raise ContentErrors(problems)
    if problems := [*check_texts(bound), *_doubles(bound)]:
        raise ContentErrors(problems)
    return LoadedBank(culture_id, bound)


def _doubles(bound: Bound[VoiceBank]) -> list[Problem]:
    """Base texts that occur twice for one kind: the same line must not be trained on and measured with."""
    seen: dict[tuple[Kind, str], int] = {}
    problems = []
    for number, line in enumerate(bound.value.lines):
        first = seen.setdefault((line.kind, line.base), number)
        if first != number:
            problems.append(
                bound.problem(
                    ("lines", number, "base"),
                    "this base text is in the bank already",
                    hint="Keep one of the two.",
                    also=bound.excerpt(("lines", first, "base"), "first here"),
                )
            )
    return problems
