"""Doing a job: claim it, keep its heart beating, run its function, write its file. Safe to run twice or at once.

The row is claimed by a conditional UPDATE that counts the attempt; the attempt's number then guards every later
write, so that somebody whose job was taken over or cancelled can change nothing more.
"""

import logging
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import timedelta
from functools import partial

from django.db import DatabaseError, InterfaceError, connection
from django.db.models import F, Q, QuerySet
from django.db.models.functions import Now

from . import files, labels
from .errors import JobError, LostJobError
from .models import Job, JobState
from .registry import Product, Task, kind_of

BEAT_SECONDS = 2.0
SILENCE = timedelta(seconds=15)
MOST_ATTEMPTS = 3
LONGEST_SECONDS = 600

logger = logging.getLogger(__name__)


def _silent() -> Q:
    return Q(state=JobState.RUNNING, heartbeat_at__lt=Now() - SILENCE)


def next_job(*, after: timedelta = timedelta(0)) -> int | None:
    """Return the oldest job nobody works on: waiting since at least `after`, or held by a worker gone silent."""
    waiting = Q(state=JobState.QUEUED)
    if after:
        waiting &= Q(created_at__lt=Now() - after)
    return Job.objects.filter(waiting | _silent()).order_by("created_at", "pk").values_list("pk", flat=True).first()


def run_job(job_id: int) -> None:
    """Do a job unless somebody else does, did or cancelled it."""
    task = _claim(job_id)
    if task is None:
        return
    kind = Job.objects.values_list("kind", flat=True).get(pk=job_id)
    try:
        with _heart(task):
            task.report(0, 0)
            product = kind_of(kind).work(task)
        _finish(task, kind, product)
    except LostJobError:
        logger.info("job %d was cancelled or taken over", job_id)
    except JobError as error:
        _held(task).update(state=JobState.FAILED, error_code=error.code)
    except (KeyboardInterrupt, SystemExit):
        _held(task).update(state=JobState.QUEUED, attempts=F("attempts") - 1)
        raise
    except Exception:
        logger.exception("job %d (%s) failed, attempt %d", job_id, kind, task.attempt)
        _give_back(task)


def fail_too_long(job_id: int) -> None:
    """Fail a job whose process had to be stopped; its own heart no longer beats."""
    Job.objects.filter(pk=job_id, state=JobState.RUNNING).update(state=JobState.FAILED, error_code=labels.TOO_LONG)


def put_back(job_id: int) -> None:
    """Put a job back in line whose process was told to stop and had not the time to do so itself."""
    Job.objects.filter(pk=job_id, state=JobState.RUNNING).update(state=JobState.QUEUED, attempts=F("attempts") - 1)


def _claim(job_id: int) -> Task | None:
    job = Job.objects.filter(pk=job_id).first()
    if job is None:
        return None
    free = Job.objects.filter(Q(state=JobState.QUEUED) | _silent(), pk=job_id, attempts=job.attempts)
    if job.attempts >= MOST_ATTEMPTS:
        free.update(state=JobState.FAILED, error_code=labels.WORKER_LOST)
        return None
    attempt = job.attempts + 1
    if not free.update(state=JobState.RUNNING, attempts=attempt, heartbeat_at=Now(), error_code=""):
        return None
    return Task(
        job_id=job.pk,
        club_id=job.club_id,
        by=job.by,
        params=job.params,
        attempt=attempt,
        report=partial(_report, job.pk, attempt),
    )


def _held(task: Task) -> QuerySet[Job]:
    return Job.objects.filter(pk=task.job_id, state=JobState.RUNNING, attempts=task.attempt)


def _report(job_id: int, attempt: int, done: int, total: int) -> None:
    held = Job.objects.filter(pk=job_id, state=JobState.RUNNING, attempts=attempt)
    if not held.update(done=done, total=total, heartbeat_at=Now()):
        raise LostJobError(job_id)


def _finish(task: Task, kind: str, product: Product | None) -> None:
    task_is_ours = _held(task)
    if not task_is_ours.exists():
        raise LostJobError(task.job_id)
    name = files.keep(task.job_id, kind, product.content, product.suffix) if product else ""
    task_is_ours.update(state=JobState.DONE, file=name, done=F("total"))
    files.prune()


def _give_back(task: Task) -> None:
    if task.attempt < MOST_ATTEMPTS:
        _held(task).update(state=JobState.QUEUED)
    else:
        _held(task).update(state=JobState.FAILED, error_code=labels.CRASHED)


@contextmanager
def _heart(task: Task) -> Iterator[None]:
    """Let the row's heart beat from a thread of its own while the work holds this one."""
    stop = threading.Event()
    thread = threading.Thread(target=_beat, args=(task, stop), daemon=True, name=f"heart of job {task.job_id}")
    thread.start()
    try:
        yield
    finally:
        stop.set()
        thread.join(timeout=2)


def _beat(task: Task, stop: threading.Event) -> None:
    while not stop.wait(BEAT_SECONDS):
        try:
            is_ours = _held(task).update(heartbeat_at=Now())
        except (DatabaseError, InterfaceError):
            logger.warning("the heart of job %d missed a beat", task.job_id, exc_info=True)
        else:
            if not is_ours:
                return
        finally:
            connection.close()
