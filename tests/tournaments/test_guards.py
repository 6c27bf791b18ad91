"""Attacks on the ledger by raw SQL, each refused by the database itself; what SQLite cannot refuse has its own list."""

from collections.abc import Callable
from dataclasses import dataclass
from uuid import uuid4

import pytest
from django.db import IntegrityError, connection, models, transaction

from tests import builders as b
from tests.guards import judge, lifted
from tournaments import guards
from tournaments.models import (
    Donne,
    Entrant,
    Event,
    Mark,
    Penalty,
    Rules,
    Seat,
    Session,
    SheetNet,
    Table,
)
from tournaments.services.donnes import correct_donne

pytestmark = [pytest.mark.django_db, pytest.mark.embedded]

D, M, N, E, P, S = (
    "tournaments_donne",
    "tournaments_mark",
    "tournaments_sheetnet",
    "tournaments_event",
    "tournaments_penalty",
    "tournaments_seat",
)


Row = dict[str, str | int]


@dataclass(frozen=True, slots=True, kw_only=True)
class Scene:
    """One evening with something of everything: a current donne, a replaced one, bilans, a penalty, a journal."""

    session: int
    table: int  # slot 1 holds `donne`, slot 2 `old` and `new`, slot 4 `cancelled`, slots 3 and 5 nothing
    other_table: int  # holds the bilans
    donne: int
    old: int
    new: int
    cancelled: int
    net: int
    penalty: int
    event: int
    stranger: int  # an entrant of the other table
    nord: int
    seat: int


@pytest.fixture
def scene() -> Scene:
    """Build it, through the services where there is one."""
    session = b.a_drawn_session(players=8, rounds=2)
    table, other = b.table_of(session), b.table_of(session, number=2)
    donne = b.a_donne(table=table, number=1)
    old = b.a_donne(table=table, number=2)
    new = correct_donne(current=old, entry=b.a_played(taker=1), reason="TYPING", by=b.an_actor(), key=uuid4())
    cancelled = b.a_donne(table=table, number=4, entry=b.cancelled())
    net = b.some_nets(table=other)[0]
    nord = Entrant.objects.get(seats__table=table, seats__place="N")
    penalty = Penalty.objects.create(
        session=session, entrant=nord, points=-100, code="RENONCE", by="user:1", at=donne.recorded_at
    )
    judge()
    return Scene(
        session=session.pk,
        table=table.pk,
        other_table=other.pk,
        donne=donne.pk,
        old=old.pk,
        new=new.pk,
        cancelled=cancelled.pk,
        net=net.pk,
        penalty=penalty.pk,
        event=Event.objects.filter(table=table).order_by("seq")[1].pk,
        stranger=Entrant.objects.get(seats__table=other, seats__place="N").pk,
        nord=nord.pk,
        seat=Seat.objects.get(table=table, place="N").pk,
    )


def copy(model: type[models.Model], pk: int, row: Row | None = None, **changes: str | int) -> str:
    """Return the INSERT of a copy of a row under the next id, with some columns changed."""
    columns = [field.column for field in model._meta.concrete_fields if field.column]
    table = model._meta.db_table
    given: dict[str, str] = {"id": f"(SELECT max(id) + 1 FROM {table})"} | {
        name: str(value) for name, value in {**(row or {}), **changes}.items()
    }
    values = ", ".join(given.get(column, f'"{column}"') for column in columns)
    names = ", ".join(f'"{column}"' for column in columns)
    return f"INSERT INTO {table} ({names}) SELECT {values} FROM {table} WHERE id = {pk}"


def a_copied_donne(
    pk: int, row: Row | None = None, *, points: str = "points", where: str = "", **changes: str | int
) -> list[str]:
    """Return the INSERTs of a copy of a donne and of its marks."""
    marks = (
        f"INSERT INTO {M} (donne_id, place, entrant_id, points)"
        f" SELECT (SELECT max(id) FROM {D}), place, entrant_id, {points} FROM {M} WHERE donne_id = {pk} {where}"
    )
    return [copy(Donne, pk, row, **changes), marks]


