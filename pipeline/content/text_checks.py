"""Content is no trusted input: what must not stand in any text that a model or the game may see."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator, Mapping

from pipeline.content.bound import Bound, Model, Path
from pipeline.content.mistakes import CONTROL_MARK
from pipeline.content.models import ContentModel, Term
from pipeline.content.problems import Problem
from pipeline.content.ron_types import ron_name

_CONTROL_TOKEN = re.compile(
    r"</?(?:start|end)_of_\w+>|<\|[^|<>\n]{0,40}\|?>|<\uff5c[^<>\n]{0,40}>|<<\s*/?SYS\s*>>|\[/?(?:INST|SYS)\]"
    r"|</?(?:bos|eos|pad|unk|mask|sep|cls|s|eot|eom|im_start|im_end|system|user|assistant|model|tool_\w+|think)>"
    r"|<unused\d+>|<0x[0-9a-f]{2}>|<\w*image\w*>",
    re.IGNORECASE,
)
"""How the model families that may be used here, and their kin, write the tokens that steer them."""
_WHITE = frozenset("\n\r\t")
_UNSEEN = frozenset(map(chr, (*range(0x202A, 0x202F), *range(0x2066, 0x206A), *range(0xE0000, 0xE0080))))
"""Characters that turn the direction of text round, and tag characters: nobody sees what they say."""


def check_texts(bound: Bound[Model]) -> Iterator[Problem]:
    """Control tokens and control characters in the texts of a file. Word lists are only matched, so they are free."""
    for path, text in _texts(bound.value, ()):
        for span, message, hint in control_mistakes(text):
            if span is None:
                yield bound.problem(path, message, hint=hint, id=CONTROL_MARK)
            else:
                yield bound.problem_inside(path, text, span, message, hint, CONTROL_MARK)


def control_mistakes(text: str) -> Iterator[tuple[tuple[int, int] | None, str, str]]:
    """Control tokens and control characters in `text`: span (None: the whole text), message and hint."""
    if text.isprintable() and "<" not in text and "[" not in text:
        return
    for match in _CONTROL_TOKEN.finditer(text):
        yield match.span(), f"`{match[0]}` is a mark that steers a model, not text", "Delete it."
    wrong = next((char for char in text if _is_control(char)), None)
    if wrong is not None:
        message = f"the control character U+{ord(wrong):04X} has no place in a text"
        yield None, message, "Delete it; it cannot be seen."


def _is_control(char: str) -> bool:
    return char not in _WHITE and (char in _UNSEEN or unicodedata.category(char) == "Cc")


def _texts(value: object, path: Path) -> Iterator[tuple[Path, str]]:
    """Every string with its path, but for those of terms."""
    if isinstance(value, str):
        yield path, value
    elif isinstance(value, Term):
        return
    elif isinstance(value, ContentModel):
        for name, info in type(value).model_fields.items():
            yield from _texts(getattr(value, name), (*path, ron_name(name, info)))
    elif isinstance(value, tuple):
        for index, each in enumerate(value):
            yield from _texts(each, (*path, index))
    elif isinstance(value, Mapping):
        for key, each in value.items():
            yield from _texts(each, (*path, key, "value"))
