"""The engine on a tiny random model: what it writes depends on nothing but the line."""

from __future__ import annotations

import os
import random
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest

from pipeline.errors import UserError
from pipeline.generation import Candidate, LineRequest, SamplerSettings, WayBack
from pipeline.generation.decoder import BATCH_TOKENS, MOST_OUTPUTS
from pipeline.generation.llama_engine import LlamaEngine
from pipeline.generation.way_back import call_cuts
from pipeline.project import Project
from tests.generation.conftest import OpenTiny
from tests.generation.requests import BASES, TELLS, line


def written(engine: LlamaEngine, request: LineRequest) -> list[Candidate]:
    return engine.generate(request)[0]


def test_candidates_come_in_order_and_differ(open_tiny: OpenTiny) -> None:
    candidates, stats = open_tiny().generate(line(BASES[0]))
    assert [(c.variant, c.index) for c in candidates] == [(t, i) for t in TELLS for i in range(4)]
    assert len({c.text for c in candidates}) > 12
    assert stats.output_tokens == sum(c.tokens for c in candidates)
    assert stats.prompt_tokens > 0


def test_a_line_alone_after_others_and_shuffled_is_the_same(open_tiny: OpenTiny) -> None:
    alone = {base: written(open_tiny(), line(base)) for base in BASES}
    engine = open_tiny()
    order = [base for base in BASES for _ in range(2)]
    random.Random(3).shuffle(order)
    for base in order:
        assert written(engine, line(base)) == alone[base]


def test_it_is_the_same_after_longer_and_other_prompts(open_tiny: OpenTiny) -> None:
    alone = written(open_tiny(), line(BASES[1]))
    engine = open_tiny()
    engine.generate(line(BASES[0] * 12, max_tokens=60))  # a larger context
    engine.generate(line(BASES[2], rules="Other rules: hold.\n"))  # another prefix
    engine.generate(line(BASES[1], tells=("Angry",), round_=1))  # a longer shared prefix
    assert written(engine, line(BASES[1])) == alone


def test_a_further_round_depends_on_its_variant_alone(open_tiny: OpenTiny) -> None:
    request = line(BASES[0], tells=("Guarded",), round_=1)
    alone = written(open_tiny(), request)
    engine = open_tiny()
    first = written(engine, line(BASES[0]))
    engine.generate(line(BASES[0], tells=("Angry",), round_=1))
    assert written(engine, request) == alone
    assert {c.text for c in alone}.isdisjoint(c.text for c in first if c.variant == "Guarded")


def test_threads_do_not_change_it(open_tiny: OpenTiny) -> None:
    assert written(open_tiny(threads=1), line(BASES[0])) == written(open_tiny(threads=2), line(BASES[0]))


def test_a_fresh_process_writes_the_same(open_tiny: OpenTiny, tiny_project: Project) -> None:
    program = (
        "import sys\n"
        "from pathlib import Path\n"
        "from pipeline.generation import EngineSettings, SamplerSettings, open_engine\n"
        "from pipeline.project import Project\n"
        "from tests.generation.requests import BASES, line\n"
        "sampler = SamplerSettings(temperature=1.0)\n"
        "settings = EngineSettings(model='tiny.gguf', sampler=sampler, threads=1, exclusive=False)\n"
        "engine = open_engine(Project(Path(sys.argv[1])), settings)\n"
        "print([c.text for c in engine.generate(line(BASES[0]))[0]])\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", program, str(tiny_project.root)],
        cwd=Path(__file__).parents[2],
        capture_output=True,
        text=True,
        check=True,
    )
    assert done.stdout.strip() == str([c.text for c in written(open_tiny(), line(BASES[0]))])


def test_seeds_come_from_fingerprint_and_round(open_tiny: OpenTiny) -> None:
    engine, first = open_tiny(), line(BASES[0])
    other = LineRequest("another", 0, first.variants, 4, 16, False)
    again = LineRequest(first.fingerprint, 1, first.variants, 4, 16, False)
    texts = [[c.text for c in written(engine, request) if c.index] for request in (first, other, again)]
    assert texts[0] != texts[1] != texts[2] != texts[0]


def test_greedy_first_takes_the_likeliest_tokens_in_round_0_only(open_tiny: OpenTiny) -> None:
    request = line(BASES[0], tells=("Neutral",), candidates=1)
    cool = written(open_tiny(sampler=SamplerSettings(temperature=0.0, greedy_first=False)), request)
    assert written(open_tiny(), request) == cool
    later = line(BASES[0], tells=("Neutral",), candidates=1, round_=1)
    assert written(open_tiny(), later)[0].text != cool[0].text


def test_equal_draws_cost_one_decode(open_tiny: OpenTiny) -> None:
    engine = open_tiny(sampler=SamplerSettings(temperature=0.0))
    candidates, stats = engine.generate(line(BASES[0], tells=("Neutral",), candidates=8))
    assert len({c.text for c in candidates}) == 1
    computed = engine._weights.choose([]).model.decoder.computed if engine._weights else 0
    assert computed == stats.prompt_tokens
    assert computed < 8 * candidates[0].tokens + 100


def test_a_narrow_width_decodes_in_fixed_groups(open_tiny: OpenTiny) -> None:
    for width in (1, 3, 5):
        engine = open_tiny(width=width)
        first = written(engine, line(BASES[0]))
        assert [(c.variant, c.index) for c in first] == [(t, i) for t in TELLS for i in range(4)]
        engine.generate(line(BASES[1]))
        assert written(engine, line(BASES[0])) == first


