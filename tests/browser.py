"""A real Chromium for tests, and a watch that notes whatever a page does wrong."""

import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from urllib.parse import urlsplit

from playwright.sync_api import Browser, BrowserContext, ConsoleMessage, Page, Request, expect, sync_playwright

PATIENCE = 20_000  # milliseconds a page may take to show something: the suite keeps both cores of a small machine busy
FLAGS = (
    "--no-sandbox",  # the suite may run as root
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--disable-dev-shm-usage",
)
OWN_HOSTS = {"127.0.0.1", "localhost"}


@contextmanager
def chromium() -> Iterator[Browser]:
    """Run the distribution's Chromium."""
    program = shutil.which("chromium")
    assert program, "chromium is missing: bin/test installs it"
    expect.set_options(timeout=PATIENCE)
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=program, args=list(FLAGS))
        yield browser
        browser.close()


@dataclass
class Watch:
    """Notes console errors, failed requests and requests to another host; a test names those it provokes."""

    problems: list[str] = field(default_factory=list)
    expected: list[str] = field(default_factory=list)

    def expect(self, part: str) -> None:
        """Allow problems whose text holds `part`, such as "status of 409"."""
        self.expected.append(part)

    def unexpected(self) -> list[str]:
        """Return the problems no test asked for."""
        return [problem for problem in self.problems if not any(part in problem for part in self.expected)]

    def follow(self, context: BrowserContext) -> None:
        """Watch every page of a context."""
        context.on("console", self._console)
        context.on("weberror", lambda error: self.problems.append(f"script error: {error.error}"))
        context.on("request", self._request)
        context.on("requestfailed", self._failed)

    def _console(self, message: ConsoleMessage) -> None:
        if message.type in {"error", "warning"}:
            self.problems.append(f"console {message.type}: {message.text} ({message.page and message.page.url})")

    def _request(self, request: Request) -> None:
        address = urlsplit(request.url)
        if address.scheme in {"http", "https", "ws", "wss"} and address.hostname not in OWN_HOSTS:
            self.problems.append(f"request to another host: {request.url}")

    def _failed(self, request: Request) -> None:
        if request.failure != "net::ERR_ABORTED":  # a page left while it polls
            self.problems.append(f"failed request: {request.method} {request.url} {request.failure}")


@dataclass(slots=True)
class Browsing:
    """Opens pages in contexts of their own (one person each) and closes them all."""

    browser: Browser
    watch: Watch
    contexts: list[BrowserContext] = field(default_factory=list)

    def page(
        self, *, base_url: str = "", width: int = 1280, height: int = 800, dark: bool = False, script: bool = True
    ) -> Page:
        """Open a page for a new person; up to 600 pixels wide it is a phone with touch."""
        context = self.browser.new_context(
            base_url=base_url or None,
            viewport={"width": width, "height": height},
            has_touch=width <= 600,
            color_scheme="dark" if dark else "light",
            locale="fr-FR",
            timezone_id="Europe/Paris",
            java_script_enabled=script,
            accept_downloads=True,
        )
        context.set_default_timeout(PATIENCE)
        self.watch.follow(context)
        self.contexts.append(context)
        return context.new_page()

    def close(self) -> None:
        """Close every context opened here."""
        for context in self.contexts:
            context.close()
