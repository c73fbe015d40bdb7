"""Draws tokens with llama.cpp's own samplers.

Candidates that have written the same text so far share one row of logits. The chain top-k, top-p, temperature is
applied to that row once, in C; its result, at most top-k entries, is then drawn from once per candidate, each with its
own `dist` sampler and seed. That is the same as running the whole chain per candidate.
"""

from __future__ import annotations

import ctypes
import hashlib
from typing import Any

from pipeline.generation.engine import SamplerSettings
from pipeline.generation.llama import llama

_RANDOM_SEED = 0xFFFFFFFF
"""llama.cpp takes this value for "choose one", so it is never used."""


def seed_of(fingerprint: str, round_: int, variant: str, index: int) -> int:
    """The seed of one candidate: a function of what the candidate is, nothing else."""
    digest = hashlib.sha256("\x1f".join((fingerprint, str(round_), variant, str(index))).encode()).digest()
    return int.from_bytes(digest[:8], "big") % _RANDOM_SEED


class Shortlist:
    """The likeliest tokens after the chain, best first."""

    def __init__(self, entries: Any, count: int) -> None:
        self._entries = entries
        self._array = llama().llama_token_data_array(entries, count, -1, True)

    def best(self) -> int:
        """The likeliest token."""
        return int(self._entries[0].id)

    def draw(self, dist: Any) -> int:
        """A token drawn by a `dist` sampler."""
        llama().llama_sampler_apply(dist, ctypes.byref(self._array))
        return int(self._entries[self._array.selected].id)


class SamplerChain:
    """The part of sampling that candidates share. Free it with `close`."""

    def __init__(self, settings: SamplerSettings) -> None:
        binding = llama()
        self._entry = binding.llama_token_data
        self._limit = settings.top_k
        self._found: Shortlist | None = None
        self._interface = self._reader(binding)
        self._chain = binding.llama_sampler_chain_init(binding.llama_sampler_chain_default_params())
        for link in (
            binding.llama_sampler_init_top_k(settings.top_k),
            binding.llama_sampler_init_top_p(settings.top_p, 1),
            binding.llama_sampler_init_temp(settings.temperature),
            binding.llama_sampler_init(ctypes.byref(self._interface), None),
        ):
            binding.llama_sampler_chain_add(self._chain, link)

    def _reader(self, binding: Any) -> Any:
        """A last link that copies out what the links before it left."""

        def apply(_sampler: Any, array: Any) -> None:
            count = min(int(array.contents.size), self._limit)
            entries = (self._entry * count)()
            ctypes.memmove(entries, array.contents.data, ctypes.sizeof(entries))
            self._found = Shortlist(entries, count)
            array.contents.selected = 0

        return binding.llama_sampler_i(
            name=binding.llama_sampler_i_name(lambda _sampler: b"reader"), apply=binding.llama_sampler_i_apply(apply)
        )

    def shortlist(self, context: Any, row: int) -> Shortlist:
        """What the chain leaves of a row of logits of the last decoded batch."""
        self._found = None
        llama().llama_sampler_sample(self._chain, context, row)
        if self._found is None:
            raise RuntimeError("llama.cpp did not run the sampler chain")
        return self._found

    def close(self) -> None:
        """Frees the chain."""
        if self._chain:
            llama().llama_sampler_free(self._chain)
            self._chain = None
