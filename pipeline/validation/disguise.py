"""Second readings of words that hide: leet, marks inside a word, masked, stretched or spaced-out letters."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache

_LEET = str.maketrans("034578@$+", "oeastbast")
_SUSPECT = re.compile(
    r"[A-Za-z][^A-Za-z\s'\",;:?(){}\[\]][A-Za-z]"  # a mark or digit inside a word
    r"|[A-Za-z][*#%_]{2,}|[A-Za-z][0-9]{2}|[$@][A-Za-z]{2}|[0-9|!][A-Za-z]{2}"
    r"|([A-Za-z])\1\1"  # a stretched letter
    r"|(?<![A-Za-z'])[A-Za-z][ .-]+[A-Za-z][ .-]+[A-Za-z](?![A-Za-z'])"  # letters set apart
)
_PLAIN = re.compile(r"[A-Za-z ,.'!?…—-]*\Z")
_ODD_IN_PLAIN = re.compile(
    r"([A-Za-z])\1\1|[A-Za-z][.!-][A-Za-z]|(?<![A-Za-z'])[A-Za-z][ .-]+[A-Za-z][ .-]+[A-Za-z](?![A-Za-z'])"
)
"""What may be a disguise where only letters and plain punctuation stand."""
_CHUNK = re.compile(r"[A-Za-z0-9@$!|+*#%_~^.·•\\/=-]+")
_APART = re.compile(r"(?<![A-Za-z'])[A-Za-z]([ .\-*_/]{1,3})[A-Za-z](?:\1[A-Za-z])+(?![A-Za-z'])")
_CODE = re.compile(
    r"[A-Z]{1,3}-?[0-9]+[A-Za-z]?\Z|[0-9]+(?:[.:/-][0-9]+)*-?(?:[A-Za-z]{1,2}|[A-Z]+)\Z|[0-9]+(?:st|nd|rd|th)\Z"
)
_INNER = re.compile(r"(?<=[A-Za-z0-9@$])[*_~^.·•\\/|=+-]+(?=[A-Za-z0-9@$])")
_RUN = re.compile(r"([A-Za-z])\1{2,}")
_MASK = re.compile(r"[A-Za-z](?:[A-Za-z*#%_@$.!-]*[*#%_@$.!-][A-Za-z*#%_]+|[*#%_]{2,})\Z")
_MARKS = "*_~^.·•\\/|=+-!%#"


@dataclass(frozen=True, slots=True)
class Reading:
    """A chunk of folded text and what it may spell. `pattern` is set for masks: a regex over whole words."""

    start: int
    end: int
    spellings: tuple[str, ...]
    pattern: re.Pattern[str] | None = None


@lru_cache(maxsize=512)
def suspicious(text: str) -> bool:
    """True if `text` (folded) holds anything that the readings would spell otherwise; the cheap test before the second
    pass."""
    if _PLAIN.match(text):
        return _ODD_IN_PLAIN.search(text) is not None
    return _SUSPECT.search(text) is not None


def readings(text: str) -> Iterator[Reading]:
    """The second readings of a folded text, chunk by chunk; none for codes (`B12`) and figures (`27k`, `4th`)."""
    for match in _APART.finditer(text):
        joined = "".join(c for c in match[0] if c.isalpha()).lower()
        yield Reading(*match.span(), (joined, joined[1:]) if joined[0] in "ai" else (joined,))
    for match in _CHUNK.finditer(text):
        start, end = match.span()
        while end > start and text[end - 1] in _MARKS and text[end - 2 : end] not in ("**", "##", "%%", "__"):
            end -= 1
        while start < end and text[start] in _MARKS.replace("!", "").replace("|", ""):
            start += 1
        chunk = text[start:end].rstrip("*_") if text[start - 1 : start] in ("*", "_") else text[start:end]
        if not chunk or _CODE.match(chunk) or not any(c.isalpha() for c in chunk):
            continue
        spelled = tuple(s for s in _spellings(chunk) if s != chunk.lower())
        mask = _mask(chunk)
        if spelled or mask:
            yield Reading(start, start + len(chunk), spelled, mask)


def _spellings(chunk: str) -> tuple[str, ...]:
    """The chunk without inner marks, with digits as letters, with stretched letters cut to two and to one."""
    found: dict[str, None] = {}
    joined = _INNER.sub("", chunk)
    for plain in (joined, chunk):
        for one in ("i", "l"):
            spelled = plain
            if _has_leet(plain):
                spelled = re.sub("[1!|]", one, plain.rstrip("!|")).translate(_LEET).replace("9", "g")
            for keep in (r"\1\1", r"\1"):
                found[_RUN.sub(keep, spelled).lower()] = None
    return tuple(found)


def _has_leet(chunk: str) -> bool:
    """True if letters stand beside characters that pass for letters."""
    inner = chunk.rstrip("!|")
    return any(c.isalpha() for c in inner) and any(c in "0134578" or c in "9@$+!|" for c in inner)


def _mask(chunk: str) -> re.Pattern[str] | None:
    """A regex for `g*ddamn`, `f**k`, `h-ll`: each mark stands for one letter; None if the chunk is no mask."""
    if not _MASK.match(chunk) or chunk.count(".") > 1:
        return None
    letters = sum(c.isalpha() for c in chunk)
    marks = len(chunk) - letters
    if marks > letters + 2 or (
        set(chunk) <= set("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ.-") and marks > 1 and letters > 4
    ):
        return None
    return re.compile("".join(re.escape(c.lower()) if c.isalpha() else "[a-z]" for c in chunk))
