"""A bake as JUnit XML, which CI systems show: a suite per zone, a case per line."""

from __future__ import annotations

import xml.etree.ElementTree as ET
from collections.abc import Mapping, Sequence

from pipeline.bake import BakeSummary, ZoneSummary
from pipeline.errors import UserError
from pipeline.escaping import xml_text
from pipeline.report.lines import LineOutcome

_NAME = "voicebake"


def junit_summary(summary: BakeSummary, outcomes: Mapping[str, Sequence[LineOutcome]]) -> str:
    """The XML of a bake that ended.

    A line fails when no variant of it has a text, so that the game shows the base text alone: something to look at, not
    what fails the bake (see the exit codes). Lines that a stopped bake did not finish are one skipped case per zone.
    """
    suites = [_suite(zone, outcomes.get(zone.status.zone, ())) for zone in summary.zones]
    return _document(suites)


def junit_failure(error: UserError) -> str:
    """The XML of a bake that was refused: one case with the error."""
    suite = ET.Element("testsuite", name="bake", time="0.000")
    case = ET.SubElement(suite, "testcase", classname=_NAME, name="bake")
    message = xml_text(error.message)
    told = ET.SubElement(case, "error", message=message.partition("\n")[0], type=type(error).__name__)
    told.text = xml_text(str(error))
    return _document([suite])


def _suite(zone: ZoneSummary, lines: Sequence[LineOutcome]) -> ET.Element:
    status = zone.status
    suite = ET.Element("testsuite", name=status.zone, time=f"{zone.tally.seconds:.3f}")
    properties = ET.SubElement(suite, "properties")
    facts = {
        "lines": status.lines,
        "variants": status.variants,
        "voiced": status.voiced,
        "fallback_neutral": status.fallback_neutral,
        "fallback_base": status.fallback_base,
        "pending": status.pending,
        "lines_generated": zone.tally.lines,
        "candidates_generated": zone.tally.candidates,
        "unchanged": zone.unchanged,
        "stopped": zone.stopped,
        "left": zone.left,
    }
    for name, value in facts.items():
        ET.SubElement(properties, "property", name=name, value=str(value).lower())
    for line in lines:
        _case(suite, status.zone, line)
    if zone.stopped:
        case = ET.SubElement(suite, "testcase", classname=status.zone, name="lines that are left")
        ET.SubElement(case, "skipped", message=f"stopped; {zone.left} lines are left")
    return suite


def _case(suite: ET.Element, zone_id: str, line: LineOutcome) -> None:
    case = ET.SubElement(suite, "testcase", classname=f"{zone_id}.{line.npc_id}", name=xml_text(line.line_id))
    if not line.missing:
        return
    said = [f"{one.tell_state}: {finding.rule}: {finding.message}" for one in line.missing for finding in one.findings]
    if line.all_base:
        failure = ET.SubElement(
            case, "failure", message="no variant has a text: base text everywhere", type="base-text"
        )
        failure.text = xml_text("\n".join(said))
        return
    states = ", ".join(one.tell_state for one in line.missing)
    answer = "the Neutral text" if line.fallback_neutral else "the base text"
    ET.SubElement(case, "system-out").text = xml_text("\n".join([f"{states}: answered by {answer}", *said]))


def _document(suites: Sequence[ET.Element]) -> str:
    root = ET.Element("testsuites", name=_NAME)
    totals = dict.fromkeys(("tests", "failures", "errors", "skipped"), 0)
    for suite in suites:
        counts = {
            "tests": len(suite.findall("testcase")),
            "failures": len(suite.findall("testcase/failure")),
            "errors": len(suite.findall("testcase/error")),
            "skipped": len(suite.findall("testcase/skipped")),
        }
        for name, count in counts.items():
            suite.set(name, str(count))
            totals[name] += count
        root.append(suite)
    for name, count in totals.items():
        root.set(name, str(count))
    ET.indent(root)
    return '<?xml version="1.0" encoding="UTF-8"?>\n' + ET.tostring(root, encoding="unicode") + "\n"
