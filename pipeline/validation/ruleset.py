"""All rules together: validate a text, run the canaries, look a rule up."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from pathlib import Path

from pipeline.content.models import Content, Guard, WordList
from pipeline.content.terms import Severity
from pipeline.errors import UserError
from pipeline.prompting.jobs import VariantKey
from pipeline.validation.digest import rules_digest
from pipeline.validation.finding import CRASHED, Finding, is_crash
from pipeline.validation.inflect import Inflector
from pipeline.validation.lexicon import Entry, Lexicon
from pipeline.validation.oaths import foreign_oaths
from pipeline.validation.rule import Rule, RuleDoc, Subject
from pipeline.validation.rules import (
    earth_idiom,
    franchise_bleed,
    guard_vocabulary,
    politics,
    tell_naming,
)
from pipeline.validation.rules.culture_words import AUTHORITY_WORDS, EXCLUSIONS
from pipeline.validation.rules.exclamations import Exclamations
from pipeline.validation.rules.fidelity import Fidelity
from pipeline.validation.rules.figures import Figures
from pipeline.validation.rules.fillers import Fillers
from pipeline.validation.rules.greetings import Greetings
from pipeline.validation.rules.negation import Negation
from pipeline.validation.rules.new_names import NewNames
from pipeline.validation.rules.repeats import Repeats
from pipeline.validation.rules.replies import Replies
from pipeline.validation.rules.shape import Shape
from pipeline.validation.rules.siblings import Siblings
from pipeline.validation.rules.slots import Slots
from pipeline.validation.rules.speech_act import SpeechAct
from pipeline.validation.rules.tense import Tense
from pipeline.validation.rules.tics import Tics
from pipeline.validation.rules.way_back import WayBack
from pipeline.validation.rules.who_does_what import WhoDoesWhat
from pipeline.validation.rules.word_salad import WordSalad
from pipeline.validation.zone import ChosenText, ZoneRule

_ORDER = {Severity.block: 0, Severity.review: 1, Severity.info: 2}
_OF_CANDIDATE = frozenset({"shape", "slots", "fidelity", "siblings", "way-back"})
"""Rules that look at more of a candidate than its text: its state, the Neutral variant, its masks, how it was made."""


class _Doubles:
    """What rules on a text alone said of the texts of one line: many of its candidates are the same text."""

    __slots__ = ("_line",)
    _MOST = 256

    def __init__(self) -> None:
        self._line: tuple[tuple[object, ...], dict[str, tuple[Finding, ...]]] = (), {}

    def of(self, subject: Subject) -> dict[str, tuple[Finding, ...]]:
        """By voiced text, what is known beside the rest of `subject`; to be added to."""
        was, known = self._line  # read and set as one, for threads
        beside = (subject.culture, subject.names, subject.base, subject.kind, subject.affect, subject.npc)
        # The culture is told by identity: comparing two of them field by field would cost more than it saves.
        if not was or was[0] is not beside[0] or was[1:] != beside[1:] or len(known) >= self._MOST:
            known = {}
            self._line = beside, known
        return known


@dataclass(frozen=True, slots=True)
class CanaryResult:
    """One canary of one rule: was it caught?"""

    rule: str
    why: str
    text: str
    caught: bool


@dataclass(frozen=True)
class RuleSet:
    """The rules of a project, ready to run. A rule that crashes gives a `block` finding."""

    rules: tuple[Rule, ...]
    zone_rules: tuple[ZoneRule, ...]
    lexicon: Lexicon
    digest: str
    """sha256 over all that decides findings (`rules_digest`)."""
    _doubles: _Doubles = field(default_factory=_Doubles, init=False, repr=False, compare=False)

    @cached_property
    def _parted(self) -> tuple[tuple[Rule, ...], tuple[Rule, ...]]:
        """The rules on a text alone, and those that see more of a candidate."""
        return (
            tuple(rule for rule in self.rules if rule.id not in _OF_CANDIDATE),
            tuple(rule for rule in self.rules if rule.id in _OF_CANDIDATE),
        )

    @cached_property
    def _by_id(self) -> dict[str, Rule | ZoneRule]:
        all_rules: list[Rule | ZoneRule] = [*self.rules, *self.zone_rules]
        return {rule.id: rule for rule in all_rules}

    def rule(self, rule_id: str) -> Rule | ZoneRule:
        """The rule of that id. Raises `UserError` for an unknown one."""
        found = self._by_id.get(rule_id)
        if found is None:
            raise UserError(f"There is no rule {rule_id!r}.", "The rules are " + ", ".join(sorted(self._by_id)) + ".")
        return found

    def validate(self, subject: Subject) -> tuple[Finding, ...]:
        """All findings on a text, the gravest first, then by rule and place."""
        of_text, of_candidate = self._parted
        known = self._doubles.of(subject)
        same = known.get(subject.voiced)
        if same is None:
            known[subject.voiced] = same = _all_checked(of_text, subject)
        return _ordered((*same, *_all_checked(of_candidate, subject)))

    def validate_measured(self, subject: Subject, known: Iterable[Finding]) -> tuple[Finding, ...]:
        """All findings on a text that has been measured meanwhile; `known` are those from before.

        Only the rules that look at measures run. `validate` on the measured subject gives the same.
        """
        measuring = [rule for rule in self.rules if isinstance(rule, WayBack)]
        return _ordered((*known, *_all_checked(measuring, subject)))

    def validate_zone(self, chosen: Sequence[ChosenText]) -> tuple[tuple[VariantKey, Finding], ...]:
        """The findings of the rules over a zone, ordered by variant. They are `review` at most."""
        found: list[tuple[VariantKey, Finding]] = []
        for rule in self.zone_rules:
            try:
                found.extend(rule.check_zone(chosen))
            except Exception as crash:  # noqa: BLE001 - a crash must show as a finding on every text, never pass
                found.extend((text.key, _crash(rule.id, crash)) for text in chosen)
        return tuple(sorted(found, key=lambda pair: (pair[0], pair[1].rule, pair[1].message)))

    def run_canaries(self) -> tuple[CanaryResult, ...]:
        """Every rule on its known-bad texts. A rule without canaries counts as one that caught nothing."""
        results: list[CanaryResult] = []
        for rule in self.rules:
            if not rule.canaries:
                results.append(CanaryResult(rule.id, "the rule has no canary", "", False))
            for canary in rule.canaries:
                caught = any(f.rule == rule.id and not is_crash(f) for f in _all_checked((rule,), canary.subject))
                results.append(CanaryResult(rule.id, canary.why, canary.subject.voiced, caught))
        for zone_rule in self.zone_rules:
            if not zone_rule.canaries:
                results.append(CanaryResult(zone_rule.id, "the rule has no canary", "", False))
            for zone_canary in zone_rule.canaries:
                alone = replace(self, rules=(), zone_rules=(zone_rule,))
                seen = alone.validate_zone(zone_canary.chosen)
                caught = any(not is_crash(finding) for _, finding in seen)
                results.append(CanaryResult(zone_rule.id, zone_canary.why, zone_canary.chosen[-1].text, caught))
        return tuple(results)


def _ordered(found: tuple[Finding, ...]) -> tuple[Finding, ...]:
    return tuple(sorted(found, key=_gravest_first)) if len(found) > 1 else found


def _gravest_first(finding: Finding) -> tuple[int, str, tuple[int, int], str]:
    return _ORDER[finding.severity], finding.rule, finding.span or (-1, -1), finding.message


def _all_checked(rules: Iterable[Rule], subject: Subject) -> tuple[Finding, ...]:
    found: list[Finding] = []
    for rule in rules:
        try:
            found.extend(rule.check(subject))
        except Exception as crash:  # noqa: BLE001 - a crash is a block finding, never a pass
            found.append(_crash(rule.id, crash))
    return tuple(found)


def _crash(rule_id: str, crash: Exception) -> Finding:
    message = f"{CRASHED}{type(crash).__name__}: {crash}"
    return Finding(
        rule_id, Severity.block, message, None, "This is a fault of the rule, not of the line; please report it."
    )


def build_rules(content: Content, cache: Path | None = None) -> RuleSet:
    """The rules over a project's content.

    `cache` is a folder for inflections (such as `build/`); without it they are computed anew, which takes seconds.
    """
    lexicon = build_lexicon(content, cache)
    rules = text_rules(lexicon, frozenset(guard.id for guard in content.guards), foreign_oaths(content.cultures))
    return RuleSet(rules, zone_rules(), lexicon, rules_digest(content))


def text_rules(
    lexicon: Lexicon, guard_ids: frozenset[str], foreign: Mapping[str, frozenset[str]] | None = None
) -> tuple[Rule, ...]:
    """The rules that look at one text, over the vocabularies of `lexicon`; `foreign` are each culture's foreign
    oaths."""
    return (
        Shape(),
        WordSalad(),
        Slots(),
        Figures(),
        guard_vocabulary.rule(lexicon, guard_ids),
        franchise_bleed.rule(lexicon),
        politics.rule(lexicon),
        earth_idiom.rule(lexicon),
        tell_naming.rule(lexicon),
        NewNames(),
        EXCLUSIONS,
        AUTHORITY_WORDS,
        Exclamations(foreign or {}),
        Fillers(),
        Greetings(),
        SpeechAct(),
        Replies(),
        Negation(),
        WhoDoesWhat(),
        Fidelity(),
        Siblings(),
        Tense(),
        WayBack(),
    )


def zone_rules() -> tuple[ZoneRule, ...]:
    """The rules that look at a zone's chosen texts side by side."""
    return (Repeats(), Tics())


def rule_docs() -> dict[str, RuleDoc]:
    """Every rule's explanation by id, in the order in which rules run. Needs no content and builds no matcher."""
    rules: list[Rule | ZoneRule] = [*text_rules(Lexicon([], Inflector()), frozenset()), *zone_rules()]
    return {rule.id: rule.doc for rule in rules}


def build_lexicon(content: Content, cache: Path | None = None) -> Lexicon:
    """The matcher over the vocabularies of all guards and word lists."""
    return lexicon_of(content.guards, content.word_lists, cache)


def lexicon_of(guards: Iterable[Guard], word_lists: Iterable[WordList], cache: Path | None = None) -> Lexicon:
    """The matcher over some vocabularies; `cache` as for `build_rules`."""
    inflector = Inflector(cache)
    entries = [Entry(guard.id, term) for guard in guards for term in guard.vocabulary]
    entries += [Entry(words.id, term) for words in word_lists for term in words.vocabulary]
    lexicon = Lexicon(entries, inflector)
    inflector.save()
    return lexicon
