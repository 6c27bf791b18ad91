"""`manage.py restore FILE --yes`: puts a backup in the place of the present database, which is kept aside."""

from pathlib import Path
from typing import Any

from django.core.management import call_command
from django.core.management.base import BaseCommand, CommandError, CommandParser

from tournaments.backups import backups, is_sqlite
from tournaments.restores import RestoreRefusedError, postgresql_command, restore_sqlite


class Command(BaseCommand):
    """Restore."""

    help = "Puts a backup back in place of the present database. Stop the site first."
    requires_migrations_checks = False

    def add_arguments(self, parser: CommandParser) -> None:
        """Take the file, and a word of consent."""
        parser.add_argument("file", nargs="?", type=Path, help="a backup; without it, those there are are listed")
        parser.add_argument("--yes", action="store_true", help="yes, replace the present data")

    def handle(self, *args: Any, **options: Any) -> None:
        """Check, refuse or restore."""
        source: Path | None = options["file"]
        if source is None:
            for path in backups():
                self.stdout.write(str(path))
            return
        if not source.is_file():
            raise CommandError(f"There is no file {source}.")
        if not is_sqlite():
            raise CommandError(f"On PostgreSQL, stop the site and run: {postgresql_command(source)}")
        if not options["yes"]:
            raise CommandError("This replaces the present data. Say so with --yes; the present file is kept aside.")
        try:
            done = restore_sqlite(source)
        except RestoreRefusedError as error:
            raise CommandError(str(error)) from error
        self.stdout.write(f"Restored to {done.database}.")
        if done.kept_aside:
            self.stdout.write(f"What was there before is kept: {done.kept_aside}")
        call_command("check_ledger", stdout=self.stdout)
