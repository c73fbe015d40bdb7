"""Everything that Dagster sees."""

from __future__ import annotations

import dagster as dg

from assets.bake import candidates, findings, prompt_jobs, voiced_lines
from assets.content import cultures, guards, zone_content
from assets.draft import bake_report, draft_cache
from assets.partitions import project_root
from assets.resources import VoicebakeProject
from assets.review import review_queue, verdicts
from assets.sensors import edited_files
from assets.ship import release_lines, ship_config, voice_cache
from assets.training import culture_adapter

ZONE_ASSETS = [zone_content, prompt_jobs, candidates, findings, voiced_lines, review_queue]

bake = dg.define_asset_job(
    "bake",
    selection=ZONE_ASSETS,
    description="Bakes one zone and writes its review queue. Then run `draft` to hear it.",
    # When a machine dies, the zone's run is started again as a whole: another machine has not what its steps left.
    tags={"dagster/retry_strategy": "ALL_STEPS"},
)
draft = dg.define_asset_job(
    "draft",
    selection=[draft_cache, bake_report],
    description="Merges all baked zones into build/draft.duckdb.",
)
ship = dg.define_asset_job(
    "ship",
    selection=[release_lines, voice_cache],
    config=ship_config,
    description="Builds build/voice_cache.duckdb of what may ship. Refuses what waits, unless `allow_fallback`.",
)

review = dg.define_asset_job(
    "review",
    selection=[verdicts, review_queue],
    description="Takes a reviewer's decisions on a zone and rebuilds its queue and the draft. Loads no model. "
    "The links in the review queue open it filled in.",
)

train = dg.define_asset_job(
    "train",
    selection=[culture_adapter],
    description="Trains one culture's adapter from its voice bank. Needs `make train-setup`; takes up to two hours.",
)

# One process per run: a worker process per step would cost four to five seconds and load the model anew.
defs = dg.Definitions(
    assets=[
        *ZONE_ASSETS,
        verdicts,
        cultures,
        guards,
        draft_cache,
        bake_report,
        release_lines,
        voice_cache,
        culture_adapter,
    ],
    jobs=[bake, draft, review, ship, train],
    sensors=[edited_files],
    resources={"voicebake": VoicebakeProject(root=str(project_root()))},
    executor=dg.in_process_executor,
)
