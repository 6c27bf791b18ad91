"""kill -9 in the middle of a draw and of a sheet: afterwards nothing is half, and nothing acknowledged is missing."""

from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from functools import partial

import pytest
from django.db import connection
from django.db.models import Count, Sum

from tests import builders as b
from tests.servers import Server
from tournaments import guards
from tournaments.models import Donne, Event, IdempotencyKey, Mark, Round, Seat, Session, SessionState, Table
from tournaments.selectors.audit import findings

from .conftest import IS_FULL, Record, StartHampered
from .killing import Killer
from .visitor import Answer, Visitor, signed_in

pytestmark = [pytest.mark.services, pytest.mark.embedded]

KILLS = 50 if IS_FULL else 10
CONTROL_KILLS = 40  # at most, until one has torn something
PAUSE_MS = 30  # before each statement that writes, so that many kills fall between two of them
CONTROL_PAUSE_MS = 100
PLAYERS = 24
ROUNDS = 4
DONNES = 5
SHEET = {"way": "C", "row-1": "NG249", "row-2": "SG249", "row-3": "EP252", "row-4": "OG349", "row-5": "NC340"}


@pytest.fixture
def without_guards(transactional_db: None) -> Callable[[], AbstractContextManager[None]]:
    """Return a block without the triggers, which would refuse to hold half a donne."""

    @contextmanager
    def block() -> Iterator[None]:
        guards.lift(connection)
        try:
            yield
        finally:
            guards.install(connection)

    return block


def _an_arbiter(server: Server, session: Session) -> Visitor:
    return signed_in(server, b.a_user(club=session.tournament.club).username)


def _drawing(visitor: Visitor, session: Session) -> partial[Answer]:
    """Return the confirmation of the draw that the page proposes."""
    path = f"/seances/{session.pk}/mise-en-place/"
    proposal = visitor.get(visitor.get(path).headers["Location"])
    return partial(visitor.post, path, proposal.hidden())


def _draw_of(session: Session) -> str:
    """Say whether a session is not drawn at all, whole, or half."""
    session.refresh_from_db()
    rows = (
        Round.objects.filter(session=session).count(),
        Table.objects.filter(round__session=session).count(),
        Seat.objects.filter(round__session=session).count(),
        session.entrants.filter(number__isnull=False).count(),
        Event.objects.filter(session=session, code="DRAWN").count(),
    )
    if (session.state, *rows) == (SessionState.REGISTRATION, 0, 0, 0, 0, 0):
        return "none"
    tables = ROUNDS * PLAYERS // 4
    if (session.state, *rows) == (SessionState.RUNNING, ROUNDS, tables, ROUNDS * PLAYERS, PLAYERS, 1):
        return "whole"
    return "half"


def _sheet_of(table: Table) -> str:
    """Say whether none of a sheet's lines is saved, all are, or some."""
    lines = (
        Donne.objects.filter(table=table).count(),
        Mark.objects.filter(donne__table=table).count(),
        Event.objects.filter(table=table).count(),
    )
    zero = not any(
        Donne.objects.filter(table=table).annotate(total=Sum("marks__points")).values_list("total", flat=True)
    )
    if lines == (0, 0, 0):
        return "none"
    return "whole" if lines == (DONNES, 4 * DONNES, DONNES) and zero else "half"


def _saving(visitor: Visitor, table: Table) -> partial[Answer]:
    path = f"/seances/{table.round.session_id}/positions/1/tables/{table.number}/"
    fields = visitor.get(path).hidden() | SHEET | {"do": "save"}
    return partial(visitor.post, path, fields)


def _tables(sheets: int) -> list[Table]:
    session = b.a_drawn_session(players=4 * sheets, rounds=1, donnes=DONNES)
    return list(session.rounds.get().tables.select_related("round__session__tournament__club").order_by("number"))


def test_a_draw_that_is_killed_is_there_whole_or_not_at_all(hampered: StartHampered, record: Record) -> None:
    killer = Killer(server=hampered(pause_ms=PAUSE_MS))
    first = b.a_session(players=PLAYERS, rounds=ROUNDS)
    visitor = _an_arbiter(killer.server, first)
    assert killer.undisturbed(_drawing(visitor, first)).status == 302
    found = {"none": 0, "whole": 0, "half": 0}
    lost = 0
    for _ in range(KILLS):
        session = b.a_session(players=PLAYERS, rounds=ROUNDS, club=first.tournament.club)
        draw = _drawing(visitor, session)
        answer = killer.killed(draw)
        state = _draw_of(session)
        found[state] += 1
        lost += answer is not None and answer.status == 302 and state != "whole"
        assert draw().status == 302
        assert _draw_of(session) == "whole"
    record("kill, a draw", _figures(killer, found, lost))
    assert (found["half"], lost) == (0, 0)
    assert killer.cut > KILLS // 4
    assert tuple(findings()) == ()


def test_a_sheet_that_is_killed_is_saved_whole_or_not_at_all(hampered: StartHampered, record: Record) -> None:
    killer = Killer(server=hampered(pause_ms=PAUSE_MS))
    tables = _tables(KILLS + 1)
    visitor = _an_arbiter(killer.server, tables[0].round.session)
    assert killer.undisturbed(_saving(visitor, tables[0])).status == 302
    found = {"none": 0, "whole": 0, "half": 0}
    lost = 0
    for table in tables[1:]:
        save = _saving(visitor, table)
        answer = killer.killed(save)
        state = _sheet_of(table)
        found[state] += 1
        lost += answer is not None and answer.status == 302 and state != "whole"
        assert save().status == 302
        assert _sheet_of(table) == "whole"
    record("kill, a sheet", _figures(killer, found, lost))
    assert (found["half"], lost) == (0, 0)
    assert killer.cut > KILLS // 4
    assert not IdempotencyKey.objects.values("key").annotate(rows=Count("pk")).filter(rows__gt=1).exists()
    assert tuple(findings()) == ()


def test_control_without_the_transaction_a_killed_draw_is_half(hampered: StartHampered) -> None:
    killer = Killer(server=hampered("transactions", pause_ms=CONTROL_PAUSE_MS))
    first = b.a_session(players=PLAYERS, rounds=ROUNDS)
    visitor = _an_arbiter(killer.server, first)
    killer.undisturbed(_drawing(visitor, first))
    for _ in range(CONTROL_KILLS):
        session = b.a_session(players=PLAYERS, rounds=ROUNDS, club=first.tournament.club)
        killer.killed(_drawing(visitor, session))
        if _draw_of(session) == "half":
            return
    pytest.fail("no draw was half")


def test_control_without_the_transaction_a_killed_sheet_is_torn(
    hampered: StartHampered, without_guards: Callable[[], AbstractContextManager[None]]
) -> None:
    killer = Killer(server=hampered("transactions", pause_ms=CONTROL_PAUSE_MS))
    tables = _tables(CONTROL_KILLS + 1)
    visitor = _an_arbiter(killer.server, tables[0].round.session)
    with without_guards():
        killer.undisturbed(_saving(visitor, tables[0]))
        for table in tables[1:]:
            killer.killed(_saving(visitor, table))
            if _sheet_of(table) == "half":
                return
    pytest.fail("no sheet was torn")


def _figures(killer: Killer, found: dict[str, int], lost: int) -> str:
    return (
        f"{killer.kills} kills, {killer.cut} before the answer: none of it there {found['none']}, "
        f"whole {found['whole']}, half {found['half']}, acknowledged and lost {lost}"
    )
