"""A fair lock in a file beside the database: waiters of all threads and processes get it nearly in the order they came.

SQLite's own waiting sleeps and tries again, so an unlucky writer can wait a second while others overtake it. The kernel
keeps a queue for `flock`. It has no time limit of its own, so a wait that is not served at once happens in a thread,
which the waiter leaves behind (and which lets go at once) when time is up.
"""

import fcntl
import os
import threading

WAIT_SECONDS = 5.0


class LockTimeoutError(Exception):
    """The lock was not had in time."""


class FairLock:
    """One hold of the lock: a new object each time, as each hold has a file description of its own."""

    def __init__(self, path: str) -> None:
        self._descriptor = os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
        self._guard = threading.Lock()
        self._abandoned = False

    def acquire(self, seconds: float) -> None:
        """Wait for the lock.

        Raises:
            LockTimeoutError: it was not free within `seconds`; this object is then used up.
        """
        try:
            fcntl.flock(self._descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            self._queue(seconds)

    def release(self) -> None:
        """Let go, even if a forked child still holds a copy of the descriptor."""
        fcntl.flock(self._descriptor, fcntl.LOCK_UN)
        os.close(self._descriptor)

    def _queue(self, seconds: float) -> None:
        served = threading.Event()
        threading.Thread(target=self._wait, args=(served,), daemon=True).start()
        if served.wait(seconds):
            return
        with self._guard:
            if served.is_set():
                return
            self._abandoned = True
        raise LockTimeoutError

    def _wait(self, served: threading.Event) -> None:
        fcntl.flock(self._descriptor, fcntl.LOCK_EX)
        with self._guard:
            if not self._abandoned:
                served.set()
                return
        self.release()
