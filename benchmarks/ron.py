"""How fast RON is read: this project's reader beside the readers on the package index, where they are installed.

Run `python -m benchmarks.ron`. Texts: prose (a zone's lines), the corpus's sample
zone, nested structs with numbers, and the shapes that cost most per byte (short items in brackets, all on one line),
each repeated to about 1 MB. CPU time of the best run, in MB/s (1 MB = a million bytes).
"""

from __future__ import annotations

import importlib
import json
import platform
import time
from collections.abc import Callable
from pathlib import Path

from pipeline.ron import parse

ROOT = Path(__file__).resolve().parent.parent
SIZE = 1_000_000
RUNS = 3


def texts() -> dict[str, str]:
    """Large texts by name."""
    line = '(id: "crates_{0}", base_text: "Crate {0} came in last shift, and nobody has asked for it.", affect: high)'
    dense = "(id: {0}, at: (x: {0}.5, y: -2.0), tags: [Bold, Quick({0})], on: true, next: Some({0}))"
    corpus = (ROOT / "tests/corpora/ron_corpus.jsonl").read_text(encoding="utf-8").split("\n")
    sample = next(row["ron"] for row in map(json.loads, filter(None, corpus)) if row["id"] == "zone-sample")
    short = {
        "lists": "[1,2],",
        "tuples": "(1,2),",
        "structs": "(x:1,y:2),",
        "calls": "F(1),",
        "maps": "{a:1,b:2},",
        "nested": "[[[[1]]]],",
        "units": "(),",
        "escapes": r'"a\"b",',
        "hex": "0xFF,",
    }
    return {"prose": repeated(line), "pretty": repeated(sample), "dense": repeated(dense)} | {
        name: f"[{item * (SIZE // len(item))}]" for name, item in short.items()
    }


def repeated(item: str) -> str:
    """A list of about `SIZE` bytes of the item, numbered where it has `{0}`."""
    count = SIZE // len(item.encode())
    return "[\n" + "".join(f"    {item.replace('{0}', str(number))},\n" for number in range(count)) + "]"


def readers() -> tuple[dict[str, Callable[[str], object]], list[str]]:
    """The readers to compare by name, and the packages that are not installed."""
    found: dict[str, Callable[[str], object]] = {"pipeline.ron": parse}
    missing = []
    for package, module, names in (
        ("python-ron", "ron", ("loads", "parse")),
        ("ron-python", "ron_python", ("loads", "parse")),
    ):
        try:
            loaded = importlib.import_module(module)
        except ImportError:
            missing.append(package)
            continue
        function = next((getattr(loaded, name) for name in names if hasattr(loaded, name)), None)
        if function is None:
            missing.append(f"{package} (installed, but it has none of {', '.join(names)})")
        else:
            found[package] = function
    return found, missing


def rate(reader: Callable[[str], object], text: str) -> str:
    """MB/s of the best run, or why there is none."""
    best = float("inf")
    for _ in range(RUNS):
        start = time.process_time()
        try:
            reader(text)
        except Exception as error:  # noqa: BLE001  # another package's reader may fail in any way
            return f"failed: {type(error).__name__}"
        best = min(best, time.process_time() - start)
    return f"{len(text.encode()) / 1e6 / best:.2f} MB/s"


def main() -> None:
    found, missing = readers()
    print(f"Python {platform.python_version()} on {platform.machine()}, CPU time, best of {RUNS}")
    for name, text in texts().items():
        for reader, function in found.items():
            print(f"{name:8} {reader:14} {rate(function, text)}", flush=True)
    for package in missing:
        print(f"not compared, because it is not installed: {package}")


if __name__ == "__main__":
    main()
