"""Who does what to whom stays: no first and second person swapped, no order made of a statement."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from pipeline.content.terms import Kind, Severity
from pipeline.validation.analysis import Analysis, analyse
from pipeline.validation.dictionary import is_base_form, lemmas
from pipeline.validation.finding import Finding
from pipeline.validation.order import changed_places
from pipeline.validation.roles import Role
from pipeline.validation.rule import Canary, RuleDoc, Subject
from pipeline.validation.rules.vocabulary import said
from pipeline.validation.wordsets import word_set

_DOC = RuleDoc(
    catches=(
        "Persons swapped (she owes me - I owe her), a statement turned into an order or an order into a "
        "report, my turned into your, two things in each other's place."
    ),
    severity="block where the speaker and the one spoken to plainly change places, or a report and an order; review "
    "else.",
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
    Canary(said("Who told you about the crate?", "Who'd you tell about the crate?"), "the one told made the teller"),
    Canary(said("Hold the door open for the cart.", "Holding the door open for the cart."), "an order made a report"),
    Canary(
        said("pulls the old filter and fits the new one", "pulls the new filter and fits the old one", Kind.behavior),
        "two things exchanged",
    ),
    Canary(said("The crate was on the shelf.", "The shelf was on the crate."), "what stands where exchanged"),
    Canary(said("I have worked here for years.", "You've worked here for years."), "persons swapped"),
)
_SAID_BY_HABIT = word_set("said_by_habit")
_COURTEOUS = word_set("courtesies")


@dataclass(frozen=True)
class WhoDoesWhat:
    """Compares subjects, objects and owners of the words that both texts share."""

    id: str = "who-does-what"
    doc: RuleDoc = _DOC
    canaries: Sequence[Canary] = _CANARIES

    def check(self, subject: Subject) -> Iterable[Finding]:
        """One finding per verb or noun that changed hands; behaviors have one person only and are not looked at."""
        if subject.kind is Kind.behavior:
            if moved := changed_places(subject.base, subject.voiced):
                yield Finding(self.id, Severity.review, moved)
            return
        base, voiced = analyse(subject.base), analyse(subject.voiced)
        remarks = sorted(
            (
                *_verbs(base, voiced),
                *_things(base, voiced),
                *_swapped(base, voiced),
                *_reported(base, voiced),
                *_moved(subject),
            ),
            key=_graver_first,
        )
        for severity, message in remarks[:1]:
            yield Finding(self.id, severity, message)


_Remark = tuple[Severity, str]


def _graver_first(remark: _Remark) -> bool:
    return remark[0] is not Severity.block


def _verbs(base: Analysis, voiced: Analysis) -> Iterator[_Remark]:
    asks = base.asks or voiced.asks
    for verb in voiced.roles:
        if not (verb.subject or verb.object):
            continue
        same = base.roles_of(lemmas(verb.verb))
        if all(role.subject == verb.subject and role.object == verb.object for role in same):
            continue
        subjects = {_person(role.subject) for role in same}
        mine = _person(verb.subject)
        if _MUTUAL & lemmas(verb.verb) and verb.object and any(role.object for role in same):
            continue  # I will see you, you will see me
        if mine and "" not in subjects and mine not in subjects and not _may_be(verb, same):
            plain = not asks and len(same) == 1 and _plainly_moved(same[0], verb)
            severity = Severity.block if plain else Severity.review
            yield severity, f'"{verb.verb}" is done by someone else than in the base text.'
        objects = {role.object for role in same}
        if (
            verb.subject in ("1", "2")
            and not verb.object
            and base.texts.isdisjoint(_REFLEXIVE)
            and objects == {verb.subject}
            and verb.subject not in subjects
        ):
            yield Severity.review, f'"{verb.verb}" is done by the one to whom it is done in the base text.'
        if (
            verb.object
            and "" not in objects
            and verb.object not in objects
            and not {verb.object, *objects} <= {"3", "n"}
        ):
            yield Severity.review, f'"{verb.verb}" is done to someone else than in the base text.'


def _person(subject: str) -> str:
    """Nouns and third persons are one; an order is done by the one spoken to."""
    return {"n": "3", "imp": "2"}.get(subject, subject)


def _plainly_moved(was: Role, now: Role) -> bool:
    """True if I and you change places, or a report of one's own becomes an order, or an order a report."""
    if {was.subject, now.subject} == {"1", "2"}:
        return True
    report, order = (was, now) if now.subject == "imp" else (now, was)
    return order.subject == "imp" and report.subject == "1" and not report.modal and report.verb != order.verb


def _may_be(verb: Role, same: list[Role]) -> bool:
    """True if the verb may open a sentence whose subject is merely left out: "Want a word", "See you there"."""
    if verb.subject == "n" and not _OF_STATE.isdisjoint(lemmas(verb.verb)):
        return all(role.subject == "imp" for role in same)  # "Lamp stays on" orders as well
    if verb.subject != "imp":
        return False
    if verb.verb in _SAID_BY_HABIT or (verb.verb in _UNCHANGED and any(role.verb == verb.verb for role in same)):
        return True
    return any(role.verb == verb.verb and not role.modal and role.subject == "1" for role in same)


_REFLEXIVE = frozenset({"myself", "yourself"})
_MUTUAL = frozenset({"see", "meet", "thank"})
_OF_STATE = frozenset({"stay", "keep", "go", "come", "stop", "wait", "remain", "run"})
_UNCHANGED = word_set("unchanged_verbs")


def _reported(base: Analysis, voiced: Analysis) -> Iterator[_Remark]:
    """An order that became a report without a subject: hold the door - holding the door."""
    ordered = frozenset().union(*(lemmas(role.verb) for role in base.roles if role.subject == "imp"))
    if not ordered or voiced.orders or voiced.denials:
        return
    for word in voiced.words:
        opens = word.opens and word.verbal and not is_base_form(word.text)
        if opens and word.text not in base.texts | _COURTEOUS and not ordered.isdisjoint(lemmas(word.text)):
            yield Severity.review, f'The base text orders this, "{word.text}" tells it.'


def _moved(subject: Subject) -> Iterator[_Remark]:
    if moved := changed_places(subject.base, subject.voiced):
        yield Severity.review, moved


def _things(base: Analysis, voiced: Analysis) -> Iterator[_Remark]:
    for person, thing in voiced.owners:
        owners = {owner for owner, other in base.owners if other == thing}
        elided = any(word.text in _ELIDED and _ELIDED[word.text] == person for word in base.words)
        if owners and person not in owners and not elided:
            plain = {person, *owners} == {"1", "2"} and not (base.asks or voiced.asks)
            severity = Severity.block if plain else Severity.review
            yield severity, f'"{thing}" belongs to someone else than in the base text.'


_ELIDED = {"mine": "1", "ours": "1", "yours": "2"}
"""Owners whose thing was named before."""


_OF_OTHER = {"1": frozenset({"you", "your", "yours", "thanks", "thank"}), "2": frozenset({"i", "me", "my", "we", "us"})}
"""Words by which a text that tells of one person's doings speaks of the other as well."""


def _swapped(base: Analysis, voiced: Analysis) -> Iterator[_Remark]:
    was, now = base.persons, voiced.persons
    if base.asks or len(was) != 1 or len(now) != 1 or was == now:
        return
    if not base.texts.isdisjoint(_OF_OTHER[min(was)]):
        return
    if was == {"1"}:
        yield Severity.review, "The base text speaks of the speaker, the voiced text of the listener."
    else:
        yield Severity.review, "The base text speaks of the listener, the voiced text of the speaker."
