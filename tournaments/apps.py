"""The tournaments application."""

from django.apps import AppConfig


class TournamentsConfig(AppConfig):
    """Names the application."""

    name = "tournaments"
