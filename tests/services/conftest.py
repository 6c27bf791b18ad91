"""The two sizes of a proof, what a full one writes down, and the database each belongs to."""

import os
from collections.abc import Callable, Iterator, Mapping
from contextlib import AbstractContextManager, contextmanager
from datetime import UTC, datetime
from pathlib import Path
from typing import Protocol

import pytest
from django.core.management import call_command
from django.db import connection, models

from tests import guards
from tests.conftest import StartGunicorn
from tests.servers import ROOT, Server
from tournaments.models import Donne, Event, IdempotencyKey

HAMPERED = "tests.services.hampered"
IS_FULL = os.environ.get("PROOF_SIZE") == "full"
_ONLY = {
    "test_entry.py": "postgresql",
    "test_closing.py": "postgresql",
    "test_postgresql_killed.py": "postgresql",
    "test_sqlite.py": "sqlite",
}


class Record(Protocol):
    """Writes down the figures of a full proof; a small one leaves no trace."""

    def __call__(self, name: str, figures: str) -> None: ...


class StartHampered(Protocol):
    """Starts a server with some guards off, or with writes that take a while."""

    def __call__(self, *without: str, pause_ms: int = 0, threads: int = 4, waits: Path | None = None) -> Server: ...


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Leave out proofs about the other database."""
    wanted: list[pytest.Item] = []
    left: list[pytest.Item] = []
    here = Path(__file__).parent
    for item in items:
        is_away = item.path.parent == here and _ONLY.get(item.path.name, connection.vendor) != connection.vendor
        (left if is_away else wanted).append(item)
    items[:] = wanted
    if left:
        config.hook.pytest_deselected(items=left)


@pytest.fixture
def record() -> Record:
    """Return what appends a dated line to docs/proofs.md, with the load and the number of cores."""

    def write(name: str, figures: str) -> None:
        if not IS_FULL:
            return
        database = "PostgreSQL" if connection.vendor == "postgresql" else "SQLite"
        load = "/".join(f"{value:.1f}" for value in os.getloadavg())
        line = f"| {datetime.now(UTC):%Y-%m-%d} | {name} | {database} | {figures} | {load} | {os.cpu_count()} |\n"
        with (ROOT / "docs/proofs.md").open("a", encoding="utf-8") as page:
            page.write(line)

    return write


@pytest.fixture
def hampered(gunicorn: StartGunicorn) -> StartHampered:
    """Return a starter of servers with guards off."""

    def start(*without: str, pause_ms: int = 0, threads: int = 4, waits: Path | None = None) -> Server:
        env = {"TEST_WITHOUT": ",".join(without), "TEST_PAUSE_MS": str(pause_ms), "TEST_WAITS": str(waits or "")}
        return gunicorn(workers=2, threads=threads, env=env, application=HAMPERED)

    return start


@pytest.fixture
def without_constraints(transactional_db: None) -> Callable[[], AbstractContextManager[None]]:
    """Return a block without what makes a donne, a key and a line of the journal unique; it ends on empty tables."""
    dropped: Mapping[type[models.Model], tuple[str, ...]] = {
        Donne: ("tournaments_donne_version_once_per_number", "tournaments_donne_one_current_per_number"),
        IdempotencyKey: ("tournaments_key_once_per_actor",),
        Event: ("tournaments_event_seq_once_per_table",),
    }

    @contextmanager
    def block() -> Iterator[None]:
        found = [
            (model, constraint)
            for model, names in dropped.items()
            for constraint in model._meta.constraints
            if constraint.name in names
        ]
        with connection.schema_editor() as editor:
            for model, constraint in found:
                editor.remove_constraint(model, constraint)
        try:
            yield
        finally:
            with guards.lifted():
                call_command("flush", interactive=False, verbosity=0, inhibit_post_migrate=True)
            with connection.schema_editor() as editor:
                for model, constraint in found:
                    editor.add_constraint(model, constraint)

    return block
