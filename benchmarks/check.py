"""How long `voicebake check` takes on a zone of 300 NPCs.

Run `python -m benchmarks.check`. A temporary project gets this repository's cultures and prompts and one generated zone
with 12 lines and 5 tells per NPC. Reported: seconds of the whole command by the clock and of the CPU, the first time
(which works out the inflections of the word lists) and after an edit of one line, then the CPU seconds of each stage.
The aim is under 3 s after an edit.
"""

from __future__ import annotations

import os
import platform
import resource
import shutil
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TypeVar
from zlib import crc32

from pipeline.cli.check import content_lints
from pipeline.content import load_content_with_sources
from pipeline.content.lint import LINTS, lint_content
from pipeline.content.lint.lint import View
from pipeline.project import Project

ROOT = Path(__file__).resolve().parent.parent
NPCS = 300
Result = TypeVar("Result")

WORDS = {
    "things": "pump seal crate lift panel conduit loader valve hatch winch cable filter gauge tank hinge rotor clamp",
    "places": "lower-deck east-ramp long-corridor parts-counter cold-store tug-berth scrap-pile wash-room tool-cage",
    "doings": "checks wipes lifts sorts counts loosens patches weighs labels drags stacks tests opens measures",
    "whens": "before-closing while-nobody-looks a-second-time without-a-word by-the-wall with-one-hand with-great-care",
}
SAYINGS = (
    "The {a} by the {p} needs a new {b} before anyone can use it.",
    "I left your {a} at the {p}. The {b} is still missing.",
    "Did someone move the {a} away from the {p}?",
    "You can have the {a} for {{price}}, but the {b} stays with me.",
    "Nobody told me that the {p} was closed because of a {a}.",
    "Bring the {a} back when the {b} is repaired.",
    "My brother carried this {a} from the {p} on his own.",
    "If the {b} fails again, call me and leave the {a} alone.",
    "The Commission wants to count every {a} at the {p}.",
)


def npc_text(number: int) -> str:
    """One generated NPC file. Every text is made of the number, so every run generates the same."""

    def pick(kind: str, salt: int) -> str:
        words = WORDS[kind].split()
        return words[crc32(f"{number} {kind} {salt}".encode()) % len(words)].replace("-", " ")

    def behavior(salt: int) -> str:
        return (
            f"{pick('doings', salt)} the {pick('things', salt)} near the {pick('places', salt)} {pick('whens', salt)}"
        )

    def line(index: int) -> str:
        text = SAYINGS[index].format(a=pick("things", index), b=pick("things", index + 50), p=pick("places", index))
        slots = ', slots: {"price": "what it costs"}' if "{price}" in text else ""
        return f'(id: "say_{index}", base_text: "{text}"{slots})'

    behaviors = "".join(f'        (id: "do_{index}", base_text: "{behavior(index)}"),\n' for index in range(3))
    dialogue = "".join(f"        {line(index)},\n" for index in range(len(SAYINGS)))
    tells = "".join(
        f'        (category: {category}, base_text: "{behavior(salt)}, then turns round"),\n'
        for salt, category in enumerate(("Nervous", "Angry", "Friendly", "Guarded", "RoutineDeviation"), 20)
    )
    return (
        f'#![enable(implicit_some)]\n(\n    id: "npc_{number}",\n    name: "Person {number}",\n'
        '    role: "works here",\n    tier: Ambient,\n'
        '    traits: ["blunt", "patient"],\n    mood: "tired but steady",\n'
        f"    observable_behaviors: [\n{behaviors}    ],\n"
        f"    dialogue: [\n{dialogue}    ],\n    tell_behaviors: [\n{tells}    ],\n)\n"
    )


def generated(root: Path) -> Project:
    """A project with one zone of `NPCS` people."""
    for folder in ("cultures", "prompts"):
        shutil.copytree(ROOT / folder, root / folder)
    npcs = root / "zones/large/npcs"
    npcs.mkdir(parents=True)
    (root / "zones/large/zone.ron").write_text(
        '(id: "large", name: "Large", hub: true, default_culture: "van_maanens_star")\n', encoding="utf-8"
    )
    for number in range(NPCS):
        (npcs / f"npc_{number}.ron").write_text(npc_text(number), encoding="utf-8")
    return Project(root)


def whole_command(project: Project) -> str:
    """Seconds of `voicebake check` in a process of its own."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    start = time.perf_counter()
    command = [sys.executable, "-m", "pipeline.cli", "check", "--project", str(project.root)]
    done = subprocess.run(command, cwd=ROOT, env=dict(os.environ), capture_output=True, text=True, check=False)
    clock = time.perf_counter() - start
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    cpu = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    said = done.stdout.strip().splitlines()
    return f"{clock:.1f} s by the clock, {cpu:.1f} s of the CPU; exit code {done.returncode}; {said[0] if said else ''}"


def timed(name: str, work: Callable[[], Result]) -> Result:
    start = time.process_time()
    result = work()
    print(f"  {name:24} {time.process_time() - start:6.2f} s")
    return result


def main() -> None:
    print(f"Python {platform.python_version()} on {platform.machine()}, {NPCS} NPCs; load {os.getloadavg()[0]:.1f}")
    with TemporaryDirectory() as folder:
        project = generated(Path(folder).resolve())
        print(f"first time    {whole_command(project)}")
        edited = project.zones / "large/npcs/npc_7.ron"
        edited.write_text(edited.read_text(encoding="utf-8").replace("on his own", "by himself"), encoding="utf-8")
        print(f"after an edit {whole_command(project)}")
        print("stages in one process, seconds of the CPU:")
        content, sources = timed("load and check", lambda: load_content_with_sources(project))
        more = timed("word lists", lambda: content_lints(project, content, counted=False))
        view = View(content, sources)
        for lint in (*LINTS, *more):
            timed(lint.id, lambda lint=lint: list(lint.check(view)))  # type: ignore[misc]  # mypy cannot type a default
        timed("all lints again", lambda: lint_content(content, sources, more=more))


if __name__ == "__main__":
    main()
