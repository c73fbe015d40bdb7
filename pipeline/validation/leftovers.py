"""What does not belong to a line at all: line ends, labels, prompt marks, markdown, other scripts, stage directions."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator

from pipeline.content.terms import Kind, Severity
from pipeline.validation.finding import Fault
from pipeline.validation.normalise import SLOT
from pipeline.validation.rule import Subject
from pipeline.validation.wordsets import word_set

_LEFTOVER = re.compile(
    r"<[/|]?\w[^>]*>|\[/?(?:INST|SYS)\]|#{2,}|={3,}|-{3,}|(?:->|=>|→)|\bbase text\b|\btell state\b"
    r"|^(?:sure|certainly|here(?:'s| is) "
    r"(?:the|a|your))\b.*:|\b(?:voiced|base|tone|culture|kind|affect)\s*[:=]|\bas an ai\b",
    re.IGNORECASE,
)
_MARKDOWN = re.compile(
    r"^\s*\d+[.)]\s+[A-Z]|\*\*|__|`|^\s*#|^\s*[-*•]\s|^\s*>\s|\]\(|(?<!\w)[*_]\w[^*_]*[*_](?!\w)|\w\*\w"
)
_LABEL = re.compile(r"\s*([A-Za-z][\w.' -]{0,30}?)\s*:\s")
_OPENERS = word_set("discourse") | {"thing", "point", "fact", "deal"}
_STAGE = re.compile(r"\([^)]*\)|\[[^\]]*\]|(?<!\w)\*[^*]+\*(?!\w)")
_LINE_END = re.compile("[\n\r\v\f\x1c\x1d\x1e\x85\u2028\u2029]")
QUOTES = '"“”„«»'
_PROSE = re.compile(r"(?!.*---)[A-Za-z0-9 ,.'!?;&%$/+~’‘—–…-]*\Z")


def is_prose(text: str) -> bool:
    """The cheap test that spares most lines the patterns for labels, leftovers, markdown, scripts and stage
    directions: each of them needs a character or a phrase that plain prose has not."""
    first = text[:1]
    if _PROSE.match(text) is None or first.isdigit() or first in "-'‘ " or text[-1:] == " ":
        return False
    lower = text.lower()
    return "base text" not in lower and "tell state" not in lower and "as an ai" not in lower


def leftovers(subject: Subject) -> Iterator[Fault]:
    """What of it a text holds and its base text does not; nothing in plain prose."""
    if is_prose(subject.voiced):
        return
    yield from _of_the_whole(subject)
    yield from _within(subject)
    if subject.kind is Kind.dialogue:
        yield from _stage_direction(subject)


def _of_the_whole(subject: Subject) -> Iterator[Fault]:
    voiced, base = subject.voiced, subject.base
    if _LINE_END.search(voiced):
        yield Severity.block, "The text has more than one line.", None
    if voiced != voiced.strip():
        yield Severity.block, "The text begins or ends with a space.", None
    if (
        voiced[:1] in QUOTES + "'‘"
        and voiced[-1:] in QUOTES + "'’"
        and len(voiced) > 2
        and base[:1] not in QUOTES + "'‘"
    ):
        yield Severity.block, "Quotes stand round the whole.", (0, len(voiced))
    label = _LABEL.match(voiced)
    if label and not _LABEL.match(base) and label[1].lower().split()[-1] not in _OPENERS:
        yield Severity.block, f'"{label[1]}:" reads as a speaker label.', label.span(1)


def _within(subject: Subject) -> Iterator[Fault]:
    voiced, base = subject.voiced, subject.base
    plain = SLOT.sub(lambda slot: "x" * len(slot[0]), voiced)
    if (left := _LEFTOVER.search(plain)) and not _LEFTOVER.search(base):
        yield Severity.block, f'"{left[0]}" is left over from a prompt.', left.span()
    if (mark := _MARKDOWN.search(plain)) and not _MARKDOWN.search(SLOT.sub("x", base)):
        yield Severity.block, "Markdown has no place in a line.", mark.span()
    for at, char in enumerate(() if voiced.isascii() and voiced.isprintable() else voiced):
        if " " <= char <= "~" or char in base or _LINE_END.match(char):
            continue
        category = unicodedata.category(char)
        if category.startswith("L") and "LATIN" not in unicodedata.name(char, ""):
            yield Severity.block, f'"{char}" is not a Latin letter.', (at, at + 1)
            return
        if category in {"So", "Sk", "Cf", "Co", "Cn", "Cc", "Me"}:
            yield Severity.block, f"U+{ord(char):04X} has no place in a line.", (at, at + 1)
            return


def _stage_direction(subject: Subject) -> Iterator[Fault]:
    voiced = subject.voiced
    stage = _STAGE.search(SLOT.sub(lambda s: "x" * len(s[0]), voiced))
    if stage and not _STAGE.search(subject.base):
        yield Severity.block, "A stage direction in dialogue.", stage.span()
