"""Which models may voice this game: Gemma and Phi yes, Chinese-origin families never, others on override."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from pipeline.errors import UserError
from pipeline.generation.gguf_header import GgufHeader

KNOWN_FILES = {
    "a5fd3b62230aa5ec60212297dc9d20eaa70578ac519e00d93a17e44c087a6818": ("Gemma 3 270M Q4_K_M", "Gemma Terms of Use"),
}
"""sha256 of files whose origin was checked by hand: name and licence."""

_ALLOWED_ARCHITECTURE = re.compile(r"gemma(?:\d+n?)?|phi(?:\d+|moe)?")
_LICENCES = {"gemma": "Gemma Terms of Use", "phi": "MIT"}

# Long names are found anywhere in a word ("qwen2moe", "DeepSeek-R1-Distill-Llama-8B", "OpenQwen").
_LONG_NAMES = (
    "qwen", "qwq", "deep[ _-]?seek", "intern[ _-]?lm", "intern[ _-]?vl", "baichuan", "chat[ _-]?glm", "codegeex",
    "mini[ _-]?cpm", "hun[ _-]?yuan", "moonshot", "pangu", "xverse", "skywork", "orionstar", "bailing", "telechat",
    "minimax[ _-]?(?:m|text)", "smallthinker", "megrez", "cogvlm", "marco[ _-]?o1",
)  # fmt: skip
# Short ones only as a word of their own: "Yi-34B" and "glm4", but not "Trying", "Yiddish" or "Playing".
_SHORT_NAMES = ("yi", "glm", "kimi", "ernie[ _-]?\\d", "dots1", "mimo", "seed[ _-]?oss", "aquila")
_MAKERS = (
    "01[ _.-]?ai", "alibaba", "tencent", "thudm", "zhipu", "zai[ _-]?org", "openbmb", "modelbest", "baidu", "bytedance",
    "xiaomi", "rednote", "stepfun", "inclusionai", "huawei", "iflytek", "shanghai[ _-]?ai",
)  # fmt: skip


def _words(names: tuple[str, ...]) -> str:
    return rf"(?<![a-z])(?:{'|'.join(names)})(?![a-z])"


_REFUSED_NAME = re.compile(rf"(?:{'|'.join(_LONG_NAMES)})|{_words(_SHORT_NAMES)}", re.IGNORECASE)
_REFUSED_MAKER = re.compile(rf"(?:{'|'.join(_LONG_NAMES)})|{_words(_MAKERS)}", re.IGNORECASE)

# A person called Yi may tune a Gemma, so fields that name people are only searched for families that are no names.
_NAME_KEYS = re.compile(
    r"general\.(?:architecture|name|basename|finetune|description|tags|(?:base_model|dataset)\.\d+\.(?:name|description))"
    r"|general\.(?:url|repo_url|source\..*|(?:base_model|dataset)\.\d+\.(?:url|repo_url|doi|uuid)|base_model|datasets)"
    r"|tokenizer\.(?:ggml\.(?:model|pre)|chat_template)"
)
_MAKER_KEYS = re.compile(
    r"general\.(?:author|organization|quantized_by|.*\.(?:author|organization|url|repo_url)|url|repo_url)"
)


@dataclass(frozen=True, slots=True)
class Provenance:
    """Where a model comes from, as far as this program may use it."""

    name: str
    license: str
    override: bool
    """True: neither Gemma nor Phi; used because the user said so."""


def judge_provenance(path: str, sha256: str, header: GgufHeader, *, allow_other: bool) -> Provenance:
    """Whether the model may be used, and what it is called in the manifest.

    `path` is only shown. Raises `UserError` for Chinese-origin families and distillations of them (an override changes
    nothing), and for other families without `allow_other`.
    """
    if sha256 in KNOWN_FILES:
        name, licence = KNOWN_FILES[sha256]
        return Provenance(name, licence, override=False)
    refuse_origin(path, header)
    architecture = header.text("general.architecture")
    name = header.text("general.name") or header.text("general.basename") or architecture
    licence = header.text("general.license")
    if _ALLOWED_ARCHITECTURE.fullmatch(architecture):
        family = "gemma" if architecture.startswith("gemma") else "phi"
        return Provenance(name, licence or _LICENCES[family], override=False)
    if not allow_other:
        raise UserError(
            f"{path}: {name or 'this model'} (architecture {architecture or 'not stated'}) "
            "is neither a Gemma nor a Phi model.",
            "Use one of those, or allow it with --allow-other-model; the manifest will record that.",
        )
    return Provenance(name or "unnamed", licence or "not stated", override=True)


def refuse_origin(path: str, header: GgufHeader) -> None:
    """Raises `UserError` when a model's or an adapter's metadata names a Chinese-origin family or maker."""
    for key, text, hit in _refused(header):
        excerpt = text if len(text) <= 80 else "…" + text[max(0, hit.start() - 30) : hit.end() + 30] + "…"
        raise UserError(
            f"{path}: refused: {key} reads {excerpt!r}. "
            "Models of Chinese origin and distillations of them are never used.",
            "Use a Gemma or Phi model. No option lifts this.",
        )


def _refused(header: GgufHeader) -> Iterator[tuple[str, str, re.Match[str]]]:
    for key, value in header.values.items():
        for text in map(str, value if isinstance(value, tuple) else (value,)):
            for keys, pattern in ((_NAME_KEYS, _REFUSED_NAME), (_MAKER_KEYS, _REFUSED_MAKER)):
                hit = pattern.search(text) if keys.fullmatch(key) else None
                if hit:
                    yield key, text, hit
