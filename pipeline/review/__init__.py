"""What people decide on and what they decided: the queue, its cards, the policy that fills it, the verdict log."""

from pipeline.review.binding import VariantBase, base_hash, voiced_hash
from pipeline.review.conflicts import Conflict
from pipeline.review.decision import Contradiction, Decision, DecisionErrors, StaleItem, raise_all
from pipeline.review.ledger import Ledger, load_ledger
from pipeline.review.log import VerdictLog, locked_log, log_path, read_log
from pipeline.review.pages import review_pages
from pipeline.review.policy import Variant, pending, zone_policy
from pipeline.review.queue import (
    QueueCandidate,
    QueueLine,
    QueueVariant,
    deniability_question,
    queue_path,
    queue_row,
    read_queue,
    write_queue,
)
from pipeline.review.reviewer import default_reviewer
from pipeline.review.standing import REQUEST_CAP, IsAuthored, requests, standing_of
from pipeline.review.verdict import Action, Verdict, VerdictError, from_json, to_json, verdict_row
from pipeline.review.word_diff import word_diff
from pipeline.review.zone_files import files_digest, queue_digest

__all__ = [
    "REQUEST_CAP",
    "Action",
    "Conflict",
    "Contradiction",
    "Decision",
    "DecisionErrors",
    "IsAuthored",
    "Ledger",
    "QueueCandidate",
    "QueueLine",
    "QueueVariant",
    "StaleItem",
    "Variant",
    "VariantBase",
    "Verdict",
    "VerdictError",
    "VerdictLog",
    "base_hash",
    "default_reviewer",
    "deniability_question",
    "files_digest",
    "from_json",
    "load_ledger",
    "locked_log",
    "log_path",
    "pending",
    "queue_digest",
    "queue_path",
    "queue_row",
    "raise_all",
    "read_log",
    "read_queue",
    "requests",
    "review_pages",
    "standing_of",
    "to_json",
    "verdict_row",
    "voiced_hash",
    "word_diff",
    "write_queue",
    "zone_policy",
]
