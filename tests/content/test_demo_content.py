"""The demo content is what every user reads first; it must show each feature and keep to the setting's own rules."""

from __future__ import annotations

import re
from collections import Counter
from pathlib import Path

import pytest

from pipeline.content import load_content
from pipeline.content.models import Content, LineRef, ZoneContent
from pipeline.content.terms import TELL_CATEGORIES, Affect, Kind, ReviewPolicy, TellState, Tier
from pipeline.project import Project

HUB = "sova_transit_district"
YARD = "lowring_yard"
CULTURE = "van_maanens_star"
SLOT = re.compile(r"\{(\w+)\}")


@pytest.fixture(scope="module")
def content() -> Content:
    return load_content(Project(Path(__file__).resolve().parents[2]))


@pytest.fixture(scope="module")
def hub(content: Content) -> ZoneContent:
    return content.zones[HUB]


@pytest.fixture(scope="module")
def yard(content: Content) -> ZoneContent:
    return content.zones[YARD]


@pytest.fixture(scope="module")
def every_line(content: Content) -> list[LineRef]:
    return [ref for zone in content.zones.values() for ref in zone.lines]


def padded(text: str) -> str:
    return f" {' '.join(re.findall(r'[a-z0-9]+', text.lower()))} "


def names(zone: ZoneContent) -> set[str]:
    glossary = zone.zone.glossary
    return {*glossary.places, *glossary.people, *glossary.terms}


def test_hub_has_people_of_all_tiers(hub: ZoneContent) -> None:
    tiers = Counter(npc.tier for npc in hub.npcs)
    assert len(hub.npcs) >= 12
    assert 2 <= tiers[Tier.PlotCritical] <= 3
    assert 4 <= tiers[Tier.SemiUnique] <= 5
    assert tiers[Tier.Ambient] >= 4
    assert hub.zone.hub
    assert hub.zone.review_policy is ReviewPolicy.All


def test_hub_has_about_a_hundred_lines_of_both_kinds(hub: ZoneContent) -> None:
    kinds = Counter(ref.kind for ref in hub.lines)
    assert 95 <= len(hub.lines) <= 120
    assert kinds[Kind.behavior] >= 20
    assert kinds[Kind.dialogue] >= 60


def test_yard_is_small_and_uses_bare_strings(yard: ZoneContent) -> None:
    assert 3 <= len(yard.npcs) <= 4
    assert 12 <= len(yard.lines) <= 20
    assert not yard.zone.hub
    assert sum(ref.line.id is None for ref in yard.lines) >= 5
    assert sum(ref.line.id is not None for ref in yard.lines) >= 5


def test_zones_are_adjacent_both_ways(hub: ZoneContent, yard: ZoneContent) -> None:
    assert hub.zone.adjacent_zones == (YARD,)
    assert yard.zone.adjacent_zones == (HUB,)


def test_hub_lines_have_readable_ids(hub: ZoneContent) -> None:
    for ref in hub.lines:
        assert ref.line.id == ref.line_id
        assert re.fullmatch(r"[a-z]+(_[a-z]+)+", ref.line_id), ref.line_id


def test_anchors_are_few_mostly_long_and_stand_in_one_line_only(hub: ZoneContent, every_line: list[LineRef]) -> None:
    anchors = [ref for ref in hub.lines if ref.line.anchor_line]
    assert 5 <= len(anchors) <= 12
    assert sum(len(ref.line.base_text.split()) >= 4 for ref in anchors) >= len(anchors) - 2
    assert {ref.kind for ref in anchors} == {Kind.dialogue, Kind.behavior}
    for anchor in anchors:
        assert sum(padded(anchor.line.base_text) in padded(ref.line.base_text) for ref in every_line) == 1


def test_plot_critical_people_have_all_five_tells(hub: ZoneContent) -> None:
    for npc in hub.npcs:
        if npc.tier is Tier.PlotCritical:
            assert {tell.category for tell in npc.tell_behaviors} == set(TELL_CATEGORIES), npc.id


