"""Jobs as a page shows them."""

from dataclasses import dataclass
from datetime import datetime, timedelta
from pathlib import PurePath

from django.db import models
from django.db.models.functions import Now
from django.utils.text import slugify

from . import files
from .labels import error_sentence
from .models import Job, JobState
from .queue import ACTIVE
from .registry import title_of
from .running import SILENCE

UNTAKEN = timedelta(seconds=20)


@dataclass(frozen=True, slots=True, kw_only=True)
class JobView:
    """A job in words and figures."""

    id: int
    title: str
    state: JobState
    done: int
    total: int
    error: str
    created_at: datetime
    file_name: str  # of the file offered, "" when there is none (any more)
    is_missing_file: bool
    is_untaken: bool

    @property
    def state_label(self) -> str:
        """Return the state in words."""
        return str(self.state.label)

    @property
    def is_active(self) -> bool:
        """Say whether it waits or is being done."""
        return self.state in ACTIVE

    @property
    def is_failed(self) -> bool:
        """Say whether it was given up."""
        return self.state == JobState.FAILED

    @property
    def is_cancelled(self) -> bool:
        """Say whether somebody cancelled it."""
        return self.state == JobState.CANCELLED


def job_view(job: Job) -> JobView:
    """Return a job as its own page shows it."""
    return _view(job, is_untaken=job.state == JobState.QUEUED and _nobody_works(job))


def recent_jobs(club: models.Model, *, kinds: tuple[str, ...], limit: int = 12) -> tuple[JobView, ...]:
    """Return a club's latest jobs of some kinds, the newest first."""
    jobs = Job.objects.filter(club_id=club.pk, kind__in=kinds).order_by("-created_at", "-pk")
    return tuple(_view(job, is_untaken=False) for job in jobs[:limit])


def _view(job: Job, *, is_untaken: bool) -> JobView:
    title = title_of(job.kind, job.params)
    is_there = files.path_of(job) is not None
    return JobView(
        id=job.pk,
        title=title,
        state=JobState(job.state),
        done=job.done,
        total=job.total,
        error=error_sentence(job.error_code),
        created_at=job.created_at,
        file_name=slugify(title) + PurePath(job.file).suffix if is_there else "",
        is_missing_file=bool(job.file) and not is_there,
        is_untaken=is_untaken,
    )


def _nobody_works(job: Job) -> bool:
    """Say whether a job has waited long while no other was being done."""
    waits = Job.objects.filter(pk=job.pk, created_at__lt=Now() - UNTAKEN)
    working = Job.objects.filter(state=JobState.RUNNING, heartbeat_at__gt=Now() - SILENCE)
    return waits.exists() and not working.exists()
