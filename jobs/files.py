"""Where the files of jobs lie, how one is written whole, and when old ones go."""

import os
from datetime import timedelta
from pathlib import Path

from django.conf import settings
from django.utils import timezone

from .models import Job, JobState

KEPT = timedelta(days=14)


def folder() -> Path:
    """Return the folder of finished files, made when missing."""
    path: Path = settings.DATA_DIR / "jobs"
    path.mkdir(parents=True, exist_ok=True)
    return path


def path_of(job: Job) -> Path | None:
    """Return the path of a job's file, None when it has none or it is gone."""
    if not job.file:
        return None
    path = folder() / job.file
    return path if path.is_file() else None


def write_whole(path: Path, content: bytes) -> None:
    """Write a file so that its name never shows half of it, even if the power goes."""
    draft = path.with_name(f"{path.name}.{os.getpid()}.tmp")
    with draft.open("wb") as file:
        file.write(content)
        file.flush()
        os.fsync(file.fileno())
    draft.replace(path)


def keep(job_id: int, kind: str, content: bytes, suffix: str) -> str:
    """Write the file of a job and return its name, made of kind and number only."""
    name = f"{kind}-{job_id}{suffix}"
    write_whole(folder() / name, content)
    return name


def prune() -> None:
    """Forget jobs that ended over two weeks ago, with their files, and files no job speaks of any more."""
    limit = timezone.now() - KEPT
    Job.objects.filter(created_at__lt=limit).exclude(state__in=(JobState.QUEUED, JobState.RUNNING)).delete()
    for path in folder().iterdir():
        if path.is_file() and path.stat().st_mtime < limit.timestamp():
            path.unlink(missing_ok=True)
