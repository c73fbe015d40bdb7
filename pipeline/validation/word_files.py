"""The word lists of a project without the rest of its content, for who works on words."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import TypeVar

from pipeline.content.binding import bind
from pipeline.content.bound import Bound
from pipeline.content.files import ContentFiles
from pipeline.content.models import Guard, WordList
from pipeline.content.problems import ContentErrors, Problem
from pipeline.content.vocabulary_checks import check_guards, check_word_lists
from pipeline.project import Project
from pipeline.ron import RonError, parse_file
from pipeline.validation.lexicon import Lexicon
from pipeline.validation.ruleset import lexicon_of

_Model = TypeVar("_Model", Guard, WordList)


def load_lexicon(project: Project) -> Lexicon:
    """The matcher over the guards and word lists of `project`; mistakes in zones and cultures do not matter.

    Raises `ContentErrors` with every mistake of the word files.
    """
    files = ContentFiles.of(project)
    problems: list[Problem] = []
    guards = _bound(Guard, files.guards, project, problems)
    lists = _bound(WordList, files.word_lists, project, problems)
    problems += check_guards(guards, project.shown(project.prompts / "guards"), complete=not problems)
    problems += check_word_lists(lists)
    if problems:
        raise ContentErrors(problems)
    return lexicon_of(
        sorted((guard.value for guard in guards), key=lambda guard: guard.id),
        sorted((each.value for each in lists), key=lambda each: each.id),
        project.build,
    )


def _bound(
    model: type[_Model], paths: Iterable[Path], project: Project, problems: list[Problem]
) -> list[Bound[_Model]]:
    found: list[Bound[_Model]] = []
    for path in paths:
        try:
            document = parse_file(path, project.shown(path))
        except RonError as error:
            problems.append(Problem.unreadable(error))
            continue
        bound, faults = bind(model, document)
        problems += faults
        if bound is not None:
            found.append(bound)
    return found
