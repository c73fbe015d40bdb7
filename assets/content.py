"""What writers author, as assets: one zone per partition, and what all zones share."""

import dagster as dg

from assets.failures import user_errors_fail_the_step
from assets.partitions import zones
from assets.presentation import markdown_table
from assets.resources import VoicebakeProject
from pipeline.content.models import Guard, WordList

GROUP = "content"


@dg.asset(
    partitions_def=zones,
    group_name=GROUP,
    kinds={"ron"},
    description="One zone with its NPCs and lines, as authored. Partition: the zone.",
)
def zone_content(context: dg.AssetExecutionContext, voicebake: VoicebakeProject) -> dg.MaterializeResult:
    """Loads and checks all content, and shows the zone's."""
    from pipeline.bake import zone_digest

    with user_errors_fail_the_step():
        workspace = voicebake.workspace
        zone = workspace.content.zones[workspace.check_zone(context.partition_key)]
    anchors = sum(ref.line.anchor_line for ref in zone.lines)
    return dg.MaterializeResult(
        metadata={
            "zone": zone.zone.name,
            "hub": zone.zone.hub,
            "npcs": len(zone.npcs),
            "lines": len(zone.lines) - anchors,
            "anchors": anchors,
            "tells": sum(len(npc.tell_behaviors) for npc in zone.npcs),
            "people": markdown_table(
                ("NPC", "role", "tier", "lines", "tells"),
                [
                    (
                        npc.name,
                        npc.role,
                        npc.tier,
                        str(len(npc.observable_behaviors) + len(npc.dialogue)),
                        str(len(npc.tell_behaviors)),
                    )
                    for npc in zone.npcs
                ],
            ),
        },
        data_version=dg.DataVersion(zone_digest(zone)),
    )


@dg.asset(group_name=GROUP, kinds={"ron"}, description="One row per culture: injector, institutions and tell tones.")
def cultures(voicebake: VoicebakeProject) -> dg.MaterializeResult:
    """Loads the cultures."""
    from pipeline.bake import models_digest

    with user_errors_fail_the_step():
        found = voicebake.workspace.content.cultures
    rows = [(c.id, c.name, str(len(c.tell_tones)), c.adapter or "none") for c in found.values()]
    return dg.MaterializeResult(
        metadata={
            "cultures": len(found),
            "table": markdown_table(("id", "name", "tell tones", "adapter"), rows),
        },
        data_version=dg.DataVersion(models_digest(found.values())),
    )


@dg.asset(group_name=GROUP, kinds={"ron"}, description="One row per guard and word list: prompt texts and vocabulary.")
def guards(voicebake: VoicebakeProject) -> dg.MaterializeResult:
    """Loads the guards, the word lists and the tell table."""
    from pipeline.bake import models_digest

    with user_errors_fail_the_step():
        content = voicebake.workspace.content
    lists: list[Guard | WordList] = [*content.guards, *content.word_lists]
    return dg.MaterializeResult(
        metadata={
            "guards": len(content.guards),
            "word_lists": len(content.word_lists),
            "terms": sum(len(one.vocabulary) for one in lists),
            "table": markdown_table(
                ("id", "name", "terms"), [(one.id, one.name, str(len(one.vocabulary))) for one in lists]
            ),
        },
        data_version=dg.DataVersion(models_digest([*lists, content.tells])),
    )
