"""The evaluation set: `evaluation/<version>/lines.ron` and `controls.ron`, the same for every model and culture."""

from __future__ import annotations

import hashlib
import re
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from itertools import zip_longest
from pathlib import Path

from pydantic import Field

from pipeline.content.binding import bind
from pipeline.content.bound import Bound, Model
from pipeline.content.braces import brace_mistakes
from pipeline.content.models import ContentModel, Culture, Glossary, Text
from pipeline.content.problems import ContentErrors, Problem
from pipeline.content.terms import Affect, Kind
from pipeline.content.text_checks import check_texts
from pipeline.errors import UserError
from pipeline.project import Project
from pipeline.ron import RonError, parse_file

FOLDER = "evaluation"
AUTHORITY = "[authority]"
_VERSION = re.compile(r"v([1-9][0-9]*)\Z")


class About(StrEnum):
    """What a line does; a spike of fewer lines takes some of each."""

    action = "action"
    fact = "fact"
    offer = "offer"
    refusal = "refusal"
    question = "question"
    frustration = "frustration"
    authority = "authority"


class Register(StrEnum):
    """What a line sounds like that does not sound of its culture; `plain` is no fault, only nobody's voice."""

    plain = "plain"
    fantasy = "fantasy"
    military = "military"
    earth = "earth"
    comic = "comic"


class Speaker(ContentModel):
    """Who says or does some of the lines."""

    id: Text = Field(description="Stable id.")
    role: Text = Field(description="What the person does.")
    traits: tuple[Text, ...] = Field(description="One to three words that colour the speech.")
    mood: Text = Field(description="The everyday mood.")


class EvaluationLine(ContentModel):
    """One base text to voice."""

    id: Text = Field(description="Stable id, unique in the set.")
    kind: Kind = Field(description="dialogue or behavior.")
    about: About = Field(description="What the line does.")
    speaker: Text = Field(description="Id of a speaker of the set.")
    base: Text = Field(description="The neutral text; [authority] stands for an authority word of the culture.")
    affect: Affect = Field(Affect.even, description="low, even or high.")
    exclamation: bool = Field(False, description="true: the line calls for one of the culture's exclamations.")
    slots: Mapping[str, Text] = Field(default_factory=dict, description="Meaning of each authored slot.")


class EvaluationSet(ContentModel):
    """`evaluation/<version>/lines.ron`."""

    version: Text = Field(description="The same as the folder's name.")
    glossary: Glossary = Field(description="Names that lines use.")
    speakers: tuple[Speaker, ...] = Field(min_length=1, description="Who speaks.")
    lines: tuple[EvaluationLine, ...] = Field(min_length=1, description="The lines.")


class ControlLine(ContentModel):
    """A line of no culture, for reviewers to tell apart from voiced ones."""

    id: Text = Field(description="Stable id, unique in the set.")
    register_: Register = Field(alias="register", description="What it sounds like.")
    text: Text = Field(description="What is said.")


class ControlSet(ContentModel):
    """`evaluation/<version>/controls.ron`."""

    version: Text = Field(description="The same as the folder's name.")
    lines: tuple[ControlLine, ...] = Field(min_length=1, description="The control lines.")


@dataclass(frozen=True, slots=True)
class Evaluation:
    """A loaded evaluation set with its controls."""

    set: EvaluationSet
    controls: tuple[ControlLine, ...]

    @property
    def version(self) -> str:
        """`v1`, `v2` ..."""
        return self.set.version

    @property
    def digest(self) -> str:
        """sha256 of what the lines say; comments and layout do not count, controls neither: no model sees them."""
        return hashlib.sha256(self.set.model_dump_json().encode()).hexdigest()

    def picked(self, count: int | None) -> tuple[EvaluationLine, ...]:
        """The first `count` lines of an order in which kinds and what lines do take turns; None: all, in that order."""
        groups: dict[tuple[About, Kind], list[EvaluationLine]] = defaultdict(list)
        for line in self.set.lines:
            groups[line.about, line.kind].append(line)
        ordered = [groups[about, kind] for about in About for kind in Kind]
        turns = [line for turn in zip_longest(*ordered) for line in turn if line is not None]
        return tuple(turns[:count])

    def authority_words(self, culture: Culture) -> dict[str, str]:
        """The authority word of each line that asks for one, by line id: those of the culture, in turn."""
        words = [each.word for each in culture.institutions.use]
        asking = [line.id for line in self.set.lines if AUTHORITY in line.base]
        return {line_id: words[number % len(words)] for number, line_id in enumerate(asking)}


def load_evaluation(project: Project, version: str | None = None) -> Evaluation:
    """The evaluation set `version`; None: the newest. Raises `UserError` for none, `ContentErrors` for mistakes."""
    root = project.root / FOLDER
    known = {int(match[1]): path for path in root.glob("v*") if (match := _VERSION.match(path.name))}
    names = [known[number].name for number in sorted(known)]
    if not names:
        raise UserError(
            f"{FOLDER}/: there is no evaluation set.", "Restore evaluation/v1/lines.ron and controls.ron of voicebake."
        )
    chosen = version or names[-1]
    if chosen not in names:
        raise UserError(f"There is no evaluation set {chosen!r}.", f"There are: {', '.join(names)}.")
    lines = _read(project, root / chosen / "lines.ron", EvaluationSet)
    controls = _read(project, root / chosen / "controls.ron", ControlSet)
    problems = [*_set_problems(lines, chosen), *_control_problems(controls, chosen)]
    if problems:
        raise ContentErrors(problems)
    return Evaluation(lines.value, controls.value.lines)


def _read(project: Project, path: Path, model: type[Model]) -> Bound[Model]:
    try:
        document = parse_file(path, project.shown(path))
    except RonError as error:
        raise ContentErrors([Problem.unreadable(error)]) from error
    bound, problems = bind(model, document)
    if bound is None:
        raise ContentErrors(problems)
    if found := list(check_texts(bound)):
        raise ContentErrors(found)
    return bound


def _set_problems(bound: Bound[EvaluationSet], folder: str) -> Iterator[Problem]:
    yield from _version_problem(bound, bound.value.version, folder)
    yield from _doubles(bound, [line.id for line in bound.value.lines])
    speakers = {speaker.id for speaker in bound.value.speakers}
    for number, line in enumerate(bound.value.lines):
        if line.speaker not in speakers:
            yield bound.problem(
                ("lines", number, "speaker"),
                f"the set has no speaker {line.speaker!r}",
                hint=f"Its speakers are {', '.join(sorted(speakers))}.",
            )
        if line.base.count(AUTHORITY) > 1:
            yield bound.problem(("lines", number, "base"), "more than one [authority]", hint="One word is measured.")
        for span, message, hint in brace_mistakes(line.base):
            yield bound.problem_inside(("lines", number, "base"), line.base, span, message, hint)


def _control_problems(bound: Bound[ControlSet], folder: str) -> Iterator[Problem]:
    yield from _version_problem(bound, bound.value.version, folder)
    yield from _doubles(bound, [line.id for line in bound.value.lines])


def _version_problem(bound: Bound[Model], version: str, folder: str) -> Iterator[Problem]:
    if version != folder:
        yield bound.problem(("version",), f"the folder's name is {folder}", hint=f'Write version: "{folder}".')


def _doubles(bound: Bound[Model], ids: Sequence[str]) -> Iterator[Problem]:
    for number, line_id in enumerate(ids):
        if line_id in ids[:number]:
            yield bound.problem(("lines", number, "id"), f"the id {line_id!r} is there already", hint="Name it anew.")
