"""The known-bad texts that every bake must catch before it trusts its rules."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pipeline.errors import UserError

if TYPE_CHECKING:
    from pipeline.validation.ruleset import RuleSet


class CanaryError(UserError):
    """A rule let a known-bad text pass; nothing may be baked with such rules."""

    exit_code = 3


def check_canaries(rules: RuleSet) -> int:
    """Runs all canaries and gives their number. Raises `CanaryError` that names every one that was missed."""
    results = rules.run_canaries()
    missed = [result for result in results if not result.caught]
    if missed:
        lines = [f"canary missed by rule {one.rule}: {one.text!r} ({one.why})" for one in missed]
        raise CanaryError(
            "\n".join(lines),
            "Nothing was baked. A rule or word list was changed so that known-bad text passes: mend it first.",
        )
    return len(results)
