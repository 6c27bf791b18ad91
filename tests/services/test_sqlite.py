"""Entry and close on a SQLite file, served as on a club's laptop: no error, and nobody waits long for the lock."""

import statistics
from pathlib import Path

import pytest

from . import closing, entry
from .conftest import IS_FULL, Record, StartHampered

pytestmark = [pytest.mark.services, pytest.mark.embedded]

FULL_ENTRY = entry.Size(rounds=2, donnes=12)
CONTROL_ENTRY = entry.Size(rounds=1, donnes=1)


def test_donnes_sent_at_once_give_no_error_and_stand_once(
    hampered: StartHampered, record: Record, tmp_path: Path
) -> None:
    waits = tmp_path / "waits"
    report = entry.enter(hampered(threads=2, waits=waits), FULL_ENTRY if IS_FULL else entry.SMALL)
    record("sqlite, entry", f"{report.figures}; {_told(waits)}")
    assert (report.doubled, report.missing, report.unbalanced, report.keys_doubled) == (0, 0, 0, 0)
    assert (report.busy, report.not_replayed, report.unexpected) == (0, 0, ())
    assert report.ledger == ()
    assert max(_waits(waits)) < 5


def test_nothing_is_newer_than_a_close_and_nobody_meets_an_error(hampered: StartHampered, record: Record) -> None:
    evening = closing.an_evening(hampered(threads=2))
    closes = [closing.close_while_all_write(evening) for _ in range(5 if IS_FULL else closing.SMALL)]
    record("sqlite, closing", closing.figures_of(closes))
    for close in closes:
        assert close == closing.Close(corrected=close.corrected, refused=2 * closing.WRITERS, longest=close.longest)


def test_control_without_the_fair_lock_writers_are_overtaken(hampered: StartHampered, tmp_path: Path) -> None:
    """With writes slow enough for a queue: SQLite alone lets whoever asks at the right moment go first."""
    fair, alone = tmp_path / "fair", tmp_path / "alone"
    for waits, without in ((fair, ()), (alone, ("fair lock",))):
        server = hampered(*without, threads=8, pause_ms=10, waits=waits)
        entry.enter(server, CONTROL_ENTRY)
        server.stop()
    assert _overtaken(alone) > 3 * _overtaken(fair)


def _turns(path: Path) -> list[tuple[float, float]]:
    """Return when each transaction asked for the lock and when it had it."""
    return [(float(asked), float(had)) for asked, had in (line.split() for line in path.read_text().splitlines())]


def _waits(path: Path) -> list[float]:
    return [had - asked for asked, had in _turns(path)]


def _overtaken(path: Path) -> int:
    """Return how many who asked later had the lock before the one most often passed over."""
    turns = sorted(_turns(path))
    return max(sum(had > later for _, later in turns[n + 1 :]) for n, (_, had) in enumerate(turns))


def _told(path: Path) -> str:
    waits = _waits(path)
    median, longest = 1000 * statistics.median(waits), 1000 * max(waits)
    return f"wait for the write lock {median:.1f} ms (median), {longest:.0f} ms at most"
