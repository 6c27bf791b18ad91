"""The tournaments application: at the start it hands the applications below what they call by name."""

from django.apps import AppConfig
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from jobs import labels, registry
from players.demonstration import register_demonstration


class TournamentsConfig(AppConfig):
    """Names the application."""

    name = "tournaments"

    def ready(self) -> None:
        """Register what the first page may load; services import models, which exist only now."""
        from . import backups, printing
        from .services.demonstration import load_demonstration
        from .standings import publish

        registry.register("publish_standing", publish, title=_("Public ranking"))
        registry.register("print_sheets", printing.print_sheets, describe=printing.describe_sheets)
        registry.register("print_ranking", printing.print_ranking, describe=printing.describe_ranking)
        registry.register("backup", backups.backup_job, title=_("Backup"))
        labels.add_sentences({**printing.SENTENCES, **backups.SENTENCES})
        register_demonstration(lambda: load_demonstration(today=timezone.localdate()))
