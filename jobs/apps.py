"""The jobs application."""

from django.apps import AppConfig


class JobsConfig(AppConfig):
    """Names the application."""

    name = "jobs"
    verbose_name = "Jobs"
