"""The tournaments application: at the start it hands the applications below what they call by name."""

from django.apps import AppConfig
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from jobs import registry
from players.demonstration import register_demonstration


class TournamentsConfig(AppConfig):
    """Names the application."""

    name = "tournaments"

    def ready(self) -> None:
        """Register what the first page may load; services import models, which exist only now."""
        from .services.demonstration import load_demonstration
        from .standings import publish

        registry.register("publish_standing", publish, title=_("Public ranking"))
        register_demonstration(lambda: load_demonstration(today=timezone.localdate()))
