"""Ablation: the arms of a spike, each with one thing left out."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

from pipeline.content.models import Culture
from pipeline.prompting import Profile
from pipeline.prompting.templates import Block
from pipeline.prompting.views import culture_view

INJECTOR, GUARDS, TELLS, ADAPTER = "injector", "guards", "tells", "adapter"
ABLATIONS = (INJECTOR, GUARDS, TELLS, ADAPTER)
LEFT_OUT = {
    INJECTOR: "the culture injector",
    GUARDS: "the guards",
    TELLS: "the tell context",
    ADAPTER: "the adapter",
}


@dataclass(frozen=True, slots=True)
class Ablation:
    """One thing to leave out."""

    name: str
    alter: Callable[[Profile], Profile]
    """The profile without the blocks."""
    why_not: str
    """Why it does not apply; empty where it does."""

    @property
    def applies(self) -> bool:
        """Whether there is anything to leave out."""
        return not self.why_not


def ablations(profile: Profile, culture: Culture) -> tuple[Ablation, ...]:
    """All ablations of a culture that is prompted by `profile`, those that do not apply included."""
    carries: dict[str, Callable[[Block], bool]] = {
        INJECTOR: lambda block: _carries_injector(block, culture),
        GUARDS: lambda block: "guards" in block.uses,
        TELLS: lambda block: "tell" in block.uses,
    }
    found = []
    for name, has in carries.items():
        why = "" if any(map(has, profile.blocks)) else f"the profile {profile.name} does not send {LEFT_OUT[name]}"
        found.append(Ablation(name, _without(has), why))
    adapted = profile.name == "adapter"
    found.append(Ablation(ADAPTER, _unchanged, "" if adapted else "no adapter of the culture is in use"))
    return tuple(found)


def _without(has: Callable[[Block], bool]) -> Callable[[Profile], Profile]:
    return lambda profile: replace(profile, blocks=tuple(block for block in profile.blocks if not has(block)))


def _unchanged(profile: Profile) -> Profile:
    return profile


def _carries_injector(block: Block, culture: Culture) -> bool:
    """True where the block says what the injector says. One that only names the people is no injector."""
    if "culture" not in block.uses or set(block.uses) - {"culture"}:
        return False
    view = culture_view(culture)
    silent = replace(
        view, register="", context="", exclamations=(), greetings=(), farewells=(), values="", exclusions="",
        examples=(), use=(), never=(),
    )  # fmt: skip
    return block.render({"culture": view}) != block.render({"culture": silent})
