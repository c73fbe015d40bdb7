"""The header reader: what it reads, and that damage is one clear error."""

from __future__ import annotations

import struct
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pipeline.errors import UserError
from pipeline.generation.gguf_header import read_header
from tests.generation.gguf_files import write_header, write_model


def test_it_reads_scalars_texts_and_short_arrays_and_skips_the_vocabulary(tmp_path: Path) -> None:
    path = write_header(
        tmp_path / "m.gguf",
        {
            "general.name": "Näme",
            "a.number": 7,
            "a.float": 0.5,
            "general.tags": ["x", "y"],
            "a.long": ["t"] * 500,
            "z.last": "end",
        },
    )
    values = read_header(path).values
    assert values["general.name"] == "Näme"
    assert (values["a.number"], values["a.float"], values["general.tags"]) == (7, 0.5, ("x", "y"))
    assert "a.long" not in values
    assert values["z.last"] == "end"


def test_a_whole_model_file_is_read_without_its_tensors(tmp_path: Path) -> None:
    header = read_header(write_model(tmp_path / "m.gguf", chat=True))
    assert header.text("general.architecture") == "gemma3"
    assert "start_of_turn" in header.text("tokenizer.chat_template")
    assert len(header.tensors) > 10
    assert header.tensors[0].name == "token_embd.weight"


@pytest.mark.parametrize(
    ("content", "said"),
    [
        (b"", "empty"),
        (b"GG", "byte 0: the file ends"),
        (b"GGML" + b"\0" * 60, "does not start with GGUF"),
        (b"GGUF" + struct.pack("<I", 99) + b"\0" * 60, "version 99"),
        (b"GGUF" + struct.pack("<IQQ", 3, 0, 1 << 40), "metadata keys"),
        (b"GGUF" + struct.pack("<IQQ", 3, 0, 1), "the file ends"),
        (b"GGUF" + struct.pack("<IQQQ", 3, 0, 1, 1 << 50), "a text of"),
        (b"GGUF" + struct.pack("<IQQQ", 3, 0, 1, 1) + b"k" + struct.pack("<I", 77), "unknown value type 77"),
        (b"GGUF" + struct.pack("<IQQQ", 3, 0, 1, 1) + b"k" + struct.pack("<IIQ", 9, 8, 1 << 60), "the file ends"),
        (b"GGUF" + struct.pack("<IQQQ", 3, 0, 1, 1) + b"k" + struct.pack("<IIQ", 9, 4, 1 << 60), "the file ends"),
        (b"GGUF" + struct.pack("<IQQQ", 3, 0, 1, 1) + b"k" + struct.pack("<IIQ", 9, 9, 1), "an array of type 9"),
    ],
)
def test_damage_is_one_clear_error(tmp_path: Path, content: bytes, said: str) -> None:
    path = tmp_path / "bad.gguf"
    path.write_bytes(content)
    with pytest.raises(UserError, match=said) as error:
        read_header(path)
    assert "bad.gguf" in str(error.value)


def test_a_missing_file_is_named(tmp_path: Path) -> None:
    with pytest.raises(UserError, match=r"none\.gguf: cannot read the model"):
        read_header(tmp_path / "none.gguf")


@settings(max_examples=200, deadline=None)
@given(data=st.data())
def test_any_flipped_or_cut_header_reads_or_gives_a_user_error(
    tmp_path_factory: pytest.TempPathFactory, data: st.DataObject
) -> None:
    folder = tmp_path_factory.mktemp("flip")
    whole = write_header(folder / "m.gguf", {"general.name": "N", "general.tags": ["a", "b"], "n": 3}).read_bytes()
    at = data.draw(st.integers(0, len(whole) - 1))
    broken = bytearray(whole[: data.draw(st.integers(at + 1, len(whole)))])
    broken[at] ^= data.draw(st.integers(1, 255))
    path = folder / "broken.gguf"
    path.write_bytes(broken)
    try:
        values = read_header(path).values
    except UserError as error:
        assert "broken.gguf" in str(error)  # noqa: PT017 - the other outcome is a header that still reads
    else:
        assert all(isinstance(key, str) for key in values)
