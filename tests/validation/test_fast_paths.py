"""Every short cut gives what the long way gives."""

from __future__ import annotations

import re
from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pipeline.content.models import Term
from pipeline.content.terms import Kind, Severity, TellState
from pipeline.validation import figures, leftovers, repetition
from pipeline.validation import lexicon as lexicon_module
from pipeline.validation.analysis import analyse
from pipeline.validation.hits import Entry
from pipeline.validation.inflect import Inflector
from pipeline.validation.lexicon import Lexicon
from pipeline.validation.normalise import tokens, words
from pipeline.validation.relations import closeness, meaning
from pipeline.validation.rule import Subject
from pipeline.validation.rules import shape, siblings, word_salad

WORDS = re.findall(
    r"\S+",
    "the a gate gate's pump closes open late cargo won't not I you they check checks Motor, mount. hull, — the... of "
    "don't no who? {price} it's it's ‘so’ says: base text *sighs* [note] café #x a_b -> ok:",
)
TEXTS = st.lists(st.sampled_from(WORDS), min_size=1, max_size=12).map(" ".join)
ODD = st.text(alphabet=st.sampled_from("abA 's.,!?-—…\"'*_:[(<#é`>=n\n"), max_size=24)


def _faults(base: str, voiced: str, kind: Kind) -> list[tuple[object, ...]]:
    return list(shape._faults(Subject(base, voiced, kind, TellState.Neutral)))


@settings(max_examples=400, deadline=None)
@given(TEXTS | ODD, TEXTS, st.sampled_from(Kind))
def test_plain_prose_needs_no_look_at_its_form(voiced: str, base: str, kind: Kind) -> None:
    quick = _faults(base, voiced, kind)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(leftovers, "is_prose", lambda _text: False)
        patch.setattr(repetition, "may_stand_twice", lambda _text: True)
        assert _faults(base, voiced, kind) == quick


@settings(max_examples=400, deadline=None)
@given(TEXTS | ODD)
def test_the_cheap_test_misses_no_sentence_that_ends_early(voiced: str) -> None:
    subject = Subject("The gate.", voiced, Kind.dialogue, TellState.Neutral)
    quick = list(word_salad._early_ends(subject))
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(word_salad, "_may_end_early", lambda _lower: True)
        assert list(word_salad._early_ends(subject)) == quick


@settings(max_examples=400, deadline=None)
@given(st.lists(st.sampled_from("abcd"), max_size=14).map(tuple))
def test_a_loop_has_two_words_in_common(said: tuple[str, ...]) -> None:
    if len(set(pairwise(said))) == len(said) - 1:
        size = len(said)
        stretches = [said[at : at + long] for long in range(2, size) for at in range(size - long + 1)]
        assert len(set(stretches)) == len(stretches)


@settings(max_examples=200, deadline=None)
@given(TEXTS, st.sampled_from(["gate", "shut", "early", "pumps", "person", "motors"]))
def test_a_word_is_as_near_to_a_text_as_to_its_nearest_word(text: str, word: str) -> None:
    found = analyse(text)
    assert found.cover(word) == max((closeness(word, each.text) for each in found.words), default=0.0)


@settings(max_examples=200, deadline=None)
@given(*[st.sampled_from(["gate", "door", "hatch", "shut", "closed", "late", "early", "repair", "repairing", "x"])] * 2)
def test_closeness_is_what_the_keys_say_and_goes_both_ways(one: str, other: str) -> None:
    mine, its = meaning(one), meaning(other)
    if one == other or mine.lemmas & its.lemmas:
        expected = 1.0
    elif mine.close & its.close:
        expected = 0.9
    elif mine.beside & its.close or mine.close & its.beside or (mine.stem and mine.stem == its.stem):
        expected = 0.7
    else:
        expected = 0.0
    assert closeness(one, other) == closeness(other, one) == expected


NUMBER_WORDS = (
    "two one first, a couple of dozen. half past six— twenty-one B-seven and or IV deck in piece; third thirds {n} "
    "point 'nine' pair, hundred minds second (four) the"
)
NUMBERS = st.lists(st.sampled_from(NUMBER_WORDS.split()), max_size=9).map(" ".join)


@settings(max_examples=400, deadline=None)
@given(NUMBERS)
def test_figures_in_words_stay_within_their_clause(text: str) -> None:
    figures.figures.cache_clear()
    quick = figures.figures(text)
    figures.figures.cache_clear()
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(figures, "_in_words", figures.find_figures)
        assert figures.figures(text) == quick
    figures.figures.cache_clear()


@settings(max_examples=200, deadline=None)
@given(TEXTS, TEXTS)
def test_similar_texts_are_told_as_the_distance_tells_them(one: str, other: str) -> None:
    from rapidfuzz.distance import Indel

    mine, its = siblings._sounds(one), siblings._sounds(other)
    assert siblings._similar(mine, its, 0.6) is (Indel.normalized_similarity(mine, its) >= 0.6)


PIECES = re.findall(r"\S+", "gate pump gate-pump hatch, hat ch warp drive's warpdrive light saber a")
LEXICON = Lexicon(
    [
        Entry("test", Term(term=term, severity=Severity.block, group="g", pos="noun"))
        for term in ("gate pump", "hatch", "motor mount", "warp drive", "light-saber", "o'clock")
    ],
    Inflector(),
)


@settings(max_examples=300, deadline=None)
@given(st.lists(st.sampled_from(PIECES)))
def test_the_first_pass_finds_what_a_search_word_by_word_finds(parts: list[str]) -> None:
    text = " ".join(parts)
    said = words(text)
    expected = set()
    for key in LEXICON._index:
        wanted = tuple(key.split(" "))
        for at in range(len(said) - len(wanted) + 1):
            if said[at : at + len(wanted)] == wanted:
                expected.add((tokens(text)[at].start, tokens(text)[at + len(wanted) - 1].end))
    for at, (one, other) in enumerate(pairwise(said)):
        if one + other in LEXICON._single and lexicon_module._may_join(one, other, text, at):
            expected.add((tokens(text)[at].start, tokens(text)[at + 1].end))
    assert {hit.span for hit in LEXICON._first_pass(text)} == expected
