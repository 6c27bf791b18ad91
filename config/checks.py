"""System checks of the installation: what would lose or leak results is an error, what hinders printing a warning.

Those of the database run with `check --database default` and before each `migrate`.
"""

import ctypes
from collections.abc import Sequence
from typing import Any
from urllib.parse import urlsplit

from django.conf import settings
from django.core.checks import CheckMessage, Error, Tags, Warning, register  # noqa: A004  Django's own name
from django.db import connections

PRINTING_LIBRARIES = ("libpangoft2-1.0.so.0",)
PRINTING_PACKAGES = "libpangoft2-1.0-0 libharfbuzz-subset0 fonts-dejavu-core"
LOOPBACK = {"localhost", "127.0.0.1", "::1"}
POSTGRESQL_DURABILITY = ("fsync", "synchronous_commit", "full_page_writes")
SQLITE_FULL = 2


@register(Tags.security)
def secret_key_is_long_enough(app_configs: object, **kwargs: Any) -> list[CheckMessage]:
    """Refuse a short secret key: signed links and sessions stand on it."""
    if len(settings.SECRET_KEY) >= 32:
        return []
    return [Error("TAROT_SECRET_KEY is too short: give at least 32 characters.", id="config.E001")]


@register(Tags.security)
def hosts_are_named(app_configs: object, **kwargs: Any) -> list[CheckMessage]:
    """Refuse to answer for any host: links in pages and mails would follow whoever asks."""
    if "*" not in settings.ALLOWED_HOSTS:
        return []
    return [Error("TAROT_ALLOWED_HOSTS must name the hosts, not '*'.", id="config.E002")]


@register(Tags.security)
def a_server_shows_no_debug_pages(app_configs: object, **kwargs: Any) -> list[CheckMessage]:
    """Refuse TAROT_DEBUG where the site is served to others: its pages show settings and queries."""
    is_served = settings.HTTPS or settings.DATABASES["default"]["ENGINE"] != "config.sqlite"
    if not (settings.DEBUG and is_served):
        return []
    return [Error("TAROT_DEBUG is for one's own machine: not with TAROT_HTTPS or DATABASE_URL.", id="config.E003")]


@register(Tags.security)
def redis_elsewhere_has_a_password(app_configs: object, **kwargs: Any) -> list[CheckMessage]:
    """Refuse a Redis on a network without a password: whoever reaches it could send jobs."""
    address = urlsplit(settings.REDIS_URL)
    if not address.hostname or address.hostname in LOOPBACK or address.password:
        return []
    return [Error("REDIS_URL names another machine without a password.", id="config.E004")]


@register(Tags.compatibility)
def printing_has_its_libraries(app_configs: object, **kwargs: Any) -> list[CheckMessage]:
    """Say what printing needs; everything else works without."""
    missing = [name for name in PRINTING_LIBRARIES if not _is_there(name)]
    if not missing:
        return []
    return [
        Warning(
            f"Printing needs {', '.join(missing)}.",
            hint=f"apt-get install --no-install-recommends {PRINTING_PACKAGES}",
            id="config.W001",
        )
    ]


def _is_there(library: str) -> bool:
    try:
        ctypes.CDLL(library)
    except OSError:
        return False
    return True


@register(Tags.database)
def a_power_cut_loses_nothing(
    app_configs: object, databases: Sequence[str] | None = None, **kwargs: Any
) -> list[CheckMessage]:
    """Refuse a database that says "saved" before the disk has it."""
    found: list[CheckMessage] = []
    for alias in databases or ():
        if connections[alias].vendor == "sqlite":
            found += _sqlite_problems(alias)
        elif connections[alias].vendor == "postgresql":
            found += _postgresql_problems(alias)
    return found


def _sqlite_problems(alias: str) -> list[CheckMessage]:
    with connections[alias].cursor() as cursor:
        journal = cursor.execute("PRAGMA journal_mode").fetchone()[0]
        synchronous = cursor.execute("PRAGMA synchronous").fetchone()[0]
    found: list[CheckMessage] = []
    if journal not in {"wal", "memory"}:
        found.append(Error(f"SQLite's journal_mode is {journal}, not wal.", id="config.E005"))
    if synchronous < SQLITE_FULL:
        found.append(Error("SQLite's synchronous is below FULL: a power cut loses results.", id="config.E006"))
    return found


def _postgresql_problems(alias: str) -> list[CheckMessage]:
    if settings.TEST_CLUSTER:
        return []
    with connections[alias].cursor() as cursor:
        values = {name: _shown(cursor, name) for name in (*POSTGRESQL_DURABILITY, "data_checksums")}
    found: list[CheckMessage] = [
        Error(f"PostgreSQL's {name} is off: a power cut loses results.", id="config.E007")
        for name in POSTGRESQL_DURABILITY
        if values[name] == "off"
    ]
    if values["data_checksums"] == "off":
        hint = "pg_checksums --enable, with the server stopped"
        found.append(
            Warning("PostgreSQL's data_checksums are off: a failing disk goes unseen.", hint=hint, id="config.W002")
        )
    return found


def _shown(cursor: Any, name: str) -> str:
    cursor.execute(f"SHOW {name}")
    return str(cursor.fetchone()[0])
