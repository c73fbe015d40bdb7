"""Finding the model file, and remembering what was measured of it."""

from __future__ import annotations

import hashlib
import os
import sys
from pathlib import Path
from types import ModuleType

import pytest

from pipeline.errors import UserError
from pipeline.generation import models
from pipeline.generation.file_hashes import FileHashes
from pipeline.generation.models import check_adapter, find_model
from pipeline.project import Project
from tests.generation.gguf_files import write_adapter, write_header, write_model


@pytest.fixture
def project(tmp_path: Path) -> Project:
    return Project(tmp_path)


@pytest.fixture
def packages(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> list[Path]:
    """Stands in for the default model's packages: a tiny model in two chunks."""
    whole = write_model(tmp_path / "source.gguf").read_bytes()
    chunks = [tmp_path / "c0", tmp_path / "c1"]
    chunks[0].write_bytes(whole[:5000])
    chunks[1].write_bytes(whole[5000:])
    package = ModuleType(models.DEFAULT_PACKAGE)
    package.MODEL_NAME = "tiny.gguf"  # type: ignore[attr-defined]
    package.EXPECTED_SHA256 = hashlib.sha256(whole).hexdigest()  # type: ignore[attr-defined]
    package.chunk_paths = lambda: chunks  # type: ignore[attr-defined]
    package.verify_chunks = lambda: None  # type: ignore[attr-defined]
    monkeypatch.setitem(sys.modules, models.DEFAULT_PACKAGE, package)
    return chunks


def test_the_default_model_is_assembled_once(project: Project, packages: list[Path]) -> None:
    found = find_model(project, None, allow_other=False)
    assert found.path == project.build / "models" / "tiny.gguf"
    assert found.architecture == "gemma3"
    written = found.path.stat().st_mtime_ns
    packages[0].unlink()
    assert find_model(project, None, allow_other=False) == found
    assert found.path.stat().st_mtime_ns == written


def test_a_damaged_default_model_is_assembled_again(project: Project, packages: list[Path]) -> None:
    found = find_model(project, None, allow_other=False)
    found.path.write_bytes(b"cut short")
    assert find_model(project, None, allow_other=False).sha256 == found.sha256


def test_wrong_packages_leave_no_file_behind(project: Project, packages: list[Path]) -> None:
    packages[1].write_bytes(b"not what was expected")
    with pytest.raises(UserError, match="expected"):
        find_model(project, None, allow_other=False)
    assert list((project.build / "models").iterdir()) == []


def test_missing_packages_say_what_to_do(project: Project, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, models.DEFAULT_PACKAGE, None)
    with pytest.raises(UserError, match="--model"):
        find_model(project, None, allow_other=False)


def test_a_model_by_relative_path_starts_at_the_project(project: Project) -> None:
    write_model(project.root / "mine.gguf", chat=True)
    found = find_model(project, "mine.gguf", allow_other=False)
    assert found.path == project.root / "mine.gguf"
    assert found.chat_template
    assert found.provenance.name == "Tiny Test Gemma"


def test_missing_model_and_adapter_in_its_place_are_errors(project: Project) -> None:
    with pytest.raises(UserError, match=r"none\.gguf"):
        find_model(project, "none.gguf", allow_other=False)
    write_adapter(project.root / "lora.gguf")
    with pytest.raises(UserError, match="not a model"):
        find_model(project, "lora.gguf", allow_other=False)


def test_adapters_are_checked_before_they_are_loaded(project: Project) -> None:
    check_adapter(project, write_adapter(project.root / "good.gguf"), "gemma3")
    with pytest.raises(UserError, match="the model is phi3"):
        check_adapter(project, project.root / "good.gguf", "phi3")
    with pytest.raises(UserError, match="no LoRA adapter"):
        check_adapter(project, write_header(project.root / "plain.gguf", {}), "gemma3")
    bad = write_adapter(project.root / "bad.gguf", fields={"general.base_model.0.name": "Qwen3"})
    with pytest.raises(UserError, match="refused"):
        check_adapter(project, bad, "gemma3")


def test_a_known_file_is_not_read_again(tmp_path: Path) -> None:
    file = tmp_path / "big"
    file.write_bytes(b"one")
    hashes = FileHashes(tmp_path / "hashes.json")
    first = hashes.sha256(file)
    assert first == hashlib.sha256(b"one").hexdigest()
    stat = file.stat()
    file.write_bytes(b"two")  # same size; with the old time it counts as the same file
    os.utime(file, ns=(stat.st_atime_ns, stat.st_mtime_ns))
    assert FileHashes(tmp_path / "hashes.json").sha256(file) == first
    os.utime(file, ns=(stat.st_atime_ns, stat.st_mtime_ns + 1))
    assert hashes.sha256(file) == hashlib.sha256(b"two").hexdigest()


def test_a_damaged_memory_is_measured_anew(tmp_path: Path) -> None:
    file, memory = tmp_path / "big", tmp_path / "hashes.json"
    file.write_bytes(b"one")
    memory.write_text("{ not json")
    assert FileHashes(memory).sha256(file) == hashlib.sha256(b"one").hexdigest()
