"""The database's own guards: triggers that keep results append-only, balanced and in their place.

Two databases, one list of promises. What SQLite cannot hold is named in docs/decisions; there the
services check inside the transaction and `check_ledger` proves it afterwards.

A migration that alters a guarded table on SQLite rebuilds it, which drops its triggers: such a migration begins with
`lift` and ends with `install`. Both may be called at any time.
"""

from django.db.backends.base.base import BaseDatabaseWrapper

from . import postgresql, sqlite


def install(connection: BaseDatabaseWrapper) -> None:
    """Put every guard in place, over an older form of it if there is one."""
    lift(connection)
    statements = postgresql.INSTALL if connection.vendor == "postgresql" else sqlite.install(_columns(connection))
    _run(connection, statements)


def lift(connection: BaseDatabaseWrapper) -> None:
    """Take every guard away."""
    is_postgresql = connection.vendor == "postgresql"
    _run(
        connection,
        postgresql.LIFT if is_postgresql else [f"DROP TRIGGER {name}" for name in sorted(present(connection))],
    )


def present(connection: BaseDatabaseWrapper) -> frozenset[str]:
    """Return the names of the guards in force."""
    query = postgresql.PRESENT if connection.vendor == "postgresql" else sqlite.PRESENT
    with connection.cursor() as cursor:
        cursor.execute(query)
        return frozenset(name for (name,) in cursor.fetchall())


def missing(connection: BaseDatabaseWrapper) -> tuple[str, ...]:
    """Return the names of guards that should be there and are not, or are switched off."""
    wanted = postgresql.NAMES if connection.vendor == "postgresql" else sqlite.NAMES
    return tuple(sorted(frozenset(wanted) - present(connection)))


def _columns(connection: BaseDatabaseWrapper) -> dict[str, tuple[str, ...]]:
    with connection.cursor() as cursor:
        return {
            table: tuple(column.name for column in connection.introspection.get_table_description(cursor, table))
            for table in sqlite.VERSIONED
        }


def _run(connection: BaseDatabaseWrapper, statements: list[str]) -> None:
    with connection.cursor() as cursor:
        for statement in statements:
            cursor.execute(statement)
