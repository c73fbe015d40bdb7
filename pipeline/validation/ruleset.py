"""All rules together: validate a text, run the canaries, look a rule up."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path

from pipeline.content.models import Content, Guard, WordList
from pipeline.errors import UserError
from pipeline.prompting.jobs import VariantKey
from pipeline.validation.all_rules import OF_CANDIDATE, OF_STATE, text_rules, zone_rules
from pipeline.validation.canary_run import CanaryResult, run_canaries
from pipeline.validation.checking import checked, gravest_first, zone_checked
from pipeline.validation.digest import rules_digest
from pipeline.validation.doubles import Doubles
from pipeline.validation.finding import Finding
from pipeline.validation.hits import Entry
from pipeline.validation.inflect import Inflector
from pipeline.validation.lexicon import Lexicon
from pipeline.validation.oaths import foreign_oaths
from pipeline.validation.rule import Rule, RuleDoc, Subject
from pipeline.validation.rules.way_back import WayBack
from pipeline.validation.zone import ChosenText, ZoneRule


@dataclass(frozen=True)
class RuleSet:
    """The rules of a project, ready to run. A rule that crashes gives a `block` finding."""

    rules: tuple[Rule, ...]
    zone_rules: tuple[ZoneRule, ...]
    lexicon: Lexicon
    digest: str
    """sha256 over all that decides findings (`rules_digest`)."""
    _doubles: Doubles = field(default_factory=Doubles, init=False, repr=False, compare=False)

    @cached_property
    def _parted(self) -> tuple[tuple[Rule, ...], tuple[Rule, ...], tuple[Rule, ...]]:
        """The rules on a text alone, those that see its state as well, and those that see more of a candidate."""
        return (
            tuple(rule for rule in self.rules if rule.id not in OF_STATE | OF_CANDIDATE),
            tuple(rule for rule in self.rules if rule.id in OF_STATE),
            tuple(rule for rule in self.rules if rule.id in OF_CANDIDATE),
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
        of_text, of_state, of_candidate = self._parted
        known = self._doubles.of(subject)
        text: object = subject.voiced
        in_state = text, subject.tell_state, subject.neutral, subject.finished
        for key, rules in ((text, of_text), (in_state, of_state)):
            if key not in known:
                known[key] = checked(rules, subject)
        return gravest_first((*known[text], *known[in_state], *checked(of_candidate, subject)))

    def validate_measured(self, subject: Subject, known: Iterable[Finding]) -> tuple[Finding, ...]:
        """All findings on a text that has been measured meanwhile; `known` are those from before.

        Only the rules that look at measures run. `validate` on the measured subject gives the same.
        """
        measuring = [rule for rule in self.rules if isinstance(rule, WayBack)]
        return gravest_first((*known, *checked(measuring, subject)))

    def validate_zone(self, chosen: Sequence[ChosenText]) -> tuple[tuple[VariantKey, Finding], ...]:
        """The findings of the rules over a zone, ordered by variant. They are `review` at most."""
        found = zone_checked(self.zone_rules, chosen)
        return tuple(sorted(found, key=lambda pair: (pair[0], pair[1].rule, pair[1].message)))

    def run_canaries(self) -> tuple[CanaryResult, ...]:
        """Every rule on its known-bad texts. A rule without canaries counts as one that caught nothing."""
        return run_canaries(self.rules, self.zone_rules)


def build_rules(content: Content, cache: Path | None = None) -> RuleSet:
    """The rules over a project's content.

    `cache` is a folder for inflections (such as `build/`); without it they are computed anew, which takes seconds.
    """
    lexicon = build_lexicon(content, cache)
    rules = text_rules(lexicon, frozenset(guard.id for guard in content.guards), foreign_oaths(content.cultures))
    return RuleSet(rules, zone_rules(), lexicon, rules_digest(content))


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
