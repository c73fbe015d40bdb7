"""Profiles: which blocks a kind of model gets, rendered by sandboxed Jinja2 from `prompts/profiles/`.

`profiles.toml` there names each profile's template files, in order, and the budget of each block. A template file
consists of `{% block name %}` parts and nothing else; each rendered block becomes one segment of the prompt.
Templates see the objects of `views.py` under the names `guards`, `culture`, `npc`, `line` and `tell`, and can load no
other file.
"""

from __future__ import annotations

import tomllib
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from jinja2 import (
    Environment,
    FileSystemLoader,
    StrictUndefined,
    Template,
    TemplateError,
    TemplateSyntaxError,
    meta,
    nodes,
)
from jinja2.sandbox import ImmutableSandboxedEnvironment
from pydantic import BaseModel, ConfigDict, ValidationError

from pipeline.errors import UserError
from pipeline.prompting.views import View

VARIABLES = ("guards", "culture", "npc", "line", "tell")
PROFILE_FILE = "profiles.toml"


@dataclass(frozen=True, slots=True)
class Block:
    """A part of a prompt: a compiled template block with its budget."""

    name: str
    file: str
    """The template file it stands in."""
    uses: tuple[str, ...]
    """The variables that it reads: equal values give equal text."""
    at_most: int
    """Tokens."""
    render: Callable[[Mapping[str, View]], str]
    """Text for the given variables. Raises `UserError` for a field that does not exist."""


@dataclass(frozen=True, slots=True)
class InjectorBudget:
    """The injector with institutions, as a culture's budget measures it."""

    blocks: tuple[Block, ...]
    at_least: int
    at_most: int


@dataclass(frozen=True, slots=True)
class Profile:
    """How one kind of model is prompted."""

    name: str
    chat: bool
    """True: the prompt is a user message for the model's chat template."""
    blocks: tuple[Block, ...]
    """In prompt order: what prompts share comes first."""
    injector: InjectorBudget
    way_back: Profile | None = None
    """How a model prompted by this profile is asked for the base text of a voiced one; None: it has not learnt to."""


class _Injector(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)
    template: str
    at_least: int
    at_most: int
    blocks: dict[str, int]


class _Profile(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)
    chat: bool
    templates: tuple[str, ...]
    blocks: dict[str, int]
    way_back: str | None = None


class _File(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)
    injector: _Injector
    profiles: dict[str, _Profile]


def load_profile(folder: Path, name: str) -> Profile:
    """The profile `name` of `folder` (`prompts/profiles/` of a project), its templates compiled.

    Raises `UserError` for an unknown profile, a broken `profiles.toml` or template, and a block without a budget.
    """
    declared = _read(folder / PROFILE_FILE)
    if name not in declared.profiles:
        known = ", ".join(sorted(declared.profiles))
        raise UserError(f"{_shown(PROFILE_FILE)}: there is no profile {name!r}.", f"There are: {known}.")
    environment = _environment(folder)
    injector = _compiled(environment, declared.injector.template, declared.injector.blocks)
    chosen = declared.profiles[name]
    budgets = declared.injector.blocks | chosen.blocks
    blocks = tuple(block for file in chosen.templates for block in _compiled(environment, file, budgets))
    _check_names(name, blocks, chosen.blocks)
    return Profile(
        name,
        chosen.chat,
        blocks,
        InjectorBudget(injector, declared.injector.at_least, declared.injector.at_most),
        load_profile(folder, chosen.way_back) if chosen.way_back else None,
    )


def _read(path: Path) -> _File:
    try:
        with path.open("rb") as file:
            return _File.model_validate(tomllib.load(file))
    except FileNotFoundError as error:
        raise UserError(
            f"{path}: the file with the prompt profiles is missing.", "Restore prompts/profiles/."
        ) from error
    except tomllib.TOMLDecodeError as error:
        raise UserError(f"{_shown(path.name)}: {error}") from error
    except ValidationError as error:
        lines = [f"{_shown(path.name)}: {'.'.join(map(str, e['loc']))}: {e['msg']}" for e in error.errors()]
        raise UserError("\n".join(lines)) from error


