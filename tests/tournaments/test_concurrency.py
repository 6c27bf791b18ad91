"""Several people at once on real connections; each promise is first seen to break with its lock or constraint away."""

import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from uuid import uuid4

import pytest
from django.db import close_old_connections, connection, models
from django.db.models import Max

from tests import builders as b
from tests.guards import lifted
from tournaments.audit import FindingCode
from tournaments.errors import AlreadyRecordedError, BusyError, SessionClosedError, StaleVersionError
from tournaments.models import DeskState, Donne, Event, IdempotencyKey, Mark, Round, Session, SessionState, Stale, Table
from tournaments.selectors.audit import findings
from tournaments.services import desk, donnes, keys, open_sheet, sessions
from tournaments.services.actors import Actor
from tournaments.services.donnes import correct_donne, withdraw_donne
from tournaments.services.entries import Played

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.services]

PATIENCE = 0.6  # seconds a thread waits for the others where a lock may keep them away


def together(*acts: Callable[[], object]) -> list[object]:
    """Run acts at once, each on its own connection, and return what each gave or raised."""
    outcomes: list[object] = [None] * len(acts)
    start = threading.Barrier(len(acts))

    def run(index: int, act: Callable[[], object]) -> None:
        try:
            start.wait(timeout=30)
            outcomes[index] = act()
        except Exception as error:
            outcomes[index] = error
        finally:
            connection.close()

    threads = [threading.Thread(target=run, args=(index, act)) for index, act in enumerate(acts)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(timeout=60)
    close_old_connections()
    return outcomes


def without_locks(patch: pytest.MonkeyPatch) -> None:
    """Let everybody through."""
    for module, name in (
        (open_sheet, "lock_tables"),
        (sessions, "lock_tables"),
        (sessions, "lock_session"),
        (desk, "lock_session"),
    ):
        patch.setattr(module, name, lambda _: None)


def meet_before_writing(patch: pytest.MonkeyPatch, people: int) -> None:
    """Make writers wait for each other after reading and before writing, unless a lock keeps the others away."""
    meeting = threading.Barrier(people)
    write = donnes._Writer._add

    def waiting(writer: donnes._Writer, steps: list[donnes._Step]) -> None:
        with suppress(threading.BrokenBarrierError):
            meeting.wait(timeout=PATIENCE)
        write(writer, steps)

    patch.setattr(donnes._Writer, "_add", waiting)


@contextmanager
def without_constraints(model: type[models.Model], *names: str) -> Iterator[None]:
    """Drop constraints of a model, and put them back once its rows are gone."""
    dropped = [constraint for constraint in model._meta.constraints if constraint.name in names]
    with connection.schema_editor() as editor:
        for constraint in dropped:
            editor.remove_constraint(model, constraint)
    try:
        yield
    finally:
        with lifted():
            for emptied in (Mark, Donne, Event):
                emptied._base_manager.all()._raw_delete(using="default")
        with connection.schema_editor() as editor:
            for constraint in dropped:
                editor.add_constraint(model, constraint)


def two_at_one_slot(table: Table) -> list[object]:
    """Record the same slot twice at once, with different contents."""
    return together(
        lambda: b.a_donne(table=table, entry=b.a_played(taker=0)),
        lambda: b.a_donne(table=table, entry=b.a_played(taker=1)),
    )


def test_one_slot_recorded_twice_at_once_is_one_donne(monkeypatch: pytest.MonkeyPatch) -> None:
    table = b.a_table()
    meet_before_writing(monkeypatch, 2)
    outcomes = two_at_one_slot(table)
    assert sorted(type(outcome).__name__ for outcome in outcomes) == [AlreadyRecordedError.__name__, "Donne"]
    assert Donne.objects.count() == 1


def test_without_the_lock_the_constraint_still_keeps_it_one_donne(monkeypatch: pytest.MonkeyPatch) -> None:
    table = b.a_table()
    meet_before_writing(monkeypatch, 2)
    without_locks(monkeypatch)
    outcomes = two_at_one_slot(table)
    assert sorted(type(outcome).__name__ for outcome in outcomes) == [BusyError.__name__, "Donne"]
    assert Donne.objects.count() == 1


def test_without_lock_and_constraint_it_is_two_donnes(monkeypatch: pytest.MonkeyPatch) -> None:
    """The control of the two tests above."""
    table = b.a_table()
    meet_before_writing(monkeypatch, 2)
    without_locks(monkeypatch)
    with (
        without_constraints(
            Donne, "tournaments_donne_version_once_per_number", "tournaments_donne_one_current_per_number"
        ),
        without_constraints(Event, "tournaments_event_seq_once_per_table"),
    ):
        two_at_one_slot(table)
        assert Donne.objects.current().filter(table=table, number=1).count() == 2


def the_same_request_twice(table: Table) -> list[object]:
    """Send one request twice at the same moment."""
    clerk, key = b.an_actor(), uuid4()
    return together(*[lambda: b.a_donne(table=table, by=clerk, key=key)] * 2)


def test_the_same_key_at_once_is_answered_twice_and_written_once(monkeypatch: pytest.MonkeyPatch) -> None:
    table = b.a_table()
    meet_before_writing(monkeypatch, 2)
    first, second = the_same_request_twice(table)
    assert isinstance(first, Donne)
    assert first == second
    assert (Donne.objects.count(), IdempotencyKey.objects.count(), Event.objects.count()) == (1, 1, 1)


def test_a_key_used_at_once_for_two_tables_is_written_once() -> None:
    session = b.a_drawn_session(players=8, rounds=1)
    clerk, key = b.an_actor(), uuid4()
    tables = [b.table_of(session, number=number) for number in (1, 2)]
    together(*[lambda table=table: b.a_donne(table=table, by=clerk, key=key) for table in tables])
    assert Donne.objects.count() == IdempotencyKey.objects.count() == 1


def two_correctors(current: Donne) -> list[object]:
    """Correct one donne twice at once, with the very same content."""

    def correct() -> Donne:
        return correct_donne(current=current, entry=b.a_played(taker=2), reason="TABLE", by=b.an_actor(), key=uuid4())

    return together(correct, correct)


def test_of_two_correctors_one_sees_the_others_version(monkeypatch: pytest.MonkeyPatch) -> None:
    current = b.a_donne()
    meet_before_writing(monkeypatch, 2)
    outcomes = two_correctors(current)
    (saved,) = [outcome for outcome in outcomes if isinstance(outcome, Donne)]
    (refused,) = [outcome for outcome in outcomes if isinstance(outcome, StaleVersionError)]
    assert refused.theirs == saved


def test_without_the_lock_the_second_corrector_learns_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    """The control: the constraints keep the ledger whole, but nobody is shown the other's version."""
    current = b.a_donne()
    meet_before_writing(monkeypatch, 2)
    without_locks(monkeypatch)
    outcomes = two_correctors(current)
    assert not [outcome for outcome in outcomes if isinstance(outcome, StaleVersionError)]
    assert Donne.objects.current().count() == 1


def a_session_in_verification(tables: int) -> Session:
    """Make a session of one donne a table, all entered."""
    session = b.a_drawn_session(players=4 * tables, rounds=1, donnes=1)
    for number in range(1, tables + 1):
        b.a_donne(table=b.table_of(session, number=number))
    return sessions.start_verification(session=session, by=b.an_actor())


def correct_while_closing(patch: pytest.MonkeyPatch, tables: int) -> tuple[Session, list[object]]:
    """Correct every table while somebody closes; a writer's end waits for the close, unless a lock keeps that away."""
    session = a_session_in_verification(tables)
    closed, writing = threading.Event(), threading.Semaphore(0)
    keep_answer = keys.keep_answer

    def last_step(**given: object) -> None:
        keep_answer(**given)  # type: ignore[arg-type]
        writing.release()
        closed.wait(timeout=PATIENCE)

    patch.setattr(donnes, "keep_answer", last_step)

    def correct(number: int) -> Donne:
        if number % 2:
            closed.wait(timeout=PATIENCE)
        current = Donne.objects.current().get(table__round__session=session, table__number=number)
        entry: Played = b.a_played(taker=1)
        return correct_donne(current=current, entry=entry, reason="CLAIM", by=b.an_actor(), key=uuid4())

    def close() -> Session:
        writing.acquire(timeout=10)
        try:
            return sessions.close_session(session=session, by=b.an_actor())
        finally:
            closed.set()

    outcomes = together(close, *[lambda number=number: correct(number) for number in range(1, tables + 1)])
    return session, outcomes


def violations(session: Session) -> list[object]:
    """Return what is newer than the close: versions it did not count, or recorded after it."""
    close = Event.objects.get(session=session, code="SESSION_CLOSED")
    newest = Donne.objects.filter(table__round__session=session).aggregate(at=Max("recorded_at"))["at"]
    found: list[object] = [finding for finding in findings(session.pk) if finding.code == FindingCode.SEAL]
    return [*found, newest] if newest > close.at else found


def test_nothing_is_newer_than_the_close(monkeypatch: pytest.MonkeyPatch) -> None:
    session, (closed, *outcomes) = correct_while_closing(monkeypatch, 20)
    assert isinstance(closed, Session)
    assert {type(outcome) for outcome in outcomes} <= {Donne, SessionClosedError}
    assert violations(session) == []


def test_without_the_locks_something_is(monkeypatch: pytest.MonkeyPatch) -> None:
    """The control of the test above: the same harness finds versions the close did not see."""
    without_locks(monkeypatch)
    session, _ = correct_while_closing(monkeypatch, 6)
    assert violations(session) != []


def complete_while_another_reopens(patch: pytest.MonkeyPatch) -> Round:
    """Settle a complete position while somebody takes a donne of it away, and return what is written down."""
    table = b.a_table(donnes=1)
    donne = b.a_donne(table=table)
    Round.objects.update(desk=DeskState.OPEN)
    checked, withdrawn = threading.Event(), threading.Event()
    check_sheets = desk.check_sheets

    def slow(position: Round) -> tuple[desk.SheetCheck, ...]:
        checks = check_sheets(position)
        if not checked.is_set():
            checked.set()
            withdrawn.wait(timeout=PATIENCE)
        return checks

    patch.setattr(desk, "check_sheets", slow)

    def withdraw() -> None:
        checked.wait(timeout=10)
        withdraw_donne(current=donne, reason="TYPING", by=b.an_actor(), key=uuid4())
        withdrawn.set()

    together(lambda: desk.settle_desk(table.round_id), withdraw)
    return Round.objects.get(pk=table.round_id)


def test_the_last_word_on_a_position_is_that_of_the_last_write(monkeypatch: pytest.MonkeyPatch) -> None:
    assert complete_while_another_reopens(monkeypatch).desk == DeskState.OPEN


def test_without_the_sessions_lock_an_empty_sheet_counts_as_entered(monkeypatch: pytest.MonkeyPatch) -> None:
    """The control of the test above."""
    without_locks(monkeypatch)
    assert complete_while_another_reopens(monkeypatch).desk == DeskState.ENTERED


def test_a_lock_that_is_not_had_in_time_says_busy(monkeypatch: pytest.MonkeyPatch) -> None:
    table = b.a_table()
    holding, done = threading.Event(), threading.Event()
    keep_answer = keys.keep_answer

    def hold(**given: object) -> None:
        keep_answer(**given)  # type: ignore[arg-type]
        holding.set()
        done.wait(timeout=10)

    monkeypatch.setattr(donnes, "keep_answer", hold)

    def impatient(by: Actor) -> object:
        holding.wait(timeout=10)
        with connection.cursor() as cursor:
            cursor.execute("SET lock_timeout = '200ms'")
        try:
            return b.a_donne(table=table, number=2, by=by)
        finally:
            done.set()

    first, second = together(lambda: b.a_donne(table=table), lambda: impatient(b.an_actor()))
    assert isinstance(first, Donne)
    assert isinstance(second, BusyError)


def test_every_position_is_entered_when_its_sheets_are_completed_at_once() -> None:
    session = b.a_drawn_session(players=24, rounds=1, donnes=1)
    tables = [b.table_of(session, number=number) for number in range(1, 7)]
    together(*[lambda table=table: b.a_donne(table=table) for table in tables])
    assert Round.objects.get(session=session).desk == DeskState.ENTERED
    assert Stale.objects.filter(session=session).count() == 6
    assert Session.objects.get(pk=session.pk).state == SessionState.RUNNING
