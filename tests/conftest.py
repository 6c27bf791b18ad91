"""Fixtures of the whole suite: the database with its guards, real servers, a real browser. No skip passes unseen."""

import os
from collections.abc import Callable, Generator, Iterator, Mapping
from pathlib import Path
from typing import Protocol

import pytest
import redis
from django.apps import apps
from django.core import serializers
from django.db import transaction
from django.test import TransactionTestCase
from playwright.sync_api import Browser, Page
from pytest_django import DjangoDbBlocker, Settings

from . import guards
from .browser import Browsing, Watch, chromium
from .servers import Process, Server, gunicorn_server, python_process, redis_server, wait_until

# The synchronous Playwright keeps an event loop in this thread, which Django would take for asynchronous code.
os.environ.setdefault("DJANGO_ALLOW_ASYNC_UNSAFE", "true")
NO_SKIP = bool(os.environ.get("TEST_NO_SKIP"))
ONLY_EMBEDDED = bool(os.environ.get("TEST_ONLY_EMBEDDED"))


class StartGunicorn(Protocol):
    """Starts a gunicorn on the test's database and returns it once it answers."""

    def __call__(
        self,
        *,
        workers: int = 2,
        threads: int = 1,
        env: Mapping[str, str] | None = None,
        application: str = "config.wsgi",
    ) -> Server: ...


class StartCommand(Protocol):
    """Starts a Python command of the project on the test's database: `start("manage.py", "run_jobs")`."""

    def __call__(self, *arguments: str, env: Mapping[str, str] | None = None) -> Process: ...


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Keep tests with real servers one after another: they measure, and the machine is small. On SQLite, keep few."""
    if ONLY_EMBEDDED:
        others = [item for item in items if not item.get_closest_marker("embedded")]
        config.hook.pytest_deselected(items=others)
        items[:] = [item for item in items if item.get_closest_marker("embedded")]
    for item in items:
        for marker in ("e2e", "services"):
            if item.get_closest_marker(marker):
                item.add_marker(pytest.mark.xdist_group(marker))
                break


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(
    item: pytest.Item, call: pytest.CallInfo[None]
) -> Generator[None, pytest.TestReport, pytest.TestReport]:
    """Turn a skipped or expected failure into a failure when skips are forbidden."""
    report = yield
    if NO_SKIP and report.skipped:
        report.outcome = "failed"
        report.longrepr = f"skipped, which fails here: {report.longrepr}"
    return report


@pytest.hookimpl(wrapper=True)
def pytest_make_collect_report(
    collector: pytest.Collector,
) -> Generator[None, pytest.CollectReport, pytest.CollectReport]:
    """Do the same for a whole module."""
    report = yield
    if NO_SKIP and report.skipped:
        report.outcome = "failed"
        report.longrepr = f"skipped, which fails here: {report.longrepr}"
    return report


@pytest.fixture(autouse=True)
def data_dir(tmp_path: Path, settings: Settings) -> Path:
    """Give each test an empty data directory (files of jobs, backups)."""
    settings.DATA_DIR = tmp_path / "var"
    settings.DATA_DIR.mkdir()
    return tmp_path / "var"


@pytest.fixture(scope="session", autouse=True)
def _emptying_lifts_guards(request: pytest.FixtureRequest) -> Iterator[None]:
    """Let a transactional test's end empty append-only tables, then put back what the migrations had written."""
    empty = TransactionTestCase._fixture_teardown  # type: ignore[attr-defined]  # not public, not typed

    prepare = TransactionTestCase.__dict__["_fixture_setup"].__func__

    def prepared(case: type[TransactionTestCase]) -> None:
        request.getfixturevalue("migrated_rows")  # read before the first such test writes anything
        prepare(case)

    def emptied(case: TransactionTestCase) -> None:
        seeds = request.getfixturevalue("migrated_rows")
        with guards.lifted():
            empty(case)
        with transaction.atomic():
            for row in serializers.deserialize("json", seeds):
                row.save()

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(TransactionTestCase, "_fixture_setup", classmethod(prepared))
        patch.setattr(TransactionTestCase, "_fixture_teardown", emptied)
        yield


