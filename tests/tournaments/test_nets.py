"""The bilans of a sheet: the result where donnes are missing, a control where they are all there, never both."""

from uuid import uuid4

import pytest

from players.models import Role
from tests import builders as b
from tournaments.errors import (
    AlreadyRecordedError,
    EntryCode,
    InvalidDonneError,
    NotAllowedError,
    StaleVersionError,
)
from tournaments.models import Basis, SheetNet, Source, Table
from tournaments.selectors.ledger import ledger_results
from tournaments.services.donnes import correct_donne, save_sheet, withdraw_donne
from tournaments.services.entries import NetLine, SheetLine
from tournaments.services.nets import correct_nets, record_nets, withdraw_nets

pytestmark = [pytest.mark.django_db, pytest.mark.embedded]


def counted(table: Table) -> list[int]:
    """Return what a ranking counts at a table, by seat."""
    table.refresh_from_db()
    return [result.points for result in sorted(ledger_results(table.round.session), key=lambda row: row.entrant_id)]


def a_full_table() -> Table:
    table = b.a_table()
    for number, entry in enumerate(b.the_fft_sheet(), start=1):
        b.a_donne(table=table, number=number, entry=entry)
    return table


def test_bilans_alone_are_the_result() -> None:
    table = b.a_table()
    nets = b.some_nets(table=table, by=b.an_actor(role=Role.CLERK))
    assert [net.net for net in nets] == list(b.FFT_NETS)
    assert counted(table) == list(b.FFT_NETS)
    assert table.basis == Basis.NETS


def test_bilans_beside_all_donnes_are_a_control() -> None:
    table = a_full_table()
    b.some_nets(table=table)
    assert counted(table) == list(b.FFT_NETS)
    assert table.basis == Basis.DONNES


def test_bilans_count_until_the_last_donne_is_there() -> None:
    table = b.a_table()
    b.some_nets(table=table)
    for number, entry in enumerate(b.the_fft_sheet(), start=1):
        table.refresh_from_db()
        assert table.basis == Basis.NETS
        b.a_donne(table=table, number=number, entry=entry)
        assert counted(table) == list(b.FFT_NETS)
    assert table.basis == Basis.DONNES


def test_the_result_does_not_depend_on_what_was_entered_first() -> None:
    first, second = b.a_table(), b.a_table()
    b.some_nets(table=first)
    b.a_donne(table=first, number=1)
    b.a_donne(table=second, number=1)
    b.some_nets(table=second)
    first.refresh_from_db()
    second.refresh_from_db()
    assert first.basis == second.basis == Basis.NETS


def test_bilans_that_contradict_the_donnes_are_refused_by_name() -> None:
    table = a_full_table()
    with pytest.raises(InvalidDonneError) as error:
        b.some_nets(table=table, nets=b.net_lines(-446, 1346, -400, -500))
    found = [(problem.field, problem.code, dict(problem.params)) for problem in error.value.problems]
    assert found == [
        ("nets.E", EntryCode.NET_DIFFERS, {"place": "E", "computed": -390, "written": -400}),
        ("nets.O", EntryCode.NET_DIFFERS, {"place": "O", "computed": -510, "written": -500}),
    ]
    assert not SheetNet.objects.exists()


def test_a_last_donne_that_contradicts_the_bilans_is_refused() -> None:
    table = b.a_table()
    b.some_nets(table=table)
    sheet = [SheetLine(number=number, entry=b.a_played()) for number in range(1, 6)]
    with pytest.raises(InvalidDonneError) as error:
        save_sheet(table=table, lines=sheet, by=b.an_actor(), key=uuid4())
    assert {problem.code for problem in error.value.problems} == {EntryCode.NET_DIFFERS}


