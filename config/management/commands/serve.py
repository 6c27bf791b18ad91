"""`manage.py serve`: prepares what is missing and runs the embedded site; `bin/run` is the door people use."""

from argparse import ArgumentTypeError
from functools import partial
from io import StringIO
from pathlib import Path
from typing import Any

from django.core.management import call_command
from django.core.management.base import BaseCommand, CommandError, CommandParser

from config import preparing, serving


def port_number(text: str) -> int:
    """Return a port number from what was typed."""
    if text.isascii() and text.isdigit() and 1 <= int(text) <= 65535:
        return int(text)
    raise ArgumentTypeError(f"un port est un nombre de 1 à 65535 / a port is a number from 1 to 65535: {text}")


class Command(BaseCommand):
    """Prepare, serve, say where. What is printed here is in French, then in English: no language is chosen yet."""

    help = "Runs the site for a club: web server and job runner, with everything prepared."

    def add_arguments(self, parser: CommandParser) -> None:
        """Take the options of bin/run."""
        parser.add_argument("--port", type=port_number, default=8000)
        parser.add_argument("--demo", action="store_true")

    def handle(self, *args: Any, **options: Any) -> None:
        """Run until stopped."""
        try:
            claim = serving.claim_data()
            door = serving.listen(options["port"])
            self._prepare(demo=options["demo"])
            announce = partial(self._announce, options["port"])
            serving.Embedded(door=door, claim=claim, announce=announce).run()
        except serving.CannotServeError as error:
            raise CommandError(str(error)) from None
        self.stdout.write("Arrêté. / Stopped.")

    def _prepare(self, *, demo: bool) -> None:
        if preparing.migrate_if_needed():
            self.stdout.write("Base de données prête. / Database ready.")
        preparing.collect_static_if_changed()
        if demo:
            self.stdout.write("Démonstration : préparation… / Demonstration: getting ready…")
            call_command("load_demo", stdout=StringIO())

    def _announce(self, port: int, addresses: list[str]) -> None:
        lines = [
            "",
            "Petit au bout est prêt. / Petit au bout is ready.",
            "",
            f"  Sur cet ordinateur / on this computer     http://localhost:{port}/",
            *(f"  Téléphones / phones, same network         http://{address}:{port}/" for address in addresses),
            *self._code(),
            *_wsl_hint(),
            "",
            "  Ctrl-C pour arrêter / to stop",
            "",
        ]
        self.stdout.write("\n".join(lines))
        self.stdout.flush()

    def _code(self) -> list[str]:
        printed = StringIO()
        call_command("first_code", stdout=printed)
        code = printed.getvalue().strip()
        return ["", f"  Code du premier administrateur / first administrator's code     {code}"] if code else []


def _wsl_hint() -> list[str]:
    """Return what to know inside WSL, whose own network phones do not see by themselves."""
    version = Path("/proc/version")
    if not version.exists() or "microsoft" not in version.read_text(encoding="utf-8").lower():
        return []
    return [
        "",
        "  WSL : les téléphones n'y accèdent qu'en mode réseau « mirrored » (voir README).",
        "  WSL: phones reach it only in the network mode “mirrored” (see README).",
    ]
