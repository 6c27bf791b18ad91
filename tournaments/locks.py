"""The only place that locks: the session first, then tables in id order; what is done under a lock is not known here.

SQLite has no row locks. There `transaction.atomic` takes the whole file's write lock at its start, so the same calls
serialise by themselves.
"""

from collections.abc import Iterable, Iterator
from contextlib import contextmanager

from django.db import DatabaseError, IntegrityError, OperationalError, transaction

from .errors import BusyError
from .models import Session, Table

_BUSY_STATES = frozenset({"55P03", "40P01", "57014"})  # lock timeout, deadlock, statement timeout
_RACED = frozenset(
    {
        "tournaments_donne_version_once_per_number",
        "tournaments_donne_one_current_per_number",
        "tournaments_net_version_once_per_place",
        "tournaments_net_one_current_per_place",
        "tournaments_event_seq_once_per_table",
        "tournaments_event_seq_once_per_session",
        "tournaments_key_once_per_actor",
    }
)


@contextmanager
def writing() -> Iterator[None]:
    """Open the one short transaction of a write.

    Raises:
        BusyError: a lock was not had in time, or somebody won a race that a constraint decided. Nothing was written.
    """
    try:
        with transaction.atomic():
            yield
    except OperationalError as error:
        if _is_busy(error):
            raise BusyError from error
        raise
    except IntegrityError as error:
        if _constraint(error) in _RACED:
            raise BusyError from error
        raise


def lock_session(session_id: int) -> None:
    """Hold a session until the transaction ends; before any of its tables, never after."""
    _ = Session.objects.select_for_update(no_key=True).values_list("pk").get(pk=session_id)


def lock_tables(ids: Iterable[int]) -> None:
    """Hold tables until the transaction ends, in id order whatever the order given."""
    _ = list(
        Table.objects.select_for_update(no_key=True)
        .filter(pk__in=list(ids))
        .order_by("pk")
        .values_list("pk", flat=True)
    )


def _is_busy(error: OperationalError) -> bool:
    return getattr(error.__cause__, "sqlstate", None) in _BUSY_STATES or "database is locked" in str(error)


def _constraint(error: DatabaseError) -> str:
    return getattr(getattr(error.__cause__, "diag", None), "constraint_name", None) or ""
