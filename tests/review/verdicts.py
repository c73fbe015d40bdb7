"""Verdicts for tests."""

from __future__ import annotations

from typing import Any

from pipeline.content.terms import Kind, TellState
from pipeline.review import Action, Ledger, VariantBase, Verdict, VerdictLog, base_hash, voiced_hash

BASE = "The lift is broken – “again”."
TEXT = 'Lift\'s out: "again" # yeah'
OTHER = "Lift's down again."


def verdict(action: Action, voiced: str | None = TEXT, **more: Any) -> Verdict:
    """A verdict of Ada on tam_orley's greeting, Guarded; `more` changes fields."""
    values: dict[str, Any] = {
        "action": action,
        "npc_id": "tam_orley",
        "line_id": "greet",
        "kind": Kind.dialogue,
        "culture": "van_maanens_star",
        "tell_state": TellState.Guarded,
        "base": BASE,
        "voiced": voiced,
        "reviewer": "Ada <ada@example.org>",
        "time": "2026-03-01T10:00:00.000+00:00",
        **more,
    }
    values["base_hash"] = base_hash(values["base"])
    values["voiced_hash"] = None if voiced is None else voiced_hash(voiced)
    return Verdict(**values).identified()


def variant(**more: Any) -> VariantBase:
    """The variant that `verdict` speaks of; `more` changes fields."""
    values: dict[str, Any] = {
        "npc_id": "tam_orley",
        "line_id": "greet",
        "kind": Kind.dialogue,
        "culture": "van_maanens_star",
        "tell_state": TellState.Guarded,
        "base": BASE,
        **more,
    }
    return VariantBase(**values)


def ledger(*verdicts: Verdict, zone_id: str = "test_hub") -> Ledger:
    """A ledger over one log."""
    return Ledger((VerdictLog(zone_id, verdicts),))
