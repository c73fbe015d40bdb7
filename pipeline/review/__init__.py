"""What people decide on: the queue, the policy that fills it, and what a verdict is bound to."""

from pipeline.review.binding import Binding, base_hash, bind, voiced_hash
from pipeline.review.policy import Variant, pending, zone_policy
from pipeline.review.queue import (
    QueueCandidate,
    QueueLine,
    QueueVariant,
    deniability_question,
    queue_path,
    write_queue,
)

__all__ = [
    "Binding",
    "QueueCandidate",
    "QueueLine",
    "QueueVariant",
    "Variant",
    "base_hash",
    "bind",
    "deniability_question",
    "pending",
    "queue_path",
    "voiced_hash",
    "write_queue",
    "zone_policy",
]