def test_a_donne_and_its_bilans_are_corrected_together() -> None:
    table = a_full_table()
    nets = b.some_nets(table=table)
    current = table.donnes.get(number=1)
    with pytest.raises(InvalidDonneError):
        correct_donne(current=current, entry=b.a_played(taker=2), reason="TABLE", by=b.an_actor(), key=uuid4())
    line = SheetLine(number=1, entry=b.a_played(taker=2), current_id=current.pk, reason="TABLE")
    saved = save_sheet(
        table=table,
        lines=[line],
        nets=b.net_lines(-406, 1386, -510, -470),
        nets_version=nets[0].version,
        by=b.an_actor(),
        key=uuid4(),
    )
    assert {net.version for net in saved.nets} == {2}
    assert counted(table) == [-406, 1386, -510, -470]


def test_a_withdrawn_donne_leaves_the_bilans_to_speak() -> None:
    table = a_full_table()
    b.some_nets(table=table)
    withdraw_donne(current=table.donnes.get(number=3), reason="TABLE", by=b.an_actor(), key=uuid4())
    assert counted(table) == list(b.FFT_NETS)
    assert table.basis == Basis.NETS


def test_withdrawn_bilans_leave_the_donnes_to_speak() -> None:
    table = b.a_table()
    b.a_donne(table=table)
    nets = b.some_nets(table=table)
    withdraw_nets(table=table, version=nets[0].version, reason="TYPING", by=b.an_actor(), key=uuid4())
    assert counted(table) == [198, -66, -66, -66]
    again = b.some_nets(table=table)
    assert {net.version for net in again} == {2}


def test_the_same_bilans_again_write_nothing() -> None:
    table = b.a_table()
    assert b.some_nets(table=table) == b.some_nets(table=table)
    assert SheetNet.objects.count() == 4


def test_other_bilans_carry_those_in_force() -> None:
    table = b.a_table()
    nets = b.some_nets(table=table)
    with pytest.raises(AlreadyRecordedError) as error:
        b.some_nets(table=table, nets=b.net_lines(30, -10, -10, -10))
    assert error.value.current == nets


def test_correcting_bilans_names_the_version_and_needs_an_arbiter() -> None:
    table = b.a_table()
    b.some_nets(table=table, by=b.an_actor(role=Role.CLERK))

    def correct(version: int, role: Role = Role.ARBITER) -> tuple[SheetNet, ...]:
        return correct_nets(
            table=table,
            version=version,
            nets=b.net_lines(30, -10, -10, -10),
            source=Source.CARDS,
            reason="TABLE",
            by=b.an_actor(role=role),
            key=uuid4(),
        )

    with pytest.raises(NotAllowedError):
        correct(1, Role.CLERK)
    corrected = correct(1)
    assert {net.version for net in corrected} == {2}
    with pytest.raises(StaleVersionError) as error:
        correct(1)
    assert error.value.theirs == corrected


@pytest.mark.parametrize(
    ("nets", "code"),
    [
        (b.net_lines(10, -10, -10, -10), EntryCode.NETS_SUM),
        ((), EntryCode.NETS_PLACES),
        (b.net_lines(10, -10, 0, places="NSE"), EntryCode.NETS_PLACES),
        (b.net_lines(10, -10, 0, 0, places="NSEC"), EntryCode.NETS_PLACES),
        (b.net_lines(10, -10, 0, 0, places="NSEE"), EntryCode.NETS_PLACES),
        ((*b.net_lines(10, -10, 0, places="NSE"), NetLine("O", 1_000_000)), EntryCode.NET_TYPE),
        ((*b.net_lines(10, -10, 0, places="NSE"), NetLine("O", 0, positive=5, negative=4)), EntryCode.NET_PARTS),
    ],
)
def test_bilans_are_refused_with_what_is_wrong(nets: tuple[NetLine, ...], code: EntryCode) -> None:
    with pytest.raises(InvalidDonneError) as error:
        record_nets(table=b.a_table(), nets=nets, source=Source.SHEET, by=b.an_actor(), key=uuid4())
    assert code in {problem.code for problem in error.value.problems}
