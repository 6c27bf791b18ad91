"""check_ledger: silent on a sound ledger, and a sentence for whatever was changed behind the guards."""

import random
from datetime import datetime, timedelta
from io import StringIO
from typing import Any
from uuid import uuid4

import pytest
from django.core.management import CommandError, call_command
from django.db import IntegrityError, connection, models, transaction
from django.test.utils import CaptureQueriesContext

from players.models import Role
from tests import builders as b
from tests.guards import judge, lifted
from tournaments import guards
from tournaments.audit import Finding, FindingCode
from tournaments.ledger import donne_digest, net_digest
from tournaments.management.commands.check_ledger import sentence
from tournaments.models import Donne, Event, Mark, Session, SessionState, SheetNet, Source, Table
from tournaments.selectors.audit import findings
from tournaments.services.desk import settle_desk
from tournaments.services.donnes import correct_donne, withdraw_donne
from tournaments.services.nets import correct_nets
from tournaments.services.sessions import close_session, reopen_session, start_verification

pytestmark = [pytest.mark.django_db, pytest.mark.embedded]


def an_evening() -> Session:
    """Make a session with every kind of row: details, marks, bilans, corrections, withdrawals, a decision."""
    session = b.a_drawn_session(players=15, rounds=1)
    tables = [b.table_of(session, number=number) for number in (1, 2, 3, 4)]
    for number, entry in enumerate(b.the_fft_sheet(), start=1):
        b.a_donne(table=tables[0], number=number, entry=entry)
    for number, (row, contract) in enumerate(zip(b.FFT_MARKS, b.FFT_CONTRACTS, strict=True), start=1):
        b.a_donne(table=tables[1], number=number, entry=b.a_written(*row, contract=contract))
    b.some_nets(table=tables[1])
    nets = b.some_nets(table=tables[2])
    correct_nets(
        table=tables[2],
        version=nets[0].version,
        nets=b.net_lines(30, -10, -10, -10),
        source=Source.SHEET,
        reason="TABLE",
        by=b.an_actor(),
        key=uuid4(),
    )
    b.fill_table(tables[3])
    current = tables[3].donnes.get(number=2)
    entry = b.a_played(players=3, half_points=83, decision="carte de trop")
    fixed = correct_donne(current=current, entry=entry, reason="", by=b.an_actor(), key=uuid4(), text="vu")
    withdraw_donne(current=fixed, reason="DECISION", by=b.an_actor(), key=uuid4())
    b.a_donne(table=tables[3], number=2, entry=b.removed())
    judge()
    return session


def codes(session: Session | None = None) -> set[FindingCode]:
    return {finding.code for finding in findings(session.pk if session else None)}


def test_a_sound_ledger_is_said_to_be_so() -> None:
    an_evening()
    out = StringIO()
    call_command("check_ledger", stdout=out)
    assert "18" in out.getvalue()


def test_damage_is_printed_and_ends_with_an_error() -> None:
    session = an_evening()
    with lifted():
        Mark.objects.filter(donne__table__number=1, donne__number=3, place="N").update(points=44)
    out = StringIO()
    with pytest.raises(CommandError):
        call_command("check_ledger", session=session.pk, stdout=out)
    assert len(out.getvalue().splitlines()) == 3


def test_an_unknown_session_is_said_to_be_unknown() -> None:
    with pytest.raises(CommandError):
        call_command("check_ledger", session=4_000_000)


def flips() -> list[tuple[type[models.Model], int, models.Field[Any, Any]]]:
    """Return every stored value of the ledger, in a fixed random order: its model, row and column."""
    free = {"text"}  # erasing it is allowed; changing it is tried apart
    ledger: tuple[type[models.Model], ...] = (Donne, Mark, SheetNet, Event)
    found = [
        (model, row, field)
        for model in ledger
        for row in model._base_manager.order_by("pk").values_list("pk", flat=True)
        for field in model._meta.concrete_fields
        if not field.primary_key and field.name not in free
    ]
    random.Random(7).shuffle(found)
    return found


def flipped(value: object) -> object:
    """Return a value that differs by as little as it can."""
    match value:
        case bool():
            return not value
        case int():
            return value ^ 1
        case datetime():
            return value + timedelta(microseconds=1)
        case dict():
            return value | {"version": 77}
        case str():
            return value[:-1] + chr(ord(value[-1]) ^ 1) if value else "x"
        case _:
            return 1


