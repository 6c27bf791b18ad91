"""The site with guards off (TEST_WITHOUT), slow writes (TEST_PAUSE_MS) or waits noted (TEST_WAITS): for proofs only.

The product knows nothing of this module. Gunicorn is given it in place of `config.wsgi`.
"""

import os
import time
from collections.abc import Callable, Mapping
from types import SimpleNamespace
from typing import Any

from django.db import models, transaction
from django.db.backends.base.base import BaseDatabaseWrapper
from django.db.backends.signals import connection_created

from config.sqlite.base import WRITES, DatabaseWrapper
from config.wsgi import application
from tournaments.services import donnes

__all__ = ["application"]


def _replace(owner: object, name: str, stand_in: object) -> None:
    """Put something else in the place of what is there; a name that is not there is a mistake of this module."""
    assert hasattr(owner, name), name
    setattr(owner, name, stand_in)


def _without_row_locks() -> None:
    """Read rows where the product locks them."""
    _replace(models.QuerySet, "select_for_update", lambda rows, **_: rows.all())


def _without_fair_lock() -> None:
    """Let SQLite's own busy waiting decide whose turn it is."""
    _replace(DatabaseWrapper, "_take_lock", lambda _: None)


def _without_keys() -> None:
    """Forget which request was answered."""
    _replace(donnes, "stored_answer", lambda **_: None)
    _replace(donnes, "keep_answer", lambda **_: None)


def _without_stale() -> None:
    """Tell nobody that a standing is outdated."""
    _replace(donnes, "Stale", SimpleNamespace(objects=SimpleNamespace(create=lambda **_: None)))


def _without_transactions() -> None:
    """Write each row as it comes."""
    _without_row_locks()
    _replace(transaction.Atomic, "__enter__", lambda _: None)
    _replace(transaction.Atomic, "__exit__", lambda *_: None)


_WITHOUT: Mapping[str, Callable[[], None]] = {
    "row locks": _without_row_locks,
    "fair lock": _without_fair_lock,
    "keys": _without_keys,
    "stale": _without_stale,
    "transactions": _without_transactions,
}


def _pausing(seconds: float) -> Callable[..., Any]:
    def pause(execute: Callable[..., Any], sql: str, *rest: Any) -> Any:
        if sql.lstrip()[:7].upper().startswith(WRITES):
            time.sleep(seconds)
        return execute(sql, *rest)

    return pause


def _tell_waits(path: str) -> None:
    """Write down when each transaction asked for its beginning and when it had it, in seconds of the same clock."""
    begin = DatabaseWrapper._start_transaction_under_autocommit

    def timed(connection: DatabaseWrapper) -> None:
        started = time.monotonic()
        begin(connection)
        with open(path, "a", encoding="ascii") as file:
            file.write(f"{started:.6f} {time.monotonic():.6f}\n")

    _replace(DatabaseWrapper, "_start_transaction_under_autocommit", timed)


def _hamper() -> None:
    if os.environ.get("TEST_WAITS"):
        _tell_waits(os.environ["TEST_WAITS"])
    for name in filter(None, os.environ.get("TEST_WITHOUT", "").split(",")):
        _WITHOUT[name]()
    seconds = int(os.environ.get("TEST_PAUSE_MS", "0")) / 1000
    if seconds:
        pause = _pausing(seconds)

        def add(connection: BaseDatabaseWrapper, **_: Any) -> None:
            connection.execute_wrappers.append(pause)

        connection_created.connect(add, weak=False)


_hamper()
