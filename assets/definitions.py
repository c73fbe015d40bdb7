"""Everything that Dagster sees."""

from __future__ import annotations

import dagster as dg

from assets.bake import candidates, findings, prompt_jobs, voiced_lines
from assets.content import cultures, guards, zone_content
from assets.draft import bake_report, draft_cache
from assets.partitions import project_root
from assets.resources import VoicebakeProject
from assets.review import review_queue

ZONE_ASSETS = [zone_content, prompt_jobs, candidates, findings, voiced_lines, review_queue]

bake = dg.define_asset_job(
    "bake",
    selection=ZONE_ASSETS,
    description="Bakes one zone and writes its review queue. Then run `draft` to hear it.",
)
draft = dg.define_asset_job(
    "draft",
    selection=[draft_cache, bake_report],
    description="Merges all baked zones into build/draft.duckdb.",
)

# One process per run: a worker process per step would cost four to five seconds and load the model anew.
defs = dg.Definitions(
    assets=[*ZONE_ASSETS, cultures, guards, draft_cache, bake_report],
    jobs=[bake, draft],
    resources={"voicebake": VoicebakeProject(root=str(project_root()))},
    executor=dg.in_process_executor,
)
