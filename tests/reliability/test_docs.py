"""Every row of docs/reliability.md names the tests that show it, and they exist."""

from __future__ import annotations

import re
from pathlib import Path

ROOT = Path(__file__).parents[2]


def test_every_row_names_tests_that_exist() -> None:
    table = (ROOT / "docs/reliability.md").read_text("utf-8")
    rows: list[str] = re.findall(r"(?m)^\| (?!what happens|---)(.*) \|$", table)
    assert len(rows) >= 12
    for row in rows:
        named = re.findall(r"`(tests/[\w/]+\.py)::(\w+)`", row)
        assert named, row
        for path, test in named:
            assert re.search(rf"(?m)^def {test}\(", (ROOT / path).read_text("utf-8")), f"{path}::{test}"
