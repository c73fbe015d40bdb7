"""How fast the engine generates, beside what a user would otherwise do. Run: `python -m benchmarks.generation`.

Contenders, on the same prompts, candidates and sampler settings, in interleaved runs:
`ours` (the default configuration), `ours_unpruned` (the same on the whole vocabulary), `plain_loop` (one
`Llama.create_completion` per candidate), `server` (llama.cpp's server, parallel slots, prompt cache), `limit` and
`limit_unpruned` (bare `llama_decode` calls over the same prompt tokens, shared as in ours, and the same number of
output tokens at full width).

`--quick` takes under three minutes once the server is built; without it the growth from 10 to 1,000 lines is measured
too (`benchmarks.growth` does only that). `--json` prints one JSON object instead of tables. Elapsed
time means something on a quiet machine only; `--busy` counts processor time, with one thread, and is slower.
"""

from __future__ import annotations

import argparse
import json
import re
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, TypeVar

import psutil  # type: ignore[import-untyped]

from benchmarks.growth import SIZES, grow
from benchmarks.growth import table as growth_table
from benchmarks.llama_server import Server, running_server, serve_line, server_binary
from pipeline.bake.candidates import line_request
from pipeline.bake.plan import plan_zone
from pipeline.bake.workspace import Workspace
from pipeline.generation import EngineSettings, LineRequest, open_engine
from pipeline.generation.decoder import BATCH_TOKENS, Decoder, Entry
from pipeline.generation.llama import llama
from pipeline.generation.llama_engine import LlamaEngine
from pipeline.generation.loaded_model import LoadedModel
from pipeline.generation.machine import usable_cores
from pipeline.generation.models import find_model
from pipeline.generation.pruned_model import pruned_model
from pipeline.generation.segments import split_shared
from pipeline.generation.tokeniser import Tokeniser
from pipeline.generation.weights import Weights
from pipeline.project import Project

WIDTHS = (1, 4, 8, 16, 24, 32, 48)
Row = dict[str, float]
T = TypeVar("T")


@dataclass(slots=True)
class Bench:
    """The workload and what the contenders share."""

    project: Project
    settings: EngineSettings
    requests: list[LineRequest]
    threads: int
    clock: Callable[[], float] = time.perf_counter
    seconds: dict[str, float] = field(default_factory=dict)
    candidates: dict[str, int] = field(default_factory=dict)

    def timed(
        self, name: str, request: LineRequest, run: Callable[[], T], clock: Callable[[], float] | None = None
    ) -> T:
        """Adds a run over one line to a contender's account; gives what the run gave. `clock`: another than its own."""
        clock = clock or self.clock
        started = clock()
        found = run()
        self.seconds[name] = self.seconds.get(name, 0.0) + clock() - started
        self.candidates[name] = self.candidates.get(name, 0) + request.candidates * len(request.variants)
        return found

    def rates(self) -> Row:
        """Candidates per second of every contender."""
        return {name: self.candidates[name] / seconds for name, seconds in self.seconds.items()}


