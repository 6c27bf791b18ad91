"""Load the demonstration club."""

from typing import Any

from django.core.management.base import BaseCommand
from django.utils import timezone

from tournaments.services.demonstration import load_demonstration


class Command(BaseCommand):
    """Create the demonstration club once; a second call changes nothing."""

    help = (
        "Ajoute un club inventé, avec une soirée de 22 joueurs en cours. / "
        "Loads a club of invented people with one running evening of 22 players."
    )

    def handle(self, *args: Any, **options: Any) -> None:
        """Load it and say its name."""
        club = load_demonstration(today=timezone.localdate())
        self.stdout.write(club.name)