def retire(pk: int) -> str:
    """Return the UPDATE that takes a version out of force."""
    return f"UPDATE {D} SET is_current = false WHERE id = {pk}"


def final(scene: Scene) -> str:
    """Return the UPDATE that makes the ranking final."""
    return f"UPDATE tournaments_session SET state = 'FINAL' WHERE id = {scene.session}"


FRESH: Row = {"number": 3, "version": 1, "replaces_id": "NULL", "is_current": "true"}
Attack = Callable[[Scene], list[str]]

# Held by both databases.
EVERYWHERE: dict[str, Attack] = {
    "change the total of a donne": lambda s: [f"UPDATE {D} SET half_points = 100 WHERE id = {s.donne}"],
    "change who entered it": lambda s: [f"UPDATE {D} SET by = 'user:666' WHERE id = {s.donne}"],
    "move it to another table": lambda s: [f"UPDATE {D} SET table_id = {s.other_table} WHERE id = {s.donne}"],
    "give it another slot": lambda s: [f"UPDATE {D} SET number = 3 WHERE id = {s.donne}"],
    "rewrite its digest": lambda s: [f"UPDATE {D} SET digest = '' WHERE id = {s.donne}"],
    "put an old version back in force": lambda s: [
        retire(s.new),
        f"UPDATE {D} SET is_current = true WHERE id = {s.old}",
    ],
    "change something while retiring": lambda s: [f"UPDATE {D} SET is_current = false, value = 1 WHERE id = {s.donne}"],
    "delete a donne": lambda s: [
        f"DELETE FROM {M} WHERE donne_id = {s.donne}",
        f"DELETE FROM {D} WHERE id = {s.donne}",
    ],
    "delete a donne without marks": lambda s: [f"DELETE FROM {D} WHERE id = {s.cancelled}"],
    "change a mark": lambda s: [f"UPDATE {M} SET points = points + 2 WHERE donne_id = {s.donne} AND place = 'N'"],
    "change two marks in balance": lambda s: [
        f"UPDATE {M} SET points = points + 2 WHERE donne_id = {s.donne} AND place = 'N'",
        f"UPDATE {M} SET points = points - 2 WHERE donne_id = {s.donne} AND place = 'S'",
    ],
    "give a mark to somebody else": lambda s: [
        f"UPDATE {M} SET entrant_id = {s.stranger} WHERE donne_id = {s.donne} AND place = 'N'"
    ],
    "delete a mark": lambda s: [f"DELETE FROM {M} WHERE donne_id = {s.donne}"],
    "add a mark to a saved donne": lambda s: [
        f"INSERT INTO {M} (donne_id, place, entrant_id, points) VALUES ({s.donne}, 'C', {s.stranger}, 0)"
    ],
    "add a mark to a donne without": lambda s: [
        f"INSERT INTO {M} (donne_id, place, entrant_id, points) VALUES ({s.cancelled}, 'N', {s.nord}, 0)"
    ],
    "record a second current version": lambda s: a_copied_donne(s.donne, version=2, replaces_id=s.donne),
    "record the same slot twice": lambda s: a_copied_donne(s.donne),
    "skip a version": lambda s: [
        retire(s.donne),
        *a_copied_donne(s.donne, version=3, replaces_id=s.donne, is_current="true"),
    ],
    "replace the version of another slot": lambda s: [
        retire(s.donne),
        *a_copied_donne(s.donne, version=3, replaces_id=s.new, is_current="true"),
    ],
    "replace a version twice": lambda s: [
        retire(s.new),
        *a_copied_donne(s.new, version=2, replaces_id=s.old, is_current="true"),
    ],
    "record a version out of force": lambda s: a_copied_donne(s.donne, FRESH | {"is_current": "false"}),
    "a later version that names no elder": lambda s: a_copied_donne(s.donne, FRESH | {"version": 2}),
    "a slot beyond the sheet": lambda s: a_copied_donne(s.donne, FRESH | {"number": 6}),
    "a table that does not balance": lambda s: a_copied_donne(s.donne, FRESH, points="points + 1"),
    "a stranger among the marks": lambda s: [
        copy(Donne, s.donne, FRESH),
        f"INSERT INTO {M} (donne_id, place, entrant_id, points) SELECT max(id), 'N', {s.stranger}, 0 FROM {D}",
    ],
    "a taker who does not play": lambda s: a_copied_donne(s.donne, FRESH, taker="'C'"),
    "an unknown contract": lambda s: a_copied_donne(s.donne, FRESH, contract="'pousse'"),
    "a computed donne without its bouts": lambda s: a_copied_donne(s.donne, FRESH, bouts="NULL"),
    "more card points than the pack holds": lambda s: a_copied_donne(s.donne, FRESH, half_points=183),
    "a donne of two players": lambda s: a_copied_donne(s.donne, FRESH, places="'NS'", where="AND place < 'P'"),
    "an unplayed donne with a value": lambda s: [copy(Donne, s.cancelled, FRESH | {"value": 12})],
    "change a bilan": lambda s: [f"UPDATE {N} SET net = net + 10, positive = NULL WHERE id = {s.net}"],
    "delete a bilan": lambda s: [f"DELETE FROM {N} WHERE id = {s.net}"],
    "bilans beside those in force": lambda s: [copy(SheetNet, s.net, version=2)],
    "skip a version of the bilans": lambda s: [
        f"UPDATE {N} SET is_current = false WHERE table_id = {s.other_table}",
        copy(SheetNet, s.net, version=3, is_current="true"),
    ],
    "bilans for a stranger": lambda s: [
        f"UPDATE {N} SET is_current = false WHERE table_id = {s.other_table}",
        copy(SheetNet, s.net, version=2, is_current="true", entrant_id=s.nord),
    ],
    "change a penalty": lambda s: [f"UPDATE {P} SET points = 0 WHERE id = {s.penalty}"],
    "delete a penalty": lambda s: [f"DELETE FROM {P} WHERE id = {s.penalty}"],
    "a penalty that gives points": lambda s: [copy(Penalty, s.penalty, points=100)],
    "change a line of the journal": lambda s: [f"UPDATE {E} SET code = 'NOTHING' WHERE id = {s.event}"],
    "put other words into the journal": lambda s: [f"UPDATE {E} SET text = 'x' WHERE id = {s.event}"],
    "delete a line of the journal": lambda s: [f"DELETE FROM {E} WHERE id = {s.event}"],
    "a line of the journal out of order": lambda s: [copy(Event, s.event, seq=99)],
    "a line of the journal that hangs on nothing": lambda s: [copy(Event, s.event, seq=6, previous="'00'")],
    "record in a final session": lambda s: [final(s), *a_copied_donne(s.donne, FRESH)],
    "correct in a final session": lambda s: [
        final(s),
        retire(s.donne),
        *a_copied_donne(s.donne, version=2, replaces_id=s.donne, is_current="true"),
    ],
    "retire in a final session": lambda s: [final(s), retire(s.donne)],
    "bilans in a final session": lambda s: [
        final(s),
        copy(SheetNet, s.net, table_id=s.table, entrant_id=s.nord),
    ],
    "retire bilans in a final session": lambda s: [
        final(s),
        f"UPDATE {N} SET is_current = false WHERE table_id = {s.other_table}",
    ],
    "a penalty in a final session": lambda s: [final(s), copy(Penalty, s.penalty)],
    "record before the draw": lambda s: [
        f"UPDATE tournaments_session SET state = 'REGISTRATION' WHERE id = {s.session}",
        *a_copied_donne(s.donne, FRESH),
    ],
    "change a frozen scale": lambda s: ["UPDATE tournaments_rules SET base = 30 WHERE id = 1"],
    "thaw a frozen scale": lambda s: ["UPDATE tournaments_rules SET frozen_at = NULL WHERE id = 1"],
    "delete a frozen scale": lambda s: ["DELETE FROM tournaments_rules WHERE id = 1"],
    "swap the player of a seat with marks": lambda s: [f"UPDATE {S} SET entrant_id = {s.stranger} WHERE id = {s.seat}"],
    "move a seat with marks": lambda s: [f"UPDATE {S} SET place = 'C' WHERE id = {s.seat}"],
    "end a seat before its marks": lambda s: [f"UPDATE {S} SET to_donne = 1 WHERE id = {s.seat}"],
    "delete a seat with marks": lambda s: [f"DELETE FROM {S} WHERE id = {s.seat}"],
    "seat a second person in a seat": lambda s: [copy(Seat, s.seat, entrant_id=s.stranger, from_donne=2)],
    "renumber a table with marks": lambda s: [f"UPDATE tournaments_table SET number = 9 WHERE id = {s.table}"],
    "renumber a position with marks": lambda s: [
        f"UPDATE tournaments_round SET number = 9 WHERE session_id = {s.session} AND number = 1"
    ],
    "make an entrant somebody else": lambda s: [
        f"UPDATE tournaments_entrant SET person_id = (SELECT max(id) FROM players_person) WHERE id = {s.nord}"
    ],
    "shorten the sheets below their marks": lambda s: [
        f"UPDATE tournaments_session SET donnes_per_round = 1 WHERE id = {s.session}"
    ],
    "change the club of a tournament with marks": lambda s: [
        "INSERT INTO players_club (name, slug, timezone, display_default) VALUES ('x', 'x', 'UTC', 'FULL')",
        "UPDATE tournaments_tournament SET club_id = (SELECT max(id) FROM players_club)",
    ],
}

