"""llama.cpp's own server, built from the source in llama-cpp-python's archive, as a contender in generation.py.

The build goes to `build/benchmark/` with the flags of the project's own library; it takes some minutes, once.
"""

from __future__ import annotations

import http.client
import json
import re
import shutil
import socket
import subprocess
import sys
import tarfile
import time
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import psutil  # type: ignore[import-untyped]

from pipeline.generation import LineRequest, SamplerSettings

ENGINE = Path(__file__).parents[1] / "requirements" / "engine.txt"
VERSION = re.findall(r"^llama-cpp-python==(\S+)", ENGINE.read_text(encoding="utf-8"), re.MULTILINE)[0]
FLAGS = (
    "-DCMAKE_BUILD_TYPE=Release",
    "-DGGML_NATIVE=OFF",
    "-DLLAMA_BUILD_TESTS=OFF",
    "-DLLAMA_BUILD_EXAMPLES=OFF",
    "-DLLAMA_BUILD_APP=OFF",
    "-DLLAMA_BUILD_UI=OFF",
    "-DLLAMA_USE_PREBUILT_UI=OFF",
    "-DLLAMA_OPENSSL=OFF",
)
_START_SECONDS = 120


def server_binary(folder: Path) -> Path:
    """`llama-server`, built when it is missing."""
    binary = folder / "llama-server" / "bin" / "llama-server"
    if not binary.is_file():
        source = _source(folder)
        tools = Path(sys.executable).parent
        build = folder / "llama-server"
        run = [str(tools / "cmake") if (tools / "cmake").exists() else "cmake"]
        ninja = ("-G", "Ninja") if (tools / "ninja").exists() or shutil.which("ninja") else ()
        subprocess.run([*run, "-S", str(source), "-B", str(build), *ninja, *FLAGS], check=True)
        subprocess.run([*run, "--build", str(build), "--target", "llama-server"], check=True)
    return binary


def _source(folder: Path) -> Path:
    """The llama.cpp tree inside llama-cpp-python's source archive: the very archive that the engine is built from.

    pip fetches it and refuses one whose hash is not the one in `requirements/engine.txt`.
    """
    target = folder / f"llama_cpp_python-{VERSION}"
    if not target.is_dir():
        folder.mkdir(parents=True, exist_ok=True)
        fetch = ("download", "--no-deps", "--no-binary", ":all:", "--no-build-isolation", "--require-hashes")
        subprocess.run(
            [sys.executable, "-m", "pip", *fetch, "--dest", str(folder), "--requirement", str(ENGINE)], check=True
        )
        with tarfile.open(folder / f"llama_cpp_python-{VERSION}.tar.gz") as archive:
            archive.extractall(folder, filter="data")
    return target / "vendor" / "llama.cpp"


@dataclass(frozen=True, slots=True)
class Server:
    """A server that runs."""

    port: int
    process: int

    def processor_seconds(self) -> float:
        """Processor time that it has taken so far."""
        times = psutil.Process(self.process).cpu_times()
        return float(times.user + times.system)


@contextmanager
def running_server(binary: Path, model: Path, *, slots: int, threads: int, context: int) -> Iterator[Server]:
    """A server with `slots` parallel slots over one shared cache of `context` tokens."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    command = [
        str(binary), "--model", str(model), "--host", "127.0.0.1", "--port", str(port), "--parallel", str(slots),
        "--threads", str(threads), "--ctx-size", str(context), "--kv-unified", "--no-cache-idle-slots", "--flash-attn",
        "off", "--swa-full", "--no-webui", "--log-disable",
    ]  # fmt: skip
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    try:
        _await_health(process, port)
        yield Server(port, process.pid)
    finally:
        process.kill()  # it has nothing to save
        process.wait()


def _await_health(process: subprocess.Popen[bytes], port: int) -> None:
    deadline = time.monotonic() + _START_SECONDS
    while time.monotonic() < deadline:
        if process.poll() is not None:
            raise RuntimeError(f"llama-server ended with {process.returncode}")
        try:
            connection = http.client.HTTPConnection("127.0.0.1", port, timeout=5)
            connection.request("GET", "/health")
            if connection.getresponse().status == 200:
                return
        except OSError:
            time.sleep(0.2)
    raise RuntimeError("llama-server did not get ready")


def serve_line(port: int, request: LineRequest, prompts: Sequence[Sequence[int]], sampler: SamplerSettings) -> int:
    """Asks for all candidates of a line at once and waits for them. `prompts`: tokens, one list per variant.

    One request per variant with `n_cmpl` candidates: the server then computes a prompt once and copies its state, which
    is faster than one request per candidate. Returns the number of tokens written.
    """
    bodies = [
        {
            "prompt": list(prompt),
            "n_cmpl": request.candidates,
            "n_predict": request.max_tokens,
            "temperature": sampler.temperature,
            "top_k": sampler.top_k,
            "top_p": sampler.top_p,
            "min_p": 0.0,
            "samplers": ["top_k", "top_p", "temperature"],
            "seed": number,
            "stop": ["\n"],
            "cache_prompt": True,
        }
        for number, prompt in enumerate(prompts, 1)
    ]
    with ThreadPoolExecutor(len(bodies)) as pool:
        return sum(pool.map(lambda body: _complete(port, body), bodies))


def _complete(port: int, body: dict[str, object]) -> int:
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=600)
    try:
        connection.request("POST", "/completion", json.dumps(body), {"Content-Type": "application/json"})
        response = connection.getresponse()
        answer = json.loads(response.read())
        if response.status != http.client.OK:
            raise RuntimeError(f"llama-server answered {response.status}: {answer}")
        return sum(int(one["tokens_predicted"]) for one in (answer if isinstance(answer, list) else [answer]))
    finally:
        connection.close()
