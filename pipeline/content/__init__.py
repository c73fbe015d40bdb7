"""What writers author: RON files to checked, frozen models, with every mistake at its place."""

from pipeline.content.files import content_files
from pipeline.content.loading import load_content, load_content_with_sources
from pipeline.content.problems import ContentErrors, Problem
from pipeline.content.sources import Sources

__all__ = ["ContentErrors", "Problem", "Sources", "content_files", "load_content", "load_content_with_sources"]
