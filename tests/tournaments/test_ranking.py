"""Rankings from the ledger: what counts, how equals are ranked, and that no list of names changes the work."""

from collections.abc import Iterable
from uuid import uuid4

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from scoring import Contract
from tests import builders as b
from tournaments.models import Basis, Donne, Entrant, Penalty, RoomState, Round, Session, SheetDraft, Table
from tournaments.selectors.closing import checks
from tournaments.selectors.ledger import SheetRef
from tournaments.selectors.ranking import EntrantTotal, LineState, RankedRow, rank_totals, ranking
from tournaments.services.donnes import correct_donne, withdraw_donne
from tournaments.services.nets import withdraw_nets

pytestmark = [pytest.mark.django_db, pytest.mark.embedded]


def penalise(
    entrant: Entrant, points: int, *, position: int | None = None, withdraws: Penalty | None = None
) -> Penalty:
    return Penalty.objects.create(
        session=entrant.session,
        entrant=entrant,
        round=Round.objects.get(session=entrant.session, number=position) if position else None,
        points=points,
        code="TOTAL_NOT_ZERO",
        by="user:1",
        at=timezone.now(),
        withdraws=withdraws,
    )


def by_number(rows: Iterable[RankedRow]) -> dict[int | None, RankedRow]:
    return {row.entrant.number: row for row in rows}


def fft_session(*, players: int = 4, rounds: int = 1) -> Session:
    """Return a running session whose first table is the FFT's own sheet, entered in detail."""
    session = b.a_drawn_session(players=players, rounds=rounds)
    table = b.table_of(session)
    for number, entry in enumerate(b.the_fft_sheet(), start=1):
        b.a_donne(table=table, number=number, entry=entry)
    return session


def total_of(
    number: int, points: int, *, in_ranking: bool = True, by_round: tuple[int | None, ...] = ()
) -> EntrantTotal:
    return EntrantTotal(
        entrant_id=number,
        person_id=number,
        number=number,
        name=f"Joueur {number}",
        in_ranking=in_ranking,
        by_round=by_round or (points,),
        points=points,
        penalty=0,
        warnings=0,
    )


def test_the_ffts_own_sheet_is_ranked_by_its_bilans() -> None:
    rows = ranking(fft_session()).rows
    assert [(row.rank, row.entrant.number, row.entrant.total) for row in rows] == [
        (1, 2, 1346),
        (2, 3, -390),
        (3, 1, -446),
        (4, 4, -510),
    ]


def test_equals_share_a_rank_and_the_next_is_skipped() -> None:
    rows = rank_totals([total_of(1, 50), total_of(2, 20), total_of(3, 20), total_of(4, -90)])
    assert [(row.rank, row.tied) for row in rows] == [(1, False), (2, True), (2, True), (4, False)]


def test_four_equals_are_all_39th_and_the_next_is_43rd() -> None:
    totals = [total_of(n, 1000 - n) for n in range(1, 39)] + [total_of(n, 0) for n in range(39, 43)]
    rows = rank_totals([*totals, total_of(43, -1)])
    assert [row.rank for row in rows[38:]] == [39, 39, 39, 39, 43]


def test_a_make_up_player_has_no_rank_and_takes_none_from_the_others() -> None:
    session = fft_session()
    Entrant.objects.filter(session=session, number=2).update(in_ranking=False)
    rows = ranking(session).rows
    assert [(row.rank, row.entrant.number) for row in rows] == [(1, 3), (2, 1), (3, 4), (None, 2)]
    assert rows[-1].entrant.state is LineState.NOT_RANKED


def test_somebody_without_a_counted_sheet_is_not_ranked_at_zero_above_the_losers() -> None:
    session = fft_session(players=8)
    rows = ranking(session).rows
    assert [row.rank for row in rows] == [1, 2, 3, 4, None, None, None, None]
    assert {row.entrant.state for row in rows[4:]} == {LineState.NO_RESULT}


def test_somebody_registered_who_never_sat_down_has_no_line() -> None:
    session = fft_session()
    b.an_entrant(session)
    assert len(ranking(session).rows) == 4


