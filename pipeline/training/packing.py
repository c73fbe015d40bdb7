"""Packs trees into one batch: a row per line, in which branches see their trunk and themselves, never each other."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from pipeline.training.examples import Tree


@dataclass(frozen=True, slots=True)
class Packed:
    """A batch of `rows` rows, padded to `length` tokens, a multiple of `LENGTH_STEP`."""

    tokens: NDArray[np.int64]
    """(rows, length)."""
    positions: NDArray[np.int64]
    """(rows, length): a branch counts on from its trunk."""
    mask: NDArray[np.bool_]
    """(rows, 1, length, length): True where a token may look."""
    rows: NDArray[np.int64]
    """(answers,): row of every position from which an answer's token is predicted."""
    columns: NDArray[np.int64]
    """(answers,): its column."""
    labels: NDArray[np.int64]
    """(answers,): the token to predict there."""
    names: tuple[str, ...]
    """(answers,): the branch that each belongs to."""


@dataclass(slots=True)
class _Row:
    tokens: list[int] = field(default_factory=list)
    positions: list[int] = field(default_factory=list)
    trunks: list[int] = field(default_factory=list)
    """For each token, where its trunk starts."""
    branches: list[int] = field(default_factory=list)
    """For each token, where its branch starts; a trunk's own tokens have their trunk here."""
    answers: list[tuple[int, int, str]] = field(default_factory=list)
    """Column, label, name."""


LENGTH_STEP = 64
"""Rows are padded to a multiple of this many tokens: torch prepares its kernels anew for every new shape."""


def pack(rows: Sequence[Sequence[Tree]]) -> Packed:
    """A batch with the given trees in each row, side by side."""
    made = [_row(trees) for trees in rows]
    length = -(-max(len(row.tokens) for row in made) // LENGTH_STEP) * LENGTH_STEP
    tokens, positions = np.zeros((2, len(made), length), dtype=np.int64)
    # Padding looks at itself: a softmax over nothing would divide by zero.
    mask = np.tile(np.eye(length, dtype=np.bool_), (len(made), 1, 1, 1))
    for number, row in enumerate(made):
        size = len(row.tokens)
        tokens[number, :size] = row.tokens
        positions[number, :size] = row.positions
        mask[number, 0, :size, :size] = _visible(row)
    answers = [(number, *answer) for number, row in enumerate(made) for answer in row.answers]
    return Packed(
        tokens,
        positions,
        mask,
        np.array([number for number, *_ in answers], dtype=np.int64),
        np.array([column for _, column, *_ in answers], dtype=np.int64),
        np.array([label for *_, label, _ in answers], dtype=np.int64),
        tuple(name for *_, name in answers),
    )


def _row(trees: Sequence[Tree]) -> _Row:
    row = _Row()
    for tree in trees:
        trunk = len(row.tokens)
        _append(row, tree.trunk, 0, trunk, trunk)
        for branch in tree.branches:
            start = len(row.tokens)
            _append(row, branch.prompt + branch.answer[:-1], len(tree.trunk), trunk, start)
            first = start + len(branch.prompt) - 1
            row.answers += [(first + i, label, branch.name) for i, label in enumerate(branch.answer)]
    return row


def _append(row: _Row, tokens: Sequence[int], position: int, trunk: int, branch: int) -> None:
    row.tokens += tokens
    row.positions += range(position, position + len(tokens))
    row.trunks += [trunk] * len(tokens)
    row.branches += [branch] * len(tokens)


def _visible(row: _Row) -> NDArray[np.bool_]:
    """(size, size): token i may look at j when j is not later, and in i's trunk or branch."""
    trunks, branches = np.array(row.trunks), np.array(row.branches)
    same_tree = trunks[:, None] == trunks[None, :]
    in_trunk = (branches == trunks)[None, :]
    same_branch = branches[:, None] == branches[None, :]
    return np.tril(same_tree & (in_trunk | same_branch))
