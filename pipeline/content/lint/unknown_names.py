"""`name-not-in-glossary`."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from pipeline.content.lint.lint import Level, View
from pipeline.content.models import Culture
from pipeline.content.problems import Problem

_WORD = re.compile(r"[^\W\d_][\w'’-]*")
_SENTENCE_START = re.compile(r"(?:^|[.!?:…]|[.!?…][\"'”’)]+)[\s\"'“‘(]*$")
_ALWAYS_CAPITAL = frozenset({"I", "I'm", "I've", "I'll", "I'd"})


@dataclass(frozen=True, slots=True)
class NameNotInGlossary:
    """A capitalised word in a line that neither the glossary nor an NPC's name explains."""

    id: str = "name-not-in-glossary"
    level: Level = Level.warning
    explanation: str = (
        "A line has a capitalised word in mid-sentence that is in no glossary list and in no NPC's name. Names never "
        "pass through the model: only what the glossary lists becomes a slot. A name that is missing there may come "
        "back changed. Add every form that lines use to the zone's glossary, or write the word in lower case."
    )

    def check(self, view: View) -> Iterator[Problem]:
        people = {npc.name for zone in view.content.zones.values() for npc in zone.npcs}
        for zone in view.zones():
            glossary = zone.value.glossary
            names = {*people, *glossary.places, *glossary.people, *glossary.terms, zone.value.name}
            for line in view.lines(zone.value.id):
                known = _words({*names, *_authority(line.ref.culture)}) | _ALWAYS_CAPITAL
                text = line.ref.line.base_text
                for part, name in _capitalised(text):
                    if name.replace("’", "'").removesuffix("'s") not in known:
                        hint = f'Add "{name}" to the glossary in {zone.source.name}, or write it in lower case.'
                        message = f"the name {name} is in no glossary"
                        yield line.npc.problem_inside((*line.path, "base_text"), text, part, message, hint)


def _authority(culture: Culture) -> list[str]:
    return [culture.name, *(each.word for each in culture.institutions.use)]


def _words(names: set[str]) -> set[str]:
    return {word for name in names for word in _WORD.findall(name.replace("’", "'"))}


def _capitalised(text: str) -> Iterator[tuple[tuple[int, int], str]]:
    """Words, with their spans, with a capital that is not due to the start of a sentence, each once."""
    seen: set[str] = set()
    for match in _WORD.finditer(text):
        word = match[0]
        if word[0].isupper() and word not in seen and not _SENTENCE_START.search(text[: match.start()]):
            seen.add(word)
            yield match.span(), word
