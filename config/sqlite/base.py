"""SQLite with a fair write lock: a file lock taken before BEGIN IMMEDIATE, so that writers wait in turn."""

from django.db.backends.sqlite3 import base


class DatabaseWrapper(base.DatabaseWrapper):
    """Django's SQLite connection."""
