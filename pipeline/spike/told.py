"""Can the tell state be told from the words alone? A classifier tries; chance is one in six."""

from __future__ import annotations

import re
from collections.abc import Sequence

from pipeline.content.terms import TellState

FOLDS = 5
CHANCE = 1 / len(TellState)
_PUNCTUATION = re.compile(r"[^\w\s{}']+")
_WORD = r"[\w{}']+|[^\w\s]"


def told_by_state(texts: Sequence[tuple[str, str, TellState]], *, punctuation: bool) -> dict[TellState, float] | None:
    """By state, the share of texts (base, text, state) whose state is found. None for too few texts.

    The classifier (words and word pairs, logistic regression) is cross-validated so that no base text stands in both
    halves. Without `punctuation`, marks and letter case are taken away first.
    """
    states = [state for *_, state in texts]
    if len({base for base, *_ in texts}) < FOLDS or len(set(states)) < len(TellState):
        return None
    from sklearn.feature_extraction.text import CountVectorizer
    from sklearn.linear_model import LogisticRegression
    from sklearn.model_selection import GroupKFold, cross_val_predict
    from sklearn.pipeline import make_pipeline

    words = [text if punctuation else _PUNCTUATION.sub(" ", text).lower() for _, text, _ in texts]
    model = make_pipeline(CountVectorizer(ngram_range=(1, 2), token_pattern=_WORD), LogisticRegression(max_iter=1000))
    names = [state.value for state in states]
    guessed = cross_val_predict(model, words, names, groups=[base for base, *_ in texts], cv=GroupKFold(FOLDS))
    right = [guess == name for guess, name in zip(guessed, names, strict=True)]
    return {
        state: round(sum(hit for hit, one in zip(right, states, strict=True) if one is state) / states.count(state), 3)
        for state in TellState
    }


def told(texts: Sequence[tuple[str, str, TellState]], *, punctuation: bool) -> float | None:
    """The share of all texts whose state is found; None for too few texts."""
    found = told_by_state(texts, punctuation=punctuation)
    if found is None:
        return None
    states = [state for *_, state in texts]
    return round(sum(found[state] * states.count(state) for state in TellState) / len(states), 3)
