"""The bake store: per zone a SQLite file that keeps candidates, findings, choices and timings."""

from pipeline.store.bake_store import STORE_NAME, BakeStore
from pipeline.store.errors import StoreError, StoreMissing, ZoneBusy
from pipeline.store.lock import LockHolder, holder, zone_lock
from pipeline.store.records import BatchRecord, ChoiceRecord, RunRecord, StoreCost

__all__ = [
    "STORE_NAME",
    "BakeStore",
    "BatchRecord",
    "ChoiceRecord",
    "LockHolder",
    "RunRecord",
    "StoreCost",
    "StoreError",
    "StoreMissing",
    "ZoneBusy",
    "holder",
    "zone_lock",
]
