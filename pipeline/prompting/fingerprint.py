"""What makes two batches the same batch."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping, Sequence

from pipeline.prompting.jobs import PromptJob


def line_fingerprint(
    jobs: Sequence[PromptJob],
    *,
    identity: Mapping[str, object],
    adapter_sha256: str | None,
    attempts: int,
    max_tokens: int,
    way_back: tuple[str, str] | None = None,
) -> str:
    """sha256 (hex) over canonical JSON of all that a line's batch is made of.

    In it: the rendered prompts of all variants as they are cut into segments, with their tell states; the engine's
    identity (model, sampler, width, engine version, whatever the mapping holds); the adapter's hash; how often a
    person asked for other candidates; the token budget; the prompt of the way back, where candidates are measured.
    Not in it: ids, names, places of files, and the facts behind opaque slots. Raises `TypeError` when the identity
    holds something that JSON does not know.
    """
    batch: dict[str, object] = {
        "prompts": [[job.key.tell_state.value, job.chat, [segment.text for segment in job.segments]] for job in jobs],
        "identity": identity,
        "adapter": adapter_sha256,
        "attempts": attempts,
        "max_tokens": max_tokens,
    }
    if way_back is not None:
        batch["way_back"] = way_back
    text = json.dumps(batch, sort_keys=True, separators=(",", ":"), ensure_ascii=False, allow_nan=False)
    return hashlib.sha256(text.encode()).hexdigest()