def workload(project: Project, lines: int) -> tuple[EngineSettings, list[LineRequest]]:
    """Requests of `lines` lines spread over the project's first hub zone, as a bake makes them.

    Without the culture's adapter, which the server and the loop would have to be given too, and without the way back,
    which neither can measure: what is compared is generation.
    """
    with Workspace.open(project) as workspace:
        hub = next(name for name, content in workspace.content.zones.items() if content.zone.hub)
        jobs = plan_zone(workspace, hub).jobs
        step = max(1, len(jobs) // lines)
        requests = [line_request(workspace, job, 0, None) for job in jobs[::step][:lines]]
        return workspace.engine_settings, [replace(one, adapter=None) for one in requests]


def engine(bench: Bench, vocabulary: str) -> LlamaEngine:
    """Our engine on the default model."""
    settings = replace(bench.settings, vocabulary=vocabulary, threads=bench.threads, exclusive=False)
    opened = open_engine(bench.project, settings)
    assert isinstance(opened, LlamaEngine)
    return opened


class Limit:
    """Bare decode calls, prepared beforehand, over what our engine would decode for a line at full width."""

    def __init__(self, bench: Bench, vocabulary: str) -> None:
        file = find_model(bench.project, bench.settings.model, allow_other=bench.settings.allow_other_model)
        self._width = bench.settings.width
        self._tokeniser = Tokeniser(file)
        self._weights = Weights(
            file,
            bench.settings.sampler,
            pruned_folder=bench.project.build / "models" if vocabulary == "pruned" and file.prunable else None,
            sequences=self._width,
            threads=bench.threads,
            notify=lambda _message: None,
        )

    def prepare(self, request: LineRequest, output_tokens: int) -> Callable[[], None]:
        """The calls for a line, ready to run."""
        prompts = [self._tokeniser.prompt(v.prompt_parts, chat=request.chat) for v in request.variants]
        choice = self._weights.choose(self._tokeniser.vocabulary.encode(f" {request.repeats}"))
        decoder, numbers = choice.model.decoder, self._weights.numbers if choice.missing is None else None
        prefix, own = split_shared(prompts)
        if numbers:  # which entry is read costs the same; a pruned file lacks some
            prefix = tuple(tuple(numbers.get(token, 0) for token in part) for part in prefix)
            own = [tuple(numbers.get(token, 0) for token in part) for part in own]
        start = sum(map(len, prefix))
        leads = {v * request.candidates + 1: tokens for v, tokens in enumerate(own)}
        entries: list[Entry] = []
        for lead, tokens in leads.items():
            last = len(tokens) - 1
            entries += [(token, start + i, lead, i == last) for i, token in enumerate(tokens)]
        prompt_calls = [_batch(entries[cut : cut + BATCH_TOKENS]) for cut in range(0, len(entries), BATCH_TOKENS)]
        members = [(lead + i, lead, len(tokens)) for lead, tokens in leads.items() for i in range(request.candidates)][
            : self._width
        ]
        word = own[0][0]
        step_calls = [
            _batch([(word, start + length + step, sequence, True) for sequence, _, length in members])
            for step in range(-(-output_tokens // len(members)))
        ]
        cells = start + len(entries) + output_tokens + self._width

        def run() -> None:
            decoder.begin(prefix, cells, None)
            for lead in leads:
                decoder.copy(0, lead)
            for batch in prompt_calls:
                assert llama().llama_decode(decoder.context, batch) == 0
            for sequence, lead, _ in members:
                if sequence != lead:
                    decoder.copy(lead, sequence)
            for batch in step_calls:
                assert llama().llama_decode(decoder.context, batch) == 0

        return run


def _batch(entries: Sequence[Entry]) -> Any:
    batch = llama().llama_batch_init(len(entries), 0, 1)
    batch.n_tokens = len(entries)
    for i, (token, position, sequence, wanted) in enumerate(entries):
        batch.token[i], batch.pos[i], batch.logits[i] = token, position, wanted
        batch.n_seq_id[i], batch.seq_id[i][0] = 1, sequence
    return batch


class PlainLoop:
    """What a user would write: one completion after the other. `Llama` reuses the last prompt's prefix by itself."""

    def __init__(self, bench: Bench, model: Path, context: int) -> None:
        from llama_cpp import Llama

        self._sampler = bench.settings.sampler
        self._llama = Llama(
            str(model), n_ctx=context, n_threads=bench.threads, n_threads_batch=bench.threads, verbose=False
        )

    def run(self, request: LineRequest, prompts: Sequence[list[int]]) -> None:
        """All candidates of a line."""
        for prompt in prompts:
            for index in range(request.candidates):
                greedy = index == 0 and self._sampler.greedy_first
                self._llama.create_completion(
                    prompt,
                    max_tokens=request.max_tokens,
                    temperature=0.0 if greedy else self._sampler.temperature,
                    top_k=self._sampler.top_k,
                    top_p=self._sampler.top_p,
                    min_p=0.0,
                    repeat_penalty=1.0,
                    stop=["\n"],
                    seed=index + 1,
                )


def contend(bench: Bench, repeats: int, with_server: bool) -> None:
    """Runs all contenders over all lines, one after the other within a line, so that a busy moment hits all."""
    file = find_model(bench.project, bench.settings.model, allow_other=bench.settings.allow_other_model)
    tokeniser = Tokeniser(file)
    tokens = {
        r.fingerprint: [[t for part in tokeniser.prompt(v.prompt_parts, chat=r.chat) for t in part] for v in r.variants]
        for r in bench.requests
    }
    longest = max(len(prompt) for prompts in tokens.values() for prompt in prompts)
    room = max(r.max_tokens for r in bench.requests)
    kinds = {"": "pruned", "_unpruned": "whole"}
    engines = {name: engine(bench, kind) for name, kind in kinds.items()}
    limits = {name: Limit(bench, kind) for name, kind in kinds.items()}
    loop = PlainLoop(bench, file.path, longest + room + 8)
    slots = bench.settings.width

    def line(request: LineRequest, server: Server | None, *, warming: bool = False) -> None:
        for name, opened in engines.items():
            _, stats = bench.timed(f"ours{name}", request, lambda opened=opened: opened.generate(request))  # type: ignore[misc]
            limit = limits[name].prepare(request, stats.output_tokens)
            bench.timed(f"limit{name}", request, limit)
        looped = replace(request, candidates=1) if warming else request
        bench.timed("plain_loop", looped, lambda: loop.run(looped, tokens[request.fingerprint]))
        if server is not None:
            served = (server.port, request, tokens[request.fingerprint], bench.settings.sampler)
            clock = server.processor_seconds if bench.clock is time.process_time else None
            bench.timed("server", request, lambda: serve_line(*served), clock)

    def all_lines(server: Server | None) -> None:
        line(bench.requests[0], server, warming=True)  # loads, fills prefixes
        bench.seconds.clear()
        bench.candidates.clear()
        for _ in range(repeats):
            for request in bench.requests[1:]:
                line(request, server)

    if not with_server:
        all_lines(None)
        return
    binary = server_binary(bench.project.build / "benchmark")
    context = longest + slots * (longest + room)
    with running_server(binary, file.path, slots=slots, threads=bench.threads, context=context) as server:
        all_lines(server)


def stages(bench: Bench) -> Row:
    """Where the time of our engine goes, in milliseconds per line."""
    opened = engine(bench, "pruned")
    opened.generate(bench.requests[0])
    spent = dict.fromkeys(("prefix", "prompts", "steps", "sampling"), 0.0)
    inside: list[str] = []

    def clocked(name: str, inner: Callable[..., Any]) -> Callable[..., Any]:
        """`inner` on the account of `name`; what it calls is not counted twice."""

        def run(*arguments: Any) -> Any:
            inside.append(name)
            started = bench.clock()
            try:
                return inner(*arguments)
            finally:
                inside.pop()
                if not inside:
                    spent[name] += bench.clock() - started

        return run

    weights, total = opened._loaded(), 0.0
    for request in bench.requests[1:]:
        model = weights.choose(opened._tokeniser.vocabulary.encode(f" {request.repeats}")).model
        decoder, chain = model.decoder, model.chain
        decoder.begin = clocked("prefix", decoder.begin)  # type: ignore[method-assign]
        decoder.read = clocked("prompts", decoder.read)  # type: ignore[method-assign]
        decoder.decode = clocked("steps", decoder.decode)  # type: ignore[method-assign]
        chain.shortlist = clocked("sampling", chain.shortlist)  # type: ignore[method-assign]
        started = bench.clock()
        opened.generate(request)
        total += bench.clock() - started
        del decoder.begin, decoder.read, decoder.decode, chain.shortlist
    opened.close()
    spent["python"] = total - sum(spent.values())
    return {name: 1000 * seconds / len(bench.requests[1:]) for name, seconds in spent.items()}


def widths(bench: Bench, steps: int) -> dict[str, Row]:
    """Decoded tokens per second by batch width, after a prefix of 400 tokens, whole and pruned."""
    file = find_model(bench.project, bench.settings.model, allow_other=bench.settings.allow_other_model)
    paths = {"whole": file.path}
    if file.prunable:
        folder = bench.project.build / "models"
        paths["pruned"] = pruned_model(file.path, file.sha256, folder, lambda _message: None).path
    found: dict[str, Row] = {}
    for name, path in paths.items():
        model = LoadedModel(path, bench.settings.sampler, sequences=max(WIDTHS), threads=bench.threads)
        found[name] = {str(width): _width_rate(bench, model.decoder, width, steps) for width in WIDTHS}
        model.close()
    return found


def _width_rate(bench: Bench, decoder: Decoder, width: int, steps: int) -> float:
    prefix = tuple(range(300, 700))
    decoder._prefix = []
    start = decoder.begin([prefix], 400 + max(WIDTHS) * (steps + 1), None)
    for sequence in range(1, width + 1):
        decoder.copy(0, sequence)
    calls = [_batch([(300 + i, start + step, i, True) for i in range(1, width + 1)]) for step in range(steps + 1)]
    assert llama().llama_decode(decoder.context, calls[0]) == 0
    started = bench.clock()
    for batch in calls[1:]:
        assert llama().llama_decode(decoder.context, batch) == 0
    return width * steps / (bench.clock() - started)


def peak_memory(quick: bool) -> float:
    """Peak resident memory in MB of a process that generates with our engine alone."""
    command = [sys.executable, "-m", "benchmarks.generation", "--memory-child", *(["--quick"] if quick else [])]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    return float(done.stdout.splitlines()[-1])


def _own_peak() -> float:
    """This process's peak in MB. Not by `getrusage`: there a child begins with the peak of its parent."""
    status = Path("/proc/self/status")
    if status.is_file():
        return float(re.findall(r"VmHWM:\s+(\d+)", status.read_text(encoding="utf-8"))[0]) / 1024
    return float(psutil.Process().memory_info().rss) / 1e6


def main() -> None:
    """Parses the command line, runs, prints."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--quick", action="store_true", help="two lines once instead of six lines twice")
    parser.add_argument("--json", action="store_true", help="one JSON object")
    parser.add_argument("--no-server", action="store_true", help="without llama.cpp's server")
    parser.add_argument("--threads", type=int, default=usable_cores())
    parser.add_argument(
        "--busy",
        action="store_true",
        help="the machine has other work: one thread, and processor time instead of elapsed",
    )
    parser.add_argument("--memory-child", action="store_true", help=argparse.SUPPRESS)
    options = parser.parse_args()
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))  # so that the server is ended too
    project = Project.find(Path(__file__).parents[1])
    settings, requests = workload(project, 3 if options.quick else 7)
    bench = Bench(project, settings, requests, 1 if options.busy else options.threads)
    bench.clock = time.process_time if options.busy else time.perf_counter
    if options.memory_child:
        opened = engine(bench, "pruned")
        for request in requests[:2]:
            opened.generate(request)
        print(_own_peak())
        return
    contend(bench, 1 if options.quick else 2, not options.no_server)
    rates = bench.rates()
    found: dict[str, Any] = {
        "candidates_per_s": rates,
        "ratios": {
            f"{ours} / {other}": rates[ours] / rates[other]
            for ours, other in _COMPARED
            if ours in rates and other in rates
        },
        "stage_ms_per_line": stages(bench),
        "decode_tokens_per_s": widths(bench, 4 if options.quick else 16),
        "peak_memory_mb": peak_memory(options.quick),
        "threads": bench.threads,
        "clock": "processor time" if options.busy else "elapsed",
        "lines": len(requests) - 1,
    }
    if not options.quick:
        found["growth"] = grow(project.root, SIZES, bench.threads).as_json()
    print(json.dumps(found) if options.json else tables(found))


_COMPARED = (
    ("ours", "plain_loop"),
    ("ours", "server"),
    ("ours", "limit"),
    ("ours", "ours_unpruned"),
    ("ours_unpruned", "plain_loop"),
    ("ours_unpruned", "server"),
    ("ours_unpruned", "limit_unpruned"),
)


def tables(found: dict[str, Any]) -> str:
    """The figures as text."""
    memory = f"peak memory {found['peak_memory_mb']:.0f} MB"
    lines = [f"{found['lines']} lines, {found['threads']} threads, {found['clock']}, {memory}"]
    for title in ("candidates_per_s", "ratios", "stage_ms_per_line"):
        lines += ["", title, *(f"  {name:<36}{value:>10.2f}" for name, value in found[title].items())]
    if "growth" in found:
        lines += ["", "growth", growth_table(found["growth"])]
    lines += ["", "decode_tokens_per_s by width"]
    lines += [
        f"  {name:<10}" + "".join(f"{w:>5}:{r:>7.1f}" for w, r in row.items())
        for name, row in found["decode_tokens_per_s"].items()
    ]
    return "\n".join(lines)


if __name__ == "__main__":
    main()
