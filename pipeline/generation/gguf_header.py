"""Reads the metadata of a GGUF file without touching its tensors.

The `gguf` library's reader maps the whole file and builds an array per vocabulary entry, which takes seconds and gives
a different exception for every kind of damage. A bake only needs some names, so this reads the header once, front to
back, with a bound on everything that a damaged file could claim.
Format: https://github.com/ggml-org/ggml/blob/master/docs/gguf.md
"""

from __future__ import annotations

import mmap
import struct
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from pipeline.errors import UserError

Number = int | float | bool
Value = Number | str | tuple[str, ...] | tuple[Number, ...]

_MAGIC = b"GGUF"
_VERSIONS = (2, 3)
_SCALARS = {0: "B", 1: "b", 2: "H", 3: "h", 4: "I", 5: "i", 6: "f", 7: "?", 10: "Q", 11: "q", 12: "d"}
_STRING, _ARRAY = 8, 9
_MAX_KEYS = 10_000
_MAX_KEY_BYTES = 65_535
_MAX_TEXT_BYTES = 4_000_000
_MAX_TENSORS = 100_000
_MAX_DIMENSIONS = 4
_KEPT_ITEMS = 100
"""Longer arrays (the vocabulary) are skipped unless everything is asked for."""
_ALIGNMENT = 32


@dataclass(frozen=True, slots=True)
class TensorInfo:
    """Where a tensor lies in the file."""

    name: str
    shape: tuple[int, ...]
    """The fastest dimension first, as in the file."""
    kind: int
    """ggml's number of the format."""
    offset: int
    """Bytes from `GgufHeader.data_start`."""


@dataclass(frozen=True, slots=True)
class GgufHeader:
    """What a GGUF file says of itself, without its tensors' content."""

    values: Mapping[str, Value]
    """Scalars, texts and arrays; long arrays only when everything was asked for."""
    kinds: Mapping[str, tuple[int, int | None]]
    """Types of the values as GGUF numbers them: type, and type of an array's items."""
    skipped: Mapping[str, int]
    """Lengths of the arrays that were left out."""
    tensors: tuple[TensorInfo, ...]
    data_start: int

    def text(self, key: str) -> str:
        """The text under `key`, or an empty one."""
        value = self.values.get(key, "")
        return value if isinstance(value, str) else ""


@dataclass(frozen=True, slots=True)
class _Skipped:
    """An array whose content was not kept."""

    count: int


class _DamagedError(Exception):
    """The bytes are not those of a GGUF header; the message says where."""


@dataclass(slots=True)
class _Cursor:
    data: mmap.mmap
    kept_items: int
    at: int = 0

    def take(self, count: int) -> bytes:
        if count < 0 or self.at + count > len(self.data):
            raise _DamagedError(f"byte {self.at}: the file ends inside its header")
        self.at += count
        return self.data[self.at - count : self.at]

    def number(self, code: str) -> Number:
        value: Number = struct.unpack("<" + code, self.take(struct.calcsize("<" + code)))[0]
        return value

    def size(self) -> int:
        return int(self.number("Q"))

    def text(self, limit: int) -> str:
        length = self.size()
        if length > limit:
            raise _DamagedError(f"byte {self.at}: a text of {length} bytes")
        return self.take(length).decode("utf-8", errors="replace")

    def scalar(self, kind: int) -> Number | str:
        """The number or text at the cursor."""
        if kind == _STRING:
            return self.text(_MAX_TEXT_BYTES)
        if kind not in _SCALARS:
            raise _DamagedError(f"byte {self.at}: unknown value type {kind}")
        return self.number(_SCALARS[kind])

    def array(self, kind: int) -> Value | _Skipped:
        """The array at the cursor, with items of type `kind`."""
        count = self.size()
        if kind == _STRING:
            if count <= self.kept_items:
                return tuple(self.text(_MAX_TEXT_BYTES) for _ in range(count))
            self.skip_texts(count)
        elif kind in _SCALARS:
            raw = self.take(count * struct.calcsize("<" + _SCALARS[kind]))
            if count <= self.kept_items:
                return struct.unpack(f"<{count}{_SCALARS[kind]}", raw)
        else:
            raise _DamagedError(f"byte {self.at}: an array of type {kind}")
        return _Skipped(count)

    def tensor(self) -> TensorInfo:
        """The tensor description at the cursor."""
        name, dimensions = self.text(_MAX_KEY_BYTES), int(self.number("I"))
        if dimensions > _MAX_DIMENSIONS:
            raise _DamagedError(f"byte {self.at}: a tensor of {dimensions} dimensions")
        shape = tuple(self.size() for _ in range(dimensions))
        return TensorInfo(name, shape, int(self.number("I")), self.size())

    def skip_texts(self, count: int) -> None:
        """Walks over `count` texts. Every text takes at least eight bytes, so a false count ends at the file's end."""
        at, end, unpack = self.at, len(self.data) - 8, struct.Struct("<Q").unpack_from
        for _ in range(count):
            if at > end:
                raise _DamagedError(f"byte {at}: the file ends inside its header")
            at += 8 + unpack(self.data, at)[0]
        self.at = at


def read_header(path: Path, *, everything: bool = False) -> GgufHeader:
    """The metadata of the GGUF file at `path`. Reads no tensor. `everything`: with all arrays, however long.

    Raises `UserError` for a missing file, a file that is no GGUF, and damage, naming the byte.
    """
    try:
        with path.open("rb") as file, mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ) as data:
            return _parse(_Cursor(data, len(data) if everything else _KEPT_ITEMS))
    except (OSError, ValueError) as error:
        reason = error.strerror if isinstance(error, OSError) else "the file is empty"
        raise UserError(f"{path}: cannot read the model: {reason}.", "Give the path of a GGUF file.") from error
    except _DamagedError as error:
        raise UserError(f"{path}: not a usable GGUF file: {error}.", "Fetch or build the file again.") from error


def _parse(cursor: _Cursor) -> GgufHeader:
    if cursor.take(4) != _MAGIC:
        raise _DamagedError("byte 0: it does not start with GGUF")
    version = int(cursor.number("I"))
    if version not in _VERSIONS:
        raise _DamagedError(f"byte 4: version {version}; this program reads {_VERSIONS[0]} and {_VERSIONS[1]}")
    tensors, count = cursor.size(), cursor.size()
    if count > _MAX_KEYS or tensors > _MAX_TENSORS:
        raise _DamagedError(f"byte 8: {count} metadata keys and {tensors} tensors")
    values: dict[str, Value] = {}
    kinds: dict[str, tuple[int, int | None]] = {}
    skipped: dict[str, int] = {}
    for _ in range(count):
        key, kind = cursor.text(_MAX_KEY_BYTES), int(cursor.number("I"))
        items = int(cursor.number("I")) if kind == _ARRAY else None
        value = cursor.scalar(kind) if items is None else cursor.array(items)
        kinds[key] = (kind, items)
        if isinstance(value, _Skipped):
            skipped[key] = value.count
        else:
            values[key] = value
    found = tuple(cursor.tensor() for _ in range(tensors))
    alignment = values.get("general.alignment", _ALIGNMENT)
    step = alignment if isinstance(alignment, int) and alignment > 0 else _ALIGNMENT
    return GgufHeader(values, kinds, skipped, found, -(-cursor.at // step) * step)
