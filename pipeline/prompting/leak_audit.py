"""The leak audit: no tell text and no anchor may stand in a rendered prompt.

Templates cannot reach tells or anchors (`views.py`); this audit looks at the texts themselves, so that a tell that
was copied into a line, a culture or a template is found too. Texts are compared word by word: letter case, white
space, quotes and punctuation do not matter.
"""

from __future__ import annotations

import re
import unicodedata
from bisect import bisect_right
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from functools import cache
from itertools import accumulate

from ahocorasick_rs import AhoCorasick

from pipeline.content.models import Content, Culture
from pipeline.errors import UserError
from pipeline.prompting.jobs import LineJob, PromptJob, VariantKey
from pipeline.prompting.masking import unmask
from pipeline.prompting.views import example_views

SHORT_ANCHOR = 4
"""Anchors with fewer words may stand in a prompt by coincidence: reported, not fatal."""
_SHOWN = 10
_NO_WORD = re.compile(r"[\W_]+")


class Source(StrEnum):
    """What kind of authored text leaked."""

    tell = "tell behavior"
    anchor = "anchor line"


@dataclass(frozen=True, slots=True)
class Secret:
    """An authored text that no model may see."""

    source: Source
    npc_id: str
    text: str
    """As authored."""


@dataclass(frozen=True, slots=True)
class Leak:
    """A secret that stands in prompts."""

    secret: Secret
    key: VariantKey
    """The first prompt that holds it."""
    block: str
    """The block where it starts."""
    prompts: int
    """How many prompts of the bake hold it."""

    def __str__(self) -> str:
        key = self.key
        more = f", and in {self.prompts - 1} more prompts" if self.prompts > 1 else ""
        return (
            f"{self.secret.source} of NPC {self.secret.npc_id!r}: {self.secret.text!r} stands in block {self.block!r} "
            f"of the prompt ({key.npc_id}, {key.line_id}, {key.tell_state}, {key.culture_id}){more}"
        )


class LeakError(UserError):
    """A tell text or an anchor would be sent to the model; the bake stops."""


@dataclass(frozen=True, slots=True)
class LeakReport:
    """What the audit found."""

    prompts: int
    """How many prompts were looked at."""
    secrets: int
    """How many distinct texts were looked for."""
    fatal: tuple[Leak, ...]
    notes: tuple[Leak, ...]
    """Coincidences with short anchors."""

    def raise_if_fatal(self) -> None:
        """Raises `LeakError` that lists the fatal leaks."""
        if self.fatal:
            lines = [f"  {leak}" for leak in self.fatal[:_SHOWN]]
            if len(self.fatal) > _SHOWN:
                lines.append(f"  ... and {len(self.fatal) - _SHOWN} more")
            raise LeakError(
                "\n".join(["Text that must never reach a model stands in prompts:", *lines]),
                "Reword the line, culture or template that repeats it; "
                "a line that needs an anchor's words has to be an anchor too.",
            )


def audit(content: Content, jobs: Iterable[LineJob]) -> LeakReport:
    """Looks for every tell text and anchor of all zones in every prompt, as rendered and with the facts put back.

    A tell text is always fatal. So is an anchor of at least `SHORT_ANCHOR` words; a shorter one is noted.
    """
    secrets = _secrets(content)
    patterns = list(secrets)
    automaton = AhoCorasick(patterns)
    examples = {culture.id: _example_facts(culture) for culture in content.cultures.values()}
    reader = _Reader()
    hits: dict[tuple[str, str], list[VariantKey]] = {}
    prompts = 0
    for line in jobs:
        restore = _restorer(examples[line.line.culture.id], line.masked.slots)
        for job in line.jobs:
            prompts += 1
            found = {
                (patterns[index], reading.block_at(start))
                for reading in reader.readings(job, restore)
                for index, start, _ in automaton.find_matches_as_indexes(reading.text, overlapping=True)
            }
            for hit in sorted(found):
                hits.setdefault(hit, []).append(job.key)
    leaks = [
        Leak(secret, keys[0], block, len(keys))
        for (pattern, block), keys in hits.items()
        for secret in secrets[pattern]
    ]
    notes = tuple(leak for leak in leaks if _is_coincidence(leak.secret))
    return LeakReport(prompts, len(secrets), tuple(leak for leak in leaks if leak not in notes), notes)


@dataclass(frozen=True, slots=True)
class _Reading:
    """A prompt as plain words, with the places where its blocks start."""

    text: str
    starts: tuple[int, ...]
    blocks: tuple[str, ...]

    def block_at(self, at: int) -> str:
        # A pattern begins with the blank before its first word, which may belong to the block before.
        return self.blocks[bisect_right(self.starts, at + 1) - 1]


@dataclass(slots=True)
class _Reader:
    """Turns prompts into plain words; the words of a shared segment are worked out once."""

    words: dict[str, str] = field(default_factory=dict)

    def readings(self, job: PromptJob, restore: Callable[[str], str]) -> Iterator[_Reading]:
        """The prompt as rendered and, where it differs, with facts put back."""
        texts = [segment.text for segment in job.segments]
        blocks = tuple(segment.block for segment in job.segments)
        yield self._reading(texts, blocks)
        restored = [restore(text) for text in texts]
        if restored != texts:
            yield self._reading(restored, blocks)

    def _reading(self, texts: list[str], blocks: tuple[str, ...]) -> _Reading:
        parts = [" "]
        for text in texts:
            words = self.words.get(text)
            if words is None:
                words = self.words[text] = plain_words(text)
            parts.append(words.removeprefix(" ") if parts[-1].endswith(" ") else words)
        starts = tuple(accumulate(map(len, parts[:-1])))
        return _Reading("".join([*parts, " "]), starts, blocks)


def _restorer(examples: tuple[tuple[str, str], ...], slots: Mapping[str, str]) -> Callable[[str], str]:
    """Puts the facts of a line and of its culture's examples back into a segment."""

    @cache
    def restore(text: str) -> str:
        if "{" not in text:
            return text
        for masked, authored in examples:
            text = text.replace(masked, authored)
        return unmask(text, slots)

    return restore


def plain_words(text: str) -> str:
    """`text` in lower case with one blank for whatever is no letter or digit; invisible characters dropped."""
    plain = unicodedata.normalize("NFKC", text).casefold()
    if not plain.isascii():
        plain = "".join(char for char in plain if unicodedata.category(char) != "Cf")
    return _NO_WORD.sub(" ", plain)


def _secrets(content: Content) -> dict[str, list[Secret]]:
    """What to look for: plain words, with a blank at both ends, to the authored texts that read so."""
    found: dict[str, list[Secret]] = {}
    for zone in content.zones.values():
        authored = [Secret(Source.tell, npc.id, tell.base_text) for npc in zone.npcs for tell in npc.tell_behaviors]
        authored += [
            Secret(Source.anchor, ref.npc.id, ref.line.base_text) for ref in zone.lines if ref.line.anchor_line
        ]
        for secret in authored:
            if words := plain_words(secret.text).strip():
                found.setdefault(f" {words} ", []).append(secret)
    return found


def _is_coincidence(secret: Secret) -> bool:
    return secret.source is Source.anchor and len(plain_words(secret.text).split()) < SHORT_ANCHOR


def _example_facts(culture: Culture) -> tuple[tuple[str, str], ...]:
    """Masked text and authored text of each side of an example that holds a figure."""
    facts = []
    for view, example in zip(example_views(culture), culture.injector.examples, strict=True):
        facts += [(view.base, example.base), (view.voiced, example.voiced)]
    return tuple((masked, authored) for masked, authored in facts if masked != authored)
