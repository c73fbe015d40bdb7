"""What a verifier learns from: a base text and a voiced text, and whether they say the same."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from random import Random

from benchmarks.verifier.corruption import Corruptor, tidy, tokens
from pipeline.content.terms import TellState
from pipeline.content.voice_bank import BankLine
from pipeline.generation.vocabulary import Vocabulary
from pipeline.prompting import mask_pair
from pipeline.training.examples import Branch, Tree

YES, NO = "yes", "no"
FAITHFUL = "faithful"


@dataclass(frozen=True, slots=True)
class VerifierExamples:
    """Makes the trees of bank lines: their own forms as faithful ones, corrupted ones as the others."""

    vocabulary: Vocabulary
    names: Sequence[str]
    keep: Sequence[str]
    corruptor: Corruptor

    def trees(self, line: BankLine, turn: int) -> Iterator[Tree]:
        """Three forms as they are and corrupted, the corrupted base text beside two forms, and a word replaced on both
        sides, which is faithful again: so neither an odd text nor an odd word alone gives the answer away.
        """
        seed = hashlib.sha256(f"{line.kind}\x1f{line.base}\x1f{turn}".encode()).digest()
        chance = Random(int.from_bytes(seed[:8], "big"))
        pairs = self._pairs(line)
        chance.shuffle(pairs)
        if not pairs:
            return
        base = pairs[0][0]
        branches: list[tuple[str, str, str]] = []
        for _, voiced in pairs[:3]:
            branches.append((FAITHFUL, voiced, YES))
            if made := self.corruptor.corrupt(voiced, chance):
                branches.append((made[0], made[1], NO))
        yield self.tree(base, branches)
        if made := self.corruptor.corrupt(base, chance):
            yield self.tree(made[1], [(made[0], voiced, NO) for _, voiced in pairs[3:5] or pairs[:1]])
        if other := self.corruptor.replacement(base, chance):
            shared = [(_replaced(voiced, *other), voiced) for _, voiced in pairs if other[0] in tokens(voiced)][:1]
            if shared:
                yield self.tree(
                    _replaced(base, *other), [(FAITHFUL, shared[0][0], YES), ("replaced", shared[0][1], NO)]
                )

    def tree(self, base: str, branches: Sequence[tuple[str, str, str]]) -> Tree:
        """A base text with voiced texts: name, text and answer of each."""
        trunk = f"Speech: {base}\nVoiced:"
        before = self.vocabulary.encode(trunk)
        made = []
        for name, voiced, answer in branches:
            asked = self.vocabulary.encode(f"{trunk} {voiced}\nSame:")
            whole = self.vocabulary.encode(f"{trunk} {voiced}\nSame: {answer}\n")
            if asked[: len(before)] != before or whole[: len(asked)] != asked:
                continue
            made.append(Branch(name, asked[len(before) :], whole[len(asked) : len(asked) + 1]))
        return Tree(self.vocabulary.leading + before, tuple(made))

    def _pairs(self, line: BankLine) -> list[tuple[str, str]]:
        pairs = []
        for state in TellState:
            try:
                base, voiced = mask_pair(line.base, line.voiced.of(state), self.names, keep=list(self.keep))
            except ValueError:
                continue  # counted by the voice's own training
            if set(base.slots) == set(voiced.slots):
                pairs.append((base.text, voiced.text))
        return pairs


def _replaced(text: str, word: str, other: str) -> str:
    return tidy([other if part == word else part for part in tokens(text)])
