"""`manage.py changepassword NAME`: Django's command in the words of this program, for whoever keeps the computer."""

import getpass
from typing import Any

from django.contrib.auth.password_validation import validate_password
from django.core.exceptions import ValidationError
from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.utils.translation import gettext as _

from players.models import User

MOST_TRIES = 3


class Command(BaseCommand):
    """Ask for a new password twice and set it; whoever is logged in with the old one is logged out."""

    help = "Donne un nouveau mot de passe à un compte. / Gives an account a new password."

    def add_arguments(self, parser: CommandParser) -> None:
        """Take the user name; without it the accounts are named."""
        parser.add_argument("username", nargs="?", default="", help="l'identifiant du compte / the user name")

    def handle(self, *_args: Any, **options: Any) -> None:
        """Ask, check and save."""
        user = User.objects.filter(username=options["username"]).first()
        if user is None:
            known = ", ".join(User.objects.order_by("username").values_list("username", flat=True))
            raise CommandError(_("Which account? Write one of these user names: %(names)s") % {"names": known or "–"})
        self.stdout.write(_("New password for %(name)s. What you type does not show.") % {"name": user.username})
        user.set_password(self._ask(user))
        user.save(update_fields=["password"])
        self.stdout.write(_("The password of %(name)s is changed.") % {"name": user.username})

    def _ask(self, user: User) -> str:
        for _number in range(MOST_TRIES):
            typed = getpass.getpass(_("New password: "))
            if not typed:
                break
            if typed != getpass.getpass(_("The same password again: ")):
                self.stderr.write(_("The two passwords differ. Type the same one twice."))
                continue
            try:
                validate_password(typed, user)
            except ValidationError as error:
                self.stderr.write("\n".join(error.messages))
            else:
                return typed
        raise CommandError(_("Nothing was changed."))