def test_tells_spread_over_the_rest(hub: ZoneContent) -> None:
    others = [npc for npc in hub.npcs if npc.tier is not Tier.PlotCritical]
    assert {tell.category for npc in others for tell in npc.tell_behaviors} == set(TELL_CATEGORIES)
    assert all(npc.tell_behaviors for npc in others)


def test_no_tell_text_occurs_where_a_model_could_read_it(content: Content, every_line: list[LineRef]) -> None:
    culture = content.cultures[CULTURE]
    readable = [ref.line.base_text for ref in every_line]
    readable += [tone.text for tone in culture.tell_tones]
    readable += [text for example in culture.injector.examples for text in (example.base, example.voiced)]
    readable += [text for guard in content.guards for text in (guard.full, guard.compressed)]
    readable += [row.everywhere for row in content.tells.rows]
    for zone in content.zones.values():
        for npc in zone.npcs:
            for tell in npc.tell_behaviors:
                assert len(tell.base_text.split()) >= 4
                assert not [text for text in readable if padded(tell.base_text) in padded(text)], tell.base_text


def test_each_person_pauses_in_their_own_way(content: Content) -> None:
    """In the reference culture everybody does; a formal one may leave it to a few."""
    people = [npc for zone in content.zones.values() for npc in zone.npcs]
    spoken = [npc.cultural_markers.filler_words for npc in people if npc.cultural_markers.filler_words]
    assert all(npc.cultural_markers.filler_words for npc in content.zones[HUB].npcs)
    assert len(set(spoken)) == len(spoken)


def test_people_differ_in_traits_and_mood(content: Content) -> None:
    people = [npc for zone in content.zones.values() for npc in zone.npcs]
    assert len({npc.traits for npc in people}) == len(people)
    assert len({npc.mood for npc in people}) == len(people)
    assert all(1 <= len(npc.traits) <= 3 for npc in people)


def test_people_of_a_zone_stand_in_its_glossary(content: Content) -> None:
    for zone in content.zones.values():
        assert {npc.name for npc in zone.npcs} <= set(zone.zone.glossary.people)


def test_names_in_lines_stand_in_the_glossary(content: Content) -> None:
    """A capital inside a sentence marks a name; "I" and the Commission are the only words that do not."""
    for zone in content.zones.values():
        known = sorted(names(zone), key=len, reverse=True)
        for ref in zone.lines:
            rest = ref.line.base_text
            for name in known:
                rest = re.sub(rf"\b{re.escape(name)}\b", "", rest)
            inside = re.findall(r"(?<=[a-z,;] )[A-Z]\w*", rest)
            assert set(inside) <= {"I", "Commission"}, ref.line.base_text


def test_glossary_holds_no_name_twice(content: Content) -> None:
    for zone in content.zones.values():
        glossary = zone.zone.glossary
        listed = glossary.places + glossary.people + glossary.terms
        assert len(set(listed)) == len(listed)


def test_slots_are_declared_and_used(every_line: list[LineRef]) -> None:
    for ref in every_line:
        assert set(SLOT.findall(ref.line.base_text)) == set(ref.line.slots), ref.line_id
    prices = [ref for ref in every_line if "price" in ref.line.slots]
    assert len(prices) >= 6


def test_the_hub_covers_what_lines_can_be(hub: ZoneContent) -> None:
    texts = [ref.line.base_text for ref in hub.lines if ref.kind is Kind.dialogue]
    assert sum(text.endswith("?") for text in texts) >= 8
    assert sum(bool(re.search(r"\b\d+\b", text)) for text in texts) >= 2, "figures in digits"
    assert sum(bool(re.search(r"\b(two|four|nine|twenty|forty)\b", text)) for text in texts) >= 5, "figures in words"
    assert sum(bool(re.search(r"[.!?] [A-Z]", text)) for text in texts) >= 20, "two sentences"
    assert sum(bool(re.search(r"\b(not|no|never|nobody|nothing|cannot)\b", text.lower())) for text in texts) >= 15
    assert sum(any(name in text for name in names(hub)) for text in texts) >= 12, "names"
    for word in ("Commission", "port authority", "shift lead", "supervisor", "Commission officer"):
        assert any(word in text for text in texts), word


