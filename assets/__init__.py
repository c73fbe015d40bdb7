"""Thin Dagster: each asset calls one function of `pipeline.bake` and shows what came of it. No rule, no SQL."""
