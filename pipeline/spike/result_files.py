"""Results as files: `evaluation/results/<content hash>.json`."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

from pydantic import ValidationError

from pipeline.errors import UserError
from pipeline.project import Project
from pipeline.replacing import replacing
from pipeline.spike.evaluation import FOLDER
from pipeline.spike.result import Result, content_hash

_SHORTEST_NAME = 4


def results_folder(project: Project) -> Path:
    """Where results are kept."""
    return project.root / FOLDER / "results"


def write_result(project: Project, result: Result) -> Path:
    """Keeps a result under its content's hash; one of the same content is replaced, so only times can change."""
    path = results_folder(project) / f"{result.content_hash}.json"
    with replacing(path) as fresh:
        text = json.dumps(result.model_dump(mode="json"), ensure_ascii=False, indent=1)
        fresh.write_text(text + "\n", encoding="utf-8")
    return path


def read_result(path: Path) -> Result:
    """A result from its file. Raises `UserError` for one that is none, or that was changed since."""
    try:
        result = Result.model_validate_json(path.read_bytes())
    except OSError as error:
        raise UserError(f"{path}: cannot be read: {error.strerror}.", "Name a result of voicebake spike.") from None
    except ValidationError as error:
        first = error.errors()[0]
        where = ".".join(map(str, first["loc"])) or "the file"
        raise UserError(
            f"{path}: no result of a spike: {where}: {first['msg']}.", "Run voicebake spike anew."
        ) from None
    if content_hash(result.content) != result.content_hash:
        raise UserError(
            f"{path}: the content is not the one that its hash was made of.", "Restore the file, or run the spike anew."
        )
    return result


def all_results(project: Project) -> Iterator[Result]:
    """All kept results, oldest first."""
    found = [read_result(path) for path in sorted(results_folder(project).glob("*.json"))]
    yield from sorted(found, key=lambda one: (one.run.written_at, one.content_hash))


def find_result(project: Project, name: str) -> Result:
    """The result whose hash begins with `name`, or the one in the file of that name. Raises `UserError` for none."""
    folder = results_folder(project)
    known = sorted(path.stem for path in folder.glob("*.json"))
    near = [stem for stem in known if len(name) >= _SHORTEST_NAME and stem.startswith(name)]
    if len(near) == 1:
        return read_result(folder / f"{near[0]}.json")
    path = Path(name)
    if not near and path.suffix == ".json":
        return read_result(path)
    shown = ", ".join(stem[:12] for stem in near or known) or "none"
    raise UserError(
        f"{name!r} names {'more than one result' if near else 'no result'} in {project.shown(folder)}.",
        f"The first {_SHORTEST_NAME} digits or more of a hash name one: {shown}.",
    )
