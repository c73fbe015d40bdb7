"""`voicebake spike packet`."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from pipeline.cli.console import out, print_json
from pipeline.cli.options import JsonOption, ProjectOption, QuietOption, find_project
from pipeline.errors import UserError


def packet(
    results: Annotated[list[str], typer.Argument(metavar="RESULT...", help="One or two results, by hash or file.")],
    reviewers: Annotated[int, typer.Option("--reviewers", min=1, max=20, help="How many people answer.")] = 3,
    size: Annotated[
        int, typer.Option("--size", min=2, max=60, help="Texts for each tell state that is asked for.")
    ] = 10,
    folder: Annotated[
        Path | None, typer.Option("--out", metavar="FOLDER", help="For the sheets; else build/spike/packets.")
    ] = None,
    project: ProjectOption = None,
    quiet: QuietOption = False,
    json: JsonOption = False,
) -> None:
    """Write blind sheets for reviewers, shuffled and without labels; the key stays in evaluation/keys."""
    from pipeline.content import load_content
    from pipeline.spike.evaluation import load_evaluation
    from pipeline.spike.keys import write_key
    from pipeline.spike.packet import make_key
    from pipeline.spike.result_files import find_result
    from pipeline.spike.sheets import write_sheets
    from pipeline.spike.voicing import spike_folder

    if len(results) > 2:
        raise UserError(f"{len(results)} results were given.", "A report compares two.")
    found = find_project(project)
    content = load_content(found)
    made = []
    for name in results:
        result = find_result(found, name)
        culture = content.cultures.get(result.content.culture)
        if culture is None:
            raise UserError(f"The culture {result.content.culture!r} of the result is gone.", "Restore its folder.")
        evaluation = load_evaluation(found, result.content.evaluation)
        key = make_key(result, evaluation.controls, reviewers=reviewers, per_state=size)
        kinds = {line.id: line.kind.value for line in result.content.lines}
        folders = write_sheets((folder or spike_folder(found) / "packets") / key.packet, key, culture, kinds)
        made.append((result, key, folders, write_key(found, key)))
    if json:
        print_json(
            [
                {
                    "packet": key.packet,
                    "result": result.content_hash,
                    "key": found.shown(path),
                    "sheets": [found.shown(each.resolve()) for each in folders],
                    "items": {name: sum(one.reviewer == name for one in key.items) for name in key.reviewers},
                }
                for result, key, folders, path in made
            ]
        )
        return
    for result, key, folders, path in made if not quiet else []:
        rows = sum(one.reviewer == key.reviewers[0] for one in key.items)
        out.print(f"Packet   {key.packet} of {result.short}: {rows} rows for each of {len(key.reviewers)} reviewers")
        out.print(f"Sheets   {found.shown(folders[0].parent.resolve())}")
        out.print(f"Key      {found.shown(path)} (not for reviewers)")
        out.print(f"Next     voicebake spike score {key.packet} FOLDER-WITH-FILLED-SHEETS")