# Of these, the ones a unique or check constraint holds by itself.
BY_CONSTRAINT = {
    "record a second current version",
    "record the same slot twice",
    "replace a version twice",
    "a later version that names no elder",
    "an unknown contract",
    "a computed donne without its bouts",
    "more card points than the pack holds",
    "a donne of two players",
    "an unplayed donne with a value",
    "bilans beside those in force",
    "a penalty that gives points",
    "swap the player of a seat with marks",
    "seat a second person in a seat",
    "make an entrant somebody else",
}

# Seen only when a transaction ends: PostgreSQL refuses them, SQLite cannot.
AT_COMMIT: dict[str, Attack] = {
    "retire a donne and put nothing in its place": lambda s: [retire(s.donne)],
    "a donne that lacks a mark": lambda s: a_copied_donne(s.donne, FRESH, where="AND place <> 'O'"),
    "a donne without any mark": lambda s: [copy(Donne, s.donne, FRESH)],
    "bilans that lack a seat": lambda s: [copy(SheetNet, s.net, table_id=s.table, entrant_id=s.nord, net=0)],
}

# SQLite knows neither TRUNCATE nor this way round a trigger.
TRUNCATES = [D, M, N, E, P, S]
REPLACES: dict[str, Attack] = {
    "overwrite a donne": lambda s: [
        copy(Donne, s.cancelled, id=s.cancelled, kind="'NOT_PLAYED'").replace("INSERT", "INSERT OR REPLACE", 1)
    ],
    "overwrite a mark": lambda s: [
        f"INSERT OR REPLACE INTO {M} (donne_id, place, entrant_id, points) VALUES ({s.donne}, 'N', {s.nord}, 0)"
    ],
    "overwrite a bilan": lambda s: [copy(SheetNet, s.net, id=s.net, net=0).replace("INSERT", "INSERT OR REPLACE", 1)],
    "overwrite a line of the journal": lambda s: [
        copy(Event, s.event, id=s.event, code="'X'").replace("INSERT", "INSERT OR REPLACE", 1)
    ],
    "overwrite the frozen scale": lambda s: [copy(Rules, 1, id=1, base=30).replace("INSERT", "INSERT OR REPLACE", 1)],
}


