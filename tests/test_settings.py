"""`voicebake.toml`, the environment and the command line, the last one winning."""

from __future__ import annotations

from pathlib import Path

import pytest

from pipeline.errors import UserError
from pipeline.project import Project
from pipeline.settings import FILE, Settings, load_settings


def _project(root: Path, text: str | None) -> Project:
    if text is not None:
        (root / FILE).write_text(text, encoding="utf-8")
    return Project(root)


def test_without_a_file_the_defaults_hold(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("VOICEBAKE_MODEL", raising=False)
    assert load_settings(_project(tmp_path, None)) == Settings()


def test_the_repositorys_own_file_says_the_defaults(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("VOICEBAKE_MODEL", raising=False)
    monkeypatch.delenv("VOICEBAKE_THREADS", raising=False)
    monkeypatch.delenv("VOICEBAKE_SHARED", raising=False)
    assert load_settings(Project(Path(__file__).parents[1])) == Settings()


def test_the_last_word_wins(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    project = _project(tmp_path, '[model]\npath = "file.gguf"\nthreads = 1\n')
    assert load_settings(project).model.path == "file.gguf"
    monkeypatch.setenv("VOICEBAKE_MODEL", "environment.gguf")
    assert load_settings(project).model.path == "environment.gguf"
    settings = load_settings(project, path="option.gguf", allow_other_model=True, threads=None)
    assert (settings.model.path, settings.model.allow_other_model, settings.model.threads) == ("option.gguf", True, 1)


def test_the_shared_folder_comes_from_the_file_or_the_environment(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("VOICEBAKE_SHARED", raising=False)
    project = _project(tmp_path, '[shared]\nfolder = "by_file"\n')
    assert load_settings(project).shared.folder == "by_file"
    monkeypatch.setenv("VOICEBAKE_SHARED", "by_environment")
    assert load_settings(project).shared.folder == "by_environment"
    monkeypatch.setenv("VOICEBAKE_SHARED", "")
    assert load_settings(project).shared.folder == "by_file"


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("[model\n", "not readable as TOML"),
        ("[sampling]\ncandidate = 4\n", "sampling.candidate"),
        ("[sampling]\ncandidates = 0\n", "sampling.candidates"),
        ('[sampling]\ntemperature = "warm"\n', "sampling.temperature"),
        ('model = "file.gguf"\n', "model"),
    ],
)
def test_a_broken_file_is_one_clear_error(tmp_path: Path, text: str, said: str) -> None:
    with pytest.raises(UserError, match=said) as refused:
        load_settings(_project(tmp_path, text))
    assert FILE in str(refused.value)
