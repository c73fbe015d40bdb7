"""What must hold for zones beyond their own fields."""

from __future__ import annotations

from collections.abc import Iterator

from pipeline.content.bound import Bound
from pipeline.content.mistakes import DANGLING_ADJACENCY
from pipeline.content.models import Zone
from pipeline.content.npc_checks import check_id, unknown_culture
from pipeline.content.problems import Problem
from pipeline.content.terms import ReviewPolicy
from pipeline.ron import closest


def check_zone(zone: Bound[Zone], folder: str, zones: list[str], cultures: list[str]) -> Iterator[Problem]:
    """Everything about one zone. `zones` and `cultures` are the folder names."""
    value = zone.value
    yield from check_id(zone, "a zone")
    if value.id != folder:
        message = f"the zone is called `{value.id}`, its folder `{folder}`"
        yield zone.problem(("id",), message, hint="Rename one of them: a zone's id is its folder's name.")
    if value.default_culture not in cultures:
        yield unknown_culture(zone, ("default_culture",), value.default_culture, cultures)
    for index, other in enumerate(value.adjacent_zones):
        if other == value.id:
            yield zone.problem(
                ("adjacent_zones", index),
                "a zone is not adjacent to itself",
                hint="Delete the entry.",
                id=DANGLING_ADJACENCY,
            )
        elif other not in zones:
            near = closest(other, [each for each in zones if each != folder])
            hint = f"Did you mean `{near}`?" if near else f"Zones are folders in zones/: {', '.join(zones)}."
            yield zone.problem(
                ("adjacent_zones", index), f"there is no zone `{other}`", hint=hint, id=DANGLING_ADJACENCY
            )
    if value.hub and value.review_policy is ReviewPolicy.Flagged:
        hint = "Every variant of a hub is reviewed: write All, or leave the field out."
        yield zone.problem(("review_policy",), "a hub cannot have the review policy Flagged", expected="All", hint=hint)
