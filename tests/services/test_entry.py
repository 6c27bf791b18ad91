"""Donnes sent at the same instant through a real server on PostgreSQL: every donne once, every sum zero."""

from collections.abc import Callable
from contextlib import AbstractContextManager

import pytest

from tests.conftest import StartGunicorn

from .conftest import IS_FULL, Record, StartHampered
from .entry import FULL, SMALL, enter

pytestmark = pytest.mark.services


def test_every_donne_stands_once_and_a_second_sending_gets_the_first_answer(
    gunicorn: StartGunicorn, record: Record
) -> None:
    report = enter(gunicorn(workers=2, threads=4), FULL if IS_FULL else SMALL)
    record("entry", report.figures)
    assert (report.doubled, report.missing, report.unbalanced, report.keys_doubled) == (0, 0, 0, 0)
    assert report.not_replayed == 0
    assert report.unexpected == ()
    assert report.ledger == ()


def test_without_the_locks_the_constraints_alone_still_keep_every_donne_once(hampered: StartHampered) -> None:
    report = enter(hampered("row locks", pause_ms=5), SMALL)
    assert (report.doubled, report.missing, report.unbalanced, report.keys_doubled) == (0, 0, 0, 0)
    assert report.busy > 0, "nobody raced, so nothing was shown"


def test_control_without_locks_and_constraints_donnes_are_doubled(
    hampered: StartHampered, without_constraints: Callable[[], AbstractContextManager[None]]
) -> None:
    with without_constraints():
        server = hampered("row locks", pause_ms=5)
        report = enter(server, SMALL)
        server.stop()
        assert report.doubled > 0
        assert report.keys_doubled > 0
        assert report.ledger != ()


def test_control_without_the_keys_a_second_sending_is_answered_otherwise(hampered: StartHampered) -> None:
    report = enter(hampered("keys"), SMALL)
    assert report.not_replayed > 0
    assert report.unexpected != ()
