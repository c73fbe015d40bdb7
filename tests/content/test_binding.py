"""The binder: options, newtypes and names as the Rust reader takes them."""

from __future__ import annotations

import pytest
from pydantic import BaseModel, ConfigDict, RootModel

from pipeline.content.binding import bind
from pipeline.content.models import Line
from pipeline.content.problems import Problem
from pipeline.content.terms import Affect
from pipeline.ron import parse


class Credits(RootModel[int]):
    """A newtype."""


class Box(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")

    label: str | None = None
    tags: tuple[str, ...] = ()
    affect: Affect | None = None
    price: Credits | None = None
    weight: float = 1.0
    size: int = 0


def bound(text: str) -> Box:
    found, problems = bind(Box, parse(text))
    assert found is not None, [str(each) for each in problems]
    return found.value


def refused(text: str) -> list[Problem]:
    found, problems = bind(Box, parse(text))
    assert found is None
    return problems


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("()", Box()),
        ("Box()", Box()),
        ("(label: None)", Box()),
        ('(label: Some("x"))', Box(label="x")),
        ('#![enable(implicit_some)] (label: "x")', Box(label="x")),
        ('#![enable(implicit_some)] (label: Some("x"))', Box(label="x")),
        ("#![enable(implicit_some)] (affect: high)", Box(affect=Affect.high)),
        ("(price: Some(Credits(5)))", Box(price=Credits(5))),
        ("(price: Some((5)))", Box(price=Credits(5))),
        ("#![enable(unwrap_newtypes)] (price: Some(5))", Box(price=Credits(5))),
        ("#![enable(unwrap_newtypes, implicit_some)] (price: 5)", Box(price=Credits(5))),
        ("#![enable(explicit_struct_names)] Box(size: 2)", Box(size=2)),
        ("(weight: 2, size: -3)", Box(weight=2, size=-3)),
        ('(tags: ["a", r"b\\"])', Box(tags=("a", "b\\"))),
    ],
)
def test_read(text: str, expected: Box) -> None:
    assert bound(text) == expected


@pytest.mark.parametrize(
    ("text", "message", "hint"),
    [
        (
            '(label: "x")',
            "expected Some(..) with a string, or None, found a string",
            'Write Some("x"), or begin the file',
        ),
        ("(label: Some(5))", "expected a string, found an integer", 'double quotes: "5"'),
        ("(label: 'x')", "expected Some(..) with a string, or None, found a character", "Some('x')"),
        ("#![enable(implicit_some)] (label: 'x')", "expected a string, found a character", 'double quotes: "x"'),
        ("(price: Some(5))", "expected Credits( .. ) round one value, found an integer", "#![enable(unwrap_newtypes)]"),
        (
            "#![enable(implicit_some)] (price: 5)",
            "expected Credits( .. ) round one value",
            "Write Credits( .. ) round it",
        ),
        ("(weight: true)", "expected a number, found a truth value", ""),
        ("(size: 1.5)", "expected an integer, found a float", ""),
        ("(tags: (1, 2))", "expected a list, each item a string, found a tuple", "square brackets"),
        ("(tags: [a])", "expected a string, found the name a", 'double quotes: "a"'),
        ("[1]", "expected a struct Box( .. ), found a list", "round brackets"),
        ('{"size": 1}', "expected a struct Box( .. ), found a map", "round brackets"),
        ("Box", "expected a struct Box( .. ), found the name Box", "round brackets"),
        ("Box(1)", "expected a struct Box( .. ), found Box( .. )", "round brackets"),
        ("Bax(size: 1)", "this is a Box, not a Bax", "Write Box( .. )"),
        ("(colour: 1)", "Box has no field `colour`", "Its fields are label, tags"),
        ("(sizes: 1)", "Box has no field `sizes`", "Did you mean `size`?"),
        ("#![enable(explicit_struct_names)] (size: 1)", "the name Box is missing", "explicit_struct_names"),
    ],
)
def test_refused(text: str, message: str, hint: str) -> None:
    (problem,) = refused(text)
    assert problem.message.startswith(message)
    assert hint in (problem.hint or "")


def test_all_mistakes_of_a_file_come_at_once() -> None:
    problems = refused("(size: true, weight: 'x', tags: [1, 2], wieght: 2)")
    assert [(each.line, each.col) for each in problems] == [(1, 8), (1, 22), (1, 34), (1, 37), (1, 41)]


def test_spans_lead_to_every_value() -> None:
    text = '#![enable(implicit_some)] (label: "x", tags: ["a", "b"])'
    found, _ = bind(Box, parse(text))
    assert found is not None
    shown = {path: text[slice(*found.span(path))] for path in [("label",), ("tags",), ("tags", 1)]}
    assert shown == {("label",): '"x"', ("tags",): '["a", "b"]', ("tags", 1): '"b"'}
    # What the file leaves out is shown at what surrounds it.
    assert found.span(("size",)) == (26, 27)


def test_a_line_may_be_a_bare_string() -> None:
    found, problems = bind(Line, parse('(base_text: "Mind the loader.", affect: high)'))
    assert found is not None, problems
    assert found.value == Line(base_text="Mind the loader.", affect=Affect.high)
