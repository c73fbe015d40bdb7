"""What a bake did and how its texts stand, as files for people and for CI."""

from pipeline.report.html import write_report
from pipeline.report.junit import junit_failure, junit_summary
from pipeline.report.lines import LineOutcome, zone_outcomes
from pipeline.report.markdown import markdown_failure, markdown_summary

__all__ = [
    "LineOutcome",
    "junit_failure",
    "junit_summary",
    "markdown_failure",
    "markdown_summary",
    "write_report",
    "zone_outcomes",
]
