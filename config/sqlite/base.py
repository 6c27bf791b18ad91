"""SQLite with a fair write lock: a file lock taken before BEGIN IMMEDIATE, so that writers wait in turn."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

from django.db.backends.sqlite3 import base
from django.db.utils import OperationalError

from .lock import WAIT_SECONDS, FairLock, LockTimeoutError

WRITES = ("INSERT", "UPDATE", "DELETE", "REPLACE")


class DatabaseWrapper(base.DatabaseWrapper):
    """Django's SQLite connection; whoever writes holds `<database file>.lock` from before BEGIN to after COMMIT.

    That is the outermost atomic block, or a single statement outside any. A database in memory has no lock. A wait of
    more than five seconds ends like SQLite's own: OperationalError, "database is locked".
    """

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self._lock: FairLock | None = None
        self.execute_wrappers.append(self._in_turn)

    def _start_transaction_under_autocommit(self) -> None:
        self._take_lock()
        try:
            super()._start_transaction_under_autocommit()  # type: ignore[misc]  # private, absent from the stubs
        except BaseException:
            self._drop_lock()
            raise

    def _commit(self) -> None:
        super()._commit()  # type: ignore[misc]  # same
        self._drop_lock()

    def _rollback(self) -> None:
        super()._rollback()  # type: ignore[misc]  # same
        self._drop_lock()

    def _close(self) -> None:
        try:
            super()._close()  # type: ignore[misc]  # same
        finally:
            self._drop_lock()

    def _in_turn(self, execute: Callable[..., Any], sql: str, *rest: Any) -> Any:
        if self._lock is None and not self.in_atomic_block and sql.lstrip()[:7].upper().startswith(WRITES):
            with self._held():
                return execute(sql, *rest)
        return execute(sql, *rest)

    @contextmanager
    def _held(self) -> Iterator[None]:
        self._take_lock()
        try:
            yield
        finally:
            self._drop_lock()

    def _take_lock(self) -> None:
        path = self._file()
        if not path:
            return
        lock = FairLock(f"{path}.lock")
        try:
            lock.acquire(WAIT_SECONDS)
        except LockTimeoutError:
            raise OperationalError("database is locked") from None
        self._lock = lock

    def _drop_lock(self) -> None:
        lock, self._lock = self._lock, None
        if lock is not None:
            lock.release()

    def _file(self) -> str:
        """Return the path of the open database, "" when it is in memory (private or shared)."""
        rows: list[tuple[int, str, str]] = self.connection.execute("PRAGMA database_list").fetchall()
        return next(path for _, name, path in rows if name == "main")
