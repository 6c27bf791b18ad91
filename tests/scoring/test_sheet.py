"""A whole sheet: its sums, and the single slip that explains a difference."""

from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scoring import Camp, Chelem, Contract, DonneEntry, PoigneeSize, ProblemCode, find_problems, score_donne
from scoring.sheet import Slip, Suspect, diagnose, diagnose_marks, find_sheet_problems
from tests.scoring.builders import PUBLISHED, a_donne, donnes, shown

# Règlement officiel du jeu de Tarot, FFT, 2012, p. 10: North, South, East, West.
OFFICIAL = tuple(
    replace(published.entry, taker=taker) for published, taker in zip(PUBLISHED[:5], (2, 3, 1, 0, 1), strict=True)
)
OFFICIAL_ROWS = tuple(score_donne(entry).by_seat for entry in OFFICIAL)
OFFICIAL_NETS = (-446, 1346, -390, -510)


def changed(number: int, **changes: Any) -> list[DonneEntry | None]:
    """The official sheet as somebody typed it who made one slip in a donne."""
    return [replace(entry, **changes) if place == number else entry for place, entry in enumerate(OFFICIAL, start=1)]


def slips(suspects: tuple[Suspect, ...]) -> list[tuple[Slip, int | None]]:
    return [(suspect.slip, suspect.number) for suspect in suspects]


def test_a_sheet_that_agrees_has_no_problem_and_no_suspect() -> None:
    assert find_sheet_problems(OFFICIAL_ROWS, OFFICIAL_NETS) == ()
    assert diagnose(OFFICIAL, OFFICIAL_NETS) == ()
    assert diagnose_marks(OFFICIAL_ROWS, OFFICIAL_NETS) == ()


def test_each_wrong_sum_of_a_sheet_is_told() -> None:
    rows = ((318, -106, -106, -100), None, (-76, -76, -76, 228))
    found = {
        (problem.code, tuple(problem.params.values())) for problem in find_sheet_problems(rows, (242, -182, -182, 132))
    }
    assert found == {
        (ProblemCode.DONNE_SUM, (1, 6)),
        (ProblemCode.NETS_SUM, (10,)),
        (ProblemCode.NET_DIFFERS, (3, 128, 132)),
    }


def test_nets_of_another_number_of_seats_are_told_and_not_diagnosed() -> None:
    assert [problem.code for problem in find_sheet_problems(OFFICIAL_ROWS, (1, -1, 0))] == [ProblemCode.NETS_COUNT]
    assert diagnose(OFFICIAL, (1, -1, 0)) == ()
    assert diagnose_marks(OFFICIAL_ROWS, (1, -1, 0)) == ()


TYPED: list[tuple[Slip, int, dict[str, Any]]] = [
    (Slip.PETIT_AU_BOUT, 1, {"petit_au_bout": None}),
    (Slip.PETIT_AU_BOUT, 2, {"petit_au_bout": Camp.ATTACK}),
    (Slip.POIGNEE, 1, {"poignees": ()}),
    (Slip.POIGNEE, 2, {"poignees": (shown(),)}),
    (Slip.POIGNEE, 4, {"poignees": (shown(PoigneeSize.DOUBLE, Camp.DEFENCE),)}),
    (Slip.CONTRACT, 1, {"contract": Contract.PRISE}),
    (Slip.CONTRACT, 2, {"contract": Contract.GARDE_CONTRE}),
    (Slip.BOUTS, 4, {"bouts": 1}),
    (Slip.BOUTS, 3, {"bouts": 2}),
    (Slip.TAKER, 1, {"taker": 0}),
    (Slip.TAKER, 5, {"taker": 3}),
    (Slip.DIGIT, 1, {"half_points": 2 * 46}),
    (Slip.TRANSPOSED, 4, {"half_points": 2 * 25}),
    (Slip.OTHER_CAMP_POINTS, 2, {"half_points": 182 - 90}),
    (Slip.CHELEM, 5, {"chelem": Chelem.UNANNOUNCED_MADE}),
]


@pytest.mark.parametrize(("slip", "number", "changes"), TYPED)
def test_a_single_slip_in_a_donne_is_among_the_suspects_with_the_donne_as_it_was(
    slip: Slip, number: int, changes: dict[str, Any]
) -> None:
    suspects = diagnose(changed(number, **changes), OFFICIAL_NETS)
    assert (slip, number) in slips(suspects)
    meant = next(suspect for suspect in suspects if (suspect.slip, suspect.number) == (slip, number))
    assert meant.marks == OFFICIAL_ROWS[number - 1]


def test_the_suspects_come_likeliest_first() -> None:
    order = list(Slip)
    for _, number, changes in TYPED:
        found = [order.index(suspect.slip) for suspect in diagnose(changed(number, **changes), OFFICIAL_NETS)]
        assert found == sorted(found)


