"""The project as an application: system checks and nothing else."""

from django.apps import AppConfig


class ConfigConfig(AppConfig):
    """Registers the project's system checks."""

    name = "config"
    verbose_name = "Petit au bout"

    def ready(self) -> None:
        """Load the checks, which register themselves."""
        from . import checks  # noqa: F401  registration by import is Django's own way
