"""The fair write lock of the SQLite backend: who waits, in which order, how long, and what frees it."""

import os
import signal
import sqlite3
import threading
import time
from collections.abc import Callable, Iterator
from functools import partial
from itertools import pairwise
from pathlib import Path
from statistics import median

import pytest
from django.db import OperationalError, connections, transaction
from django.db.backends.base.base import BaseDatabaseWrapper
from pytest_django import DjangoDbBlocker

from config.settings import SQLITE
from tests.servers import Process, python_process, wait_until

pytestmark = pytest.mark.embedded

FILE = "fair_lock_file"


@pytest.fixture
def database(tmp_path: Path, django_db_blocker: DjangoDbBlocker) -> Iterator[Path]:
    """Register a SQLite file of its own as a second database, whatever the suite runs on."""
    path = tmp_path / "fair.sqlite3"
    with sqlite3.connect(path) as bare:
        bare.execute("CREATE TABLE line (id INTEGER PRIMARY KEY, who TEXT)")
    bare.close()
    connections.settings[FILE] = {**connections.settings["default"], **SQLITE, "NAME": str(path)}
    with django_db_blocker.unblock():
        yield path
        connections[FILE].close()
    del connections[FILE]
    del connections.settings[FILE]


def _insert(who: str) -> None:
    with connections[FILE].cursor() as cursor:
        cursor.execute("INSERT INTO line (who) VALUES (%s)", [who])


def _lines() -> list[str]:
    with connections[FILE].cursor() as cursor:
        cursor.execute("SELECT who FROM line ORDER BY id")
        return [who for (who,) in cursor.fetchall()]


def _in_thread(work: Callable[[], None]) -> threading.Thread:
    def run() -> None:
        try:
            work()
        finally:
            connections[FILE].close()

    thread = threading.Thread(target=run)
    thread.start()
    return thread


def _write_in_transaction(who: str) -> None:
    with transaction.atomic(using=FILE):
        _insert(who)


def _is_free(path: Path) -> bool:
    """Tell whether a writer in another thread gets the lock at once."""
    started = time.monotonic()
    thread = _in_thread(lambda: _write_in_transaction("probe"))
    thread.join(1)
    free = not thread.is_alive()
    thread.join()
    return free and time.monotonic() - started < 1


def _hold(path: Path, log: Path) -> Process:
    """Start a process that takes the lock, writes and never ends its transaction."""
    script = (
        "import time, django; from django.conf import settings; from config.settings import SQLITE\n"
        f"settings.configure(DATABASES={{'default': SQLITE | {{'NAME': {str(path)!r}}}}}, USE_TZ=True)\n"
        "django.setup()\n"
        "from django.db import connection, transaction\n"
        "with transaction.atomic(), connection.cursor() as cursor:\n"
        "    cursor.execute(\"INSERT INTO line (who) VALUES ('torn')\"); print('held', flush=True); time.sleep(60)\n"
    )
    process = python_process(["-c", script], log)
    process.start()
    wait_until(lambda: "held" in process.log() or not process.runs, 20, "the lock held")
    assert process.runs, process.log()
    return process


def test_a_writer_waits_for_the_end_of_another_and_then_writes(database: Path) -> None:
    with transaction.atomic(using=FILE):
        second = _in_thread(lambda: _write_in_transaction("second"))
        second.join(0.2)
        assert second.is_alive()
        _insert("first")
    second.join()
    assert _lines() == ["first", "second"]


def test_a_single_statement_outside_a_transaction_waits_too(database: Path) -> None:
    with transaction.atomic(using=FILE):
        second = _in_thread(lambda: _insert("second"))
        second.join(0.2)
        assert second.is_alive()
        _insert("first")
    second.join()
    assert _lines() == ["first", "second"]


def test_a_reader_never_waits(database: Path) -> None:
    seen: list[str] = []
    with transaction.atomic(using=FILE):
        _insert("unseen")
        reader = _in_thread(lambda: seen.extend(_lines()))
        reader.join(5)
        assert not reader.is_alive()
    assert seen == []


def test_a_savepoint_keeps_the_lock_of_the_outermost_block(database: Path) -> None:
    with transaction.atomic(using=FILE):
        with transaction.atomic(using=FILE):
            _insert("first")
        second = _in_thread(lambda: _write_in_transaction("second"))
        second.join(0.2)
        assert second.is_alive()
    second.join()
    assert _lines() == ["first", "second"]


