"""What reviewers are asked: the sheets, their questions, and how an answer is read."""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass
from enum import StrEnum


class Sheet(StrEnum):
    """The sheets of a packet, in the order in which they are answered."""

    lines = "lines"
    culture = "culture"
    favourites = "favourites"
    checks = "checks"


class Answer(StrEnum):
    """How a question is answered."""

    yes_no = "yes or no"
    register = "none, fantasy, military, earth or comic"
    text = "in your own words"
    item = "an item of the sheet lines, or none"


@dataclass(frozen=True, slots=True)
class Question:
    """A column of a sheet."""

    id: str
    text: str
    answer: Answer
    required: bool = True


CAREFUL, SAYS_WHAT, EXPLAINABLE = "careful", "says_what", "explainable"
KEPT, ADDED, SOUNDS_LIKE = "kept", "added", "sounds_like"
WHAT, OF_CULTURE, LINE, WHY = "what", "of_culture", "line", "why"
NONE = "none"

QUESTIONS: dict[Sheet, tuple[Question, ...]] = {
    Sheet.lines: (
        Question(WHAT, "What does this person do or say? One sentence.", Answer.text),
        Question(CAREFUL, "Does this person seem to be careful about something?", Answer.yes_no),
        Question(SAYS_WHAT, "Does the text itself say what, or name how the person feels?", Answer.yes_no),
        Question(
            EXPLAINABLE,
            "Could the phrasing be explained without knowing more about this person (mood, haste, habit)?",
            Answer.yes_no,
        ),
    ),
    Sheet.culture: (
        Question(OF_CULTURE, "Is this line of the culture that READ_ME.md describes?", Answer.yes_no),
        Question(SOUNDS_LIKE, "Does it sound like one of these instead?", Answer.register),
    ),
    Sheet.favourites: (
        Question(LINE, "The item's code from the sheet lines; none if there is none.", Answer.item),
        Question(WHY, "Why?", Answer.text, required=False),
    ),
    Sheet.checks: (
        Question(KEPT, "Does the text hold all that the base text says?", Answer.yes_no),
        Question(ADDED, "Does the text add a fact, a name, a reason or a purpose?", Answer.yes_no),
        Question(SAYS_WHAT, "Does the text name how the person feels, or conclude what lies behind?", Answer.yes_no),
        Question(SOUNDS_LIKE, "Does it sound like one of these?", Answer.register),
    ),
}
CONVINCED, FELL_FLAT = "a line that convinced you", "a line that fell flat"

_YES = frozenset({"yes", "y", "true", "1", "x"})
_NO = frozenset({"no", "n", "false", "0"})
_REGISTERS = frozenset({NONE, "fantasy", "military", "earth", "comic"})
_ITEM = re.compile(r"[A-Z]-[A-Z2-7]{6}\Z")
_LONGEST = 2_000


class Unreadable(ValueError):
    """An answer that is none; its text says what was expected."""


def read_answer(question: Question, written: str) -> str | None:
    """What a reviewer wrote, in one spelling: `yes`, `no`, a register, an item or the text. None: left empty.

    Raises `Unreadable` for anything else.
    """
    text = unicodedata.normalize("NFC", written).strip()
    if not text:
        return None
    if len(text) > _LONGEST:
        raise Unreadable(f"more than {_LONGEST} characters")
    if question.answer is Answer.text:
        if any(unicodedata.category(char) in ("Cc", "Cs") and char not in "\n\t" for char in text.replace("\r", "")):
            raise Unreadable("a control character in it")
        return text.replace("\r\n", "\n").replace("\r", "\n")
    word = text.lower()
    if question.answer is Answer.yes_no and word in _YES | _NO:
        return "yes" if word in _YES else "no"
    if question.answer is Answer.register and word in _REGISTERS:
        return word
    if question.answer is Answer.item and (word == NONE or _ITEM.match(text.upper())):
        return NONE if word == NONE else text.upper()
    raise Unreadable(f"expected {question.answer.value}")
