"""`common-anchor`."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field

from pipeline.content.lint.lint import Level, View
from pipeline.content.problems import Problem

_WORD = re.compile(r"[^\W_]+(?:['’][^\W_]+)?")

_COMMON = """\
a job is a job
are you all right
as far as I know
do not worry about it
for what it is worth
good to see you again
have a good shift
how are you doing today
how is it going today
I could not say for sure
I did not see anything
I do not know anything
I do not want any trouble
I have not got all day
I have seen nothing at all
I will be right back
I will see what I can do
if you say so
is there anything else
it has been a long shift
it is all the same to me
it is none of my business
it is not my problem
it is what it is
keep an eye on it
let me know if you need anything
mind your own business
no more and no less
nothing I can do about it
nothing to do with me
same as it ever was
see you on the next shift
take care of yourself
thank you for your help
that is all I know
that is all there is to it
that is how it is
that is the way it goes
there is nothing to see here
time will tell
watch where you are going
we are closed for today
we will see about that
what are you looking at
what can I do for you
what do you want from me
you know how it is
you know where to find me"""
"""Phrases of four words and more that anyone may say."""


@dataclass(frozen=True, slots=True)
class CommonAnchor:
    """An anchor so short that other lines may say the same by chance."""

    shortest: int = 4
    """Words that make a phrase its own."""
    phrases: frozenset[str] = field(default_factory=lambda: frozenset(map(_padded, _COMMON.splitlines())), repr=False)
    """What people say everywhere, as `_padded` gives it."""
    id: str = "common-anchor"
    level: Level = Level.note
    explanation: str = (
        "An anchor is a phrase that players are to recognise, word for word. One of fewer than four words, or one that "
        "people say every day, is said by chance as well, and one that another line contains is no sign of anything: "
        "the leak audit can only report it. Make the anchor longer, or keep the phrase out of the other line."
    )

    def check(self, view: View) -> Iterator[Problem]:
        lines = [(line, _padded(line.ref.line.base_text)) for zone in view.content.zones for line in view.lines(zone)]
        for anchor, text in lines:
            if not anchor.ref.line.anchor_line:
                continue
            hint = "Make it longer, so that nobody says it by chance."
            vocabulary = anchor.ref.culture.injector.vocabulary
            sayings = (*vocabulary.exclamations, *vocabulary.greetings, *vocabulary.farewells)
            if text in self.phrases or text in map(_padded, sayings):
                yield anchor.problem("this anchor is something that people say anyway", hint)
            elif text.count(" ") - 1 < self.shortest:
                yield anchor.problem("this anchor is short enough to be said by chance", hint)
            for other, said in lines:
                if other is not anchor and not other.ref.line.anchor_line and text in said:
                    message = f"`{other.ref.line_id}` of {other.ref.npc.id} contains this anchor"
                    also = other.npc.excerpt((*other.path, "base_text"), "said here")
                    hint = "Keep the phrase out of that line, or make the anchor longer."
                    yield anchor.npc.problem((*anchor.path, "base_text"), message, hint=hint, also=also)


def _padded(text: str) -> str:
    return f" {' '.join(_WORD.findall(text.lower()))} "
