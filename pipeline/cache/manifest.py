"""What a cache's manifest says of the bake that it came from."""

from __future__ import annotations

import json
from dataclasses import asdict

from pipeline.generation.engine import EngineIdentity


def engine_manifest(identity: EngineIdentity) -> dict[str, str]:
    """The manifest's entries about the engine that baked."""
    return {
        "engine": identity.engine,
        "model.name": identity.model_name,
        "model.sha256": identity.model_sha256,
        "model.license": identity.model_license,
        "model.override": json.dumps(identity.override),
        "profile": identity.profile,
        "sampler": json.dumps(asdict(identity.sampler), sort_keys=True),
        "width": str(identity.width),
        "vocabulary": identity.vocabulary,
    }
