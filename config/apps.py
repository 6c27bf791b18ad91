"""The project as an application: system checks and nothing else."""

from django.apps import AppConfig
from django.conf import settings


class ConfigConfig(AppConfig):
    """Registers the project's system checks and, where REDIS_URL names a queue, the road to it."""

    name = "config"
    verbose_name = "Petit au bout"

    def ready(self) -> None:
        """Load the checks, which register themselves, and Celery only where there is a queue."""
        from . import checks  # noqa: F401  registration by import is Django's own way

        if settings.REDIS_URL:
            from jobs import dispatch, tasks

            from . import celery  # noqa: F401  the application the task belongs to

            dispatch.send_with(tasks.send)
