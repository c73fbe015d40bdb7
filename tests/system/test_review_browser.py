"""A reviewer in the Dagster UI, in a real browser: what is clicked ends in the log, and the queue gets shorter."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

import pytest

from pipeline.project import Project
from pipeline.review import log_path, read_queue
from tests.project_fixture import bake_all, bakeable_project, edit
from tests.system.dev_server import dev_server
from tests.system.review_ui import ReviewUi, browser_page

pytestmark = [pytest.mark.browser, pytest.mark.timeout(900)]

ZONE = "test_hub"
HOSTILE_ROLE = "gate [hand](javascript:alert(1)) <img src=x onerror=alert(2)> | `x` *y* https://evil.example/a?b=c"
HOSTILE_BASE = "No pass, no way | *none* <b>at all</b> [see](http://evil.example) `here`."
EDITED = """Eleven crates came in at Dock Nine – "last shift": not a #1 job, it's late."""


@pytest.fixture(scope="module")
def project(tmp_path_factory: pytest.TempPathFactory) -> Project:
    """A project that was baked in a terminal, with content that would like to be markup."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("VOICEBAKE_ENGINE", "fake")
        project = bakeable_project(tmp_path_factory.mktemp("review") / "project")
        tam = project.zones / ZONE / "npcs" / "tam_orley.ron"
        edit(tam, 'role: "gate hand"', f'role: "{HOSTILE_ROLE}"')
        edit(tam, 'base_text: "I cannot let you through without a pass."', f'base_text: "{HOSTILE_BASE}"')
        bake_all(project)
    return project


@pytest.fixture(scope="module")
def ui(project: Project, tmp_path_factory: pytest.TempPathFactory) -> Iterator[ReviewUi]:
    """The UI of that project. Nobody launched anything: the sensor finds the queue and makes its cards."""
    folder = tmp_path_factory.mktemp("dagster")
    with dev_server(project, folder / "home") as address, browser_page(folder / "profile") as page:
        yield ReviewUi(page, address, ZONE)


def _log(project: Project) -> list[dict[str, Any]]:
    path = log_path(project, ZONE)
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()] if path.is_file() else []


def _waiting(project: Project) -> list[tuple[str, str, str]]:
    return [
        (row["npc"]["id"], row["line_id"], variant["tell_state"])
        for row in read_queue(project, ZONE)
        for variant in row["variants"]
        if variant["pending"]
    ]


def test_hostile_content_shows_as_text(project: Project, ui: ReviewUi) -> None:
    # First of all tests here: the others decide on texts that this one wants to see.
    alerts: list[str] = []
    ui.page.on("dialog", lambda dialog: (alerts.append(dialog.message), dialog.dismiss()))
    ui.open_queue()
    cards = ui.show(f"lines 1 to {len(read_queue(project, ZONE))}")
    shown = cards.inner_text().replace("\u2060", "")
    assert HOSTILE_ROLE in shown
    assert HOSTILE_BASE in shown
    assert f"{HOSTILE_BASE} Same as ever." in shown, "a voiced text too"
    assert cards.locator("img, script, b").count() == 0
    targets = {link.get_attribute("href") or "" for link in cards.get_by_role("link").all()}
    assert targets
    assert {target.split("?")[0] for target in targets} == {"/locations/voicebake/jobs/review/playground/setup"}
    assert alerts == []


def test_approving_a_line_shrinks_the_queue_and_grows_the_log(project: Project, ui: ReviewUi) -> None:
    before, log = _waiting(project), _log(project)
    ui.open_queue()
    ui.picture("queue")
    start = ui.show("start here")
    start.get_by_text(f"with {len(before)} texts wait for you").wait_for()
    ui.picture("start")
    ui.open_queue()
    cards = ui.show("lines 1 to 9")
    ui.picture("cards")
    ui.follow(cards.get_by_role("link", name="approve line").first)
    ui.picture("approve")
    ui.launch()

    after = _waiting(project)
    first = [one for one in before if one[:2] == before[0][:2]]
    assert after == before[len(first) :]
    written = _log(project)[len(log) :]
    assert {one["action"] for one in written} == {"approve"}
    assert sorted((one["npc_id"], one["line_id"], one["tell_state"]) for one in written) == sorted(first)
    start = ui.show("start here")
    start.get_by_text(f"with {len(after)} texts wait for you").wait_for()
    ui.picture("after")


def test_an_edit_may_hold_any_mark(project: Project, ui: ReviewUi) -> None:
    log = _log(project)
    ui.open_queue()
    cards = ui.show("lines 1 to 8")
    crates = cards.get_by_role("heading", name="crates")
    edits = crates.locator("xpath=following::a[normalize-space()='edit']")
    ui.follow(edits.first)
    assert "Eleven crates arrived at Dock Nine last shift." in ui.config()
    ui.write_over_last_line(EDITED)
    ui.picture("edit")
    ui.launch()

    [written] = _log(project)[len(log) :]
    assert (written["action"], written["npc_id"], written["line_id"]) == ("edit", "imke_dorr", "crates")
    assert written["voiced"] == EDITED
    assert ("imke_dorr", "crates", written["tell_state"]) not in _waiting(project)


def test_flagged_texts_are_decided_in_one_form(project: Project, ui: ReviewUi) -> None:
    log = _log(project)
    ui.open_queue()
    cards = ui.show("lines 1 to 8")
    link = cards.get_by_role("link", name="flagged texts in one form").first
    count = int(link.inner_text().split()[2])
    assert count > 5
    ui.follow(link)
    ui.change_first_word("- action:", "use", "reject")
    ui.picture("form")
    ui.launch()
    written = _log(project)[len(log) :]
    assert sorted(one["action"] for one in written) == [*["approve"] * (count - 1), "reject"]