def test_an_incomplete_sheet_does_not_count_and_its_table_is_named() -> None:
    session = fft_session(players=8)
    b.a_donne(table=b.table_of(session, number=2))
    found = ranking(session)
    assert found.missing == (SheetRef(round_number=1, table_number=2),)
    assert all(row.entrant.by_round == (None,) for row in found.rows if (row.entrant.number or 0) > 4)


def test_a_position_being_played_is_neither_a_column_nor_missing() -> None:
    session = fft_session(rounds=2)
    Round.objects.filter(session=session, number=2).update(room=RoomState.PLAYING)
    found = ranking(session)
    assert (found.rounds, found.missing) == ((1,), ())
    Round.objects.filter(session=session, number=2).update(room=RoomState.PLAYED)
    assert ranking(session).missing == (SheetRef(round_number=2, table_number=1),)


def test_nets_count_where_they_are_the_basis_and_never_beside_marks() -> None:
    session = b.a_drawn_session(players=4, rounds=1)
    table = b.table_of(session)
    b.a_donne(table=table)
    b.some_nets(table=table)
    assert Table.objects.get(pk=table.pk).basis == Basis.NETS
    assert [row.entrant.total for row in ranking(session).rows] == [1346, -390, -446, -510]


def test_nets_typed_as_the_control_of_a_full_sheet_are_not_added_to_its_marks() -> None:
    session = fft_session()
    b.some_nets(table=b.table_of(session))
    assert [row.entrant.total for row in ranking(session).rows] == [1346, -390, -446, -510]


def test_withdrawn_nets_no_longer_count() -> None:
    session = b.a_drawn_session(players=4, rounds=1)
    table = b.table_of(session)
    nets = b.some_nets(table=table)
    assert ranking(session).rounds == (1,)
    withdraw_nets(table=table, version=nets[0].version, reason="TYPING", by=b.an_actor(), key=uuid4())
    assert ranking(session).rounds == ()


def test_a_sheet_put_aside_moves_no_ranking() -> None:
    session = b.a_drawn_session(players=4, rounds=1)
    SheetDraft.objects.create(
        table=b.table_of(session), rows=[{"N": "100", "S": "-30"}], by="user:1", at=timezone.now()
    )
    assert {row.rank for row in ranking(session).rows} == {None}


def test_a_correction_counts_at_once_and_only_once() -> None:
    session = fft_session()
    first = Donne.objects.get(number=1)
    correct_donne(current=first, entry=b.a_played(taker=0), reason="TYPING", by=b.an_actor(), key=uuid4())
    totals = {row.entrant.number: row.entrant.total for row in ranking(session).rows}
    # In place of −106 −106 +318 −106 the same garde without petit or poignée, taken by North: +198 −66 −66 −66.
    assert totals == {1: -446 + 106 + 198, 2: 1346 + 106 - 66, 3: -390 - 318 - 66, 4: -510 + 106 - 66}
    assert sum(totals.values()) == 0


def test_a_withdrawn_donne_takes_its_sheet_out_of_the_ranking() -> None:
    session = fft_session()
    withdraw_donne(current=Donne.objects.get(number=3), reason="TYPING", by=b.an_actor(), key=uuid4())
    found = ranking(session)
    assert {row.rank for row in found.rows} == {None}


def test_a_sheet_with_donnes_not_played_and_removed_is_complete() -> None:
    session = b.a_drawn_session(players=4, rounds=1, donnes=3)
    table = b.table_of(session)
    b.a_donne(table=table, number=1, entry=b.a_written(contract=Contract.GARDE))
    b.a_donne(table=table, number=2, entry=b.removed())
    b.a_donne(table=table, number=3, entry=b.not_played())
    assert [row.entrant.total for row in ranking(session).rows] == [318, -106, -106, -106]


def test_the_one_who_sat_out_every_counted_donne_has_a_line_without_a_result() -> None:
    session = b.a_drawn_session(players=5, rounds=1, donnes=1)
    b.a_donne(table=b.table_of(session), entry=b.a_played(sitting_out="N", places="SEOC"))
    rows = by_number(ranking(session).rows)
    assert rows[1].rank is None
    assert rows[2].entrant.total == 198