def run(statements: list[str]) -> None:
    """Run statements as one transaction and make its end judge them."""
    with transaction.atomic(), connection.cursor() as cursor:
        for statement in statements:
            cursor.execute(statement)
        judge()


@pytest.mark.parametrize("name", EVERYWHERE)
def test_both_databases_refuse_to(name: str, scene: Scene) -> None:
    """The control is in here as well: with the guards lifted nothing else stands against it."""
    with pytest.raises(IntegrityError):
        run(EVERYWHERE[name](scene))
    if name not in BY_CONSTRAINT:
        with transaction.atomic():
            with lifted():
                run(EVERYWHERE[name](scene))
            transaction.set_rollback(True)


@pytest.mark.parametrize("attack", AT_COMMIT.values(), ids=AT_COMMIT.keys())
def test_postgresql_alone_refuses_at_the_end_of_a_transaction(attack: Attack, scene: Scene) -> None:
    if connection.vendor == "postgresql":
        with pytest.raises(IntegrityError):
            run(attack(scene))
    else:
        run(attack(scene))


@pytest.mark.parametrize("table", TRUNCATES)
def test_a_table_of_results_cannot_be_emptied(table: str, scene: Scene) -> None:
    statement = f"TRUNCATE {table} CASCADE" if connection.vendor == "postgresql" else f"DELETE FROM {table}"
    with pytest.raises(IntegrityError):
        run([statement])


