"""Cuts a tokenised prompt where prefixes may be shared, and wraps it in the model's chat template."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import accumulate, pairwise

from jinja2 import TemplateError
from jinja2.sandbox import ImmutableSandboxedEnvironment

from pipeline.errors import UserError
from pipeline.generation.vocabulary import Tokens, Vocabulary

_MARK = "@@user-message@@"


Prompt = tuple[Tokens, ...]
"""A prompt's tokens in segments."""


@dataclass(frozen=True, slots=True)
class ChatFrame:
    """What a chat template puts before and after a user message."""

    before: str
    after: str


def chat_frame(template: str, bos: str, eos: str) -> ChatFrame:
    """Renders a GGUF's chat template (Jinja, sandboxed) around one user message.

    Raises `UserError` when the template fails or does not show the message exactly once.
    """
    environment = ImmutableSandboxedEnvironment(trim_blocks=True, lstrip_blocks=True)
    environment.globals["raise_exception"] = _refuse
    messages = [{"role": "user", "content": _MARK}]
    try:
        text = environment.from_string(template).render(
            messages=messages, add_generation_prompt=True, bos_token=bos, eos_token=eos
        )
    except (TemplateError, ValueError, TypeError) as error:
        raise UserError(f"The model's chat template does not work: {error}", "Use another instruct model.") from error
    before, mark, after = text.partition(_MARK)
    if not mark or _MARK in after:
        raise UserError(
            "The model's chat template does not show a user message exactly once.", "Use another instruct model."
        )
    return ChatFrame(before, after)


def _refuse(message: str) -> str:
    raise ValueError(message)


def segment(vocabulary: Vocabulary, parts: Sequence[str], frame: ChatFrame | None) -> Prompt:
    """The prompt's tokens, in one segment per part.

    The text is tokenised whole, as in training, and cut at the last token that ends at or before each part's end; so a
    cut never changes what the model reads. Control tokens count only in the template, never in content.
    """
    if frame is None:
        body = _cut(vocabulary, parts)
        head, tail = vocabulary.leading, Tokens()
    else:
        trimmed = [*parts[:-1], parts[-1].rstrip()]
        trimmed[0] = trimmed[0].lstrip()
        body = _cut(vocabulary, trimmed)
        head, tail = vocabulary.encode(frame.before, special=True), vocabulary.encode(frame.after, special=True)
        if head[:1] != vocabulary.leading:
            head = vocabulary.leading + head
    if not body:
        return (head + tail,)
    body = [head + body[0], *body[1:]]
    body[-1] += tail
    return tuple(body)


def split_shared(prompts: Sequence[Prompt]) -> tuple[Prompt, list[Tokens]]:
    """The leading segments that all prompts share, and what each prompt has after them, at least one segment."""
    shared = 0
    while all(len(p) > shared + 1 and p[shared] == prompts[0][shared] for p in prompts):
        shared += 1
    return prompts[0][:shared], [tuple(token for part in prompt[shared:] for token in part) for prompt in prompts]


def _cut(vocabulary: Vocabulary, parts: Sequence[str]) -> list[Tokens]:
    text = "".join(parts)
    tokens = vocabulary.encode(text)
    pieces = [vocabulary.piece(token) for token in tokens]
    spelled, raw = b"".join(pieces), text.encode()
    if spelled not in (raw, b" " + raw):  # a tokeniser that does not keep the text: offsets would mean nothing
        return [tokens] if tokens else []
    offset = len(spelled) - len(raw)
    ends = list(accumulate(map(len, pieces)))
    cuts, at = [0], 0
    for limit in accumulate(len(part.encode()) for part in parts[:-1]):
        while at < len(ends) and ends[at] <= limit + offset:
            at += 1
        cuts.append(at)
    cuts.append(len(tokens))
    return [tokens[a:b] for a, b in pairwise(cuts) if b > a]
