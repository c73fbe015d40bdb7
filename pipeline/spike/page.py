"""The report as one HTML page that needs nothing else. Content is untrusted: everything is escaped."""

from __future__ import annotations

from pathlib import Path

from jinja2 import Environment, FileSystemLoader, StrictUndefined

from pipeline.project import Project
from pipeline.replacing import replacing
from pipeline.spike.comparison import ablation_table, figures
from pipeline.spike.decision import SOFT_NEEDED
from pipeline.spike.judging import Report
from pipeline.spike.measure import Measure
from pipeline.spike.voicing import spike_folder

_TEMPLATE = "page.html.j2"


def write_page(project: Project, report: Report, path: Path | None = None) -> Path:
    """Writes the page to `path`, else to `build/spike/report.html`."""
    target = path or spike_folder(project) / "report.html"
    with replacing(target) as fresh:
        fresh.write_text(page(report), encoding="utf-8")
    return target


def page(report: Report) -> str:
    """The page's text."""
    environment = Environment(
        loader=FileSystemLoader(Path(__file__).parent),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.filters["figure"] = figure
    environment.filters["mark"] = mark
    environment.filters["bar"] = bar
    return environment.get_template(_TEMPLATE).render(
        report=report, ablation=ablation_table, figures=figures, soft_needed=SOFT_NEEDED, two=len(report.judged) > 1
    )


def figure(measure: Measure) -> str:
    """A value with what it is of, for people."""
    if measure.value is None:
        return "not known"
    if measure.bar == 0:
        return f"{measure.value:.0f} of {measure.cases}"
    spread = f" ({measure.interval[0]:.2f} to {measure.interval[1]:.2f})" if measure.interval else ""
    return f"{measure.value:.2f}{spread}, n = {measure.cases}"


def bar(measure: Measure) -> str:
    """The bar, for people."""
    if measure.bar is None:
        return "none"
    return f"{'at most' if measure.at_most else 'at least'} {measure.bar:g}"


def mark(met: bool | None) -> str:
    """Met or not, for people."""
    return {True: "met", False: "not met", None: "open"}[met]
