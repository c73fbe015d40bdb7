"""Token budgets."""

from __future__ import annotations

import pytest

from pipeline.content.models import Culture, Line
from pipeline.prompting import BudgetError, check_injector, injector_tokens
from tests.prompting.zones import content, count_tokens, culture, jobs, npc, profile


def culture_with(**changes: object) -> Culture:
    injector = culture().injector
    return culture().model_copy(update={"injector": injector.model_copy(update=changes)})


def test_measures_the_injector_block_by_block() -> None:
    measured = injector_tokens(profile("base"), culture(), count_tokens)
    assert list(measured) == ["register", "context", "vocabulary", "values", "exclusions", "examples", "institutions"]
    assert check_injector(profile("base"), culture(), count_tokens) == measured
    assert 150 <= sum(measured.values()) <= 250


@pytest.mark.parametrize("name", ["base", "instruct"])
def test_a_long_injector_names_file_figures_and_block_whatever_the_profile(name: str) -> None:
    long = culture_with(values="Show it. " * 30)
    with pytest.raises(BudgetError) as caught:
        jobs(content(cultures=[long]), name)
    message = caught.value.message
    total = sum(injector_tokens(profile(name), long, count_tokens).values())
    assert f"cultures/hull/culture.ron: the injector takes {total} tokens; allowed are 150 to 250." in message
    assert "values          70  of at most 40  <- too long" in message
    assert message.count("<- too long") == 1


def test_a_short_injector_is_refused_too() -> None:
    short = culture_with(register_="Direct.", context="Hull.", values="Work.")
    with pytest.raises(BudgetError, match=r"allowed are 150 to 250"):
        check_injector(profile(), short, count_tokens)


def test_all_blocks_over_budget_are_named_at_once() -> None:
    people = [
        npc("mirel", mood="tired " * 20),
        npc("teodor", traits=("blunt " * 30,), dialogue=[Line(id="long", base_text="No. " * 300)]),
    ]
    with pytest.raises(BudgetError) as caught:
        jobs(content(people))
    first, second, third = caught.value.message.splitlines()
    assert first == "zones/dock/npcs: NPC 'mirel': block 'mood' takes 32 tokens; allowed are 20."
    assert second.startswith("zones/dock/npcs: NPC 'teodor': block 'traits' takes")
    assert third.startswith("zones/dock/npcs: NPC 'teodor', line 'long': block 'task' takes")


def test_a_caller_that_knows_the_files_says_where_to_mend() -> None:
    people = [npc("teodor", mood="tired " * 20, dialogue=[Line(id="long", base_text="No. " * 300)])]
    with pytest.raises(BudgetError) as caught:
        jobs(content(people), place=lambda npc_id, line_id: f"{npc_id}.ron:{'1:1' if line_id is None else '9:30'}")
    mood, line = caught.value.message.splitlines()
    assert mood.startswith("teodor.ron:1:1: NPC 'teodor': block 'mood' takes")
    assert line.startswith("teodor.ron:9:30: NPC 'teodor', line 'long': block 'task' takes")
