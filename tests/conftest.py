"""Fixtures that tests of several rooms share."""

from tests.project_fixture import project

__all__ = ["project"]
