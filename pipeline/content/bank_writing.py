"""Adding lines to a culture's voice bank without touching what stands in it."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path

from pipeline.content.terms import Affect, TellState
from pipeline.content.voice_bank import FIELDS, BankLine, LoadedBank, bank_path, load_bank, loaded_bank
from pipeline.errors import UserError
from pipeline.project import Project
from pipeline.replacing import replacing
from pipeline.ron import Document, List, Struct, parse

_NEW = """\
#![enable(implicit_some)]
// The voice bank of {culture}. docs/voice-banks.md says how to add to it.
(
    lines: [
{entries}
    ],
)
"""


def add_to_bank(project: Project, culture_id: str, lines: Sequence[BankLine], names: Iterable[str]) -> Path:
    """Adds entries after the last one of a culture's bank, and the names that it lacks; gives the file's path.

    What stands in the file stays byte for byte, comments too; a bank that does not exist is begun. The caller leaves
    out base texts that the bank has (`bank_lacks`). Raises `ContentErrors` for a bank that cannot be read, and
    `UserError` when it cannot be written; then nothing has changed.
    """
    path = bank_path(project, culture_id)
    bank = load_bank(project, culture_id)
    entries = ",\n".join(bank_entry(line) for line in lines)
    if bank is None:
        text = _NEW.format(culture=culture_id, entries=f"{entries},")
        known: frozenset[str] = frozenset()
    else:
        text = _after_last(bank.bound.source.text, ("lines",), f",\n{entries}")
        known = frozenset(bank.bank.names)
    text = _with_names(text, sorted(set(names) - known))
    loaded_bank(culture_id, parse(text, project.shown(path)))  # what is written can be read
    with replacing(path) as fresh:
        fresh.write_text(text, encoding="utf-8", newline="")
    return path


def bank_lacks(bank: LoadedBank | None, lines: Iterable[BankLine]) -> list[BankLine]:
    """Those of `lines` whose base text the bank does not have for their kind, each base text once, in order."""
    seen = {(line.kind, line.base) for line in bank.bank.lines} if bank else set()
    fresh: list[BankLine] = []
    for line in lines:
        if (line.kind, line.base) not in seen:
            seen.add((line.kind, line.base))
            fresh.append(line)
    return fresh


def bank_entry(line: BankLine) -> str:
    """An entry as banks are written, without the comma after it."""
    optional = [
        *([f"affect: {line.affect.value},"] if line.affect is not Affect.even else []),
        *([f"traits: [{_strings(line.traits)}],"] if line.traits else []),
        *([f"mood: {_string(line.mood)},"] if line.mood else []),
        *([f"fillers: [{_strings(line.fillers)}],"] if line.fillers else []),
    ]
    forms = [f"    {FIELDS[state]}: {_string(line.voiced.of(state))}," for state in TellState]
    parts = [f"kind: {line.kind.value},", f"base: {_string(line.base)},", *optional, "voiced: (", *forms, "),"]
    return "\n".join(("        (", *(f"            {part}" for part in parts), "        )"))


def _with_names(text: str, names: Sequence[str]) -> str:
    if not names:
        return text
    document = parse(text)
    if _list(document, "names") is not None:
        return _after_last(text, ("names",), f", {_strings(names)}")
    start = document.value.start + text[document.value.start :].index("(") + 1
    return f"{text[:start]}\n    names: [{_strings(names)}],{text[start:]}"


def _after_last(text: str, field: tuple[str], added: str) -> str:
    """`text` with `added` after the last item of a list; a comma that follows the item then follows the addition."""
    found = _list(parse(text), *field)
    if found is None:
        raise UserError(f"The voice bank has no {field[0]}.", "Run `voicebake check`.")
    if not found.items:
        return f"{text[: found.start + 1]}{added.removeprefix(',').lstrip(' ')}{text[found.start + 1 :]}"
    end = found.items[-1].end
    return f"{text[:end]}{added}{text[end:]}"


def _list(document: Document, name: str) -> List | None:
    fields = document.value.fields if isinstance(document.value, Struct) else ()
    return next((one.value for one in fields if one.name == name and isinstance(one.value, List)), None)


def _strings(texts: Iterable[str]) -> str:
    return ", ".join(map(_string, texts))


def _string(text: str) -> str:
    """A RON string; what cannot be seen is escaped."""
    escaped = text.replace("\\", "\\\\").replace('"', '\\"')
    return '"' + "".join(one if one.isprintable() else f"\\u{{{ord(one):x}}}" for one in escaped) + '"'
