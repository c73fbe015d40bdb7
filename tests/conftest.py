"""Fixtures that tests of several rooms share."""

from tests.project_fixture import baked, project

__all__ = ["baked", "project"]
