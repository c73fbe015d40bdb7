"""From bank lines to token sequences, by the very code that a bake prompts with.

A line is one tree: the control block up to the base text is its trunk, and each tell state is a branch with its own
tone and answer. Trunk and branches are what a bake's shared prefix and variants are, so a line's trunk is computed
once in training as well.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from pipeline.content.models import Content, CulturalMarkers, Culture, Line, LineRef, Npc, ToneRow
from pipeline.content.terms import Kind, TellState, Tier
from pipeline.content.voice_bank import BankLine, VoiceBank
from pipeline.generation.vocabulary import Tokens, Vocabulary
from pipeline.prompting import Masked, Profile, Renderer, mask_pair

REVERSE = "reverse"


@dataclass(frozen=True, slots=True)
class Branch:
    """One thing to learn after a trunk."""

    name: str
    """`dialogue Nervous`, or `reverse`."""
    prompt: Tokens
    answer: Tokens


@dataclass(frozen=True, slots=True)
class Tree:
    """A trunk with its branches. A way back has a trunk of its own, without tokens in common."""

    trunk: Tokens
    branches: tuple[Branch, ...]


@dataclass(slots=True)
class ExampleMaker:
    """Makes the trees of a culture's bank lines."""

    content: Content
    culture: Culture
    bank: VoiceBank
    profile: Profile
    reverse: Profile
    vocabulary: Vocabulary
    left_out: set[tuple[str, str]] = field(default_factory=set)
    """Base text and tell state of the forms that could not be used."""
    _renderers: list[Renderer] = field(init=False)
    _reverse_renderer: Renderer = field(init=False)
    _cultures: list[Culture] = field(init=False)
    _speakers: list[tuple[tuple[str, ...], str]] = field(init=False)
    """Traits and moods that occur in the bank."""

    def __post_init__(self) -> None:
        self._speakers = sorted({(line.traits, line.mood) for line in self.bank.lines if line.traits and line.mood})
        self._cultures = toned_cultures(self.culture, self.bank.tones)
        self._renderers = [Renderer(self.content, self.profile) for _ in self._cultures]
        self._reverse_renderer = Renderer(self.content, self.reverse)

    def trees(self, line: BankLine, turn: int, reverse_states: int) -> Iterator[Tree]:
        """The trees of a line in one epoch (`turn`): the six states, then some of them the way back.

        Which wording of a tone row and which ways back come up is a function of line and turn. States whose form does
        not keep the base text's facts are left out and noted.
        """
        line = self._spoken(line, turn)
        forms = self._masked_forms(line)
        branches: list[Branch] = []
        trunk: Tokens | None = None
        for state, (base, voiced) in forms.items():
            parts = self._prompt(line, base, state, turn)
            trunk = trunk or self._encode(parts[0], lead=True)
            branches.append(self._branch(f"{line.kind.value} {state.value}", parts[0], parts[1], voiced.text))
        if trunk is not None:
            yield Tree(trunk, tuple(branches))
        order = sorted(forms, key=lambda state: _number(line.base, "back", str(turn), state.value))
        for state in order[:reverse_states]:
            base, voiced = forms[state]
            prompt = "".join(text for _, text in self._reverse_renderer.prompts(_ref(line, self.culture), voiced)[0])
            yield Tree(self.vocabulary.leading, (self._branch(REVERSE, "", prompt, base.text),))

    def _spoken(self, line: BankLine, turn: int) -> BankLine:
        """The line with a speaker: its own, or by turns none and one of the bank's.

        Every NPC of a zone has traits and a mood, so training must have seen them before any line.
        """
        choice = _number(line.base, "speaker", str(turn))
        if line.traits or line.mood or not self._speakers or choice % 4 == 0:
            return line
        traits, mood = self._speakers[choice // 4 % len(self._speakers)]
        return line.model_copy(update={"traits": traits, "mood": mood})

    def _masked_forms(self, line: BankLine) -> dict[TellState, tuple[Masked, Masked]]:
        keep = [word.word for word in self.culture.institutions.use]
        forms = {}
        for state in TellState:
            try:
                base, voiced = mask_pair(line.base, line.voiced.of(state), self.bank.names, keep=keep)
            except ValueError:
                self.left_out.add((line.base, state.value))
                continue
            if set(base.slots) != set(voiced.slots):
                self.left_out.add((line.base, state.value))
                continue
            forms[state] = (base, voiced)
        return forms

    def _prompt(self, line: BankLine, base: Masked, state: TellState, turn: int) -> tuple[str, str]:
        """The prompt of a state, cut where its tone begins."""
        chosen = _number(line.base, "tone", str(turn), state.value) % len(self._cultures)
        prompts = self._renderers[chosen].prompts(_ref(line, self._cultures[chosen]), base)
        blocks = prompts[list(TellState).index(state)]
        shared = "".join(text for block, text in blocks if block.name not in ("tell", "cue"))
        return shared, "".join(text for block, text in blocks if block.name in ("tell", "cue"))

    def _branch(self, name: str, before: str, prompt: str, answer: str) -> Branch:
        start = self._encode(before + prompt)
        whole = self._encode(f"{before}{prompt} {answer}\n")
        shared = len(self._encode(before))
        if whole[: len(start)] != start:
            raise ValueError(f"the tokeniser joins the prompt with its answer: {prompt!r} {answer!r}")
        return Branch(name, start[shared:], whole[len(start) :])

    def _encode(self, text: str, *, lead: bool = False) -> Tokens:
        tokens = self.vocabulary.encode(text)
        return self.vocabulary.leading + tokens if lead else tokens


def toned_cultures(culture: Culture, tones: Sequence[ToneRow]) -> list[Culture]:
    """The culture once per wording of its tone rows: its own rows first, then the bank's, category by category.

    The row towards one person counts as one more wording of Guarded. Categories with fewer wordings start again.
    """
    wordings: dict[TellState, list[str]] = {}
    for row in (*culture.tell_tones, *tones):
        wordings.setdefault(row.category, []).append(row.text)
    most = max(map(len, wordings.values()))
    return [
        culture.model_copy(
            update={
                "tell_tones": tuple(
                    ToneRow(category=category, text=texts[turn % len(texts)]) for category, texts in wordings.items()
                )
            }
        )
        for turn in range(most)
    ]


def _ref(line: BankLine, culture: Culture) -> LineRef:
    """The line as a zone would have it, spoken by somebody with the entry's traits."""
    key = hashlib.sha256(repr((line.traits, line.mood, line.fillers)).encode()).hexdigest()[:16]
    npc = Npc(
        id=key,
        name="-",
        role="-",
        tier=Tier.Ambient,
        traits=line.traits,
        mood=line.mood or "-",
        cultural_markers=CulturalMarkers(filler_words=line.fillers),
    )
    if not line.mood:
        npc = npc.model_copy(update={"mood": ""})
    return LineRef(npc, "line", Kind(line.kind), Line(base_text=line.base, affect=line.affect), culture)


def _number(*parts: str) -> int:
    return int.from_bytes(hashlib.sha256("\x1f".join(parts).encode()).digest()[:8], "big")
