"""The one place that imports llama_cpp: silences its log, turns its null pointers into errors, names its build."""

from __future__ import annotations

import ctypes
import importlib.metadata
import importlib.util
import os
import sys
from functools import cache
from pathlib import Path
from typing import Any

from pipeline.errors import UserError
from pipeline.generation.file_hashes import read_json, write_json

LOG_VARIABLE = "VOICEBAKE_LLAMA_LOG"
_PACKAGE = "llama_cpp"
_DISTRIBUTION = "llama-cpp-python"
_ERROR_LEVEL = 4
_log_callback: Any = None
_last_errors: list[str] = []


class LlamaError(UserError):
    """llama.cpp refused something; the message carries its own last words."""

    def __init__(self, what: str, hint: str | None = None) -> None:
        said = " ".join("".join(_last_errors[-3:]).split())
        super().__init__(
            f"{what}{': ' + said if said else '.'}", hint or f"Set {LOG_VARIABLE}=1 to see all that llama.cpp says."
        )


@cache
def llama() -> Any:
    """The low-level binding, initialised, with its log kept off the terminal unless VOICEBAKE_LLAMA_LOG is set.

    Raises `UserError` when llama-cpp-python is not installed or its library does not load.
    """
    global _log_callback
    # Read by the OpenMP library when it is loaded. Its own default spins for milliseconds wherever threads meet: with
    # other work on the machine a line then takes ten times as long. 2000 turns are about a tenth of a millisecond.
    os.environ.setdefault("GOMP_SPINCOUNT", "2000")
    try:
        import llama_cpp.llama_cpp as binding
    except (ImportError, OSError, RuntimeError) as error:
        raise UserError(
            f"The model engine llama-cpp-python does not load: {error}", "Run `make` to build it."
        ) from error
    loud = bool(os.environ.get(LOG_VARIABLE))

    def log(level: int, text: bytes, _data: object) -> None:
        if level == _ERROR_LEVEL:
            _last_errors.append(text.decode("utf-8", "replace"))
            del _last_errors[:-8]
        if loud:
            sys.stderr.write(text.decode("utf-8", "replace"))

    _log_callback = binding.llama_log_callback(log)  # kept, or the library would call freed memory
    binding.llama_log_set(_log_callback, ctypes.c_void_p(0))
    binding.llama_backend_init()
    return binding


def forget_errors() -> None:
    """Drops what llama.cpp said before, so that the next `LlamaError` quotes only its own cause."""
    _last_errors.clear()


def engine_name(memory: Path) -> str:
    """Name, version and instruction set of the build, such as `llama-cpp-python 0.3.36 (AVX AVX2 FMA)`.

    `memory` is a JSON file that keeps the instruction set by the libraries' sizes and times, so that asking costs no
    import of the library. Raises `UserError` when llama-cpp-python is not installed.
    """
    try:
        version = importlib.metadata.version(_DISTRIBUTION)
        spec = importlib.util.find_spec(_PACKAGE)
    except importlib.metadata.PackageNotFoundError:
        spec = None
    if spec is None or spec.origin is None:
        raise UserError("The model engine llama-cpp-python is not installed.", "Run `make` to build it.")
    build = _build_key(Path(spec.origin).parent / "lib")
    known = read_json(memory)
    if known.get("build") != build:
        known = {"build": build, "instructions": _instructions()}
        write_json(memory, known)
    return f"{_DISTRIBUTION} {version} ({known['instructions']})"


def _build_key(folder: Path) -> str:
    files = sorted(p for p in folder.glob("*") if p.is_file())
    return ";".join(f"{p.name}:{p.stat().st_size}:{p.stat().st_mtime_ns}" for p in files)


def _instructions() -> str:
    """The names of the features that the library was compiled with, sorted."""
    info = llama().llama_print_system_info().decode()
    features = [part.split(":")[-1].split("=") for part in info.split("|") if "=" in part]
    return " ".join(sorted(name.strip() for name, value in features if value.strip() == "1"))
