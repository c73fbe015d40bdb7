"""Decodes one line: all candidates of a group of variants side by side.

Candidates of a variant that have drawn the same tokens so far are one **branch**: they read the same logits and cost
one decode step together. When their draws differ the branch forks; the new branch shares the cells of the old one. At
the cool temperatures that keep facts straight, candidates stay together for much of a line.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

from pipeline.generation.decoder import BATCH_TOKENS, Decoder, Entry
from pipeline.generation.llama import llama
from pipeline.generation.sampling import SamplerChain, Shortlist
from pipeline.generation.vocabulary import Tokens, Vocabulary


@dataclass(slots=True)
class Draft:
    """A candidate in the making."""

    variant: str
    index: int
    sequence: int
    """Its sequence number, if it comes to lead a branch."""
    seed: int | None
    """None: takes the likeliest token each time."""
    limit: int
    """Most tokens that it may take."""
    text: bytearray = field(default_factory=bytearray)
    tokens: int = 0
    finished: bool = False
    """True: the model ended the line; False: still open, or ended by the limit."""

    def take(self, token: int, vocabulary: Vocabulary) -> bool:
        """Adds a token. Returns whether the candidate goes on."""
        self.tokens += 1
        if vocabulary.ends_text(token):
            self.finished = True
            return False
        line, newline, _ = vocabulary.piece(token).partition(b"\n")
        self.text += line
        if newline and self.text.strip():
            self.finished = True
            return False
        return self.tokens < self.limit


@dataclass(slots=True)
class _Branch:
    sequence: int
    position: int
    """Where `token` goes."""
    token: int
    drafts: list[Draft]


@dataclass(frozen=True, slots=True)
class VariantPrompt:
    """A variant's own segments, after the shared prefix, and its drafts."""

    tokens: Tokens
    drafts: tuple[Draft, ...]


class LineBatch:
    """One pass over a group of variants. `run` fills the drafts."""

    def __init__(self, decoder: Decoder, chain: SamplerChain, vocabulary: Vocabulary) -> None:
        self._decoder = decoder
        self._chain = chain
        self._vocabulary = vocabulary
        self._dists: dict[int, Any] = {}

    def run(self, prompts: Sequence[VariantPrompt], start: int) -> None:
        """Decodes all drafts to their ends. `start`: length of the shared prefix, which the decoder already holds."""
        binding = llama()
        seeded = [d for p in prompts for d in p.drafts if d.seed is not None]
        try:
            self._dists = {d.sequence: binding.llama_sampler_init_dist(d.seed) for d in seeded}
            branches = list(self._prompted(prompts, start))
            while branches:
                branches = list(self._stepped(branches))
        finally:
            for dist in self._dists.values():
                binding.llama_sampler_free(dist)
            self._dists = {}

    def _prompted(self, prompts: Sequence[VariantPrompt], start: int) -> Iterator[_Branch]:
        """Decodes the variants' prompts, packed into full calls, and draws the first tokens."""
        entries: list[Entry] = []
        owners: list[VariantPrompt | None] = []
        for prompt in prompts:
            lead = prompt.drafts[0].sequence
            self._decoder.copy(0, lead)
            last = len(prompt.tokens) - 1
            entries += [(token, start + i, lead, i == last) for i, token in enumerate(prompt.tokens)]
            owners += [*[None] * last, prompt]
        for cut in range(0, len(entries), BATCH_TOKENS):
            self._decoder.read(entries[cut : cut + BATCH_TOKENS])
            for row, owner in enumerate(owners[cut : cut + BATCH_TOKENS]):
                if owner is not None:
                    shortlist = self._chain.shortlist(self._decoder.context, row)
                    lead = owner.drafts[0].sequence
                    yield from self._forked(shortlist, owner.drafts, lead, start + len(owner.tokens))

    def _stepped(self, branches: Sequence[_Branch]) -> Iterator[_Branch]:
        """One more token for every branch."""
        self._decoder.decode([(b.token, b.position, b.sequence, True) for b in branches])
        for row, branch in enumerate(branches):
            shortlist = self._chain.shortlist(self._decoder.context, row)
            yield from self._forked(shortlist, branch.drafts, branch.sequence, branch.position + 1)

    def _forked(self, shortlist: Shortlist, drafts: Iterable[Draft], sequence: int, position: int) -> Iterator[_Branch]:
        """Draws for every draft of a branch; those that go on with the same token stay together.

        The first group keeps the sequence, every other takes the number of its first draft. That number is free: a
        draft's own number is only ever used by a branch that it leads, and the leader's group always comes first.
        """
        groups: dict[int, list[Draft]] = {}
        for draft in drafts:
            token = shortlist.best() if draft.seed is None else shortlist.draw(self._dists[draft.sequence])
            if draft.take(token, self._vocabulary):
                groups.setdefault(token, []).append(draft)
        for i, (token, members) in enumerate(groups.items()):
            target = sequence if i == 0 else members[0].sequence
            if target != sequence:
                self._decoder.copy(sequence, target)
            yield _Branch(target, position, token, members)
