"""Lints of content as prompts show it: `injector-budget`, `example-figures` and `leaked-text`."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from ahocorasick_rs import AhoCorasick

from pipeline.content.bound import Bound, Path
from pipeline.content.lint import Level
from pipeline.content.lint.lint import View
from pipeline.content.models import Culture, Npc
from pipeline.content.problems import Problem
from pipeline.errors import UserError
from pipeline.prompting.leak_audit import SHORT_ANCHOR, plain_words
from pipeline.prompting.masking import mask_pair
from pipeline.prompting.templates import InjectorBudget
from pipeline.prompting.views import culture_view

_BLOCKS = ("register", "context", "vocabulary", "values", "exclusions", "examples")


@dataclass(frozen=True, slots=True)
class InjectorSize:
    """A culture's injector, or one of its blocks, outside the budget of `prompts/profiles/profiles.toml`."""

    budget: InjectorBudget | None
    """None: nothing is checked; for explanations."""
    level: Level = Level.error
    id: str = "injector-budget"
    explanation: str = (
        "The six blocks of an injector and the institutions, as prompts show them, take 150 to 250 tokens in all, and "
        "each block has a budget of its own in prompts/profiles/profiles.toml. A shorter injector does not carry the "
        "culture; a longer one pushes the line itself out of a small model's attention, and nothing is baked from it. "
        "With the model's tokeniser at hand this is an error; without it tokens are estimated from words and marks, "
        "only clear cases are remarked on, and they are warnings."
    )

    def check(self, view: View) -> Iterator[Problem]:
        if self.budget is None:
            return
        for culture in view.cultures():
            try:
                shown = culture_view(culture.value)
            except UserError:
                continue  # an example that cannot be masked: `example-figures` says so
            texts = [block.render({"culture": shown}) for block in self.budget.blocks]
            yield from self._sizes(self.budget, view, culture, view.tokens(texts))

    @staticmethod
    def _sizes(budget: InjectorBudget, view: View, culture: Bound[Culture], counts: Sequence[int]) -> Iterator[Problem]:
        for block, count in zip(budget.blocks, counts, strict=True):
            if view.outside(count, 0, block.at_most):
                hint = f"Shorten it: its budget is {block.at_most} tokens."
                yield culture.problem(_path(block.name), f"{block.name} takes {view.measured(count)}", hint=hint)
        total, least, most = sum(counts), budget.at_least, budget.at_most
        if view.outside(total, least, most):
            each = ", ".join(f"{block.name} {count}" for block, count in zip(budget.blocks, counts, strict=True))
            verb = "Shorten" if total > most else "Lengthen"
            message = f"the injector with its institutions takes {view.measured(total)}"
            hint = f"{verb} it: its budget is {least} to {most} tokens. Now: {each}."
            yield culture.problem(("injector",), message, hint=hint)


def _path(block: str) -> Path:
    return ("injector", block) if block in _BLOCKS else (block,)


@dataclass(frozen=True, slots=True)
class ExampleFigures:
    """A culture example whose voiced form does not keep the figures of its base text."""

    id: str = "example-figures"
    level: Level = Level.error
    explanation: str = (
        "Figures become slots before a prompt is rendered, in examples too. An example whose voiced text holds a "
        "figure that its base text lacks, or holds one twice, teaches a model to invent figures, and nothing is baked "
        "from it. Let both texts hold the same figures, each once."
    )

    def check(self, view: View) -> Iterator[Problem]:
        for culture in view.cultures():
            words = [authority.word for authority in culture.value.institutions.use]
            for index, example in enumerate(culture.value.injector.examples):
                try:
                    mask_pair(example.base, example.voiced, keep=words)
                except ValueError as error:
                    path = ("injector", "examples", index, "voiced")
                    yield culture.problem(path, str(error), hint="Keep the figures of the base text, each once.")


@dataclass(frozen=True, slots=True)
class LeakedText:
    """A tell behavior or an anchor that stands in a text which goes to the model."""

    id: str = "leaked-text"
    level: Level = Level.error
    explanation: str = (
        "A tell behavior or an anchor is repeated, word for word, in a line or a culture's text that goes into "
        "prompts. Tells never reach the model and anchors ship as written, so the bake stops there, waived or not. "
        "Reword the text that repeats it; a line that needs an anchor's words has to be an anchor too. Anchors of "
        "fewer than four words may stand elsewhere by chance and are left to `common-anchor`."
    )

    def check(self, view: View) -> Iterator[Problem]:
        secrets = dict(self._secrets(view))
        if not secrets:
            return
        patterns = list(secrets)
        automaton = AhoCorasick(patterns)
        for bound, path, text in self._sent(view):
            found = automaton.find_matches_as_indexes(f" {plain_words(text).strip()} ", overlapping=True)
            for index in sorted({index for index, _, _ in found}):
                what, owner, place = secrets[patterns[index]]
                also = owner.excerpt(place, "authored here")
                message = f"this repeats {what} of {owner.value.id}"
                yield bound.problem(path, message, hint="Reword it: that text must never reach a model.", also=also)

    @staticmethod
    def _secrets(view: View) -> Iterator[tuple[str, tuple[str, Bound[Npc], Path]]]:
        """What must not be sent, as plain words with a blank at both ends, and where it is authored."""
        for zone in view.content.zones:
            for npc in view.npcs(zone):
                for index, tell in enumerate(npc.value.tell_behaviors):
                    if words := plain_words(tell.base_text).strip():
                        yield f" {words} ", ("a tell behavior", npc, ("tell_behaviors", index, "base_text"))
            for line in view.lines(zone):
                words = plain_words(line.ref.line.base_text).strip()
                if line.ref.line.anchor_line and len(words.split()) >= SHORT_ANCHOR:
                    yield f" {words} ", ("an anchor", line.npc, (*line.path, "base_text"))

    @staticmethod
    def _sent(view: View) -> Iterator[tuple[Bound[Npc] | Bound[Culture], Path, str]]:
        """What goes into prompts, with its place: lines that are voiced, and the longer texts of cultures."""
        for zone in view.content.zones:
            for line in view.lines(zone):
                if not line.ref.line.anchor_line:
                    yield line.npc, (*line.path, "base_text"), line.ref.line.base_text
        for culture in view.cultures():
            injector = culture.value.injector
            yield culture, ("injector", "register"), injector.register_
            yield culture, ("injector", "context"), injector.context
            yield culture, ("injector", "values"), injector.values
            yield culture, ("injector", "exclusions", "text"), injector.exclusions.text
            for index, example in enumerate(injector.examples):
                yield culture, ("injector", "examples", index, "base"), example.base
                yield culture, ("injector", "examples", index, "voiced"), example.voiced
            for index, row in enumerate(culture.value.tell_tones):
                yield culture, ("tell_tones", index, "text"), row.text
