"""Authored slots, such as `{price}`: what the game fills in when it shows a line."""

from __future__ import annotations

import re
from collections.abc import Mapping

from pipeline.cache.errors import SlotError, did_you_mean

_SLOT = re.compile(r"\{([A-Za-z_][A-Za-z0-9_]*)\}")


def slot_names(text: str) -> frozenset[str]:
    """The slots of a text. Other braces are plain characters."""
    return frozenset(_SLOT.findall(text)) if "{" in text else frozenset()


def fill(template: str, slots: Mapping[str, str], place: str) -> str:
    """`template` with every slot replaced by its value, in one pass: braces inside a value stay as they are.

    Raises `SlotError`, which names `place`, when a slot has no value or a value has no slot.
    """
    names = slot_names(template)
    missing = sorted(names - slots.keys())
    unknown = sorted(slots.keys() - names)
    if missing or unknown:
        raise _mismatch(place, names, missing, unknown)
    return _SLOT.sub(lambda match: slots[match[1]], template)


def _mismatch(place: str, names: frozenset[str], missing: list[str], unknown: list[str]) -> SlotError:
    faults = [f"slot {{{name}}} has no value" for name in missing]
    faults += [f"there is no slot {{{name}}}" for name in unknown]
    has = ", ".join(f"{{{name}}}" for name in sorted(names)) or "none"
    guess = did_you_mean(unknown[0], missing or names) if unknown else None
    return SlotError(f"{place}: {'; '.join(faults)}. The text's slots: {has}.", guess)
