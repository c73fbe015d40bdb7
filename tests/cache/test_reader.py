"""`VoiceCache`: the fallback order, the switch, slots, tells and errors, read from the file and from memory."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from pipeline.cache import SlotError, UnknownText, VoiceCache
from pipeline.content.terms import TELL_CATEGORIES, TellState
from tests.cache.zones import ANCHOR, HUB, TELL


@pytest.fixture(scope="module", params=["cold", "zone", "everything"])
def cache(request: pytest.FixtureRequest, shared_draft: Path) -> Iterator[VoiceCache]:
    """The same cache read from the file, with one zone in memory, and with everything in memory."""
    with VoiceCache(shared_draft) as cache:
        if request.param != "cold":
            assert cache.preload("test_hub" if request.param == "zone" else None) in (5, 6)
        yield cache


@pytest.mark.parametrize(
    ("line_id", "state", "text", "source"),
    [
        ("greet", "Guarded", "Morning. Need something.", "tell"),
        ("greet", "Angry", "Morning. What d'you need?", "neutral"),
        ("greet", "Neutral", "Morning. What d'you need?", "neutral"),
        ("bare", "Angry", "Nobody. Came.", "tell"),
        ("bare", "Nervous", "Nobody came.", "base"),
        ("bare", "Neutral", "Nobody came.", "base"),
        ("sign", "Neutral", ANCHOR, "anchor"),
        ("sign", "Guarded", ANCHOR, "anchor"),
        ("sorts", TellState.Friendly, "sorts pump seals, three trays", "neutral"),
    ],
)
def test_the_fallback_order(cache: VoiceCache, line_id: str, state: str, text: str, source: str) -> None:
    assert cache.line("imke_dorr", line_id, state) == (text, source)
    assert cache.template("imke_dorr", line_id, state) == (text, source)


def test_every_line_answers_in_every_state(cache: VoiceCache) -> None:
    for line in HUB.base:
        for state in TellState:
            assert cache.template(line.npc_id, line.line_id, state).text


@pytest.mark.parametrize("preloaded", [False, True])
def test_with_ai_dialogue_off_only_base_texts_are_shown(shared_draft: Path, preloaded: bool) -> None:
    with VoiceCache(shared_draft, ai_dialogue=False) as cache:
        if preloaded:
            cache.preload()
        for line in HUB.base:
            for state in TellState:
                assert cache.template(line.npc_id, line.line_id, state) == (
                    line.text,
                    "anchor" if line.anchor else "base",
                )
        assert cache.line("imke_dorr", "price", slots={"price": "nine"}) == ("The seal costs nine.", "base")
        assert cache.tells("imke_dorr", "Nervous")[0] == TELL


def test_tells_come_as_authored(cache: VoiceCache) -> None:
    assert cache.tells("imke_dorr", "Nervous") == (TELL, "counts the trays again")
    assert cache.tells("imke_dorr", TellState.Guarded) == ()
    assert cache.tells("silent_ro", "Angry") == ("sets each tray down flat and hard",)
    assert cache.tells("tam_orley", "Angry") == ()
    assert all(cache.tells("silent_ro", state) == () for state in TELL_CATEGORIES if state != "Angry")


def test_slots_are_filled_by_the_caller(cache: VoiceCache) -> None:
    assert cache.line("imke_dorr", "price", slots={"price": "{price} {0} \\1"}) == (
        "Seal's {price} {0} \\1.",
        "neutral",
    )
    assert cache.template("imke_dorr", "price") == ("Seal's {price}.", "neutral")


@pytest.mark.parametrize(
    ("line_id", "slots", "wanted", "hint"),
    [
        ("price", None, r"imke_dorr price \(Guarded\): slot {price} has no value", None),
        ("price", {}, "slot {price} has no value", None),
        ("price", {"prise": "9"}, "there is no slot {prise}. The text's slots: {price}", "Did you mean price?"),
        ("price", {"price": "9", "who": "me"}, "there is no slot {who}", None),
        ("greet", {"price": "9"}, "there is no slot {price}. The text's slots: none", None),
    ],
)
def test_slots_that_do_not_fit_are_errors(
    cache: VoiceCache, line_id: str, slots: dict[str, str] | None, wanted: str, hint: str | None
) -> None:
    with pytest.raises(SlotError, match=wanted) as error:
        cache.line("imke_dorr", line_id, "Guarded", slots=slots)
    assert error.value.hint == hint


@pytest.mark.parametrize(
    ("call", "wanted", "hint"),
    [
        (lambda cache: cache.line("imke_dor", "greet"), "no NPC 'imke_dor'", "Did you mean imke_dorr?"),
        (lambda cache: cache.line("imke_dorr", "great"), "no line of imke_dorr 'great'", "Did you mean greet?"),
        (lambda cache: cache.line("imke_dorr", "greet", "guarded"), "no tell state 'guarded'", "Did you mean Guarded?"),
        (lambda cache: cache.tells("imke_dorr", "Neutral"), "no tell category 'Neutral'", "There are: Nervous, Angry"),
        (lambda cache: cache.tells("silent_rho", "Angry"), "no NPC 'silent_rho'", "Did you mean silent_ro?"),
        (lambda cache: cache.lines("zzz"), "no NPC 'zzz'", None),
        (lambda cache: cache.line("silent_ro", "greet"), "no line of silent_ro 'greet'", None),
        (lambda cache: cache.preload("test_hubb"), "no zone 'test_hubb'", "Did you mean test_hub?"),
    ],
)
def test_what_is_not_there_is_named(cache: VoiceCache, call, wanted: str, hint: str | None) -> None:  # type: ignore[no-untyped-def]
    with pytest.raises(UnknownText, match=wanted) as error:
        call(cache)
    if hint is None:
        assert "Did you mean" not in str(error.value)
    else:
        assert hint in str(error.value.hint)


def test_lines_and_npcs_can_be_listed(cache: VoiceCache) -> None:
    assert [(line.kind, line.line_id) for line in cache.lines("imke_dorr")] == [
        ("behavior", "sorts"),
        ("dialogue", "bare"),
        ("dialogue", "greet"),
        ("dialogue", "price"),
        ("dialogue", "sign"),
    ]
    assert cache.lines("silent_ro") == []
    assert cache.npcs() == ["imke_dorr", "silent_ro", "tam_orley"]
    assert cache.npcs("test_hub") == ["imke_dorr", "silent_ro"]


def test_many_threads_read_one_cache_while_it_is_preloaded(shared_draft: Path) -> None:
    wrong: list[object] = []
    with VoiceCache(shared_draft) as cache:

        def read() -> None:
            for _ in range(30):
                if cache.line("imke_dorr", "greet", "Guarded").text != "Morning. Need something.":
                    wrong.append("guarded")
                if cache.tells("silent_ro", "Angry") != ("sets each tray down flat and hard",):
                    wrong.append("tells")

        threads = [threading.Thread(target=read) for _ in range(8)]
        for thread in threads:
            thread.start()
        cache.preload()
        for thread in threads:
            thread.join()
    assert wrong == []


def test_many_threads_preload_zone_by_zone_and_lose_nothing(shared_draft: Path) -> None:
    for _ in range(5):
        with VoiceCache(shared_draft) as cache, ThreadPoolExecutor(8) as pool:
            counts = list(pool.map(cache.preload, ["test_hub", "test_yard"] * 8))
        assert counts == [5, 1] * 8
        assert cache.line("imke_dorr", "greet", "Guarded").text == "Morning. Need something."
        assert cache.line("tam_orley", "greet").text == "Hey."


def test_what_was_preloaded_can_be_read_after_closing(shared_draft: Path) -> None:
    with VoiceCache(shared_draft) as cache:
        cache.preload()
    assert cache.line("imke_dorr", "greet", "Guarded").text == "Morning. Need something."


def test_names_that_look_like_sql_are_only_names(cache: VoiceCache) -> None:
    with pytest.raises(UnknownText, match="no NPC"):
        cache.line("' OR 1=1 --", "greet")
    with pytest.raises(UnknownText, match="no zone"):
        cache.preload("' OR 1=1 --")
