"""Putting a backup back: checked before anything moves, refused while the site runs, the present file kept aside."""

import os
import shutil
import sqlite3
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path

from django.core.management import call_command
from django.db import connection, connections
from django.db.migrations.loader import MigrationLoader
from django.utils.translation import gettext

from jobs.models import Job, JobState

from . import backups


class RestoreRefusedError(Exception):
    """Why a backup is not put back; the text is for the person at the keyboard."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Restored:
    """What was done."""

    database: Path
    kept_aside: Path | None


def restore_sqlite(source: Path) -> Restored:
    """Put a backup in the place of the present SQLite file, then bring it to this program's tables.

    Raises:
        RestoreRefusedError: the file is not a whole backup, is of a newer program, or the site still runs.
    """
    database = Path(connection.settings_dict["NAME"])
    draft = database.with_name(f"{database.name}.restoring")
    try:
        shutil.copyfile(source, draft)
        draft.chmod(0o600)
        check_backup(draft)
        connections.close_all()
        kept_aside = set_aside(database)
        backups.sync(draft)
        draft.replace(database)
        backups.sync(database.parent)
    finally:
        draft.unlink(missing_ok=True)
    call_command("migrate", interactive=False, verbosity=0)
    _end_jobs()
    return Restored(database=database, kept_aside=kept_aside)


def check_backup(path: Path) -> None:
    """Let a whole backup of this program, or of an older one, pass.

    Raises:
        RestoreRefusedError: it is anything else.
    """
    if not backups.is_whole(path):
        message = gettext("This file is not a whole SQLite backup; nothing was changed.")
        raise RestoreRefusedError(message)
    with closing(sqlite3.connect(path)) as opened:
        try:
            applied = set(opened.execute("SELECT app, name FROM django_migrations"))
        except sqlite3.DatabaseError:
            applied = set()
    if not any(app == "tournaments" for app, _ in applied):
        message = gettext("This file holds no data of this program; nothing was changed.")
        raise RestoreRefusedError(message)
    unknown = applied - set(MigrationLoader(None).disk_migrations)
    if unknown:
        message = gettext("This backup was made by a newer program: update first. Nothing was changed.")
        raise RestoreRefusedError(message)


def set_aside(database: Path) -> Path | None:
    """Copy the present file to the backups, provided nobody has it open, and leave it as one file.

    Leaving SQLite's write-ahead mode needs the file alone: that is how a running site is noticed.

    Raises:
        RestoreRefusedError: somebody has it open.
    """
    if not database.exists():
        return None
    with closing(sqlite3.connect(database, timeout=1)) as opened:
        try:
            (mode,) = opened.execute("PRAGMA journal_mode=DELETE").fetchone()
        except sqlite3.OperationalError:
            mode = "in use"
        except sqlite3.DatabaseError:
            mode = "delete"  # a damaged file is a good reason to restore; it is kept as it is
    if mode != "delete":
        message = gettext("The site is still running: stop it, then restore. Nothing was changed.")
        raise RestoreRefusedError(message)
    kept = backups.folder() / f"petit-au-bout-{backups.stamp()}-{backups.Occasion.BEFORE_RESTORE}.sqlite3"
    shutil.copyfile(database, kept)
    kept.chmod(0o600)
    backups.sync(kept)
    for ending in ("-wal", "-shm"):
        Path(f"{database}{ending}").unlink(missing_ok=True)
    return kept


def _end_jobs() -> None:
    """End the work that was under way when the backup was made; its files are not in it."""
    unfinished = Job.objects.filter(state__in=(JobState.QUEUED, JobState.RUNNING))
    unfinished.update(state=JobState.CANCELLED)


def postgresql_command(source: Path) -> str:
    """Return the command that puts a backup back on PostgreSQL, for a person to run while the site is stopped."""
    name = connection.settings_dict["NAME"]
    return f"pg_restore --clean --if-exists --no-owner --single-transaction --dbname={name} {os.fspath(source)}"