def test_a_hundred_flipped_values_of_a_hundred_are_found() -> None:
    an_evening()
    assert codes() == set()
    missed, tried = [], 0
    for model, row, field in flips():
        with transaction.atomic():
            try:
                with lifted(), transaction.atomic():
                    rows = model._base_manager.filter(pk=row)
                    rows.update(**{field.attname: flipped(getattr(rows.get(), field.attname))})
            except IntegrityError:  # another constraint refuses this one
                continue
            tried += 1
            if not codes():
                missed.append(f"{model.__name__}.{field.name}")
            transaction.set_rollback(True)
        if tried == 100:
            break
    assert (tried, missed) == (100, [])


def test_replaced_words_are_found_and_erased_ones_are_not_missed() -> None:
    an_evening()
    line = Event.objects.exclude(text="").filter(code="DONNE_CORRECTED")
    with lifted():
        line.update(text="autre chose")
    assert codes() == {FindingCode.EVENT_TEXT}
    with lifted():
        Event.objects.filter(code="DONNE_CORRECTED").update(text="")
    assert codes() == set()


@pytest.mark.parametrize("model", [Mark, Event, SheetNet])
def test_a_deleted_row_is_missed(model: type[models.Model]) -> None:
    session = an_evening()
    victim = model._base_manager.order_by("-pk").values_list("pk", flat=True)[0]
    with lifted():
        model._base_manager.filter(pk=victim)._raw_delete(using="default")
    assert codes(session)


def test_a_donne_forged_with_a_good_digest_is_unknown_to_the_journal() -> None:
    an_evening()
    donne = Donne.objects.get(kind="REMOVED")
    donne.by = "user:666"
    with lifted():
        Donne.objects.filter(pk=donne.pk).update(by=donne.by, digest=donne_digest(donne, []))
    assert codes() == {FindingCode.DONNE_JOURNAL}


def test_bilans_forged_with_good_digests_are_unknown_to_the_journal() -> None:
    an_evening()
    with lifted():
        for net in SheetNet.objects.filter(table__number=3, is_current=True, place__in="NS"):
            net.net += 20 if net.place == "N" else -20
            SheetNet.objects.filter(pk=net.pk).update(net=net.net, digest=net_digest(net))
    assert codes() == {FindingCode.NET_JOURNAL}


def test_the_wrong_basis_is_found() -> None:
    session = an_evening()
    Table.objects.filter(round__session=session, number=1).update(basis="NETS")
    assert FindingCode.BASIS in codes(session)


def test_a_missing_guard_is_found() -> None:
    guards.lift(connection)
    assert codes() == {FindingCode.GUARD_MISSING}
    guards.install(connection)


def test_a_closed_session_is_sealed() -> None:
    session = an_evening()
    start_verification(session=session, by=b.an_actor())
    close_session(session=session, by=b.an_actor())
    assert codes(session) == set()
    entry = b.a_played(taker=1)
    Session.objects.filter(pk=session.pk).update(state=SessionState.PROVISIONAL)
    current = Donne.objects.current().get(table__round__session=session, table__number=1, number=1)
    correct_donne(current=current, entry=entry, reason="TYPING", by=b.an_actor(), key=uuid4())
    Session.objects.filter(pk=session.pk).update(state=SessionState.FINAL)
    assert codes(session) == {FindingCode.SEAL}


def test_a_reopened_session_closes_under_a_new_seal() -> None:
    session = an_evening()
    settle_desk(session.rounds.get().pk)
    chief = b.an_actor(role=Role.ADMIN)
    for _ in range(2):
        start_verification(session=session, by=chief)
        close_session(session=session, by=chief)
        assert codes(session) == set()
        reopen_session(session=session, reason="réclamation", by=chief)
    assert codes(session) == set()


def test_every_finding_has_its_sentence() -> None:
    for code in FindingCode:
        assert sentence(Finding(code=code, session=1, position=2, table=3, number=4, row=5)).endswith(".")


def test_the_number_of_queries_does_not_grow_with_the_donnes() -> None:
    session = an_evening()
    with CaptureQueriesContext(connection) as few:
        list(findings(session.pk))
    b.fill_table(b.table_of(b.a_drawn_session(players=4, rounds=1, donnes=12)))
    with CaptureQueriesContext(connection) as more:
        list(findings())
    assert len(more) - len(few) <= 4
