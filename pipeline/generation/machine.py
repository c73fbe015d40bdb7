"""What the machine offers: cores, memory, and whether a process is still there."""

from __future__ import annotations

import os
from pathlib import Path

import psutil  # type: ignore[import-untyped]


def usable_cores() -> int:
    """Physical cores that this process may use, at least one."""
    allowed = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    return max(1, min(psutil.cpu_count(logical=False) or allowed, allowed))


def total_memory() -> int:
    """Bytes of memory that the machine has."""
    return int(psutil.virtual_memory().total)


def available_memory() -> int:
    """Bytes of memory that a new process can use without swapping."""
    return int(psutil.virtual_memory().available)


def process_exists(process: int) -> bool:
    """Whether a process with this number runs."""
    return bool(psutil.pid_exists(process))


def instruction_sets(cpu_info: Path = Path("/proc/cpuinfo")) -> frozenset[str]:
    """What the processor announces, such as `avx2`; empty where the system does not tell (anything but Linux)."""
    if not cpu_info.is_file():
        return frozenset()
    lines = cpu_info.read_text(encoding="utf-8", errors="replace").splitlines()
    flags = next((line.partition(":")[2] for line in lines if line.startswith(("flags", "Features"))), "")
    return frozenset(flags.split())
