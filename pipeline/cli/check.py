"""`voicebake check`."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Annotated, Any

import typer

from pipeline.cli.console import err, out, print_json
from pipeline.cli.options import JsonOption, ProjectOption, QuietOption, find_project, settings_of
from pipeline.errors import UserError

if TYPE_CHECKING:
    from pipeline.content.lint import CountTokens, Lint, Remark
    from pipeline.content.models import Content
    from pipeline.content.sources import Sources
    from pipeline.project import Project


def check(
    explain: Annotated[
        str | None, typer.Option("--explain", metavar="ID", help="Tell what a lint or a rule looks for, and why.")
    ] = None,
    project: ProjectOption = None,
    quiet: QuietOption = False,
    json: JsonOption = False,
) -> None:
    """Check all content without a model: every mistake of every file at once, then what may not be meant so."""
    if explain is not None:
        out.print(explanation(explain))
        return
    from pipeline.content import ContentErrors, load_content_with_sources
    from pipeline.content.lint import Level

    found = find_project(project)
    try:
        content, sources = load_content_with_sources(found)
        remarks, estimated = linted(found, content, sources)
    except UserError as error:
        if json:
            alone = [{"file": None, "line": None, "col": None, "message": error.message, "hint": error.hint}]
            errors = error.as_json() if isinstance(error, ContentErrors) else alone
            print_json({"ok": False, "errors": errors, "remarks": []})
        raise
    failed = any(each.level is Level.error and each.waived is None for each in remarks)
    if json:
        print_json(
            {"ok": not failed, "errors": [], "remarks": [each.as_json() for each in remarks]}
            | {"tokens": "estimated" if estimated else "counted"}
            | _sizes(content)
        )
    else:
        _show(content, remarks, estimated, quiet=quiet)
    if failed:
        raise typer.Exit(1)


def linted(project: Project, content: Content, sources: Sources) -> tuple[list[Remark], str]:
    """All remarks on loaded content, and why tokens were estimated; empty where they were counted."""
    from pipeline.content.lint import lint_content
    from pipeline.generation.counting import TokeniserError

    count_tokens, estimated = _counter(project)
    if count_tokens is not None:
        more = content_lints(project, content, counted=True)
        try:
            return lint_content(content, sources, count_tokens=count_tokens, more=more), ""
        except TokeniserError as error:  # the file is there, but nothing that reads it
            estimated = error.message
    return lint_content(content, sources, more=content_lints(project, content, counted=False)), estimated


def explanation(name: str) -> str:
    """What a lint, a mistake or a validation rule of that id is about. Raises `UserError` for an unknown id."""
    from pipeline.content.lint import explanations
    from pipeline.validation.ruleset import rule_docs

    texts = explanations(explained_lints()) | {rule: doc.text for rule, doc in rule_docs().items()}
    if name in texts:
        return f"{name}\n\n{texts[name]}"
    from difflib import get_close_matches

    near = get_close_matches(name.lower(), texts, n=3, cutoff=0.5)
    known = f"There are {', '.join(sorted(texts))}."
    raise UserError(
        f"There is no lint or rule {name!r}.", f"Did you mean {' or '.join(near)}?\n  {known}" if near else known
    )


def explained_lints() -> tuple[Lint, ...]:
    """The lints of later rooms, without content to look at."""
    from pipeline.prompting.content_lints import ExampleFigures, InjectorSize, LeakedText
    from pipeline.training.content_lints import BankForms, OldAdapter
    from pipeline.validation.content_lints import vocabulary_lints

    return (InjectorSize(None), ExampleFigures(), LeakedText(), *vocabulary_lints(None), BankForms(), OldAdapter())


def content_lints(project: Project, content: Content, *, counted: bool) -> tuple[Lint, ...]:
    """The lints of later rooms over a project's templates and rules. Raises `UserError` for a broken template."""
    from pipeline.content.lint import Level
    from pipeline.prompting import load_profile
    from pipeline.prompting.content_lints import ExampleFigures, InjectorSize, LeakedText
    from pipeline.training.content_lints import BankForms, OldAdapter
    from pipeline.validation.content_lints import vocabulary_lints
    from pipeline.validation.ruleset import build_rules

    # The injector's budget is the same in every profile.
    injector = load_profile(project.prompts / "profiles", "base").injector
    size = InjectorSize(injector, Level.error if counted else Level.warning)
    rules = build_rules(content, project.build)
    banks = (BankForms(project, rules), OldAdapter(project))
    return (size, ExampleFigures(), LeakedText(), *vocabulary_lints(rules), *banks)


def _counter(project: Project) -> tuple[CountTokens | None, str]:
    """The tokeniser of the configured model if it is at hand; else None, and why."""
    from pipeline.generation.counting import counter_at_hand

    try:
        model = settings_of(project).model
        return counter_at_hand(project, model.path, allow_other=model.allow_other_model), ""
    except UserError as error:
        return None, error.message


def _sizes(content: Content) -> dict[str, Any]:
    return {
        "zones": len(content.zones),
        "npcs": sum(len(zone.npcs) for zone in content.zones.values()),
        "lines": sum(len(zone.lines) for zone in content.zones.values()),
        "cultures": len(content.cultures),
    }


def _show(content: Content, remarks: list[Remark], estimated: str, *, quiet: bool) -> None:
    """What is not waived to stderr, errors only when quiet; then one line that sums it up."""
    from pipeline.content.lint import Level

    for remark in remarks:
        if remark.waived is None and (not quiet or remark.level is Level.error):
            err.print(f"{remark}\n")
    if quiet:
        return
    sizes = _sizes(content)
    counts = Counter("waived" if each.waived is not None else str(each.level) for each in remarks)
    found = [_number(counts[level], level) for level in Level if counts[level]]
    said = f"{', '.join(found)} (--explain ID tells more)" if found else "no mistakes found"
    waived = f", {counts['waived']} waived" if counts["waived"] else ""
    shown = ", ".join(_number(sizes[key], name) for key, name in _NAMES.items())
    out.print(f"{shown}: {said}{waived}.")
    if estimated and found:
        out.print(f"Token counts are estimated: {estimated}")


_NAMES = {"zones": "zone", "npcs": "NPC", "lines": "line", "cultures": "culture"}


def _number(count: int, name: str) -> str:
    return f"{count} {name}{'' if count == 1 else 's'}"
