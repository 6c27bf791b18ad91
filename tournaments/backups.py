"""Backups of the whole database into `backups/` beside the data: made whole or not at all, checked, the oldest let go.

SQLite is copied by its own online backup, PostgreSQL by `pg_dump` where the machine has it. Putting one back stands
in `restores`.
"""

import os
import re
import shutil
import sqlite3
import subprocess
from contextlib import closing, suppress
from datetime import UTC, datetime
from enum import StrEnum
from pathlib import Path

from django.conf import settings
from django.db import connection
from django.utils import timezone
from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from jobs.errors import JobError
from jobs.registry import Task

from .models import Session, SessionState

NO_PG_DUMP = "NO_PG_DUMP"
BACKUP_FAILED = "BACKUP_FAILED"
SENTENCES: dict[str, Promise] = {
    NO_PG_DUMP: _("pg_dump is not installed on this machine: nothing was backed up."),
    BACKUP_FAILED: _("The copy of the data did not pass its check: nothing was backed up. Is the disk full?"),
}


class Occasion(StrEnum):
    """Why a backup was made; it stands in the file's name and says how many are kept."""

    POSITION = "position"
    CLOSE = "close"
    BY_HAND = "by-hand"
    BEFORE_RESTORE = "before-restore"


STAMP = "%Y%m%d-%H%M%S-%f%z"
STAMP_IN_NAME = re.compile(r"petit-au-bout-(?P<clock>\d{8}-\d{6}-\d{6})(?P<offset>[+-]\d{4})?-")
KEPT = {Occasion.POSITION: 30, Occasion.CLOSE: 50, Occasion.BY_HAND: 30, Occasion.BEFORE_RESTORE: 10}


def backup_job(task: Task) -> None:
    """Do a job of kind "backup": after a position was entered, or a session closed."""
    session = Session.objects.filter(pk=task.params["session"])
    state = session.values_list("state", flat=True).first()
    back_up(Occasion.CLOSE if state == SessionState.FINAL else Occasion.POSITION)


def back_up(occasion: Occasion) -> Path:
    """Write a backup and return its path.

    Raises:
        JobError: pg_dump is missing, or the copy is not whole.
    """
    ending = ".sqlite3" if is_sqlite() else ".pgdump"
    path = folder() / f"petit-au-bout-{stamp()}-{occasion}{ending}"
    draft = path.with_suffix(".tmp")
    try:
        if is_sqlite():
            _copy_sqlite(draft)
        else:
            _dump_postgresql(draft)
        sync(draft)
        draft.rename(path)
        sync(path.parent)
    finally:
        draft.unlink(missing_ok=True)
    _prune(occasion)
    return path


def is_sqlite() -> bool:
    """Say whether the data lie in a SQLite file."""
    return connection.vendor == "sqlite"


def pg_dump() -> str | None:
    """Return PostgreSQL's own program, None where it is not installed."""
    return shutil.which("pg_dump")


def stamp() -> str:
    """Return the moment as file names bear it: the site's clock on the wall, and how far it is from UTC."""
    return f"{timezone.localtime(timezone=timezone.get_default_timezone()):{STAMP}}"


def moment_of(path: Path) -> datetime:
    """Return when a backup was made, by its name; one without an offset is older and bears UTC.

    A file somebody renamed is as old as its contents.
    """
    found = STAMP_IN_NAME.match(path.name)
    if found is not None:
        with suppress(ValueError):
            return datetime.strptime(f"{found['clock']}{found['offset'] or '+0000'}", STAMP)  # noqa: DTZ007  STAMP ends with %z
    return datetime.fromtimestamp(path.stat().st_mtime, UTC)


def folder() -> Path:
    """Return the folder of backups, readable by its owner only, made when missing."""
    path: Path = settings.DATA_DIR / "backups"
    path.mkdir(mode=0o700, parents=True, exist_ok=True)
    return path


def backups() -> list[Path]:
    """Return the backups there are, the newest first; in autumn an hour comes twice, so names alone do not tell."""
    return sorted(folder().glob("petit-au-bout-*"), key=lambda path: (moment_of(path), path.name), reverse=True)


def sync(path: Path) -> None:
    """Have the disk hold a file or a folder before going on."""
    descriptor = os.open(path, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


def is_whole(path: Path) -> bool:
    """Say whether a SQLite file passes SQLite's own check and every reference in it leads somewhere."""
    try:
        with closing(sqlite3.connect(path)) as opened:
            answer = opened.execute("PRAGMA integrity_check").fetchall()
            return answer == [("ok",)] and not opened.execute("PRAGMA foreign_key_check").fetchall()
    except sqlite3.DatabaseError:
        return False


def _copy_sqlite(path: Path) -> None:
    path.touch(mode=0o600)
    connection.ensure_connection()
    with closing(sqlite3.connect(path)) as target:
        connection.connection.backup(target)
        target.execute("PRAGMA journal_mode=DELETE")  # one file, nothing of it in a second one
    if not is_whole(path):
        raise JobError(BACKUP_FAILED)


def _dump_postgresql(path: Path) -> None:
    program = pg_dump()
    if program is None:
        raise JobError(NO_PG_DUMP)
    path.touch(mode=0o600)
    done = subprocess.run(  # noqa: S603  the program found above and our own settings
        [program, "--format=custom", "--no-owner", f"--file={path}"],
        env={**os.environ, **postgresql_environment()},
        capture_output=True,
        text=True,
        check=False,
    )
    if done.returncode:
        raise JobError(BACKUP_FAILED) from RuntimeError(done.stderr)


def postgresql_environment() -> dict[str, str]:
    """Return how PostgreSQL's own programs reach the database; a password is never on a command line."""
    values = connection.settings_dict
    names = {"PGHOST": "HOST", "PGPORT": "PORT", "PGUSER": "USER", "PGPASSWORD": "PASSWORD", "PGDATABASE": "NAME"}
    return {variable: str(values[name]) for variable, name in names.items() if values.get(name)}


def _prune(occasion: Occasion) -> None:
    of_the_kind = [path for path in backups() if path.stem.endswith(f"-{occasion}")]
    for path in of_the_kind[KEPT[occasion] :]:
        path.unlink(missing_ok=True)
