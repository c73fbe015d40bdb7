"""Lints of content that need the word lists: what validation would refuse, and authored texts hold."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from importlib.resources import files

from pipeline.content.bound import Bound
from pipeline.content.lint import Level, Lint
from pipeline.content.lint.lint import LineView, View
from pipeline.content.lint.unknown_names import NameNotInGlossary
from pipeline.content.models import Culture
from pipeline.content.problems import Problem
from pipeline.content.terms import Kind, Severity, TellState
from pipeline.validation.finding import Finding
from pipeline.validation.rule import Rule, Subject
from pipeline.validation.ruleset import RuleSet
from pipeline.validation.wordsets import is_word, word_set

VOCABULARY_RULES = frozenset(
    [
        *("guard-vocabulary", "franchise-bleed", "politics", "earth-idiom", "tell-naming"),
        *("exclusions", "authority-words"),
    ]
)
"""The rules whose words no authored text should hold."""


def vocabulary_lints(rules: RuleSet | None) -> tuple[Lint, ...]:
    """The lints over the rules of a project; with None they check nothing and only explain themselves."""
    chosen = tuple(rule for rule in rules.rules if rule.id in VOCABULARY_RULES) if rules else ()
    return (
        LineVocabulary(chosen),
        ExampleVocabulary(chosen),
        ExampleVocabulary(chosen, Severity.review, "example-wording", Level.warning, _WORDING),
        NameNotInGlossary(is_word=is_english if rules else lambda _word: True),
    )


def _findings(rules: tuple[Rule, ...], text: str, kind: Kind, culture: Culture) -> Iterator[Finding]:
    """What the rules say of a text that no base text excuses, informative findings left out."""
    subject = Subject("", text, kind, TellState.Neutral, culture=culture)
    for rule in rules:
        yield from (finding for finding in rule.check(subject) if finding.severity is not Severity.info)


def _hint(finding: Finding, otherwise: str) -> str:
    return f"{finding.suggestion or otherwise} (rule {finding.rule})"


@dataclass(frozen=True, slots=True)
class LineVocabulary:
    """A base line or a tell behavior that holds a word of a guard, a word list or its culture's exclusions."""

    rules: tuple[Rule, ...]
    id: str = "line-vocabulary"
    level: Level = Level.warning
    explanation: str = (
        "A base line or a tell behavior holds a word that validation refuses in voiced texts: of a guard, of a word "
        "list, or one that its own culture rules out. The base line always ships, and every voiced form of it may keep "
        "the word, because a word of the base text is never reported. Say it in another word. Where the use is "
        "innocent, add a pattern to the term's `allow`."
    )

    def check(self, view: View) -> Iterator[Problem]:
        for zone_id, zone in view.content.zones.items() if self.rules else ():
            for line in view.lines(zone_id):
                yield from self._line(line)
            for npc in view.npcs(zone_id):
                culture = view.content.cultures[npc.value.culture or zone.zone.default_culture]
                for index, tell in enumerate(npc.value.tell_behaviors):
                    for found in _findings(self.rules, tell.base_text, Kind.behavior, culture):
                        path = ("tell_behaviors", index, "base_text")
                        hint = _hint(found, "Say it in another word.")
                        part = found.span or (0, len(tell.base_text))
                        yield npc.problem_inside(path, tell.base_text, part, found.message, hint)

    def _line(self, line: LineView) -> Iterator[Problem]:
        text = line.ref.line.base_text
        for found in _findings(self.rules, text, line.ref.kind, line.ref.culture):
            hint = _hint(found, "Say it in another word.")
            path = (*line.path, "base_text")
            yield line.npc.problem_inside(path, text, found.span or (0, len(text)), found.message, hint)


_WORDING = (
    "A culture's example holds a word that validation lets a person decide on. A model copies its examples closely, so "
    "the word will be in many voiced texts, each of them left for review. Say it in another word."
)


@dataclass(frozen=True, slots=True)
class ExampleVocabulary:
    """A culture's example or a word of its own that a guard, a word list or its own exclusions refuse."""

    rules: tuple[Rule, ...]
    severity: Severity = Severity.block
    id: str = "example-vocabulary"
    level: Level = Level.error
    explanation: str = (
        "A culture's example, exclamation, greeting, farewell or authority word holds a word that validation refuses: "
        "of a guard, of a word list, or one that the culture itself rules out. A model copies what it is shown, so its "
        "texts would be refused one after the other. Say it in another word, or take the word out of the culture's "
        "`exclusions.words` or `institutions.never`."
    )

    def check(self, view: View) -> Iterator[Problem]:
        for culture in view.cultures() if self.rules else ():
            yield from self._examples(culture)
            vocabulary = culture.value.injector.vocabulary
            for field in ("exclamations", "greetings", "farewells"):
                for index, text in enumerate(getattr(vocabulary, field)):
                    path = ("injector", "vocabulary", field, index)
                    yield from self._text(culture, path, text, Kind.dialogue)
            for index, authority in enumerate(culture.value.institutions.use):
                place = ("institutions", "use", index, "word")
                yield from self._text(culture, place, authority.word, Kind.dialogue)

    def _examples(self, culture: Bound[Culture]) -> Iterator[Problem]:
        for index, example in enumerate(culture.value.injector.examples):
            for field, text in (("base", example.base), ("voiced", example.voiced)):
                yield from self._text(culture, ("injector", "examples", index, field), text, example.kind)

    def _text(self, culture: Bound[Culture], path: tuple[str | int, ...], text: str, kind: Kind) -> Iterator[Problem]:
        for found in _findings(self.rules, text, kind, culture.value):
            if found.severity is self.severity:
                hint = _hint(found, "Say it in another word.")
                yield culture.problem_inside(path, text, found.span or (0, len(text)), found.message, hint)


@cache
def _frequent() -> frozenset[str]:
    """Frequent words: most lines open with one, and the dictionary costs seconds to load."""
    text = files("pipeline.generation").joinpath("data/words.txt").read_text(encoding="utf-8")
    listed = frozenset(line for line in text.splitlines() if not line.startswith("#"))
    return listed.union(*map(word_set, _WORD_FILES))


_WORD_FILES = (
    "function_words",
    "discourse",
    "auxiliaries",
    "modals",
    "negators",
    "conjunctions",
    "particles",
    "people",
)


def is_english(word: str) -> bool:
    """Whether a lower-case word is English, in any inflection."""
    return len(word) < 3 or word in _frequent() or all(is_word(part) for part in word.split("-"))
