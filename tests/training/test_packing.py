from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from pipeline.training.examples import Branch, Tree
from pipeline.training.packing import LENGTH_STEP, pack

TREE = Tree((1, 2, 3), (Branch("a", (10, 11), (20, 21)), Branch("b", (12,), (22,))))
OTHER = Tree((1,), (Branch("back", (13,), (23, 24, 25)),))

tokens = st.lists(st.integers(1, 99), min_size=1, max_size=5).map(tuple)
branches = st.builds(Branch, st.sampled_from("abc"), tokens, tokens)
trees = st.builds(Tree, tokens, st.lists(branches, min_size=1, max_size=4).map(tuple))


def test_a_branch_counts_on_from_its_trunk() -> None:
    packed = pack([[TREE, OTHER]])
    assert packed.tokens.shape == packed.positions.shape == (1, LENGTH_STEP)
    assert packed.tokens[0].tolist()[:12] == [1, 2, 3, 10, 11, 20, 12, 1, 13, 23, 24, 0]
    assert packed.positions[0].tolist()[:11] == [0, 1, 2, 3, 4, 5, 3, 0, 1, 2, 3]


def test_answers_are_predicted_from_the_place_before_them() -> None:
    packed = pack([[TREE, OTHER]])
    seen = [int(packed.tokens[row, column]) for row, column in zip(packed.rows, packed.columns, strict=True)]
    assert list(zip(seen, packed.labels.tolist(), packed.names, strict=True)) == [
        (11, 20, "a"),
        (20, 21, "a"),
        (12, 22, "b"),
        (13, 23, "back"),
        (23, 24, "back"),
        (24, 25, "back"),
    ]


def test_branches_see_their_trunk_and_never_each_other() -> None:
    mask = pack([[TREE, OTHER]]).mask[0, 0]
    assert np.flatnonzero(mask[5]).tolist() == [0, 1, 2, 3, 4, 5]
    assert np.flatnonzero(mask[6]).tolist() == [0, 1, 2, 6]
    assert np.flatnonzero(mask[9]).tolist() == [7, 8, 9]


@given(st.lists(st.lists(trees, min_size=1, max_size=3), min_size=1, max_size=3))
def test_what_a_token_sees_is_what_it_would_see_alone(rows: list[list[Tree]]) -> None:
    """Every answer's context, read through the mask in order of position, is trunk, prompt and answer so far."""
    packed = pack(rows)
    expected = [
        (tree.trunk + branch.prompt + branch.answer[:i], label)
        for row in rows
        for tree in row
        for branch in tree.branches
        for i, label in enumerate(branch.answer)
    ]
    found = []
    for row, column, label in zip(packed.rows, packed.columns, packed.labels, strict=True):
        visible = np.flatnonzero(packed.mask[row, 0, column])
        assert packed.positions[row, visible].tolist() == list(range(len(visible)))
        found.append((tuple(packed.tokens[row, visible].tolist()), int(label)))
    assert found == expected
    assert packed.mask.any(axis=-1).all()
