"""`voicebake words`: what copy editors ask of the word lists."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from pipeline.cli.console import out, print_json, written_out
from pipeline.cli.input_lines import input_lines
from pipeline.cli.options import ProjectOption, find_project
from pipeline.errors import UserError

if TYPE_CHECKING:
    from pipeline.validation.hits import Hit, Scan

words = typer.Typer(help="Ask the word lists.", no_args_is_help=True)


@words.callback()
def _words() -> None:
    """Ask the word lists."""


@words.command("test")
def fired(
    sentence: Annotated[list[str] | None, typer.Argument(metavar="[SENTENCE]...", help="What to look at.")] = None,
    file: Annotated[Path | None, typer.Option("--file", metavar="FILE", help="A sentence a line; - for stdin.")] = None,
    project: ProjectOption = None,
    json: Annotated[bool, typer.Option("--json", help="A line of JSON on stdout per sentence, for scripts.")] = False,
) -> None:
    """Show which terms fire on a sentence, and why."""
    from pipeline.validation.word_files import load_lexicon

    if bool(sentence) == (file is not None):
        raise UserError("Give sentences, or --file FILE.", 'Write it like: voicebake words test "Piece of cake."')
    sentences = sentence or _sentences(Path(file or "-"))
    if any("\ud800" <= char <= "\udfff" for each in sentences for char in each):
        raise UserError("The sentence is not UTF-8.", "Put it into a UTF-8 file and use --file.")
    lexicon = load_lexicon(find_project(project))
    for each in sentences:
        scan = lexicon.scan(each)
        if json:
            print_json({"sentence": each, "hits": [_as_json(hit) for hit in scan.hits]})
        else:
            _show(each, scan)


def _sentences(file: Path) -> list[str]:
    found = []
    for number, line in enumerate(input_lines(file), 1):
        try:
            text = line.decode("utf-8")
        except UnicodeDecodeError as error:
            raise UserError(f"{file}:{number}:{error.start + 1}: not UTF-8.", "Save the file as UTF-8.") from None
        text = text.removeprefix("\ufeff") if number == 1 else text
        if text.strip():
            found.append(text)
    return found


def _as_json(hit: Hit) -> dict[str, object]:
    return {
        "term": hit.term.term,
        "severity": hit.severity.value,
        "group": hit.term.group,
        "span": list(hit.span),
    }


def _show(sentence: str, scan: Scan) -> None:
    out.print(written_out(sentence))
    for hit in scan.hits:
        out.print(f"  {hit.severity.value:<6} {_named(hit)}{_reason(hit)}")
        if hit.term.note:
            out.print(f"         {hit.term.note}")
        if hit.term.replacement:
            out.print(f"         Write: {hit.term.replacement}")
    for spared in scan.spared:
        out.print(f"  passes {_named(spared.hit)}: `allow` pattern {spared.pattern} covers it")
    if not scan.hits and not scan.spared:
        out.print("  nothing fires")


def _named(hit: Hit) -> str:
    return (
        f'"{written_out(hit.text)}" at {hit.span[0]}-{hit.span[1]}: the term "{hit.term.term}" of {hit.entry.list_id}'
    )


def _reason(hit: Hit) -> str:
    """Group, and what makes this hit differ from the plain word."""
    parts = [hit.term.group]
    if hit.disguised:
        parts.append("in disguise")
    if hit.severity is not hit.term.severity:
        parts.append(f"{hit.term.severity.value} where the capital is not that of a sentence's first word")
    return f" ({', '.join(parts)})"
