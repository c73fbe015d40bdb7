"""The key of a packet: what each row of its sheets was. `evaluation/keys/<packet>.json`, kept apart from the sheets."""

from __future__ import annotations

from pathlib import Path

from pydantic import ValidationError

from pipeline.content.terms import TellState
from pipeline.errors import UserError
from pipeline.project import Project
from pipeline.replacing import replacing
from pipeline.spike.evaluation import FOLDER
from pipeline.spike.questions import Sheet
from pipeline.spike.result import Row


class Item(Row):
    """One row of a sheet, as the key knows it."""

    code: str
    """What stands in the sheet; names a row of one reviewer."""
    reviewer: str
    sheet: Sheet
    group: int = 0
    """In the sheet `culture`: which ten lines it stands among."""
    line: str
    """Line id, control id, or the question of the sheet `favourites`."""
    tell: TellState | None = None
    control: bool = False
    base: str = ""
    text: str = ""


class Asked(Row):
    """A variant that is measured by people, whether it has a text to show or not."""

    line: str
    tell: TellState


class Key(Row):
    """`evaluation/keys/<packet>.json`: kept apart from the sheets."""

    packet: str
    content_hash: str
    culture: str
    reviewers: tuple[str, ...]
    lines: tuple[Asked, ...]
    """The variants of the sheet `lines`, those without a text included: they count as missed."""
    recognised: tuple[Asked, ...]
    """The same for the sheet `culture`."""
    items: tuple[Item, ...]

    def of(self, reviewer: str, sheet: Sheet) -> list[Item]:
        """A reviewer's rows of a sheet, in their order."""
        return [one for one in self.items if one.reviewer == reviewer and one.sheet is sheet]


def key_path(project: Project, packet: str) -> Path:
    """Where the key of a packet stands."""
    return project.root / FOLDER / "keys" / f"{packet}.json"


def write_key(project: Project, key: Key) -> Path:
    """Keeps the key, apart from the sheets."""
    path = key_path(project, key.packet)
    with replacing(path) as fresh:
        fresh.write_text(key.model_dump_json(indent=1) + "\n", encoding="utf-8")
    return path


def read_key(project: Project, packet: str) -> Key:
    """The key of a packet. Raises `UserError` for a packet that is not known, or a file that is no key."""
    known = sorted(path.stem for path in key_path(project, "x").parent.glob("*.json"))
    near = [name for name in known if packet and name.startswith(packet)]
    if len(near) != 1:
        raise UserError(
            f"{packet!r} names {'more than one packet' if near else 'no packet'} in {FOLDER}/keys.",
            f"The packets are: {', '.join(known) or 'none; make one with voicebake spike packet'}.",
        )
    path = key_path(project, near[0])
    try:
        return Key.model_validate_json(path.read_bytes())
    except ValidationError as error:
        raise UserError(
            f"{project.shown(path)}: no key of a packet: {error.errors()[0]['msg']}.", "Restore the file."
        ) from None
