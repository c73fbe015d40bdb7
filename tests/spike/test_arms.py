"""Which ablations apply to which profile, and what they leave out."""

from __future__ import annotations

from pathlib import Path

import pytest

from pipeline.content import load_content
from pipeline.project import Project
from pipeline.prompting import load_profile
from pipeline.spike.arms import ABLATIONS, ablations

ROOT = Project(Path(__file__).parents[2])
CULTURE = load_content(ROOT).cultures["van_maanens_star"]


@pytest.mark.parametrize(
    ("profile", "left_out"),
    [
        ("base", {"injector": {"injector", "examples"}, "guards": {"guards"}, "tells": {"tell"}, "adapter": None}),
        ("adapter", {"injector": None, "guards": None, "tells": {"tell"}, "adapter": set()}),
        (
            "instruct",
            {
                "injector": {
                    "register", "context", "vocabulary", "values", "exclusions", "examples", "institutions",
                },
                "guards": {"guards"},
                "tells": {"tell"},
                "adapter": None,
            },
        ),
    ],
)  # fmt: skip
def test_an_ablation_takes_its_blocks_and_no_other(profile: str, left_out: dict[str, set[str] | None]) -> None:
    loaded = load_profile(ROOT.prompts / "profiles", profile)
    found = {one.name: one for one in ablations(loaded, CULTURE)}
    assert tuple(found) == ABLATIONS
    for name, blocks in left_out.items():
        assert found[name].applies is (blocks is not None), name
        if blocks is None:
            assert found[name].why_not
        else:
            kept = {block.name for block in found[name].alter(loaded).blocks}
            assert {block.name for block in loaded.blocks} - kept == blocks, name
