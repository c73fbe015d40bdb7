"""Who does what to whom stays: no first and second person swapped, no order made of a statement."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from pipeline.content.terms import Kind, Severity
from pipeline.validation.analysis import Analysis, Role, analyse
from pipeline.validation.finding import Finding
from pipeline.validation.relations import lemmas
from pipeline.validation.rule import Canary, RuleDoc, Subject
from pipeline.validation.rules.vocabulary import said
from pipeline.validation.wordsets import word_set

_DOC = RuleDoc(
    catches=(
        "Persons swapped (she owes me - I owe her), a statement turned into an order or an order into a "
        "report, my turned into your."
    ),
    severity="review.",
    bad=(
        "She owes me money. -> I owe her money.",
        "I can fix the pump. -> Fix the pump.",
        "Close the hatch. -> I closed the hatch.",
    ),
    good=(
        "I can fix the pump. -> Can fix the pump.",
        "You should speak to the shift lead. -> Speak to the shift lead.",
    ),
    waive="waive the rule for the line in the review when the same person still does the same thing.",
)
_CANARIES = (
    Canary(said("She owes me money.", "I owe her money."), "persons swapped"),
    Canary(said("I can fix the pump.", "Fix the pump."), "a statement made an order"),
    Canary(said("Close the hatch behind you.", "I closed the hatch behind me."), "an order made a report"),
    Canary(said("I have worked here for years.", "You've worked here for years."), "persons swapped"),
)
_SAID_BY_HABIT = word_set("said_by_habit")


@dataclass(frozen=True)
class WhoDoesWhat:
    """Compares subjects, objects and owners of the words that both texts share."""

    id: str = "who-does-what"
    doc: RuleDoc = _DOC
    canaries: Sequence[Canary] = _CANARIES

    def check(self, subject: Subject) -> Iterable[Finding]:
        """One finding per verb or noun that changed hands; behaviors have one person only and are not looked at."""
        if subject.kind is Kind.behavior:
            return
        base, voiced = analyse(subject.base), analyse(subject.voiced)
        for message in (*_verbs(base, voiced), *_things(base, voiced), *_swapped(base, voiced)):
            yield Finding(self.id, Severity.review, message)
            return


def _verbs(base: Analysis, voiced: Analysis) -> Iterator[str]:
    for verb in voiced.roles:
        same = [role for role in base.roles if not lemmas(role.verb).isdisjoint(lemmas(verb.verb))]
        if not same:
            continue
        subjects = {_person(role.subject) for role in same}
        mine = _person(verb.subject)
        if mine and "" not in subjects and mine not in subjects and not _may_be(verb, same):
            yield f'"{verb.verb}" is done by someone else than in the base text.'
        objects = {role.object for role in same}
        if (
            verb.object
            and "" not in objects
            and verb.object not in objects
            and not {verb.object, *objects} <= {"3", "n"}
        ):
            yield f'"{verb.verb}" is done to someone else than in the base text.'


def _person(subject: str) -> str:
    """Nouns and third persons are one; an order is done by the one spoken to."""
    return {"n": "3", "imp": "2"}.get(subject, subject)


def _may_be(verb: Role, same: list[Role]) -> bool:
    """True if the verb may open a sentence whose subject is merely left out: "Want a word", "See you there"."""
    if verb.subject != "imp":
        return False
    if verb.verb in _SAID_BY_HABIT:
        return True
    return any(role.verb == verb.verb and not role.modal and role.subject == "1" for role in same)


def _things(base: Analysis, voiced: Analysis) -> Iterator[str]:
    for person, thing in voiced.owners:
        owners = {owner for owner, other in base.owners if other == thing}
        if owners and person not in owners:
            yield f'"{thing}" belongs to someone else than in the base text.'


def _swapped(base: Analysis, voiced: Analysis) -> Iterator[str]:
    was, now = ({role.subject for role in text.roles} & {"1", "2"} for text in (base, voiced))
    if was == {"1"} and now == {"2"} and not base.asks:
        yield "The base text speaks of the speaker, the voiced text of the listener."
    if was == {"2"} and now == {"1"} and not base.asks:
        yield "The base text speaks of the listener, the voiced text of the speaker."
