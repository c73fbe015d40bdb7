"""The fake engine: deterministic, steerable, and never to be taken for a real one."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from pipeline.errors import UserError
from pipeline.generation import EngineSettings, LineRequest, VariantRequest, describe_engine, open_engine
from pipeline.generation.fake_engine import FakeEngine, base_in_prompt
from pipeline.project import Project

REQUEST = LineRequest(
    fingerprint="f1",
    round=0,
    variants=(
        VariantRequest("Neutral", ("Rules.\n", "Base: The gate is closed.\n", "Voiced:")),
        VariantRequest("Angry", ("Rules.\n", "Base: The gate is closed.\n", "Tone: flat\nVoiced:")),
    ),
    candidates=3,
    max_tokens=40,
    chat=False,
)


def test_the_same_request_gives_the_same_candidates() -> None:
    first, _ = FakeEngine().generate(REQUEST)
    again, stats = FakeEngine().generate(REQUEST)
    assert first == again
    assert [(c.variant, c.index) for c in first] == [(v, i) for v in ("Neutral", "Angry") for i in range(3)]
    assert first[0].text == "The gate is closed."
    assert stats.output_tokens == sum(c.tokens for c in first)


def test_rounds_and_fingerprints_give_other_candidates() -> None:
    texts = {
        tuple(c.text for c in FakeEngine().generate(LineRequest(f, r, REQUEST.variants, 8, 40, False))[0])
        for f in ("a", "b")
        for r in (0, 1)
    }
    assert len(texts) == 4


def test_a_voice_can_be_given() -> None:
    engine = FakeEngine(voice=lambda request, variant, index, seed: f"{variant.variant} {index} {request.round}")
    assert [c.text for c in engine.generate(REQUEST)[0]][:2] == ["Neutral 0 0", "Neutral 1 0"]


@pytest.mark.parametrize(
    ("parts", "base"),
    [
        (("Base text: Hold the lift.\n", "Now voice it:"), "Hold the lift."),
        (('Line: "Pump\'s down." \n', "Voiced:"), "Pump's down."),
        (("Just this.\n", "Voiced:\n"), "Just this."),
        (("",), ""),
    ],
)
def test_the_base_text_is_found_in_the_prompt(parts: tuple[str, ...], base: str) -> None:
    assert base_in_prompt(parts) == base


def test_it_fails_where_it_is_told_to() -> None:
    engine = FakeEngine(fail_after=1)
    engine.generate(REQUEST)
    with pytest.raises(UserError, match="as it was told"):
        engine.generate(REQUEST)


def test_it_kills_its_process_where_it_is_told_to() -> None:
    program = (
        "from tests.generation.test_fake_engine import FakeEngine, REQUEST\n"
        "engine = FakeEngine(kill_after=1)\nengine.generate(REQUEST)\nprint('one', flush=True)\n"
        "engine.generate(REQUEST)\nprint('two')\n"
    )
    root = Path(__file__).parents[2]
    done = subprocess.run([sys.executable, "-c", program], cwd=root, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout) == (-9, "one\n")


def test_the_environment_selects_it_and_its_identity_says_so(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("VOICEBAKE_ENGINE", "fake")
    monkeypatch.setenv("VOICEBAKE_FAKE_FAIL_AFTER", "0")
    project = Project(tmp_path)
    engine = open_engine(project, EngineSettings())
    assert engine.identity == describe_engine(project, EngineSettings())
    assert (engine.identity.engine, engine.identity.model_license) == ("fake", "none")
    with pytest.raises(UserError, match="FAIL_AFTER"):
        engine.generate(REQUEST)
    monkeypatch.setenv("VOICEBAKE_FAKE_DELAY", "soon")
    with pytest.raises(UserError, match="VOICEBAKE_FAKE_DELAY is 'soon'"):
        open_engine(project, EngineSettings())
    monkeypatch.setenv("VOICEBAKE_ENGINE", "faek")
    with pytest.raises(UserError, match="faek"):
        describe_engine(project, EngineSettings())
