"""What is done and what is still to be done."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

from pipeline.validation.analysis import analyse
from pipeline.validation.dictionary import is_base_form, lemmas
from pipeline.validation.wording import Word


def moved_in_time(base: str, voiced: str) -> tuple[str, tuple[int, int]] | None:
    """The first verb that is done in one text and due in the other, as a sentence with its place in `voiced`."""
    was = _times(base)
    if was.keys().isdisjoint(analyse(voiced).lemmas):
        return None
    now = _times(voiced)
    for verb, (time, _) in was.items():
        if verb in now and {time, now[verb][0]} == {"done", "due"}:
            return f"In the base text this is {_TIMES[time]}, in the voiced text {_TIMES[now[verb][0]]}.", now[verb][1]
    return None


_DUE = frozenset({"need", "needs", "will", "'ll", "should", "must", "shall", "gonna", "going"})
_TIMES = {"done": "done", "due": "still to be done"}


@lru_cache(maxsize=512)
def _times(said: str) -> dict[str, tuple[str, tuple[int, int]]]:
    """By dictionary form, the heavy verbs that are surely done or surely due, with their place."""
    found: dict[str, tuple[str, tuple[int, int]]] = {}
    text = analyse(said)
    for at, word in enumerate(text.words):
        if word.weight <= 0.3 or not word.verbal:
            continue
        past = not is_base_form(word.text) and word.text[-1] != "s" and not word.text.endswith("ing")
        time = _time(text.words, at, past)
        for form in sorted(lemmas(word.text)) if time else ():
            found[form] = ("", word.span) if form in found and found[form][0] != time else (time, word.span)
    return found


def _time(words: Sequence[Word], at: int, past: bool) -> str:
    """`due` behind will, must, need and the like, `done` for a past form whose subject or auxiliary is said; empty
    where it is unsure, as behind another verb: find it locked, get it replaced."""
    said = False
    for before in reversed(words[:at]):
        if before.clause != words[at].clause:
            break
        if before.text in _DUE:
            return "due"
        if before.verbal and said:  # must tell you that you have paid: what is due is another verb
            break
        if before.text in _HAVING or (before.verbal and before.weight <= 0.5):
            return ""
        said = said or before.text in _WHO or before.weight == 1.0
    return "done" if past and said else ""


_HAVING = frozenset({"get", "gets", "got", "getting", "find", "finds", "keep", "keeps", "want", "wants", "see", "sees"})
_WHO = frozenset(
    {"i", "we", "you", "he", "she", "they", "it", "who", "has", "have", "had", "'ve", "was", "were", "been"}
)