def test_strong_feeling_is_rare_and_said_by_many(hub: ZoneContent) -> None:
    high = [ref for ref in hub.lines if ref.line.affect is Affect.high]
    assert 6 <= len(high) <= 15
    assert len({ref.npc.id for ref in high}) == len(high)
    assert any(ref.line.affect is Affect.low for ref in hub.lines)


def test_behaviors_are_third_person_without_capital_or_stop(content: Content, every_line: list[LineRef]) -> None:
    seen = [ref.line.base_text for ref in every_line if ref.kind is Kind.behavior]
    seen += [tell.base_text for zone in content.zones.values() for npc in zone.npcs for tell in npc.tell_behaviors]
    for text in seen:
        assert text[0].islower(), text
        assert text[-1].isalnum(), text
        assert re.match(r"[a-z]+s\b", text), text


def test_dialogue_is_plain_and_carries_no_culture(content: Content, every_line: list[LineRef]) -> None:
    """Base text is neutral: no contractions, exclamations, exclusions or anyone's pause words."""
    culture = content.cultures[CULTURE]
    fillers = [f for zone in content.zones.values() for n in zone.npcs for f in n.cultural_markers.filler_words]
    foreign = [*culture.injector.vocabulary.exclamations, *culture.injector.exclusions.words, *fillers]
    for ref in every_line:
        text = ref.line.base_text
        assert text[0].isupper() == (ref.kind is Kind.dialogue), text
        assert not re.search(r"n't\b|'(m|re|ll|ve|d)\b", text), text
        assert not [word for word in foreign if padded(word) in padded(text)], text


def test_base_text_trips_no_guard_or_word_list(content: Content, every_line: list[LineRef]) -> None:
    listed = [term for guard in content.guards for term in guard.vocabulary]
    listed += [term for words in content.word_lists for term in words.vocabulary]
    terms = [term for term in listed if not term.match_case and not term.allow]
    assert len(terms) >= 100
    forms = {padded(form) for term in terms for form in (term.term, *term.forms)}
    for ref in every_line:
        text = padded(ref.line.base_text)
        assert not [form for form in forms if form in text], ref.line.base_text


def test_culture_has_a_row_for_each_category_and_one_towards_one_person(content: Content) -> None:
    rows = content.cultures[CULTURE].tell_tones
    expected = {(category, False) for category in TELL_CATEGORIES} | {(TellState.Guarded, True)}
    assert {(row.category, row.towards_one) for row in rows} == expected
    assert all(row.text.endswith("Never name the state.") for row in rows)
    assert not [row.text for row in rows if re.search(r"\.\.\.|…|—|–|!", row.text)]


def test_someone_is_guarded_towards_one_person(hub: ZoneContent) -> None:
    assert any(npc.guarded_towards_one for npc in hub.npcs)


def test_culture_examples_are_lines_of_the_hub(content: Content, hub: ZoneContent) -> None:
    examples = content.cultures[CULTURE].injector.examples
    assert {example.kind for example in examples} == {Kind.dialogue, Kind.behavior}
    lines = {ref.line.base_text for ref in hub.lines}
    assert sum(example.base in lines for example in examples) >= 2


def test_guards_are_the_five_of_the_setting(content: Content) -> None:
    assert [guard.id for guard in content.guards] == ["NI-1", "NI-2", "NI-3", "NI-4", "NI-5"]
    assert all(len(guard.compressed) < len(guard.full) / 2 for guard in content.guards)


def test_no_two_lines_are_alike(every_line: list[LineRef]) -> None:
    texts = [padded(ref.line.base_text) for ref in every_line]
    assert len(set(texts)) == len(texts)