@pytest.mark.parametrize("attack", REPLACES.values(), ids=REPLACES.keys())
def test_insert_or_replace_does_not_slip_past_the_guards(attack: Attack, scene: Scene) -> None:
    statements = attack(scene)
    if connection.vendor == "postgresql":
        statements = [f"{statements[0].replace('INSERT OR REPLACE', 'INSERT')} ON CONFLICT (id) DO UPDATE SET id = 1"]
    with pytest.raises(IntegrityError):
        run(statements)


def test_the_orm_meets_the_same_guards(scene: Scene) -> None:
    donne = Donne.objects.get(pk=scene.donne)
    donne.half_points = 100
    with pytest.raises(IntegrityError), transaction.atomic():
        donne.save()
    with pytest.raises(IntegrityError), transaction.atomic():
        Mark.objects.filter(donne=donne).update(points=0)
    with pytest.raises(IntegrityError), transaction.atomic():
        Event.objects.filter(pk=scene.event).delete()


def test_the_words_of_a_line_may_be_erased_and_nothing_else(scene: Scene) -> None:
    run([f"UPDATE {E} SET text = '' WHERE id = {scene.event}"])
    assert Event.objects.get(pk=scene.event).text == ""


def test_what_carries_no_result_may_still_be_moved(scene: Scene) -> None:
    later = Table.objects.get(round__session=scene.session, round__number=2, number=1)
    seats = list(Seat.objects.filter(table=later).order_by("pk"))
    run([f"UPDATE {S} SET place = 'C' WHERE id = {seats[0].pk}", f"DELETE FROM {S} WHERE id = {seats[1].pk}"])
    run([f"UPDATE {S} SET to_donne = 4 WHERE id = {scene.seat}"])
    assert Seat.objects.get(pk=scene.seat).to_donne == 4
    assert Session.objects.get(pk=scene.session).donnes_per_round == 5


def test_every_guard_is_in_force_after_the_migrations() -> None:
    assert guards.missing(connection) == ()


def test_a_lifted_guard_is_missed_and_can_be_put_back() -> None:
    guards.lift(connection)
    assert len(guards.missing(connection)) > 20
    guards.install(connection)
    guards.install(connection)
    assert guards.missing(connection) == ()
