"""Filling slots: one pass, nothing lost, nothing expanded twice."""

from __future__ import annotations

import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pipeline.cache import SlotError
from pipeline.cache.slots import fill, slot_names

NAMES = st.from_regex(r"[A-Za-z_][A-Za-z0-9_]{0,8}", fullmatch=True)
PLAIN = st.text().filter(lambda text: "{" not in text and "}" not in text)


@settings(deadline=None, max_examples=50)
@given(st.lists(st.tuples(PLAIN, NAMES), max_size=5), PLAIN, st.data())
def test_every_slot_gets_its_value_and_nothing_else_changes(
    parts: list[tuple[str, str]], tail: str, data: st.DataObject
) -> None:
    names = {name for _, name in parts}
    values = {name: data.draw(st.text(), label=name) for name in sorted(names)}
    template = "".join(f"{text}{{{name}}}" for text, name in parts) + tail
    assert slot_names(template) == names
    assert fill(template, values, "here") == "".join(text + values[name] for text, name in parts) + tail


@settings(deadline=None, max_examples=50)
@given(NAMES, st.text())
def test_a_value_with_braces_is_not_expanded_again(name: str, other: str) -> None:
    assert fill(f"{{{name}}} {{zz}}", {name: f"{{zz}}{other}", "zz": "Z"}, "here") == f"{{zz}}{other} Z"


@settings(deadline=None, max_examples=50)
@given(st.text(alphabet="{}ab1 _", max_size=20))
def test_any_text_is_filled_or_refused_and_braces_that_are_no_slot_stay(text: str) -> None:
    values = {name: f"<{name}>" for name in slot_names(text)}
    filled = fill(text, values, "here")
    # What lies between the slots is untouched; two halves of it must not be taken for one slot.
    assert filled == re.sub(r"\{([A-Za-z_]\w*)\}", lambda match: values.get(match[1], match[0]), text)
    if not values:
        assert filled == text


@settings(deadline=None, max_examples=50)
@given(st.sets(NAMES), st.sets(NAMES))
def test_missing_and_unknown_slots_are_errors_that_name_them(has: set[str], given_names: set[str]) -> None:
    template = " ".join(f"{{{name}}}" for name in sorted(has))
    values = dict.fromkeys(given_names, "v")
    if has == given_names:
        assert fill(template, values, "here") == " ".join("v" for _ in has)
        return
    with pytest.raises(SlotError, match="here") as error:
        fill(template, values, "here")
    assert all(f"slot {{{name}}} has no value" in error.value.message for name in has - given_names)
    assert all(f"there is no slot {{{name}}}" in error.value.message for name in given_names - has)
