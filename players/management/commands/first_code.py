"""Print the one-time code of the first administrator, or nothing once a club is installed."""

from typing import Any

from django.core.management.base import BaseCommand
from django.utils.translation import gettext as _

from players.first_code import read_or_make_code
from players.services import is_installed


class Command(BaseCommand):
    """Print the code alone, so that a script can read it; what is said to a person beside it goes to stderr."""

    help = (
        "Affiche le code du premier administrateur ; rien une fois le club créé. / "
        "Prints the one-time code that makes the first administrator; nothing once a club is installed."
    )

    def handle(self, *_args: Any, **_options: Any) -> None:
        """Print the code, or tell whoever typed the command why there is none."""
        if not is_installed():
            self.stdout.write(read_or_make_code())
        elif self._called_from_command_line:  # type: ignore[attr-defined]  # set by Django, not in its stubs
            self.stderr.write(_("A club exists already: the code has served. An organiser makes accounts on the site."))