def test_the_budget_ends_a_candidate_and_says_so(open_tiny: OpenTiny) -> None:
    candidates = written(open_tiny(), line(BASES[0], max_tokens=3))
    assert max(c.tokens for c in candidates) == 3
    assert any(not c.finished for c in candidates)


def test_a_candidate_is_one_line(open_tiny: OpenTiny) -> None:
    candidates = written(
        open_tiny(sampler=SamplerSettings(temperature=2.0, top_k=1000, top_p=1.0)), line(BASES[0], max_tokens=60)
    )
    assert any(c.finished for c in candidates)
    assert all("\n" not in c.text and c.text == c.text.strip() for c in candidates)


def test_adapters_change_texts_and_switch_without_a_reload(open_tiny: OpenTiny, tiny_project: Project) -> None:
    engine = open_tiny()
    plain = written(engine, line(BASES[0]))
    loaded = engine._weights
    adapter = str(tiny_project.root / "lora.gguf")
    voiced = written(engine, line(BASES[0], adapter=adapter))
    assert [c.text for c in voiced] != [c.text for c in plain]
    assert written(engine, line(BASES[0])) == plain
    assert written(engine, line(BASES[0], adapter=adapter)) == voiced
    assert engine._weights is loaded
    assert written(open_tiny(), line(BASES[0], adapter=adapter)) == voiced


def test_a_chat_goes_through_the_template_of_the_file(open_tiny: OpenTiny) -> None:
    engine = open_tiny("tiny_chat.gguf")
    chat, plain = written(engine, line(BASES[0], chat=True)), written(engine, line(BASES[0]))
    assert chat != plain
    assert written(engine, line(BASES[0], chat=True)) == chat


@pytest.mark.parametrize(
    ("request_", "said"),
    [
        (line("the " * 3000), "was trained for 2048"),
        (line(BASES[0], adapter="none.gguf"), "no such adapter"),
        (line(BASES[0], chat=True), "no chat template"),
    ],
)
def test_what_cannot_run_is_a_user_error_and_the_engine_goes_on(
    open_tiny: OpenTiny, request_: LineRequest, said: str
) -> None:
    engine = open_tiny()
    with pytest.raises(UserError, match=said):
        engine.generate(request_)
    assert len(written(engine, line(BASES[0]))) == 24


def test_a_model_cut_short_is_one_clear_error(open_tiny: OpenTiny, tiny_project: Project) -> None:
    whole = (tiny_project.root / "tiny.gguf").read_bytes()
    (tiny_project.root / "short.gguf").write_bytes(whole[: len(whole) // 2 + 8000])
    with pytest.raises(UserError, match=r"short\.gguf"):
        open_tiny("short.gguf").generate(line(BASES[0]))


def test_counting_and_describing_load_no_weights(open_tiny: OpenTiny) -> None:
    engine = open_tiny()
    assert engine.count_tokens(["the gate", "", "the gate"])[1:] == [0, engine.count_tokens(["the gate"])[0]]
    assert engine._weights is None
    assert "llama-cpp-python" in engine.identity.engine
    assert engine.identity.profile == "base"
    assert open_tiny("tiny_chat.gguf").identity.profile == "instruct"


@pytest.mark.parametrize(("given", "expected"), [({}, "2000"), ({"GOMP_SPINCOUNT": "7"}, "7")])
def test_threads_that_wait_do_not_spin_for_long_unless_the_user_says_so(given: dict[str, str], expected: str) -> None:
    program = "import os\nfrom pipeline.generation.llama import llama\nllama()\nprint(os.environ['GOMP_SPINCOUNT'])"
    environment = {name: value for name, value in os.environ.items() if name != "GOMP_SPINCOUNT"} | given
    done = subprocess.run([sys.executable, "-c", program], env=environment, capture_output=True, text=True, check=True)
    assert done.stdout.strip() == expected


@pytest.mark.parametrize(
    ("first", "length", "cuts"),
    [
        (4, 40, [(0, 40)]),
        (0, 1, [(0, 1)]),
        (4, 4 + MOST_OUTPUTS, [(0, 4 + MOST_OUTPUTS)]),
        (4, 5 + MOST_OUTPUTS, [(0, 4 + MOST_OUTPUTS), (4 + MOST_OUTPUTS, 5 + MOST_OUTPUTS)]),
        (BATCH_TOKENS + 7, BATCH_TOKENS + 9, [(0, BATCH_TOKENS), (BATCH_TOKENS, BATCH_TOKENS + 9)]),
        (BATCH_TOKENS - 1, BATCH_TOKENS + 9, [(0, BATCH_TOKENS), (BATCH_TOKENS, BATCH_TOKENS + 9)]),
    ],
)
def test_the_way_back_is_read_in_calls_that_fit(first: int, length: int, cuts: list[tuple[int, int]]) -> None:
    assert list(call_cuts(first, length)) == cuts


def test_the_way_back_of_a_text_depends_on_nothing_but_itself(open_tiny: OpenTiny, tiny_project: Project) -> None:
    texts = [*BASES, "Yeah. " * 300, "No."]
    plain = WayBack("Said: ", "\nPlain:", BASES[0])
    for way in (plain, replace(plain, adapter=str(tiny_project.root / "lora.gguf"))):
        alone = [open_tiny(threads=2).measure(way, [text])[0][0] for text in texts]
        engine = open_tiny()
        assert engine.measure(way, texts)[0] == alone
        engine.generate(line(BASES[1]))
        found, stats = engine.measure(way, texts[::-1])
        assert found[::-1] == alone
        assert len(set(alone)) == len(texts)
        assert all(value < 0 for value in alone)
        assert (stats.prompt_tokens > 500, stats.output_tokens) == (True, 0)
