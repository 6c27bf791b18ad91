"""`manage.py run_jobs`: does the waiting jobs where no queue wakes a worker; beside a queue, those it lost."""

from datetime import timedelta
from typing import Any

from django.core.management.base import BaseCommand, CommandParser

from jobs.runner import Runner


class Command(BaseCommand):
    """Run the loop until it is told to stop."""

    help = "Does the waiting jobs, one after another, until SIGTERM."

    def add_arguments(self, parser: CommandParser) -> None:
        """Take the two ways a sweeper differs from the only runner."""
        parser.add_argument(
            "--after", type=float, default=0, metavar="SECONDS", help="leave a job to others for this long first"
        )
        parser.add_argument("--with-parent", action="store_true", help="stop when the process that started this ends")

    def handle(self, *args: Any, **options: Any) -> None:
        """Run."""
        Runner(after=timedelta(seconds=options["after"]), with_parent=options["with_parent"]).run()