@pytest.fixture(scope="session")
def migrated_rows(django_db_setup: None, django_db_blocker: DjangoDbBlocker) -> str:
    """Return the rows the migrations wrote in the project's own tables, as JSON."""
    with django_db_blocker.unblock():
        rows = [
            row
            for label in ("jobs", "players", "tournaments")
            for model in apps.get_app_config(label).get_models()
            for row in model._base_manager.order_by("pk")
        ]
        return str(serializers.serialize("json", rows))


@pytest.fixture
def gunicorn(transactional_db: None, tmp_path: Path) -> Iterator[StartGunicorn]:
    """Start real servers on this test's database; all are stopped at the end."""
    started: list[Server] = []

    def start(
        *,
        workers: int = 2,
        threads: int = 1,
        env: Mapping[str, str] | None = None,
        application: str = "config.wsgi",
    ) -> Server:
        log = tmp_path / f"gunicorn-{len(started)}.log"
        server = gunicorn_server(log, workers=workers, threads=threads, env=env, application=application)
        started.append(server)
        server.start()
        return server

    yield start
    for server in started:
        server.stop()


@pytest.fixture
def start_command(transactional_db: None, tmp_path: Path) -> Iterator[StartCommand]:
    """Start Python commands of the project beside the test; all are stopped at the end."""
    started: list[Process] = []

    def start(*arguments: str, env: Mapping[str, str] | None = None) -> Process:
        process = python_process(list(arguments), tmp_path / f"command-{len(started)}.log", env)
        started.append(process)
        process.start()
        return process

    yield start
    for process in started:
        if process.popen is not None:
            process.stop()


@pytest.fixture(scope="session")
def redis_base_url(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """Return the address of a Redis without its database number; starts one where the suite was given none."""
    given = os.environ.get("TEST_REDIS_URL")
    if given:
        yield given
        return
    server = redis_server(tmp_path_factory.mktemp("redis"))
    Process.start(server)
    wait_until(lambda: "Ready to accept connections" in server.log(), 10, "Redis ready")
    yield f"redis://127.0.0.1:{server.port}"
    server.stop()


@pytest.fixture
def redis_url(redis_base_url: str) -> str:
    """Return the address of an empty Redis database of this test process's own."""
    worker = os.environ.get("PYTEST_XDIST_WORKER", "gw0").removeprefix("gw")
    url = f"{redis_base_url}/{int(worker) + 1}"
    with redis.Redis.from_url(url) as client:
        client.flushdb()
    return url


@pytest.fixture
def celery_worker(start_command: StartCommand, redis_url: str) -> Callable[[], Process]:
    """Return a function that starts a real Celery worker on this test's database and Redis."""

    def start() -> Process:
        worker = start_command(
            *["-m", "celery", "-A", "config.celery", "worker", "--concurrency", "1", "--loglevel", "INFO"],
            *["--without-gossip", "--without-mingle"],
            env={"REDIS_URL": redis_url},
        )
        wait_until(lambda: " ready." in worker.log() or not worker.runs, 30, "the worker ready")
        assert worker.runs, worker.log()
        return worker

    return start


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    """Run one Chromium for the session."""
    with chromium() as running:
        yield running


@pytest.fixture
def watch() -> Watch:
    """Return the notes of what pages do wrong; `watch.expect("status of 409")` allows what a test provokes."""
    return Watch()


@pytest.fixture
def browsing(browser: Browser, watch: Watch) -> Iterator[Browsing]:
    """Open pages for several persons; the end asserts a clean console, no failed request, no foreign host."""
    open_pages = Browsing(browser, watch)
    yield open_pages
    open_pages.close()
    assert watch.unexpected() == []


@pytest.fixture
def site(gunicorn: StartGunicorn) -> Server:
    """Return a running server with two workers on this test's database."""
    return gunicorn()


@pytest.fixture
def page(site: Server, browsing: Browsing) -> Page:
    """Open a page on a desktop, its relative addresses on `site`."""
    return browsing.page(base_url=site.url)


@pytest.fixture
def phone(site: Server, browsing: Browsing) -> Page:
    """Open a page on a phone 390 pixels wide."""
    return browsing.page(base_url=site.url, width=390, height=844)
