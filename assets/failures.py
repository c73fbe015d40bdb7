"""What a user can mend ends a step with its message, not with a traceback of ours."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

import dagster as dg

from pipeline.errors import UserError


@contextmanager
def user_errors_fail_the_step() -> Iterator[None]:
    """Turns a `UserError` into a `dagster.Failure` that is not retried: running again changes nothing."""
    try:
        yield
    except UserError as error:
        raise dg.Failure(description=str(error), allow_retries=False) from None
