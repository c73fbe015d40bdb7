"""The bake store: per zone a SQLite file that keeps candidates, choices and timings."""

from pipeline.store.bake_store import STORE_NAME, BakeStore
from pipeline.store.errors import StoreError, StoreMissing, ZoneBusy
from pipeline.store.lock import LockHolder, holder, zone_lock
from pipeline.store.records import WHOLE_LINE, BatchKey, BatchRecord, ChoiceRecord, JudgedLine, RunRecord, StoreCost
from pipeline.store.transfer import add_batches, write_snapshot

__all__ = [
    "STORE_NAME",
    "WHOLE_LINE",
    "BakeStore",
    "BatchKey",
    "BatchRecord",
    "ChoiceRecord",
    "JudgedLine",
    "LockHolder",
    "RunRecord",
    "StoreCost",
    "StoreError",
    "StoreMissing",
    "ZoneBusy",
    "add_batches",
    "holder",
    "write_snapshot",
    "zone_lock",
]
