"""What broken RON is told: place, source line with carets, what was found and expected, and a hint."""

from __future__ import annotations

import pytest

from pipeline.ron import RonError, parse
from tests.snapshots import Case, read_cases, rewrite

SNAPSHOT = "ron_messages.txt"


def message(text: str) -> str:
    with pytest.raises(RonError) as caught:
        parse(text, "file.ron")
    return str(caught.value)


@pytest.mark.parametrize("case", read_cases(SNAPSHOT), ids=lambda case: str(case.title))
def test_message(case: Case) -> None:
    assert message(case.given) == case.wanted


if __name__ == "__main__":
    rewrite(SNAPSHOT, message)
