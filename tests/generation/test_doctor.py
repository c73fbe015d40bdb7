"""What `doctor` measures, and that a crashing engine build does not take the program with it."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from pipeline.errors import UserError
from pipeline.generation import EngineSettings, doctor
from pipeline.generation.doctor import SelfTest, diagnose, run_self_test
from pipeline.generation.machine import instruction_sets
from pipeline.project import Project


def child(program: str) -> tuple[str, ...]:
    return (sys.executable, "-c", program)


def test_it_measures_machine_engine_and_model(tiny_project: Project) -> None:
    found = diagnose(tiny_project, EngineSettings(model="tiny.gguf", width=4, threads=1))
    assert found.problems == ()
    assert found.self_test is not None
    assert found.self_test.decode_tokens_per_second > 0
    assert found.self_test.prompt_tokens_per_second > 0
    assert found.model_name == "Tiny Test Gemma"
    assert 0 < found.model_bytes < found.needed_bytes < found.memory_bytes
    assert found.engine.startswith("llama-cpp-python ")
    assert found.recommendation


def test_a_native_build_that_crashes_is_caught_and_says_what_to_do(tiny_project: Project) -> None:
    crash = child("import os, signal; os.kill(os.getpid(), signal.SIGSEGV)")
    with pytest.raises(UserError, match=r"crashed in its self-test \(SIGSEGV\)(.|\n)*without NATIVE=1"):
        run_self_test(tiny_project.root / "tiny.gguf", width=2, threads=1, program=crash)


def test_a_crash_is_a_problem_of_the_diagnosis(tiny_project: Project, monkeypatch: pytest.MonkeyPatch) -> None:
    def crashed(*_: object, **__: object) -> SelfTest:
        raise UserError("The model engine crashed.", "Build it anew.")

    monkeypatch.setattr(doctor, "run_self_test", crashed)
    found = diagnose(tiny_project, EngineSettings(model="tiny.gguf"))
    assert found.self_test is None
    assert found.problems == ("The model engine crashed.\n  Build it anew.",)


@pytest.mark.parametrize(
    ("program", "said"),
    [
        ("import sys; sys.exit('no such model')", "failed: no such model"),
        ("raise SystemExit(3)", "failed: it said nothing"),
    ],
)
def test_a_self_test_that_fails_quotes_its_last_words(tmp_path: Path, program: str, said: str) -> None:
    with pytest.raises(UserError, match=said):
        run_self_test(tmp_path / "x.gguf", width=1, threads=1, program=child(program))


def test_a_self_test_that_hangs_is_ended(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(doctor, "_CHILD_SECONDS", 0.2)
    with pytest.raises(UserError, match="did not end"):
        run_self_test(tmp_path / "x.gguf", width=1, threads=1, program=child("import time; time.sleep(60)"))


def test_too_little_memory_is_a_problem(tiny_project: Project, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(doctor, "available_memory", lambda: 400_000_000)
    found = diagnose(tiny_project, EngineSettings(model="tiny.gguf", width=2, threads=1))
    assert "0.4 GB are free" in found.problems[0]
    assert found.recommendation.startswith("Use a model file of at most 0.0 GB")


GB = 10**9


@pytest.mark.parametrize(
    ("engine", "size", "available", "processor", "said"),
    [
        ("x (AVX AVX2), layout 1", GB, 4 * GB, {"avx2", "avx512f"}, "make bake NATIVE=1"),
        ("x (AVX AVX2 AVX512), layout 1", GB, 4 * GB, {"avx2", "avx512f"}, "suit each other"),
        ("x (AVX AVX2), layout 1", GB, 4 * GB, {"avx2"}, "suit each other"),
        ("x (AVX AVX2), layout 1", GB // 4, 16 * GB, {"avx2"}, "a larger model, up to about 5 GB"),
        ("x (AVX AVX2), layout 1", 4 * GB, 4 * GB, {"avx2"}, "at most 2.3 GB"),
    ],
)
def test_the_recommendation(engine: str, size: int, available: int, processor: set[str], said: str) -> None:
    needed = int(1.5 * size) + 500_000_000
    assert said in doctor._recommendation(engine, size, needed, available, frozenset(processor))


def test_instruction_sets_are_read_from_the_system(tmp_path: Path) -> None:
    info = tmp_path / "cpuinfo"
    info.write_text("processor: 0\nflags\t\t: fpu avx2 avx512f\nprocessor: 1\nflags: fpu\n")
    assert instruction_sets(info) == {"fpu", "avx2", "avx512f"}
    assert instruction_sets(tmp_path / "none") == frozenset()
