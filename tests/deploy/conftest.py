"""What the tests of `deploy/` share: its scripts are no package, so their folder is put on the path."""

from __future__ import annotations

import sys
from pathlib import Path

DEPLOY = Path(__file__).parents[2] / "deploy"
sys.path.insert(0, str(DEPLOY / "celery"))
