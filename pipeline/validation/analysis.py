"""What the rules on meaning share about a text: its words, who does what, and how well it covers another's words."""

from __future__ import annotations

from functools import cached_property, lru_cache

from pipeline.validation.dictionary import lemmas
from pipeline.validation.relations import nearness, opposites
from pipeline.validation.roles import OWNING, Role, owners_of, roles_of
from pipeline.validation.wording import Word, words_of
from pipeline.validation.wordsets import word_set

_PARTICLES = word_set("particles")


class Analysis:
    """A text taken apart. What only some rules ask for is worked out when it is first asked for."""

    def __init__(self, text: str) -> None:
        words, self.denials, self.asks = words_of(text)
        self.words: tuple[Word, ...] = tuple(words)
        self.content: tuple[Word, ...] = tuple([word for word in words if word.weight])
        """The words that weigh anything."""
        self.texts: frozenset[str] = frozenset([word.text for word in words])
        """The words as such."""
        self._covered: dict[str, float] = {}

    denials: int
    """How many words deny."""
    asks: bool
    """True if a sentence ends in a question mark."""

    @cached_property
    def lemmas(self) -> frozenset[str]:
        """The dictionary forms of all words."""
        return frozenset().union(*map(lemmas, self.texts))

    @cached_property
    def total(self) -> float:
        """The weight of all words."""
        return sum([word.weight for word in self.content])

    @cached_property
    def roles(self) -> tuple[Role, ...]:
        """Who does what."""
        return roles_of(self.words)

    @cached_property
    def persons(self) -> frozenset[str]:
        """Which of `1` and `2` do something."""
        return frozenset([role.subject for role in self.roles if role.subject in ("1", "2")])

    @cached_property
    def roles_by_lemma(self) -> dict[str, tuple[int, ...]]:
        """By a verb's dictionary form, which of `roles` are its."""
        found: dict[str, tuple[int, ...]] = {}
        for at, role in enumerate(self.roles):
            for form in lemmas(role.verb):
                found[form] = (*found.get(form, ()), at)
        return found

    def roles_of(self, forms: frozenset[str]) -> list[Role]:
        """The roles of a verb, by its dictionary forms."""
        known = self.roles_by_lemma
        return [self.roles[at] for at in sorted({at for form in forms if form in known for at in known[form]})]

    @cached_property
    def owners(self) -> tuple[tuple[str, str], ...]:
        """(person, noun): whose thing it is, as in my, your."""
        return () if OWNING.isdisjoint(self.texts) else owners_of(self.words)

    @cached_property
    def orders(self) -> bool:
        """True if the text gives an order."""
        return any(role.subject == "imp" for role in self.roles)

    @cached_property
    def against(self) -> frozenset[str]:
        """The opposites of all words that have one: heavy words and small words of direction."""
        heavy = (word.text for word in self.words if word.weight or word.text in _PARTICLES)
        return frozenset().union(*map(opposites, heavy))

    def cover(self, word: str) -> float:
        """How well the nearest word of this text stands for `word`; the scale of `closeness`."""
        known = self._covered.get(word)
        if known is None:
            near = nearness(word).__getitem__
            known = 1.0 if word in self.texts else max(map(near, self.texts), default=0.0)
            self._covered[word] = known
        return known


@lru_cache(maxsize=512)
def analyse(text: str) -> Analysis:
    """`text` taken apart."""
    return Analysis(text)
