"""One job per line, and what changes its fingerprint."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import pytest

from pipeline.content.models import Content, Glossary, Line, TellBehavior
from pipeline.content.terms import TellState, Tier
from pipeline.errors import UserError
from pipeline.prompting import token_budget, unmask, zone_jobs
from tests.prompting.zones import IDENTITY, ZONE, content, count_tokens, culture, jobs, npc, profile

PEOPLE = [npc("mirel"), npc("teodor", tier=Tier.PlotCritical, mood="brisk")]
PROFILES = ["base", "instruct"]


def prints(made: Content, name: str = "instruct", **more: object) -> dict[tuple[str, str], str]:
    return {(job.line.npc.id, job.line.line_id): job.fingerprint for job in jobs(made, name, **more)}


def changed(before: dict[tuple[str, str], str], after: dict[tuple[str, str], str]) -> set[tuple[str, str]]:
    """Lines of both whose fingerprints differ."""
    return {key for key in before.keys() & after.keys() if before[key] != after[key]}


def test_one_job_per_line_and_tell_state_without_anchors() -> None:
    made = jobs(content(PEOPLE))
    assert [(job.line.npc.id, job.line.line_id) for job in made] == [
        (person, line) for person in ("teodor", "mirel") for line in ("sorts", "greet", "price", "crates", "lift")
    ]
    for job in made:
        assert [(v.key.npc_id, v.key.line_id, v.key.tell_state, v.key.culture_id) for v in job.jobs] == [
            (job.line.npc.id, job.line.line_id, state, "hull") for state in TellState
        ]


def test_work_goes_by_tier_then_id() -> None:
    people = [npc(name, tier=tier) for name, tier in zip("abcdef", [*Tier, *Tier][::-1], strict=True)]
    order = dict.fromkeys(job.line.npc.id for job in jobs(content(people)))
    assert list(order) == ["c", "f", "b", "e", "a", "d"]


def test_facts_are_masked_and_come_back() -> None:
    crates = next(job for job in jobs(content()) if job.line.line_id == "crates")
    assert crates.masked.text == "{N1} crates came to {P1} last shift."
    assert unmask(crates.masked.text, crates.masked.slots) == crates.line.line.base_text
    assert not any("Eleven" in job.text or "Dock Nine" in job.text for job in crates.jobs)


def test_institutions_are_not_masked_even_if_the_glossary_lists_them() -> None:
    person = npc(dialogue=[Line(id="cut", base_text="The Commission and the port authority want a cut.")])
    made = jobs(content([person], glossary=Glossary(terms=("Commission", "Port Authority"))))
    assert made[-1].masked.text == "The Commission and the port authority want a cut."


def test_segments_carry_their_own_token_counts() -> None:
    for line in jobs(content()):
        for job in line.jobs:
            assert [segment.tokens for segment in job.segments] == count_tokens(
                [segment.text for segment in job.segments]
            )
            assert all(segment.text for segment in job.segments)


@pytest.mark.parametrize(("base", "budget"), [(1, 18), (12, 40), (80, 176), (300, 396)])
def test_the_token_budget_is_generous_for_short_lines_and_bounded_for_long_ones(base: int, budget: int) -> None:
    assert token_budget(base) == budget


def test_the_budget_counts_the_masked_text() -> None:
    crates = next(job for job in jobs(content()) if job.line.line_id == "crates")
    assert crates.max_tokens == token_budget(count_tokens([crates.masked.text])[0])


def test_tokens_are_counted_in_one_call_each_text_once() -> None:
    calls: list[list[str]] = []

    def counting(texts: Sequence[str]) -> list[int]:
        calls.append(list(texts))
        return count_tokens(texts)

    jobs(content(PEOPLE), count_tokens=counting)
    assert len(calls) == 1
    assert len(calls[0]) == len(set(calls[0]))


def edit_greeting(text: str) -> Content:
    lines = [line.model_copy(update={"base_text": text}) if line.id == "greet" else line for line in npc().dialogue]
    return content([npc("mirel", dialogue=lines), PEOPLE[1]])


@pytest.mark.parametrize("name", PROFILES)
def test_an_edited_line_changes_its_own_fingerprint_alone(name: str) -> None:
    before = prints(content(PEOPLE), name)
    assert changed(before, prints(edit_greeting("Good morning. What do you want?"), name)) == {("mirel", "greet")}


def another_npc() -> Content:
    return content([*PEOPLE, npc("aart", tier=Tier.PlotCritical)])


def another_culture() -> Content:
    return content(PEOPLE, cultures=[culture(), culture("ring")])


def another_anchor() -> Content:
    anchor = Line(id="a_motto", base_text="Nobody works alone.", anchor_line=True)
    return content([npc("mirel", dialogue=(anchor, *npc().dialogue)), PEOPLE[1]])


def edited_tell() -> Content:
    tells = [TellBehavior(category=TellState.Angry, base_text="shuts the tray hard")]
    return content([npc("mirel", tell_behaviors=tells), PEOPLE[1]])


def edited_anchor() -> Content:
    lines = [line.model_copy(update={"base_text": "Closed."}) if line.anchor_line else line for line in npc().dialogue]
    return content([npc("mirel", dialogue=lines), PEOPLE[1]])


def renamed_role() -> Content:
    return content([npc("mirel", role="fixes pumps", name="Mirel Vos"), PEOPLE[1]])


@pytest.mark.parametrize("name", PROFILES)
@pytest.mark.parametrize(
    "edited",
    [another_npc, another_culture, another_anchor, edited_tell, edited_anchor, renamed_role],
    ids=lambda f: f.__name__,
)
def test_what_is_not_sent_changes_no_fingerprint(edited: Callable[[], Content], name: str) -> None:
    before = prints(content(PEOPLE), name)
    after = prints(edited(), name)
    assert before.keys() <= after.keys()
    assert changed(before, after) == set()


@pytest.mark.parametrize("name", PROFILES)
def test_a_glossary_name_changes_only_the_lines_that_hold_it(name: str) -> None:
    glossary = content().zones[ZONE].zone.glossary
    more = glossary.model_copy(update={"terms": (*glossary.terms, "lift")})
    before = prints(content(PEOPLE), name)
    assert changed(before, prints(content(PEOPLE, glossary=more), name)) == {("mirel", "lift"), ("teodor", "lift")}


def test_a_culture_edit_changes_the_lines_of_that_culture_alone() -> None:
    people = [npc("mirel", culture="hull"), npc("teodor", culture="ring")]
    ring = culture("ring")
    edited = ring.model_copy(update={"injector": ring.injector.model_copy(update={"values": "Finish what you start."})})
    before = prints(content(people, cultures=[culture(), ring]))
    after = prints(content(people, cultures=[culture(), edited]))
    assert {npc_id for npc_id, _ in changed(before, after)} == {"teodor"}


@pytest.mark.parametrize(
    ("more", "lines"),
    [
        ({"attempts": {("mirel", "greet"): 1}}, {"greet"}),
        ({"adapter_sha": {"hull": "cd" * 32}}, {"sorts", "greet", "price", "crates", "lift"}),
        ({"adapter_sha": {"hull": None, "ring": "cd" * 32}}, set()),
        ({"identity": IDENTITY | {"width": 48}}, {"sorts", "greet", "price", "crates", "lift"}),
        ({"identity": IDENTITY | {"sampler": {"top_k": 41}}}, {"sorts", "greet", "price", "crates", "lift"}),
        ({"identity": dict(reversed(IDENTITY.items()))}, set()),
    ],
)
def test_everything_that_a_batch_is_made_of_is_in_the_fingerprint(more: dict[str, object], lines: set[str]) -> None:
    assert {line for _, line in changed(prints(content()), prints(content(), **more))} == lines


def test_the_token_budget_is_in_the_fingerprint() -> None:
    def doubled(texts: Sequence[str]) -> list[int]:
        return [
            2 * tokens if "crates" in text and len(text) < 60 else tokens
            for text, tokens in zip(texts, count_tokens(texts), strict=True)
        ]

    assert changed(prints(content()), prints(content(), count_tokens=doubled)) == {("mirel", "crates")}


def test_the_fact_behind_a_slot_is_not_in_the_fingerprint() -> None:
    """The prompts are the same, so the candidates are; only what is put back differs."""

    def crates(text: str) -> Content:
        return content([npc(dialogue=[Line(id="crates", base_text=text)])])

    assert changed(prints(crates("Two crates came.")), prints(crates("Nine crates came."))) == set()


def test_an_unknown_zone_is_named() -> None:
    with pytest.raises(UserError, match=r"no zone 'dok'.\n  There are: dock."):
        zone_jobs(content(), "dok", profile(), IDENTITY, count_tokens, {}, {})


def test_a_zone_without_voiced_lines_has_no_jobs() -> None:
    anchor = Line(id="sign", base_text="Closed.", anchor_line=True)
    assert jobs(content([npc(dialogue=[anchor], observable_behaviors=[])])) == ()
