"""Which exclamations are another culture's."""

from __future__ import annotations

from collections.abc import Mapping

from pipeline.content.models import Culture


def foreign_oaths(cultures: Mapping[str, Culture]) -> dict[str, frozenset[str]]:
    """By culture id: the exclamations of all other cultures that are none of its own, lower case."""
    own = {
        name: {oath.lower() for oath in culture.injector.vocabulary.exclamations} for name, culture in cultures.items()
    }
    everyone = frozenset().union(*own.values())
    return {name: everyone - oaths for name, oaths in own.items()}
