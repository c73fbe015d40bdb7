"""Small voice banks for tests."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path

from pipeline.content.terms import TellState
from pipeline.content.voice_bank import VoicedForms
from pipeline.project import Project


def bank_text(lines: Sequence[tuple[str, str]], names: Sequence[str] = ()) -> str:
    """RON of a bank: kind and base text of each line; a form is the base text with the state's name after it."""
    entries = []
    for kind, base in lines:
        forms = ", ".join(
            f"{field}: {json.dumps(f'{base} {state.value}')}"
            for field, state in zip(VoicedForms.model_fields, TellState, strict=True)
        )
        entries.append(f"        (kind: {kind}, base: {json.dumps(base)}, voiced: ({forms})),")
    known = ", ".join(json.dumps(name) for name in names)
    return "\n".join(["(", f"    names: [{known}],", "    lines: [", *entries, "    ],", ")"]) + "\n"


def write_bank(project: Project, text: str, culture: str = "van_maanens_star") -> Path:
    """Writes a culture's bank."""
    path = project.cultures / culture / "voice_bank.ron"
    path.write_text(text, encoding="utf-8")
    return path
