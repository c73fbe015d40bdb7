"""`name-not-in-glossary`."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass

from pipeline.content.lint.lint import Level, View
from pipeline.content.models import Culture
from pipeline.content.problems import Problem

_WORD = re.compile(r"[^\W\d_][\w'’-]*")
_SENTENCE_START = re.compile(r"(?:^|[.!?:…]|[.!?…][\"'”’)]+)[\s\"'“‘(]*$")
_CLITIC = re.compile(r"(?:n't|'(?:s|ll|re|ve|d|m)?)\Z")
_ALWAYS_CAPITAL = frozenset({"I", "I'm", "I've", "I'll", "I'd"})


@dataclass(frozen=True, slots=True)
class NameNotInGlossary:
    """A capitalised word in a line that neither the glossary nor an NPC's name explains.

    Without `is_word` it looks at words in mid-sentence. With a dictionary (lower-case words) it looks at the words that
    open a sentence instead: there, only a word that no dictionary knows is a name.
    """

    is_word: Callable[[str], bool] | None = None
    id: str = "name-not-in-glossary"
    level: Level = Level.warning
    explanation: str = (
        "A line has a capitalised word that is in no glossary list and in no NPC's name: in mid-sentence, or a word "
        "that opens a sentence and stands in no dictionary. Names never "
        "pass through the model: only what the glossary lists becomes a slot. A name that is missing there may come "
        "back changed. Add every form that lines use to the zone's glossary, or write the word in lower case."
    )

    def check(self, view: View) -> Iterator[Problem]:
        people = {npc.name for zone in view.content.zones.values() for npc in zone.npcs}
        for zone in view.zones():
            glossary = zone.value.glossary
            names = {*people, *glossary.places, *glossary.people, *glossary.terms, zone.value.name}
            known_in = {
                culture.id: _words({*names, *_authority(culture)}) | _ALWAYS_CAPITAL
                for culture in view.content.cultures.values()
            }
            for line in view.lines(zone.value.id):
                known = known_in[line.ref.culture.id]
                text = line.ref.line.base_text
                for part, name in self._capitalised(text):
                    # The dictionary comes last: it costs seconds to load.
                    if name.replace("’", "'").removesuffix("'s") not in known and not self._in_dictionary(name):
                        hint = f'Add "{name}" to the glossary in {zone.source.name}, or write it in lower case.'
                        message = f"the name {name} is in no glossary"
                        yield line.npc.problem_inside((*line.path, "base_text"), text, part, message, hint)

    def _capitalised(self, text: str) -> Iterator[tuple[tuple[int, int], str]]:
        """Capitalised words, with their spans, at the places that this lint looks at, each once."""
        seen: set[str] = set()
        for match in _WORD.finditer(text):
            word = match[0]
            if not word[0].isupper() or word in seen:
                continue
            opens = _SENTENCE_START.search(text[: match.start()]) is not None
            if opens == (self.is_word is not None):
                seen.add(word)
                yield match.span(), word

    def _in_dictionary(self, word: str) -> bool:
        return self.is_word is not None and self.is_word(_CLITIC.sub("", word.lower().replace("’", "'")))


def _authority(culture: Culture) -> list[str]:
    return [culture.name, *(each.word for each in culture.institutions.use)]


def _words(names: set[str]) -> set[str]:
    return {word for name in names for word in _WORD.findall(name.replace("’", "'"))}
