"""The Celery application: tells workers where the settings are and keeps a sweeper beside each of them.

The sweeper is `run_jobs` itself, leaving young jobs to the queue. It does what the queue lost or a dead worker held,
even while Redis is away. Start a worker with `celery -A config worker`.
"""

import os
import subprocess
import sys
from typing import Any

from celery import Celery
from celery.signals import worker_init, worker_shutdown

SWEEP_AFTER_SECONDS = "10"

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
app = Celery("petit_au_bout")
app.config_from_object("django.conf:settings", namespace="CELERY")
app.autodiscover_tasks()

_sweepers: list[subprocess.Popen[bytes]] = []


@worker_init.connect
def start_sweeper(**kwargs: Any) -> None:
    """Start the worker's sweeper; it ends by itself when the worker is gone."""
    from django.conf import settings

    command = [sys.executable, "manage.py", "run_jobs", "--after", SWEEP_AFTER_SECONDS, "--with-parent"]
    _sweepers.append(subprocess.Popen(command, cwd=settings.BASE_DIR))  # noqa: S603  our own words only


@worker_shutdown.connect
def stop_sweeper(**kwargs: Any) -> None:
    """Ask the sweeper to stop with its worker and wait for it."""
    while _sweepers:
        sweeper = _sweepers.pop()
        sweeper.terminate()
        sweeper.wait(timeout=20)
