"""Decides which entries of a vocabulary a pruned model keeps.

English lines need a fifth of Gemma's 262,144 entries, and the output layer over all of them is 63 % of the small
model's weights. The choice is a function of the model's own vocabulary and of `data/words.txt`, never of a studio's
content: a new name in a zone changes no other line. Entries stand in the order in which the tokeniser's training found
them, so an entry's number is a fair measure of how common it is.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Sequence
from functools import cache
from importlib.resources import files

from pipeline.generation.gguf_header import GgufHeader

EMBEDDING = "token_embd.weight"
EXACT_KINDS = (0, 1, 8)
"""ggml's numbers of the formats whose rows this program reads as the very same bits: F32, F16, Q8_0."""
RULES = 1
"""Number of the rules below; raised when they change, because pruned models then change."""
SMALLEST_VOCABULARY = 100_000
"""Below that, cutting gains too little to be worth a second file."""

_SPACE = "▁"
_NORMAL, _UNKNOWN, _CONTROL, _USER_DEFINED, _BYTE = 1, 2, 3, 4, 6
_LETTERS = re.compile(r"[A-Za-z]+")
_UNUSED = re.compile(r"<unused\d+>")
_TYPOGRAPHY = frozenset("–—‘’“”…")

# Up to which number entries stay, by what they are.
_TITLED_WORDS = 150_000
_INNER_WORDS = 65_536
_THREE_LETTERS = 100_000
_LONGER_PIECES = 32_768
_MARKS = 20_000


def can_prune(header: GgufHeader) -> bool:
    """Whether a model of this kind can be pruned: a Gemma 3 with a large vocabulary of the SentencePiece kind.

    Other Gemmas handle input vectors otherwise, and other formats of the embedding are not proven to be the same bits.
    """
    embedding = next((tensor for tensor in header.tensors if tensor.name == EMBEDDING), None)
    return (
        header.text("general.architecture") == "gemma3"
        and embedding is not None
        and embedding.kind in EXACT_KINDS
        and header.text("tokenizer.ggml.model") == "llama"
        and header.skipped.get("tokenizer.ggml.tokens", 0) >= SMALLEST_VOCABULARY
    )


@cache
def corpus() -> frozenset[str]:
    """The words of `data/words.txt`."""
    lines = files("pipeline.generation").joinpath("data/words.txt").read_text(encoding="utf-8").splitlines()
    return frozenset(line for line in lines if not line.startswith("#"))


@cache
def corpus_name() -> str:
    """Names rules and words, such as `rules 1, words 0123abcd`."""
    digest = hashlib.sha256("\n".join(sorted(corpus())).encode()).hexdigest()
    return f"rules {RULES}, words {digest[:8]}"


def kept_entries(texts: Sequence[str], types: Sequence[int]) -> list[int]:
    """The numbers of the entries that stay, ascending. `texts` and `types` as the GGUF has them."""
    return [i for i, (text, kind) in enumerate(zip(texts, types, strict=True)) if stays(i, text, kind)]


def stays(number: int, text: str, kind: int) -> bool:
    """Whether entry `number` stays, which reads `text` and has type `kind`."""
    if kind in (_UNKNOWN, _BYTE, _USER_DEFINED):
        return True
    if kind == _CONTROL:
        return not _UNUSED.fullmatch(text)
    if kind != _NORMAL:
        return False
    bare = text.removeprefix(_SPACE)
    if _LETTERS.fullmatch(bare):
        return _word_stays(number, bare, starts_word=bare != text)
    if bare in _TYPOGRAPHY:
        return True
    return bare.isascii() and bare.isprintable() and (len(bare) <= 2 or (number < _MARKS and len(text) <= 4))


def _word_stays(number: int, bare: str, *, starts_word: bool) -> bool:
    known = bare.lower() in corpus()
    lower, titled = bare.islower(), bare[:1].isupper() and (bare[1:].islower() or len(bare) == 1)
    if known and starts_word and (lower or (titled and number < _TITLED_WORDS)):
        return True
    if known and not starts_word and (lower or titled) and number < _INNER_WORDS:
        return True
    if len(bare) <= 2:
        return True
    limit = _THREE_LETTERS if len(bare) == 3 else _LONGER_PIECES
    return (lower or titled) and number < limit
