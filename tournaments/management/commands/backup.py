"""`manage.py backup`: writes a backup of the database now and says where."""

from typing import Any

from django.core.management.base import BaseCommand, CommandError

from jobs.errors import JobError
from jobs.labels import error_sentence
from tournaments.backups import Occasion, back_up


class Command(BaseCommand):
    """Back up."""

    help = "Écrit une sauvegarde de la base et dit où. / Writes a backup of the database and says where."

    def handle(self, *args: Any, **options: Any) -> None:
        """Write it."""
        try:
            path = back_up(Occasion.BY_HAND)
        except JobError as error:
            raise CommandError(error_sentence(error.code)) from error
        self.stdout.write(str(path))