def test_an_error_in_the_block_frees_the_lock(database: Path) -> None:
    def torn() -> None:
        with transaction.atomic(using=FILE):
            _insert("torn")
            raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        torn()
    assert _is_free(database)
    assert _lines() == ["probe"]


def test_an_error_in_a_single_statement_frees_the_lock(database: Path) -> None:
    with pytest.raises(OperationalError), connections[FILE].cursor() as cursor:
        cursor.execute("INSERT INTO nowhere (who) VALUES (1)")
    assert _is_free(database)


def test_closing_the_connection_inside_a_block_frees_the_lock(database: Path) -> None:
    with transaction.atomic(using=FILE):
        _insert("torn")
        connections[FILE].close()
        assert _is_free(database)
    assert _lines() == ["probe"]


def test_a_begin_that_fails_frees_the_lock(database: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    connections[FILE].ensure_connection()
    monkeypatch.setattr(connections[FILE], "transaction_mode", "NONSENSE")
    with pytest.raises(OperationalError), transaction.atomic(using=FILE):
        pass
    assert _is_free(database)


def test_a_wait_without_end_is_refused_and_leaves_nothing_locked(
    database: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("config.sqlite.base.WAIT_SECONDS", 0.1)
    refusals: list[str] = []

    def impatient() -> None:
        try:
            _write_in_transaction("late")
        except OperationalError as error:
            refusals.append(str(error))

    with transaction.atomic(using=FILE):
        _in_thread(impatient).join()
    assert refusals == ["database is locked"]
    monkeypatch.setattr("config.sqlite.base.WAIT_SECONDS", 5)
    assert _is_free(database)
    assert _lines() == ["probe"]


def test_a_killed_holder_frees_the_lock_and_leaves_nothing(database: Path, tmp_path: Path) -> None:
    holder = _hold(database, tmp_path / "holder.log")
    waiting = _in_thread(lambda: _write_in_transaction("after the kill"))
    waiting.join(0.2)
    assert waiting.is_alive()
    os.kill(holder.pid, signal.SIGKILL)
    waiting.join(5)
    assert not waiting.is_alive()
    assert _lines() == ["after the kill"]
    holder.kill()


def test_a_database_in_memory_has_no_lock(tmp_path: Path, django_db_blocker: DjangoDbBlocker) -> None:
    connections.settings[FILE] = {**connections.settings["default"], **SQLITE, "NAME": ":memory:"}
    with django_db_blocker.unblock(), transaction.atomic(using=FILE), connections[FILE].cursor() as cursor:
        cursor.execute("CREATE TABLE line (id INTEGER)")
        assert _taken(connections[FILE]) is None
    del connections[FILE]
    del connections.settings[FILE]
    assert not Path(":memory:.lock").exists()


def test_with_the_lock_writers_overtake_each_other_far_less_than_without(
    database: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Eight writers with and without it in turn, in one run, since a busy machine stretches both."""
    fair, unfair = [], []
    for _ in range(3):
        fair.append(_longest_gap_of_eight_writers())
        with monkeypatch.context() as without:
            without.setattr("config.sqlite.base.DatabaseWrapper._take_lock", lambda _connection: None)
            unfair.append(_longest_gap_of_eight_writers())
    assert median(fair) * 3 < median(unfair), (fair, unfair)


def _longest_gap_of_eight_writers() -> int:
    turns: list[int] = []
    end = time.monotonic() + 1.5

    def write(who: int) -> None:
        while time.monotonic() < end:
            with transaction.atomic(using=FILE):
                turns.append(who)
                _insert(str(who))

    threads = [_in_thread(partial(write, who)) for who in range(8)]
    for thread in threads:
        thread.join()
    assert len(turns) >= 50
    return max(_longest_gap([n for n, turn in enumerate(turns) if turn == who]) for who in range(8))


def _longest_gap(positions: list[int]) -> int:
    """Return the most turns between two of one writer; one that had none or a single one waited all the time."""
    return max((later - sooner for sooner, later in pairwise(positions)), default=10**6)


def _taken(connection: BaseDatabaseWrapper) -> object:
    return getattr(connection, "_lock", None)
