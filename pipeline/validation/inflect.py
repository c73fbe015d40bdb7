"""All spellings of a term: placeholders filled in, inflections added by lemminflect."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator
from importlib.metadata import version
from pathlib import Path

from pipeline.content.models import Term
from pipeline.replacing import replacing

PLACEHOLDERS: dict[str, tuple[str, ...]] = {
    "poss": ("my", "your", "his", "her", "its", "our", "their"),
    "refl": ("myself", "yourself", "himself", "herself", "itself", "ourselves", "themselves", "themself"),
    "obj": ("me", "you", "him", "her", "it", "us", "them"),
    "be": ("is", "are", "was", "were", "am", "be", "been", "being", "'s", "'re", "'m"),
    "have": ("has", "have", "had", "having", "'s", "'ve", "'d"),
}
"""What `<name>` stands for inside a term."""

_PLACEHOLDER = re.compile(r"<([a-z]+)>")
_ONE_STOP = re.compile(r"\b[^aeiou]+[aeiou][bdgklmnprt]\Z")
_UPOS = {"noun": "NOUN", "verb": "VERB", "adj": "ADJ"}


class Inflector:
    """Adds inflections, and remembers them in a file, because loading lemminflect's data costs seconds.

    `cache` is a folder (made when needed) or None. A cache file that cannot be read is rebuilt.
    """

    def __init__(self, cache: Path | None = None) -> None:
        self._path = cache / f"inflections-{version('lemminflect')}.json" if cache else None
        self._known: dict[str, list[str]] = {}
        self._new = False
        if self._path and self._path.is_file():
            try:
                loaded = json.loads(self._path.read_text("utf-8"))
            except ValueError:
                loaded = {}
            self._known = loaded if isinstance(loaded, dict) else {}

    def spellings(self, term: Term) -> tuple[str, ...]:
        """Every form under which `term` is looked for, the term itself first, without repetition.

        Placeholders such as `<poss>` are filled in. With `pos` the term is inflected: the last word of a noun phrase,
        the
        first word of a verb phrase; an adjective also gives -ly and -ness. `forms` are taken as they stand.
        """
        found: dict[str, None] = {}
        for text in _filled(term.term):
            for spelling in self._inflected(text, term.pos):
                found[spelling] = None
        for form in term.forms:
            for text in _filled(form):
                found[text] = None
        return tuple(found)

    def save(self) -> None:
        """Write what was learnt to the cache folder, if there is one. Raises `UserError` when it cannot be written."""
        if self._path is None or not self._new:
            return
        with replacing(self._path) as fresh:
            fresh.write_text(json.dumps(self._known, sort_keys=True), "utf-8")
        self._new = False

    def _inflected(self, text: str, pos: str | None) -> Iterator[str]:
        yield text
        if pos is None or pos not in _UPOS:
            return
        parts = text.split(" ")
        at = 0 if pos == "verb" else len(parts) - 1
        for form in self._forms(parts[at], pos):
            cased = form.capitalize() if parts[at][:1].isupper() and not parts[at].isupper() else form
            yield " ".join([*parts[:at], cased, *parts[at + 1 :]])

    def _forms(self, word: str, pos: str) -> list[str]:
        key = f"{word.lower()}|{pos}"
        if key not in self._known:
            self._known[key] = sorted({*_looked_up(word.lower(), _UPOS[pos]), *_derived(word.lower(), pos)})
            self._new = True
        return self._known[key]


def _filled(text: str) -> Iterable[str]:
    match = _PLACEHOLDER.search(text)
    if match is None:
        return (text,)
    choices = PLACEHOLDERS.get(match[1])
    if choices is None:
        raise ValueError(
            f"<{match[1]}> in {text!r} is no placeholder; known are " + ", ".join(f"<{n}>" for n in PLACEHOLDERS)
        )
    filled = (re.sub(r" +(?=')", "", text[: match.start()] + choice + text[match.end() :]) for choice in choices)
    return tuple(spelling for one in filled for spelling in _filled(one))


def _looked_up(word: str, upos: str) -> set[str]:
    """Inflections by the dictionary, by the regular rules for words that it lacks."""
    import lemminflect

    known = lemminflect.getAllInflections(word, upos)
    forms = {form for group in known.values() for form in group} if known else _regular(word, upos)
    if upos == "VERB":
        forms |= {form[:-1] for form in forms if form.endswith("ing")}  # dropped g: ruttin'
    return forms


def _regular(word: str, upos: str) -> set[str]:
    """Regular forms of an unknown word. lemminflect's guesser is no better on invented words and costs 30 ms a word."""
    after_y = word.endswith("y") and word[-2:-1] not in "aeiou"
    plural = word[:-1] + "ies" if after_y else word + ("es" if re.search(r"(?:s|x|z|ch|sh)\Z", word) else "s")
    if upos == "NOUN":
        return {plural}
    if upos == "ADJ":
        stem = word[:-1] + "i" if after_y else word.removesuffix("e")
        return {stem + "er", stem + "est"}
    past = word[:-1] + "ied" if after_y else word.removesuffix("e") + "ed"
    doubled = word + word[-1] if _ONE_STOP.search(word) else None
    regular = {plural, past, word.removesuffix("e") + "ing"}
    return regular | ({doubled + "ed", doubled + "ing"} if doubled else set())


def _derived(word: str, pos: str) -> set[str]:
    if pos != "adj":
        return set()
    stem = word[:-1] + "i" if word.endswith("y") and word[-2:-1] not in "aeiou" else word
    adverb = word[:-1] + "y" if word.endswith("le") else stem + "ally" if word.endswith("ic") else stem + "ly"
    return {adverb, stem + "ness"}
