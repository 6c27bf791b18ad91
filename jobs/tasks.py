"""The one Celery task: a job's number in, `run_job` called. Loaded only where REDIS_URL names a queue."""

import logging

from celery import shared_task
from kombu.exceptions import OperationalError

from . import running

logger = logging.getLogger(__name__)


@shared_task(name="jobs.run_job", acks_late=True, reject_on_worker_lost=True, ignore_result=True)
def run_job(job_id: int) -> None:
    """Do the job, unless it is done, cancelled or in other hands."""
    running.run_job(job_id)


def send(job_id: int) -> None:
    """Put the job's number on the queue; when the queue is away the row waits for a worker's sweeper."""
    try:
        run_job.apply_async(args=(job_id,), retry=False)
    except (OperationalError, OSError):
        logger.warning("the queue is away; job %d waits for the sweeper", job_id)
