"""`manage.py restore FILE --yes`: puts a backup in the place of the present database, which is kept aside."""

from pathlib import Path
from typing import Any

from django.core.management import call_command
from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.utils.translation import gettext as _

from tournaments.backups import backups, folder, is_sqlite
from tournaments.restores import RestoreRefusedError, postgresql_command, restore_sqlite


class Command(BaseCommand):
    """Restore."""

    help = (
        "Remet une sauvegarde à la place de la base actuelle ; arrêtez d'abord le site. / "
        "Puts a backup back in place of the present database; stop the site first."
    )
    requires_migrations_checks = False

    def add_arguments(self, parser: CommandParser) -> None:
        """Take the file, and a word of consent."""
        parser.add_argument("file", nargs="?", type=Path, help="sans elle : leur liste / without it: their list")
        parser.add_argument("--yes", action="store_true", help="oui, remplacer / yes, replace")

    def handle(self, *args: Any, **options: Any) -> None:
        """Check, refuse or restore."""
        source: Path | None = options["file"]
        if source is None:
            self._list()
            return
        if not source.is_file():
            raise CommandError(_("There is no file %(path)s.") % {"path": source})
        if not is_sqlite():
            command = {"command": postgresql_command(source)}
            raise CommandError(_("On PostgreSQL, stop the site and run: %(command)s") % command)
        if not options["yes"]:
            raise CommandError(_("This replaces the present data. Say so with --yes; the present file is kept aside."))
        try:
            done = restore_sqlite(source)
        except RestoreRefusedError as error:
            raise CommandError(str(error)) from error
        self.stdout.write(_("The data are back: %(path)s") % {"path": done.database})
        if done.kept_aside:
            self.stdout.write(_("What was there before is kept: %(path)s") % {"path": done.kept_aside})
        call_command("check_ledger", stdout=self.stdout)

    def _list(self) -> None:
        """Name the backups there are, the newest first, or say that there is none."""
        found = backups()
        for path in found:
            self.stdout.write(str(path))
        if not found:
            self.stdout.write(_("There is no backup in %(path)s.") % {"path": folder()})
