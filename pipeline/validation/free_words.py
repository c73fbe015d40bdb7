"""Words that a voiced text may add without adding a fact."""

from __future__ import annotations

from functools import lru_cache

from pipeline.content.terms import Kind, TellState
from pipeline.validation.rule import Subject
from pipeline.validation.rules.new_names import culture_words
from pipeline.validation.wordsets import word_set


def free_words(subject: Subject) -> frozenset[str]:
    """Words that may be added: the culture's own, the speaker's fillers, and in behaviors the manner of doing it."""
    culture = culture_words(subject.culture) if subject.culture else frozenset()
    fillers = subject.npc.filler_words if subject.npc else ()
    return _all_free(subject.kind, culture, fillers, subject.tell_state is TellState.Friendly)


@lru_cache(maxsize=1024)
def _all_free(kind: Kind, culture: frozenset[str], fillers: tuple[str, ...], friendly: bool) -> frozenset[str]:
    return _FREE[kind] | culture | frozenset(fillers) | (_FRIENDLY if friendly else frozenset())


_FREE = {
    Kind.dialogue: word_set("discourse") | word_set("courtesies"),
    Kind.behavior: word_set("discourse") | word_set("manner_words"),
}
_FRIENDLY = frozenset({"friend"})
