"""kill -9 at random instants of a request that writes: the request runs in a thread, the server dies under it."""

import os
import random
import signal
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

from tests.servers import Process, Server, wait_until

from .visitor import Answer, NoAnswerError

WHOLE = 5  # every fifth kill takes the whole server or runner, the others its children
LATEST = 1.6  # times the usual: a worker that has just started takes longer over its first request


@dataclass(slots=True, kw_only=True)
class Killer:
    """Sends requests and kills their server within the time such a request takes."""

    server: Server
    chance: random.Random = field(default_factory=lambda: random.Random(4))
    usual: float = 0.3  # seconds an undisturbed request took
    kills: int = 0
    cut: int = 0  # kills that came before the answer

    def undisturbed(self, send: Callable[[], Answer]) -> Answer:
        """Send without a kill and note how long it takes."""
        answer = send()
        self.usual = answer.seconds
        return answer

    def killed(self, send: Callable[[], Answer]) -> Answer | None:
        """Send, kill, wait for the server to be back; return the answer if it came before."""
        answers: list[Answer] = []

        def run() -> None:
            try:
                answers.append(send())
            except NoAnswerError:
                self.cut += 1

        thread = threading.Thread(target=run, daemon=True)
        thread.start()
        time.sleep(self.chance.uniform(0, LATEST * self.usual))
        self.kills += 1
        if self.kills % WHOLE:
            for worker in children_of(self.server):
                os.kill(worker, signal.SIGKILL)
        else:
            self.server.kill()
        thread.join()
        if not self.server.runs:
            self.server.start()
        wait_until(self.server.answers, 30, "the server back")
        return answers[0] if answers else None


def children_of(process: Process) -> list[int]:
    """Return the ids of a process's own children: a gunicorn's workers, the job under way of a runner."""
    return [int(pid) for pid in Path(f"/proc/{process.pid}/task/{process.pid}/children").read_text().split()]
