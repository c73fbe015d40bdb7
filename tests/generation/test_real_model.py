"""Three lines on the real default model: the same alone, in company, shuffled, on other threads, started afresh."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from pipeline.generation import EngineSettings, LineRequest, VariantRequest, open_engine
from pipeline.generation.llama_engine import LlamaEngine
from pipeline.project import Project

pytestmark = pytest.mark.model

ROOT = Path(__file__).parents[2]
HEAD = (
    "Rewrite each line the way people of this place would say it. Plain words, short, no swearing, no new facts.\n\n",
    "Speech: The gate is closed until the next shift.\nVoiced: Gate's shut till next shift.\n\n"
    "Action: checks the gate before leaving\nVoiced: gives the gate one hard look, then goes\n\n",
)
LINES = (
    "Speech: The pump on level {N1} is not working.\n",
    "Action: repairs the conduit and wipes both hands\n",
    "Speech: Do you have a permit for {P1}?\n",
)
TONES = {
    "Neutral": "",
    "Angry": "Manner: even and flat, one word lands too hard.\n",
    "Friendly": "Manner: a little more than was asked.\n",
}


def request(number: int, *, tells: tuple[str, ...] = tuple(TONES), round_: int = 0) -> LineRequest:
    variants = tuple(VariantRequest(tell, (*HEAD, LINES[number], TONES[tell], "Voiced:")) for tell in tells)
    return LineRequest(f"line {number}", round_, variants, candidates=4, max_tokens=24, chat=False)


def texts(engine: LlamaEngine, number: int) -> list[str]:
    return [candidate.text for candidate in engine.generate(request(number))[0]]


def opened(threads: int) -> LlamaEngine:
    engine = open_engine(Project(ROOT), EngineSettings(threads=threads))
    assert isinstance(engine, LlamaEngine)
    return engine


@pytest.fixture(scope="module")
def alone() -> list[list[str]]:
    """Every line baked by an engine that has done nothing else."""
    found = []
    for number in range(len(LINES)):
        engine = opened(2)
        found.append(texts(engine, number))
        engine.close()
    return found


def test_it_writes_plain_candidates(alone: list[list[str]]) -> None:
    for candidates in alone:
        assert len(candidates) == 12
        assert sum(bool(text) for text in candidates) >= 10
        assert len(set(candidates)) > 3
        assert all("\n" not in text for text in candidates)


def test_company_order_and_further_rounds_change_nothing(alone: list[list[str]]) -> None:
    engine = opened(2)
    try:
        for number in (2, 0, 1, 1, 0, 2):
            assert texts(engine, number) == alone[number]
            engine.generate(request(number, tells=("Angry",), round_=1))
    finally:
        engine.close()


def test_threads_change_nothing(alone: list[list[str]]) -> None:
    engine = opened(1)
    try:
        assert [texts(engine, number) for number in range(len(LINES))] == alone
    finally:
        engine.close()


def test_a_fresh_process_changes_nothing(alone: list[list[str]]) -> None:
    program = (
        "import json\n"
        "from tests.generation.test_real_model import LINES, opened, texts\n"
        "engine = opened(2)\n"
        "print(json.dumps([texts(engine, number) for number in reversed(range(len(LINES)))]))\n"
    )
    done = subprocess.run([sys.executable, "-c", program], cwd=ROOT, capture_output=True, text=True, check=True)
    assert json.loads(done.stdout.splitlines()[-1])[::-1] == alone
