"""Token budgets: what a block may take, and what a culture's injector has to take."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence

from pipeline.content.models import Culture
from pipeline.errors import UserError
from pipeline.prompting.templates import InjectorBudget, Profile
from pipeline.prompting.views import View, culture_view

CountTokens = Callable[[Sequence[str]], list[int]]
"""Tokens of each text under the profile's tokeniser, without special tokens."""


class BudgetError(UserError):
    """Blocks outside their budgets: which file, which block, measured and allowed."""


def injector_tokens(profile: Profile, culture: Culture, count_tokens: CountTokens) -> dict[str, int]:
    """Tokens of each injector block of `culture`, institutions included, in prompt order."""
    values: Mapping[str, View] = {"culture": culture_view(culture)}
    blocks = profile.injector.blocks
    counts = count_tokens([block.render(values) for block in blocks])
    return {block.name: tokens for block, tokens in zip(blocks, counts, strict=True)}


def check_injector(profile: Profile, culture: Culture, count_tokens: CountTokens) -> dict[str, int]:
    """`injector_tokens`, if inside the budgets. Raises `BudgetError` with measured and allowed figures by block."""
    measured = injector_tokens(profile, culture, count_tokens)
    problem = injector_problem(profile.injector, culture.id, measured)
    raise_over_budget([problem] if problem else [])
    return measured


def injector_problem(budget: InjectorBudget, culture_id: str, measured: Mapping[str, int]) -> str | None:
    """What is wrong with the size of a culture's injector, if anything."""
    total = sum(measured.values())
    over = [block for block in budget.blocks if measured[block.name] > block.at_most]
    if not over and budget.at_least <= total <= budget.at_most:
        return None
    lines = [
        f"cultures/{culture_id}/culture.ron: the injector takes {total} tokens; "
        f"allowed are {budget.at_least} to {budget.at_most}. Block by block:"
    ]
    for block in budget.blocks:
        mark = "  <- too long" if block in over else ""
        lines.append(f"    {block.name:<13}{measured[block.name]:>5}  of at most {block.at_most}{mark}")
    return "\n".join(lines)


def raise_over_budget(problems: Iterable[str]) -> None:
    """Raises one `BudgetError` for all problems, if there are any."""
    if found := list(dict.fromkeys(problems)):
        raise BudgetError("\n".join(found), "Change the text, or the budget in prompts/profiles/profiles.toml.")
