"""What tells one state of a zone's files from another. Reads bytes, parses nothing."""

from __future__ import annotations

import hashlib
from pathlib import Path

from pipeline.project import Project
from pipeline.review.form import HASH_LENGTH
from pipeline.review.log import log_path
from pipeline.review.queue import queue_path, read_queue


def queue_digest(project: Project, zone_id: str) -> str:
    """Of a zone's queue: 12 hexadecimal digits. Raises as `read_queue` when there is none."""
    path = queue_path(project, zone_id)
    if not path.is_file():
        read_queue(project, zone_id)
    return hashlib.sha256(path.read_bytes()).hexdigest()[:HASH_LENGTH]


def files_digest(project: Project, zone_id: str) -> str:
    """Of all that people edit of a zone, and of its queue: sha256 over what is authored, the verdict log, the queue.

    A file that is not there counts too. Files that a bake makes of others (build/) do not.
    """
    authored = sorted(path for path in (project.zones / zone_id).rglob("*") if path.is_file())
    digest = hashlib.sha256()
    for path in (*authored, log_path(project, zone_id), queue_path(project, zone_id)):
        digest.update(f"{project.shown(path)}\0{_content_hash(path)}\0".encode())
    return digest.hexdigest()


def _content_hash(path: Path) -> str:
    try:
        return hashlib.sha256(path.read_bytes()).hexdigest()
    except FileNotFoundError:
        return ""
