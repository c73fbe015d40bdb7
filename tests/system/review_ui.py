"""What a reviewer does in the Dagster UI, as methods."""

from __future__ import annotations

import os
import re
import shutil
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from playwright.sync_api import Locator, Page

FLAGS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]
WAIT_MS = 180_000
"""For anything on a slow machine: a run takes seconds, a page of the UI too."""

_LOOK_AGAIN_MS = 20_000


@contextmanager
def browser_page(profile: Path) -> Iterator[Page]:
    """A page of Debian's Chromium, headless, with a profile of its own in `profile`."""
    from playwright.sync_api import sync_playwright

    program = shutil.which("chromium")
    assert program, "chromium is not installed; `make test-system` installs it"
    with sync_playwright() as driver:
        context = driver.chromium.launch_persistent_context(
            profile, executable_path=program, headless=True, args=FLAGS, viewport={"width": 1280, "height": 760}
        )
        context.set_default_timeout(WAIT_MS)
        try:
            yield context.new_page()
        finally:
            context.close()


class ReviewUi:
    """The Dagster UI at `address`, seen by a reviewer of one zone."""

    def __init__(self, page: Page, address: str, zone_id: str) -> None:
        self.page = page
        self._address = address
        self._zone_id = zone_id

    def open_queue(self) -> None:
        """Catalog, `review_queue`, Partitions, the zone: where a reviewer begins."""
        from playwright.sync_api import TimeoutError

        deadline = time.monotonic() + WAIT_MS / 1000
        while True:
            self.page.goto(f"{self._address}/assets/review_queue?partition={self._zone_id}&view=partitions")
            try:
                return self._markdown("start here").wait_for(timeout=_LOOK_AGAIN_MS)
            except TimeoutError:  # the page does not refresh itself when the sensor's run is through
                if time.monotonic() > deadline:
                    raise

    def show(self, title: str) -> Locator:
        """Opens a page of cards by its title, as shown last on the page; gives the open dialog's content."""
        self._markdown(title).click()
        dialog = self.page.get_by_role("dialog")
        dialog.get_by_role("link").first.wait_for()
        return dialog

    def _markdown(self, title: str) -> Locator:
        row = self.page.locator("tr").filter(has=self.page.get_by_text(title, exact=True))
        return row.get_by_text("Show Markdown").last

    def follow(self, link: Locator) -> None:
        """Clicks a link of a card and waits for the launchpad, filled in and without errors."""
        link.click()
        self.page.wait_for_url("**/playground**")
        self.page.get_by_text("No errors").wait_for()

    def config(self) -> str:
        """The text in the launchpad's editor, line by line as shown."""
        lines = self.page.locator(".CodeMirror-line").all_inner_texts()
        return "\n".join(line.replace("\u200b", "").rstrip() for line in lines)

    def write_over_last_line(self, text: str) -> None:
        """Replaces the last line of the config with `text`, as one who types it there."""
        self.page.locator(".CodeMirror-line").last.click()
        keyboard = self.page.keyboard
        for key in ("Control+End", "ArrowUp", "End", "Shift+Home"):
            keyboard.press(key)
        keyboard.insert_text(text)
        self.page.get_by_text("No errors").wait_for()

    def change_first_word(self, line: str, old: str, new: str) -> None:
        """Replaces the word `old`, which ends the first line of the config that holds `line`, with `new`."""
        self.page.locator(".CodeMirror-line").filter(has_text=f"{line} {old}").first.click()
        keyboard = self.page.keyboard
        keyboard.press("End")
        for _ in old:
            keyboard.press("Backspace")
        keyboard.insert_text(new)
        keyboard.press("Escape")  # the editor offers other words
        self.page.get_by_text("No errors").wait_for()

    def launch(self) -> None:
        """Launches the run and waits for its end, which must be a success."""
        self.page.get_by_role("button", name="Launch Run").click()
        self.page.wait_for_url(re.compile(r"/runs/[0-9a-f-]{36}"))
        ended = self.page.get_by_text(re.compile("^(Success|Failure)$")).first
        ended.wait_for()
        assert ended.inner_text() == "Success", self.page.locator("body").inner_text()[-3000:]

    def picture(self, name: str) -> None:
        """Keeps a screenshot when $VOICEBAKE_SCREENSHOTS names a folder for them."""
        if folder := os.environ.get("VOICEBAKE_SCREENSHOTS"):
            self.page.screenshot(path=Path(folder) / f"review-{name}.png")
