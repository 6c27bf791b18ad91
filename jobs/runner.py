"""The loop behind `manage.py run_jobs`: look for a job every second, do each in a child process of low priority.

A child of its own gives its memory back after each job, may be stopped when it takes too long, and takes nothing
down with it when it dies: its job goes silent and is taken over.
"""

import logging
import os
import signal
import time
from dataclasses import dataclass, field
from datetime import timedelta
from types import FrameType

from django.db import DatabaseError, InterfaceError, connections

from . import running

POLL_SECONDS = 1.0
GRACE_SECONDS = 8.0
NICENESS = 10

logger = logging.getLogger(__name__)


@dataclass(slots=True, kw_only=True)
class Runner:
    """One run of the loop."""

    after: timedelta = timedelta(0)
    with_parent: bool = False
    is_stopping: bool = False
    parent: int = field(default_factory=os.getppid)

    def run(self) -> None:
        """Work until SIGTERM or SIGINT, or until the parent is gone when it was started `with_parent`."""
        for number in (signal.SIGTERM, signal.SIGINT):
            signal.signal(number, self._stop)
        while not self._must_stop():
            job_id = self._look()
            if job_id is None:
                time.sleep(POLL_SECONDS)
            else:
                self._do(job_id)

    def _stop(self, number: int, frame: FrameType | None) -> None:
        self.is_stopping = True

    def _must_stop(self) -> bool:
        return self.is_stopping or (self.with_parent and os.getppid() != self.parent)

    def _look(self) -> int | None:
        try:
            return running.next_job(after=self.after)
        except (DatabaseError, InterfaceError):
            logger.warning("the database is away; looking again", exc_info=True)
            connections.close_all()
            return None

    def _do(self, job_id: int) -> None:
        connections.close_all()  # a connection must not live in two processes
        child = os.fork()
        if child == 0:
            _be_the_child(job_id)
        self._wait_for(child, job_id)

    def _wait_for(self, child: int, job_id: int) -> None:
        deadline = time.monotonic() + running.LONGEST_SECONDS
        is_told = is_killed = False
        while not is_killed and os.waitpid(child, os.WNOHANG) == (0, 0):
            if self._must_stop() and not is_told:
                os.kill(child, signal.SIGTERM)
                deadline, is_told = time.monotonic() + GRACE_SECONDS, True
            if time.monotonic() > deadline:
                os.kill(child, signal.SIGKILL)
                os.waitpid(child, 0)
                is_killed = True
            time.sleep(0.05)
        if is_told:
            running.put_back(job_id)
        elif is_killed:
            running.fail_too_long(job_id)


def _be_the_child(job_id: int) -> None:
    """Do one job and end this process; asked to stop, put the job back in line first."""
    code = 1
    try:
        signal.signal(signal.SIGTERM, _give_up)
        signal.signal(signal.SIGINT, _give_up)
        os.nice(NICENESS)
        running.run_job(job_id)
        code = 0
    except SystemExit:
        code = 0
    except Exception:
        logger.exception("the process of job %d failed", job_id)
    finally:
        connections.close_all()
        logging.shutdown()
        os._exit(code)


def _give_up(number: int, frame: FrameType | None) -> None:
    raise SystemExit(0)
