"""Child processes that are started again when they die; a fork, since everything is loaded already (a second saved)."""

import ctypes
import logging
import os
import signal
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass

from django.db import connections

PR_SET_PDEATHSIG = 1
LONG_LIFE_SECONDS = 60.0
LONGEST_PAUSE_SECONDS = 10.0

logger = logging.getLogger(__name__)


@dataclass(slots=True, kw_only=True)
class Child:
    """A process doing `work`; each time it dies young its next start waits longer."""

    work: Callable[[], None]
    pid: int = 0
    started_at: float = 0.0
    young_deaths: int = 0

    def start(self) -> None:
        """Start it, in a session of its own so that Ctrl-C reaches only the parent, and ending with the parent."""
        connections.close_all()  # a connection must not live in two processes
        sys.stdout.flush()
        sys.stderr.flush()
        parent = os.getpid()
        self.started_at = time.monotonic()
        self.pid = os.fork()
        if self.pid == 0:
            _be_the_child(self.work, parent)

    def is_running(self) -> bool:
        """Tell whether it lives."""
        if self.pid and os.waitpid(self.pid, os.WNOHANG) != (0, 0):
            self.pid = 0
        return self.pid != 0

    def keep_alive(self) -> None:
        """Start it again when it is dead: at once after a long life, later and later after short ones."""
        if self.is_running():
            return
        lived = time.monotonic() - self.started_at
        if lived < min(LONGEST_PAUSE_SECONDS, self.young_deaths):
            return
        self.young_deaths = 0 if lived > LONG_LIFE_SECONDS else self.young_deaths + 1
        self.start()

    def ask_to_stop(self) -> None:
        """Send SIGTERM."""
        if self.is_running():
            os.kill(self.pid, signal.SIGTERM)

    def wait(self, until: float) -> None:
        """Wait for its end until that moment, then kill it."""
        while self.is_running():
            if time.monotonic() > until:
                os.kill(self.pid, signal.SIGKILL)
            time.sleep(0.02)


def _be_the_child(work: Callable[[], None], parent: int) -> None:
    code = 1
    try:
        for number in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP):
            signal.signal(number, signal.SIG_DFL)
        os.setsid()
        ctypes.CDLL(None).prctl(PR_SET_PDEATHSIG, signal.SIGTERM)
        if os.getppid() == parent:  # it may have died meanwhile
            work()
        code = 0
    except SystemExit as end:
        code = end.code if isinstance(end.code, int) else 1
    except BaseException:
        logger.exception("a child process failed")
    finally:
        logging.shutdown()
        os._exit(code)
