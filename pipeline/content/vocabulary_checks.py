"""What must hold for guards and word lists beyond their own fields."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from pipeline.content.bound import Bound, Path
from pipeline.content.mistakes import DUPLICATE_ID, EMPTY_TERM
from pipeline.content.models import Guard, Term, WordList
from pipeline.content.problems import Problem
from pipeline.ron import closest

GUARD_IDS = ("NI-1", "NI-2", "NI-3", "NI-4", "NI-5")
PARTS_OF_SPEECH = ("noun", "verb", "adj")
PLACEHOLDERS = ("poss", "refl", "obj", "be", "have")
"""What may stand in angle brackets inside a term."""
_ANGLED = re.compile(r"<([a-z]+)>")


def check_guards(guards: Sequence[Bound[Guard]], folder: str, *, complete: bool) -> Iterator[Problem]:
    """Guards NI-1 to NI-5, each once. `folder` is named when one is missing; only looked at when all could be read."""
    yield from _check_ids(guards)
    for guard in guards:
        if guard.value.id not in GUARD_IDS:
            hint = f"The guards are {', '.join(GUARD_IDS)}; other word lists belong in prompts/vocabulary/."
            yield guard.problem(("id",), f"there is no guard `{guard.value.id}`", hint=hint)
    if complete:
        present = {guard.value.id for guard in guards}
        for missing in (each for each in GUARD_IDS if each not in present):
            hint = f'Add a file with id: "{missing}".'
            yield Problem(folder, None, None, f"guard {missing} is missing", ", ".join(GUARD_IDS), hint)


def check_word_lists(lists: Sequence[Bound[WordList]]) -> Iterator[Problem]:
    """Word lists with ids of their own."""
    yield from _check_ids(lists)


def _check_ids(lists: Sequence[Bound[Guard]] | Sequence[Bound[WordList]]) -> Iterator[Problem]:
    seen: dict[str, Bound[Guard] | Bound[WordList]] = {}
    for each in lists:
        earlier = seen.setdefault(each.value.id, each)
        if earlier is not each:
            also = earlier.excerpt(("id",), "first here")
            yield each.problem(
                ("id",), f"the id `{each.value.id}` is used twice", hint="Rename one.", also=also, id=DUPLICATE_ID
            )
        yield from _check_terms(each)


def _check_terms(bound: Bound[Guard] | Bound[WordList]) -> Iterator[Problem]:
    for index, term in enumerate(bound.value.vocabulary):
        path = ("vocabulary", index)
        yield from _check_spellings(bound, path, term)
        if term.pos is not None and term.pos not in PARTS_OF_SPEECH:
            hint = "It decides which inflections are added. Leave it out to match the term as it stands."
            expected = ", ".join(PARTS_OF_SPEECH)
            yield bound.problem((*path, "pos"), f"`{term.pos}` is no part of speech", expected=expected, hint=hint)
        for number, pattern in enumerate(term.allow):
            try:
                re.compile(pattern)
            except re.error as error:
                hint = (
                    r"`allow` holds regular expressions; in a raw string, r#" + '".."#, backslashes stay as they are.'
                )
                yield bound.problem((*path, "allow", number), f"this pattern is broken: {error}", hint=hint)


def _check_spellings(bound: Bound[Guard] | Bound[WordList], path: Path, term: Term) -> Iterator[Problem]:
    """Every spelling can match something."""
    forms: list[tuple[Path, str]] = [((*path, "forms", number), form) for number, form in enumerate(term.forms)]
    for place, spelling in [((*path, "term"), term.term), *forms]:
        for name in (each for each in _ANGLED.findall(spelling) if each not in PLACEHOLDERS):
            near = closest(name, PLACEHOLDERS)
            known = ", ".join(f"<{each}>" for each in PLACEHOLDERS)
            hint = f"Did you mean <{near}>?" if near else f"There are {known}."
            yield bound.problem(place, f"`<{name}>` is no placeholder", hint=hint, id=EMPTY_TERM)
        if not any(char.isalnum() for char in _ANGLED.sub("", spelling)):
            hint = "A term is made of words; marks of punctuation are not matched."
            yield bound.problem(place, f"`{spelling}` holds no word", hint=hint, id=EMPTY_TERM)
