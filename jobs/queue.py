"""Asking for work: put a job in line, cancel it, put it back. Doing it is `running`'s business."""

from collections.abc import Mapping
from typing import Any

from django.db import models, transaction

from . import files, registry
from .dispatch import wake
from .models import Job, JobState

ACTIVE = (JobState.QUEUED, JobState.RUNNING)
_GIVEN_UP = (JobState.FAILED, JobState.CANCELLED)


def enqueue(
    kind: str, *, club: models.Model, by: str, params: Mapping[str, Any] | None = None, key: str | None = None
) -> Job:
    """Put a job in line and wake a worker once the transaction holds.

    A key names the thing itself (this position's sheets, as they stand): while such a job waits, works or is done it
    is returned in place of a second one; when it failed, was cancelled or lost its file it starts again.
    """
    registry.kind_of(kind)
    wanted = {"kind": kind, "club_id": club.pk, "by": by, "params": dict(params or {})}
    with transaction.atomic():
        if key is None:
            job, is_new = Job.objects.create(**wanted), True
        else:
            job, is_new = Job.objects.get_or_create(key=key, defaults=wanted)
        if is_new or _start_again(job):
            transaction.on_commit(lambda: wake(job.pk), robust=True)
    return job


def _start_again(job: Job) -> bool:
    lost_its_file = job.state == JobState.DONE and bool(job.file) and files.path_of(job) is None
    return put_back(job, states=(*_GIVEN_UP, JobState.DONE) if lost_its_file else _GIVEN_UP)


def put_back(job: Job, *, states: tuple[JobState, ...]) -> bool:
    """Put an ended job in line again with all its attempts, if it is in one of these states."""
    fresh = Job(state=JobState.QUEUED)
    names = ("state", "done", "total", "attempts", "heartbeat_at", "error_code", "file")
    changed = Job.objects.filter(pk=job.pk, state__in=states).update(**{name: getattr(fresh, name) for name in names})
    if changed:
        job.refresh_from_db()
    return bool(changed)


def retry(job: Job) -> bool:
    """Start an ended job again; say whether it was one."""
    with transaction.atomic():
        is_waiting = put_back(job, states=(*_GIVEN_UP, JobState.DONE))
        if is_waiting:
            transaction.on_commit(lambda: wake(job.pk), robust=True)
    return is_waiting


def cancel(job: Job) -> bool:
    """Cancel a job that has not ended; its worker stops at its next report. Say whether it was in time."""
    changed = Job.objects.filter(pk=job.pk, state__in=ACTIVE).update(state=JobState.CANCELLED)
    job.refresh_from_db()
    return bool(changed)
