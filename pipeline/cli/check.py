"""`voicebake check`."""

from __future__ import annotations

from pipeline.cli.console import out, print_json
from pipeline.cli.options import JsonOption, ProjectOption, QuietOption, find_project


def check(project: ProjectOption = None, quiet: QuietOption = False, json: JsonOption = False) -> None:
    """Check all content without a model: every mistake of every file at once."""
    from pipeline.content import ContentErrors, load_content

    found = find_project(project)
    try:
        content = load_content(found)
    except ContentErrors as errors:
        if json:
            print_json({"ok": False, "errors": errors.as_json()})
        raise
    npcs = sum(len(zone.npcs) for zone in content.zones.values())
    lines = sum(len(zone.lines) for zone in content.zones.values())
    if json:
        print_json({"ok": True, "errors": [], "zones": len(content.zones), "npcs": npcs, "lines": lines})
    elif not quiet:
        cultures = len(content.cultures)
        out.print(f"{len(content.zones)} zones, {npcs} NPCs, {lines} lines, {cultures} cultures: no mistakes found.")
