"""Nodes: equality by value and class, spans, immutability."""

from __future__ import annotations

import pytest

from pipeline.ron import Called, Field, Int, List, Map, Str, Struct, Variant, parse


def test_nodes_are_equal_by_class_and_value_not_by_place() -> None:
    assert parse("  [1, 'a']").value == parse("[1,'a']").value
    assert len({parse(text).value for text in ("1", "1.0", "true", '"1"', "'1'")}) == 5


def test_nodes_are_frozen() -> None:
    node = parse("5").value
    assert isinstance(node, Int)
    with pytest.raises(AttributeError):
        node.value = 6  # type: ignore[misc]


def test_spans() -> None:
    text = 'Npc(\n  id: "quill", // who\n  tags: [Bold, Rgb(1, 2)], map: {"k": "v"},\n)'
    node = parse(text).value
    assert isinstance(node, Struct)
    assert (node.start, node.end, text[node.start : node.name_end]) == (0, len(text), "Npc")
    shown = {
        field.name: (text[field.start : field.end], text[field.value.start : field.value.end]) for field in node.fields
    }
    assert shown == {
        "id": ("id", '"quill"'),
        "tags": ("tags", "[Bold, Rgb(1, 2)]"),
        "map": ("map", '{"k": "v"}'),
    }
    tags, entries = node.fields[1].value, node.fields[2].value
    assert isinstance(tags, List)
    bold, rgb = tags.items
    assert isinstance(bold, Variant)
    assert isinstance(rgb, Called)
    assert text[bold.start : bold.end] == "Bold"
    assert (text[rgb.start : rgb.end], text[rgb.start : rgb.name_end]) == ("Rgb(1, 2)", "Rgb")
    assert isinstance(entries, Map)
    key, value = entries.entries[0]
    assert (text[key.start : key.end], text[value.start : value.end]) == ('"k"', '"v"')


def test_anonymous_struct_has_no_name_span() -> None:
    node = parse("(a: 1)").value
    assert node == Struct(None, (Field("a", Int(1, 0, 0), 0, 0),), 0, 0, 0)
    assert isinstance(node, Struct)
    assert node.name_end == node.start


def test_positions_count_code_points_and_lines() -> None:
    document = parse('(\n  "é🛠", Str)')
    assert document.source.where(4) == "<text>:2:3"
    assert document.source.position(len(document.source.text)) == (2, 13)
    assert isinstance(document.value, type(parse("(1, 2)").value))
    assert Str("a", 0, 3) == Str("a", 9, 12)
