"""kill -9 of PostgreSQL amid writers: what was acknowledged is there, and everybody's repeated sending ends well."""

import random
import threading
import time
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import partial
from itertools import chain
from uuid import UUID

import pytest

from players.models import Role
from tests import builders as b
from tests.conftest import StartCommand, StartGunicorn
from tests.servers import wait_until
from tournaments.models import Table

from .cluster import Cluster, new_cluster
from .conftest import IS_FULL, Record
from .visitor import Answer, NoAnswerError, Visitor, at_once, signed_in, twin

pytestmark = pytest.mark.services

KILLS = 5 if IS_FULL else 2
WRITERS = 8
DONNES = 12
BETWEEN = 8 if IS_FULL else 2  # donnes acknowledged to each writer before the next kill, on the average
TABLES = WRITERS * -(-(KILLS + 1) * BETWEEN // DONNES)
PATIENCE = 240


@pytest.fixture
def cluster(transactional_db: None) -> Iterator[Cluster]:
    """Run a durable PostgreSQL beside the suite's, whose own gives durability up for speed."""
    running = new_cluster()
    yield running
    running.stop()


@dataclass(slots=True, kw_only=True)
class Writer:
    """Somebody entering the sheets of some tables, who sends again until each donne is acknowledged."""

    visitor: Visitor
    tables: list[int]
    chance: random.Random
    end: float = field(default_factory=lambda: time.monotonic() + PATIENCE)
    acknowledged: dict[int, tuple[int, int]] = field(default_factory=dict)  # donne: its table and number
    repeated: int = 0
    failed: list[str] = field(default_factory=list)

    def enter_all(self) -> None:
        """Enter every donne."""
        for table_id in self.tables:
            for number in range(1, DONNES + 1):
                self._enter(table_id, number)

    def _enter(self, table_id: int, number: int) -> None:
        key = UUID(int=self.chance.getrandbits(128))
        body = {"number": number, "taker": "NSEO"[number % 4], "contract": "garde", "bouts": 2, "half_points": 98}
        path = f"/api/tables/{table_id}/donnes/"
        send = partial(self.visitor.send, "POST", path, body, key=key, If_None_Match="*")
        while time.monotonic() < self.end:
            answer = _answer(send)
            if answer is not None and answer.status in (200, 201):
                self.acknowledged[int(answer.data["id"])] = (table_id, number)
                return
            if answer is not None and answer.status < 500:
                self.failed.append(f"{answer.status} {answer.body[:200]!r}")
                return
            self.repeated += 1
            time.sleep(0.2)
        self.failed.append("no answer in time")


def _answer(send: partial[Answer]) -> Answer | None:
    try:
        return send()
    except NoAnswerError:
        return None


def test_nothing_acknowledged_is_lost_when_the_database_is_killed(
    cluster: Cluster, gunicorn: StartGunicorn, start_command: StartCommand, record: Record
) -> None:
    session = b.a_drawn_session(players=4 * TABLES, rounds=1, donnes=DONNES)
    tables = list(Table.objects.filter(round__session=session).order_by("pk").values_list("pk", flat=True))
    user = b.a_user(club=session.tournament.club, role=Role.CLERK)
    cluster.copy_from_test_database()
    env = {"DATABASE_URL": cluster.url, "TAROT_TEST_CLUSTER": ""}
    clerk = signed_in(gunicorn(workers=2, threads=4, env=env), user.username)
    writers = [Writer(visitor=twin(clerk), tables=tables[n::WRITERS], chance=random.Random(n)) for n in range(WRITERS)]
    outages: list[float] = []
    done = threading.Event()

    def kill() -> None:
        for nth in range(1, KILLS + 1):
            wait_until(lambda nth=nth: _count(writers) >= nth * BETWEEN * WRITERS or done.is_set(), PATIENCE, "writes")  # type: ignore[misc]
            killed = time.monotonic()
            cluster.kill()
            cluster.start()
            outages.append(time.monotonic() - killed)

    def write() -> None:
        at_once(writer.enter_all for writer in writers)
        done.set()

    at_once([kill, write])
    acknowledged = dict(chain.from_iterable(writer.acknowledged.items() for writer in writers))
    found = cluster.rows(
        "SELECT d.id, d.table_id, d.number, sum(m.points), count(m.id) FROM tournaments_donne d"
        " JOIN tournaments_mark m ON m.donne_id = d.id WHERE d.is_current GROUP BY d.id"
    )
    kept = {int(pk): (int(table), int(number)) for pk, table, number, _, _ in found}
    lost = [pk for pk in acknowledged if kept.get(pk) != acknowledged[pk]]
    record(
        "PostgreSQL killed",
        f"{KILLS} kills of the database amid {WRITERS} writers, {len(acknowledged)} donnes acknowledged: "
        f"lost {len(lost)}, doubled {len(kept) - len(set(kept.values()))}, sent again {_repeated(writers)}; "
        f"longest outage {max(outages):.1f} s",
    )
    assert lost == []
    assert [failure for writer in writers for failure in writer.failed] == []
    assert len(outages) == KILLS
    assert sorted(kept.values()) == [(table, number) for table in tables for number in range(1, DONNES + 1)]
    assert {(total, marks) for _, _, _, total, marks in found} == {("0", "4")}
    check = start_command("manage.py", "check_ledger", env=env)
    assert check.popen is not None
    assert check.popen.wait(PATIENCE) == 0, check.log()
    assert cluster.rows("SHOW fsync") == [["on"]]


def _count(writers: list[Writer]) -> int:
    return sum(len(writer.acknowledged) for writer in writers)


def _repeated(writers: list[Writer]) -> int:
    return sum(writer.repeated for writer in writers)