def _environment(folder: Path) -> Environment:
    environment = ImmutableSandboxedEnvironment(
        loader=FileSystemLoader(folder),
        undefined=StrictUndefined,
        # Prompts are plain text, no markup.
        autoescape=False,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
    )
    environment.filters["sentence"] = _sentence
    return environment


def _sentence(text: str) -> str:
    """`text` with a capital and a final stop."""
    closed = text if text.endswith((".", "!", "?", "…")) else f"{text}."
    return closed[:1].upper() + closed[1:]


def _compiled(environment: Environment, file: str, budgets: Mapping[str, int]) -> tuple[Block, ...]:
    """The blocks of a template file in their order."""
    try:
        assert environment.loader is not None
        source, _, _ = environment.loader.get_source(environment, file)
        tree = environment.parse(source, file)
        parts = list(_parts(tree, file))
        uses = {part.name: _uses(part, file) for part in parts}
        template = Template.from_code(environment, environment.compile(tree, file, file), {})
    except TemplateSyntaxError as error:
        raise UserError(f"{_shown(file)}:{error.lineno}: {error.message}") from error
    except TemplateError as error:
        raise UserError(f"{_shown(file)}: the template cannot be read: {error}") from error

    def renderer(name: str) -> Callable[[Mapping[str, View]], str]:
        def render(values: Mapping[str, View]) -> str:
            try:
                return "".join(template.blocks[name](template.new_context(dict(values))))
            except (TemplateError, KeyError) as error:
                raise UserError(f"{_shown(file)}: block {name!r}: {error}") from error

        return render

    blocks = []
    for part in parts:
        if part.name not in budgets:
            raise UserError(f"{_shown(file)}:{part.lineno}: block {part.name!r} has no budget in {PROFILE_FILE}.")
        blocks.append(Block(part.name, file, uses[part.name], budgets[part.name], renderer(part.name)))
    return tuple(blocks)


def _parts(tree: nodes.Template, file: str) -> Iterator[nodes.Block]:
    """The top-level blocks. Raises `UserError` for anything outside of them, and where a template loads another one."""
    for loading in tree.find_all((nodes.Include, nodes.Import, nodes.FromImport, nodes.Extends)):
        raise UserError(
            f"{_shown(file)}:{loading.lineno}: a template loads no other file.", f"List the files in {PROFILE_FILE}."
        )
    for node in tree.body:
        if isinstance(node, nodes.Block):
            if inner := next(node.find_all(nodes.Block), None):
                raise UserError(
                    f"{_shown(file)}:{inner.lineno}: block {inner.name!r} stands inside block {node.name!r}."
                )
            yield node
        elif not _is_blank(node):
            raise UserError(f"{_shown(file)}:{node.lineno}: text outside of a block would never be sent.")


def _is_blank(node: nodes.Node) -> bool:
    return isinstance(node, nodes.Output) and all(
        isinstance(part, nodes.TemplateData) and not part.data.strip() for part in node.nodes
    )


def _uses(part: nodes.Block, file: str) -> tuple[str, ...]:
    body = nodes.Template(part.body, lineno=part.lineno)
    if part.environment is not None:
        body.set_environment(part.environment)
    names = meta.find_undeclared_variables(body)
    if unknown := sorted(names - set(VARIABLES)):
        raise UserError(
            f"{_shown(file)}:{part.lineno}: block {part.name!r} reads {', '.join(unknown)}.",
            f"Templates see: {', '.join(VARIABLES)}.",
        )
    return tuple(name for name in VARIABLES if name in names)


def _check_names(profile: str, blocks: tuple[Block, ...], budgets: Mapping[str, int]) -> None:
    names = [block.name for block in blocks]
    if twice := sorted({name for name in names if names.count(name) > 1}):
        raise UserError(f"{_shown(PROFILE_FILE)}: profile {profile!r} has more than one block {', '.join(twice)}.")
    if unused := sorted(set(budgets) - set(names)):
        raise UserError(f"{_shown(PROFILE_FILE)}: profile {profile!r} has a budget for no block: {', '.join(unused)}.")


def _shown(file: str) -> str:
    return f"prompts/profiles/{file}"
