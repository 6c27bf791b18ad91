"""A close amid fifty writers on PostgreSQL: nothing is newer than it, and every later answer is a refusal."""

import pytest
from django.db import connection

from tests.conftest import StartGunicorn
from tournaments import guards

from .closing import FULL, SMALL, WRITERS, Close, an_evening, close_while_all_write, figures_of
from .conftest import IS_FULL, Record, StartHampered

pytestmark = pytest.mark.services

CLOSES = 6  # of a control, at most, until it has shown its error


def test_nothing_is_newer_than_the_close_and_all_that_comes_later_is_refused(
    gunicorn: StartGunicorn, record: Record
) -> None:
    evening = an_evening(gunicorn(workers=2, threads=4))
    closes = [close_while_all_write(evening) for _ in range(FULL if IS_FULL else SMALL)]
    record("closing", figures_of(closes))
    for close in closes:
        assert close == Close(corrected=close.corrected, refused=2 * WRITERS, longest=close.longest)


def test_control_without_the_locks_the_guard_catches_some_and_misses_others(hampered: StartHampered) -> None:
    """The database's own guard sees a session that is final already, not one that becomes so a moment later."""
    evening = an_evening(hampered("row locks", pause_ms=10))
    caught = late = 0
    for _ in range(CLOSES):
        close = close_while_all_write(evening)
        caught, late = caught + close.caught, late + close.late
        if caught and late:
            break
    assert caught > 0
    assert late > 0


def test_control_without_locks_and_guard_more_comes_after_the_close(hampered: StartHampered) -> None:
    evening = an_evening(hampered("row locks", pause_ms=10))
    guards.lift(connection)
    try:
        close = close_while_all_write(evening)
    finally:
        guards.install(connection)
    assert close.caught == 0
    assert close.late > 0
    assert any("SEAL" in finding for finding in close.ledger)
