"""What a text loses: words that say how much, orders, runs of words."""

from __future__ import annotations

from pipeline.content.terms import Kind
from pipeline.validation.analysis import Analysis
from pipeline.validation.dictionary import weight
from pipeline.validation.wording import Word
from pipeline.validation.wordsets import lines


def stood_for(missing: list[tuple[Word, float]]) -> list[tuple[Word, float]]:
    """The same without the first lost thing, for which `one` stands: the new worker, the new one."""
    for at, (word, loss) in enumerate(missing):
        if word.weight == 1.0 and loss:
            return [*missing[:at], (word, 0.0), *missing[at + 1 :]]
    return missing


_MEASURES = tuple(
    (frozenset(line.split("|")[0].split()), frozenset(line.replace("|", " ").split())) for line in lines("measures")
)
"""Words that say how much or how sure, and what may stand for them, themselves included."""


_MEASURED = frozenset().union(*(measures for measures, _ in _MEASURES))


def lost_measure(base: Analysis, voiced: Analysis) -> str:
    """A word for how much or how sure (most, almost, I think) that nothing in the voiced text stands for."""
    if base.texts.isdisjoint(_MEASURED):
        return ""
    for measures, alike in _MEASURES:
        lost = base.texts & measures
        if lost and not voiced.texts & alike:
            return min(lost)
    return ""


def lost_order(base: Analysis, voiced: Analysis) -> str:
    """What the base text orders in a sentence of its own and the voiced text does not; empty where it orders all."""
    for role in base.roles:
        alone = all(word.clause == role.clause or word.text != role.verb for word in base.words)
        if role.subject == "imp" and alone and len({each.clause for each in base.content}) > 1:
            lost = voiced.cover(role.verb) < 0.7 and not any(each.subject == "imp" for each in voiced.roles)
            if lost and weight(role.verb) > 0.3:
                return role.verb
    return ""


def lost_run(missing: list[tuple[Word, float]], limit: float) -> str:
    """The heaviest run of neighbouring words that are all gone, if it weighs more than `limit`."""
    run: list[Word] = []
    for word, loss in missing:
        if word.weight <= 0.3:
            continue
        run = [*run, word] if loss >= 0.85 * word.weight else []
        if sum(each.weight for each in run) > limit:
            return ", ".join(each.text for each in run)
    return ""


def last_clause_gone(base: Analysis, missing: list[tuple[Word, float]]) -> list[str]:
    """The words of the last clause if nothing of it is left; a clause with a slot or a figure is there by that."""
    last = base.words[-1].clause
    part = [(word, loss) for word, loss in missing if word.clause == last]
    told = last and all(word.text.isalpha() or word.text[0] == "'" for word in base.words if word.clause == last)
    if told and sum(word.weight for word, _ in part) >= 0.5 and all(loss == word.weight for word, loss in part):
        return [word.text for word, _ in part]
    return []


def lost_clause(missing: list[tuple[Word, float]], kind: Kind, limit: float, of_run: float) -> str:
    """The words of a clause of which nearly nothing is left, or a run of lost words; `limit` and `of_run` are the
    weights from which they tell."""
    by_clause: dict[int, list[tuple[Word, float]]] = {}
    for word, loss in missing:
        by_clause.setdefault(word.clause, []).append((word, loss))
    for part in by_clause.values():
        heavy = [(word, loss) for word, loss in part if word.weight > 0.3]
        acted = kind is Kind.behavior and any(word.verbal for word, _ in heavy)
        whole = sum(word.weight for word, _ in heavy)
        acts = limit if not acted else 0.5
        if len(by_clause) > 1 and whole >= acts and sum(loss for _, loss in heavy) >= 0.85 * whole:
            return ", ".join(word.text for word, _ in heavy)
    return lost_run(missing, of_run)
