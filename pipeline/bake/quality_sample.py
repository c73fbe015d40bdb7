"""The quality sample: a few of the texts that passed, always the same ones, for a person to read now and then."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from pipeline.bake.workspace import Workspace
from pipeline.content.models import LineRef
from pipeline.content.terms import TellState
from pipeline.replacing import replacing
from pipeline.review import base_hash
from pipeline.store import STORE_NAME, BakeStore, ChoiceRecord
from pipeline.validation.adherence import Adherence, adherence

ONE_IN = 50
ONE_IN_PRODUCTION = 200


@dataclass(frozen=True, slots=True)
class QualitySample:
    """What was written."""

    path: Path
    lines: int
    used: int
    """Words of the culture that the sampled texts use rightly."""
    judged: int
    """Words of the culture that were used, rightly or wrongly, or lost."""

    @property
    def adherence(self) -> float | None:
        """The share used rightly over the whole sample; None where there was no word to judge."""
        return self.used / self.judged if self.judged else None


def write_quality_sample(workspace: Workspace, *, production: bool = False) -> QualitySample:
    """Writes `build/voice_quality_sample.log`: one JSON object per sampled text of all baked zones, sorted by key.

    One in 50 of the chosen texts is taken, with `production` one in 200 (all of which are among the former). A text is
    taken for its own sake (`is_sampled`), so the same texts are taken on every machine. Lines that were edited since
    they were baked are left out. Raises `UserError` when a bake store cannot be read or the file not be written.
    """
    project = workspace.project
    one_in = ONE_IN_PRODUCTION if production else ONE_IN
    rows = sorted(_sampled(workspace, one_in), key=lambda row: (row[0].npc_id, row[0].line_id, row[0].tell_state))
    with replacing(project.quality_sample) as fresh, fresh.open("w", encoding="utf-8", newline="\n") as file:
        for record, ref, zone_id, measured in rows:
            file.write(json.dumps(_row(record, ref, zone_id, measured), ensure_ascii=False) + "\n")
    used = sum(len(measured.used) for *_, measured in rows)
    wrong = sum(len(measured.wrong) for *_, measured in rows)
    return QualitySample(project.quality_sample, len(rows), used, used + wrong)


def is_sampled(record: ChoiceRecord, one_in: int) -> bool:
    """True when the hash of the variant's key and text is a multiple of `one_in`."""
    key = [record.npc_id, record.line_id, record.tell_state, record.culture_id, record.voiced]
    digest = hashlib.sha256(json.dumps(key, ensure_ascii=False).encode()).hexdigest()
    return int(digest, 16) % one_in == 0


def _sampled(workspace: Workspace, one_in: int) -> Iterator[tuple[ChoiceRecord, LineRef, str, Adherence]]:
    for zone_id, zone in workspace.content.zones.items():
        path = workspace.project.zone_build(zone_id) / STORE_NAME
        if not path.is_file():
            continue
        lines = {(ref.npc.id, ref.line_id, ref.culture.id): ref for ref in zone.lines}
        with BakeStore.read_only(path) as store:
            records = store.choices()
        for record in records:
            ref = lines.get((record.npc_id, record.line_id, record.culture_id))
            if ref is None or record.base_hash != base_hash(ref.line.base_text) or record.voiced is None:
                continue
            if is_sampled(record, one_in):
                fillers = ref.npc.cultural_markers.filler_words
                measured = adherence(ref.line.base_text, record.voiced, ref.culture, fillers, record.findings)
                yield record, ref, zone_id, measured


def _row(record: ChoiceRecord, ref: LineRef, zone_id: str, measured: Adherence) -> dict[str, object]:
    """`voicebake validate` reads such rows as they are: the first seven keys are its own."""
    return {
        "base": ref.line.base_text,
        "voiced": record.voiced,
        "kind": ref.kind.value,
        "tell": TellState(record.tell_state).value,
        "culture": record.culture_id,
        "npc": record.npc_id,
        "affect": ref.line.affect.value,
        "zone": zone_id,
        "line": record.line_id,
        "source": record.source,
        "findings": sorted({finding.rule for finding in record.findings}),
        "used": list(measured.used),
        "wrong": list(measured.wrong),
        "adherence": round(measured.score, 3),
    }
