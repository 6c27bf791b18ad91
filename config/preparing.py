"""What must hold before the embedded site serves: tables up to date and static files in place, only when needed."""

import hashlib
import sqlite3
from pathlib import Path

from django.conf import settings
from django.contrib.staticfiles.finders import get_finders
from django.core.management import call_command
from django.db import connection
from django.db.migrations.executor import MigrationExecutor

from tournaments import backups


def migrate_if_needed() -> bool:
    """Bring the tables up to date; a database that already holds results is copied to `backups` first."""
    executor = MigrationExecutor(connection)
    if not executor.migration_plan(executor.loader.graph.leaf_nodes()):
        return False
    if connection.vendor == "sqlite" and executor.loader.applied_migrations:
        _keep_a_copy()
    call_command("migrate", interactive=False, verbosity=0)
    return True


def _keep_a_copy() -> Path:
    path = backups.folder() / f"before-update-{backups.stamp()}.sqlite3"
    with sqlite3.connect(path) as copy:
        connection.connection.backup(copy)
    copy.close()
    return path


def collect_static_if_changed() -> bool:
    """Gather the static files when a source differs from those gathered last."""
    mark = Path(settings.STATIC_ROOT) / ".gathered-from"
    sources = _static_sources()
    if mark.exists() and mark.read_text(encoding="ascii") == sources:
        return False
    call_command("collectstatic", interactive=False, verbosity=0, clear=True)
    mark.write_text(sources, encoding="ascii")
    return True


def _static_sources() -> str:
    """Return a digest of the names, sizes and times of every source file."""
    digest = hashlib.sha256()
    for finder in get_finders():
        for path, storage in finder.list(["CVS", ".*", "*~"]):
            status = Path(storage.path(path)).stat()
            digest.update(f"{path}|{status.st_size}|{status.st_mtime_ns}\n".encode())
    return digest.hexdigest()
