"""Waking a worker: a queue, where there is one, is told a job's number and nothing else.

Without a queue `manage.py run_jobs` finds the row within a second, so nothing needs to be told.
"""

from collections.abc import Callable

_senders: list[Callable[[int], None]] = []


def send_with(sender: Callable[[int], None]) -> None:
    """Tell every new job's number to this function, in place of any named before."""
    _senders[:] = [sender]


def wake(job_id: int) -> None:
    """Tell a worker that a job waits. Never fails: the row is the truth and a sweeper finds it."""
    for sender in _senders:
        sender(job_id)
