"""Running lints over content, and setting aside what its files waive."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from pipeline.content.bound import Bound
from pipeline.content.lint.lint import Level, Lint, View
from pipeline.content.mistakes import MISTAKES
from pipeline.content.models import Culture, Guard, Npc, Waiver, WordList, Zone
from pipeline.content.problems import Problem
from pipeline.ron import closest

WAIVERS = "idle-waiver"
WAIVER_EXPLANATION = (
    "A zone, NPC, culture, guard or word list may waive a lint for its own file: "
    'waive: [(lint: "common-anchor", reason: "known to all")]. '
    "A waiver that names no lint, or whose lint has nothing to say about the file, only misleads the next reader."
)


@dataclass(frozen=True, slots=True)
class Remark:
    """What a lint says about one place. `waived` holds the file's reason when the file waives the lint."""

    lint: str
    level: Level
    problem: Problem
    waived: str | None = None

    def __str__(self) -> str:
        first, line_end, rest = str(self.problem).partition("\n")
        return f"{first} [{self.lint}]{line_end}{rest}"

    def as_json(self) -> dict[str, str | int | None]:
        """An object with `lint`, `level`, `file`, `line`, `col`, `message`, `hint` and `waived`."""
        return {
            "lint": self.lint,
            "level": str(self.level),
            "file": self.problem.file,
            "line": self.problem.line,
            "col": self.problem.col,
            "message": self.problem.message,
            "hint": self.problem.hint,
            "waived": self.waived,
        }


def run_lints(view: View, lints: Sequence[Lint]) -> list[Remark]:
    """All remarks in order of file and place, waived ones too; idle waivers are remarks as well."""
    files = _waivers(view)
    used: set[tuple[str, str]] = set()
    remarks = []
    for lint in lints:
        for problem in lint.check(view):
            reason = next((each.reason for _, each in files.get(problem.file, ()) if each.lint == lint.id), None)
            if reason is not None:
                used.add((problem.file, lint.id))
            remarks.append(Remark(lint.id, lint.level, problem, reason))
    remarks += [Remark(WAIVERS, Level.warning, each) for each in _idle(files, used, [lint.id for lint in lints])]
    return sorted(
        remarks, key=lambda each: (each.problem.file, each.problem.line or 0, each.problem.col or 0, each.lint)
    )


_Waivers = dict[str, list[tuple[Problem, Waiver]]]


def _waivers(view: View) -> _Waivers:
    """Each file's waivers, with a problem that stands where the waiver names its lint."""
    bounds: list[Bound[Zone] | Bound[Npc] | Bound[Culture] | Bound[Guard] | Bound[WordList]]
    bounds = [*view.zones(), *view.cultures(), *view.sources.guards.values(), *view.sources.word_lists.values()]
    bounds += [npc for zone in view.content.zones for npc in view.npcs(zone)]
    return {
        bound.source.name: [
            (bound.problem(("waive", index, "lint"), f"the waiver of `{waiver.lint}` has nothing to waive"), waiver)
            for index, waiver in enumerate(bound.value.waive)
        ]
        for bound in bounds
        if bound.value.waive
    }


def _idle(files: _Waivers, used: set[tuple[str, str]], known: list[str]) -> Iterable[Problem]:
    for file, waivers in files.items():
        for problem, waiver in waivers:
            if waiver.lint in MISTAKES:
                yield replace(
                    problem,
                    message=f"`{waiver.lint}` cannot be waived",
                    hint="It keeps content from loading; mend what it points at.",
                )
            elif waiver.lint not in known:
                near = closest(waiver.lint, known)
                hint = f"Did you mean `{near}`?" if near else "`voicebake check` prints each lint's id in brackets."
                yield replace(problem, message=f"there is no lint `{waiver.lint}`", hint=hint)
            elif (file, waiver.lint) not in used:
                yield replace(problem, hint="Delete it: what it excused is gone.")
