"""Print the one-time code of the first administrator, or nothing once a club is installed."""

from typing import Any

from django.core.management.base import BaseCommand

from players.first_code import read_or_make_code
from players.services import is_installed


class Command(BaseCommand):
    """Print the code alone, so that a script can read it."""

    help = "Print the one-time code that makes the first administrator; nothing once a club is installed."

    def handle(self, *_args: Any, **_options: Any) -> None:
        """Print the code."""
        if not is_installed():
            self.stdout.write(read_or_make_code())
