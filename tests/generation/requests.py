"""Requests as the bake makes them, for engine tests."""

from __future__ import annotations

import hashlib

from pipeline.generation import LineRequest, VariantRequest

TELLS = ("Neutral", "Nervous", "Angry", "Friendly", "Guarded", "RoutineDeviation")
BASES = (
    "The gate is closed until the shift is over.",
    "Hold the lift, the pump runs hot.",
    "Look, right now the seal is not on.",
    "checks the panel twice before going in",
)


def line(
    base: str,
    *,
    tells: tuple[str, ...] = TELLS,
    round_: int = 0,
    candidates: int = 4,
    max_tokens: int = 16,
    chat: bool = False,
    adapter: str | None = None,
    rules: str = "Rules: the gate is right, the seal is not.\n",
) -> LineRequest:
    """A request whose variants share rules, speaker and base text and differ in their tone."""
    variants = tuple(
        VariantRequest(
            tell, (rules, "Speaker: short, on shift.\n", f"Base: {base}\n", f"Tone: {tell.lower()}\nVoiced:")
        )
        for tell in tells
    )
    fingerprint = hashlib.sha256(base.encode()).hexdigest()
    return LineRequest(fingerprint, round_, variants, candidates, max_tokens, chat, adapter, repeats=base)