def test_a_donne_not_entered_is_found_in_its_empty_slot() -> None:
    entries: list[DonneEntry | None] = [*OFFICIAL[:2], None, *OFFICIAL[3:]]
    suspect = diagnose(entries, OFFICIAL_NETS)[0]
    assert (suspect.slip, suspect.number, suspect.marks) == (Slip.DONNE_MISSING, 3, (42, -126, 42, 42))
    without_slot = diagnose([*OFFICIAL[:2], *OFFICIAL[3:]], OFFICIAL_NETS)
    assert (Slip.DONNE_MISSING, None) in slips(without_slot)
    rows = [*OFFICIAL_ROWS[:2], None, *OFFICIAL_ROWS[3:]]
    assert diagnose_marks(rows, OFFICIAL_NETS)[0].number == 3


def test_a_donne_that_should_not_count_is_found() -> None:
    nets = tuple(net - mark for net, mark in zip(OFFICIAL_NETS, OFFICIAL_ROWS[3], strict=True))
    assert (Slip.DONNE_TOO_MANY, 4) in slips(diagnose(OFFICIAL, nets))
    assert (Slip.DONNE_TOO_MANY, 4) in slips(diagnose_marks(OFFICIAL_ROWS, nets))


@pytest.mark.parametrize(
    ("slip", "written"),
    [
        (Slip.NET_SIGN, (446, 1346, -390, -510)),
        (Slip.NET_TRANSPOSED, (-446, 1346, -930, -510)),
        (Slip.NET_DIGIT, (-446, 1346, -390, -500)),
        (Slip.NET_DIGIT, (-446, 134, -390, -510)),
        (Slip.NETS_SWAPPED, (-446, 1346, -510, -390)),
    ],
)
def test_a_net_miswritten_on_the_paper_is_found(slip: Slip, written: tuple[int, ...]) -> None:
    assert diagnose(OFFICIAL, written)[0].slip is slip
    assert diagnose_marks(OFFICIAL_ROWS, written)[0].slip is slip


@pytest.mark.parametrize(
    ("slip", "number", "typed"),
    [
        (Slip.SIGN, 3, (-42, 126, -42, -42)),
        (Slip.TAKER, 1, (318, -106, -106, -106)),
        (Slip.TRANSPOSED, 2, (-67, -67, -67, 201)),
        (Slip.DIGIT, 4, (288, -96, -96, -96)),
        (Slip.TAKERS_MARK, 1, (-318, -318, 954, -318)),
        (Slip.SIGN, 1, (-106, -106, -318, -106)),
        (Slip.DIGIT, 5, (-582, 1746, -582, -562)),
        (Slip.TRANSPOSED, 5, (-582, 1764, -582, -582)),
    ],
)
def test_a_single_slip_in_a_row_of_marks_is_found(slip: Slip, number: int, typed: tuple[int, ...]) -> None:
    rows = [typed if place == number else row for place, row in enumerate(OFFICIAL_ROWS, start=1)]
    suspects = diagnose_marks(rows, OFFICIAL_NETS)
    assert (slip, number) in slips(suspects)
    meant = next(suspect for suspect in suspects if (suspect.slip, suspect.number) == (slip, number))
    assert meant.marks == OFFICIAL_ROWS[number - 1]


def test_a_partner_wrongly_named_at_five_is_found() -> None:
    right = a_donne(players=5, partner=1)
    typed = replace(right, partner=3)
    assert (Slip.PARTNER, 1) in slips(diagnose([typed], score_donne(right).by_seat))


def test_a_half_point_forgotten_at_three_is_found() -> None:
    right = a_donne(players=3, half_points=99)
    assert (Slip.DIGIT, 1) in slips(diagnose([replace(right, half_points=98)], score_donne(right).by_seat))


def test_a_difference_no_single_slip_explains_has_no_suspect() -> None:
    assert diagnose(OFFICIAL, (-445, 1347, -391, -511)) == ()
    assert diagnose_marks(OFFICIAL_ROWS, (-445, 1347, -391, -511)) == ()


def test_a_sheet_that_cannot_be_scored_is_not_diagnosed() -> None:
    assert diagnose(changed(1, bouts=7), OFFICIAL_NETS) == ()


@given(st.lists(donnes(), min_size=1, max_size=4), st.integers(0, 3), st.integers(-40, 40))
def test_every_suspect_explains_the_whole_difference(entries: list[DonneEntry], place: int, points: int) -> None:
    seats = 4
    played = [
        replace(entry, players=seats, taker=entry.taker % seats, partner=None, half_points=2 * (entry.half_points // 2))
        for entry in entries
    ]
    sheet = [entry for entry in played if not find_problems(entry)]
    if sheet:
        rows = [score_donne(entry).by_seat for entry in sheet]
        nets = [sum(row[seat] for row in rows) - points for seat in range(seats)]
        nets[place] += 4 * points
        for suspect in diagnose(list(sheet), nets):
            if suspect.entry is not None and suspect.number is not None:
                fixed = [*sheet[: suspect.number - 1], suspect.entry, *sheet[suspect.number :]]
                assert find_sheet_problems([score_donne(entry).by_seat for entry in fixed], tuple(nets)) == ()