def test_a_penalty_is_given_to_nobody_and_stands_apart_from_the_points() -> None:
    session = fft_session()
    second = Entrant.objects.get(session=session, number=3)
    penalise(second, -100)
    penalise(second, 0)
    rows = by_number(ranking(session).rows)
    assert (rows[3].entrant.points, rows[3].entrant.penalty, rows[3].entrant.total) == (-390, -100, -490)
    assert rows[3].entrant.warnings == 1
    assert sum(row.entrant.points for row in rows.values()) == 0
    assert [rows[number].rank for number in (2, 1, 3, 4)] == [1, 2, 3, 4]


def test_a_withdrawn_penalty_no_longer_counts() -> None:
    session = fft_session()
    entrant = Entrant.objects.get(session=session, number=3)
    penalty = penalise(entrant, -100)
    penalise(entrant, 0, withdraws=penalty)
    row = by_number(ranking(session).rows)[3]
    assert (row.entrant.penalty, row.entrant.warnings) == (0, 0)


def test_the_ranking_of_a_position_counts_that_position_and_its_own_penalties() -> None:
    session = fft_session(rounds=2)
    b.fill_table(b.table_of(session, position=2))
    entrant = Entrant.objects.get(session=session, number=1)
    penalise(entrant, -100, position=2)
    penalise(entrant, -500)
    only_two = by_number(ranking(session, only=2).rows)
    # Position 2 moves each player by a place, so number 2 sits North and takes five gardes made by 8.
    assert only_two[2].entrant.total == 5 * 198
    assert only_two[1].entrant.total == 5 * -66 - 100
    assert by_number(ranking(session, only=1).rows)[1].entrant.total == -446
    assert by_number(ranking(session, upto=1).rows)[1].entrant.total == -446 - 500
    assert by_number(ranking(session).rows)[1].entrant.by_round == (-446, -330)


def test_a_late_player_is_said_to_have_fewer_positions() -> None:
    session = fft_session(rounds=2, players=8)
    b.fill_table(b.table_of(session, number=2))
    b.fill_table(b.table_of(session, position=2, number=2))
    partial = {row.entrant.number for row in ranking(session).rows if row.is_partial}
    assert partial == {2, 3, 4, 5}


def test_the_list_by_name_is_sorted_as_people_read_it() -> None:
    session = b.a_session(players=0)
    for name in ("Zoé", "Élan", "Ébène", "Eau"):
        b.an_entrant(session, person=b.a_person(club=session.tournament.club, last_name=name))
    for entrant in session.entrants.all():
        penalise(entrant, 0)
    names = [row.entrant.name.split()[0] for row in ranking(session).alphabetical]
    assert names == ["Eau", "Ébène", "Élan", "Zoé"]


def queries_of(players: int) -> int:
    session = b.a_drawn_session(players=players, rounds=1, donnes=1)
    for table in Table.objects.filter(round__session=session):
        b.a_donne(table=table)
    with CaptureQueriesContext(
        connection,
    ) as captured:
        found = ranking(session)
        checks(session)
    assert len(found.rows) == players
    return len(captured)


def test_forty_and_four_hundred_players_cost_the_same_queries() -> None:
    assert queries_of(40) == queries_of(400)


def test_the_checks_name_what_is_missing_and_hold_once_nothing_is() -> None:
    session = b.a_drawn_session(players=8, rounds=1, donnes=1)
    b.a_donne(table=b.table_of(session))
    SheetDraft.objects.create(table=b.table_of(session, number=2), rows=[], by="user:1", at=timezone.now())
    [check] = checks(session).rounds
    assert (check.missing, check.to_check, check.total, check.cumul, check.holds) == ((2,), (2,), 0, 0, False)
    SheetDraft.objects.update(settled_at=timezone.now())
    b.a_donne(table=b.table_of(session, number=2))
    Round.objects.update(desk="ENTERED")
    assert checks(session).hold
