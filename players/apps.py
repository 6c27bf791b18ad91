"""The players application."""

from django.apps import AppConfig


class PlayersConfig(AppConfig):
    """Names the application."""

    name = "players"
