"""The generated reference of RON structs."""

from __future__ import annotations

from pathlib import Path

import pytest
from pydantic import BaseModel

from pipeline.content.models import Culture, Line, Npc
from pipeline.content.schema import FILES, ron_default, ron_type, schema_reference

PAGE = Path(__file__).parents[2] / "docs" / "content.md"


def test_page_is_the_generated_reference() -> None:
    assert PAGE.read_text(encoding="utf-8") == schema_reference(), (
        "Write the output of `voicebake schema` to docs/content.md."
    )


@pytest.mark.parametrize("model", [model for _, model in FILES])
def test_every_field_is_described(model: type[BaseModel]) -> None:
    assert [name for name, info in model.model_fields.items() if not info.description] == []
    assert f"## {model.__name__}\n" in schema_reference()


def test_types_and_defaults_read_as_ron() -> None:
    fields = Npc.model_fields
    assert ron_type(fields["name"].annotation) == '`"text"`'
    assert ron_type(fields["tier"].annotation) == "[Tier](#tier)"
    assert ron_type(fields["culture"].annotation) == '`Some(..)` with `"text"`, or `None`'
    assert ron_type(fields["dialogue"].annotation) == 'list `[ .. ]` of `"text"` or [Line](#line)'
    defaults = {name: ron_default(info) for name, info in fields.items()}
    assert (defaults["name"], defaults["culture"], defaults["guarded_towards_one"]) == ("required", "`None`", "`false`")
    assert (defaults["traits"], defaults["dialogue"], defaults["cultural_markers"]) == ("required", "`[]`", "`()`")
    assert ron_default(Line.model_fields["affect"]) == "`even`"
    assert ron_default(Line.model_fields["slots"]) == "`{}`"


def test_aliases_are_shown_as_writers_write_them() -> None:
    assert "| `register` |" in schema_reference()
    assert "register_" not in schema_reference()
    assert Culture.model_fields["injector"].is_required()
