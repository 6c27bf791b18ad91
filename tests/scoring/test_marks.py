"""Marks copied from the paper: sum, shape, and what a contract can give."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scoring import (
    FFT,
    Contract,
    DonneEntry,
    MarksEntry,
    ProblemCode,
    Severity,
    find_marks_problems,
    find_problems,
    score_donne,
    share,
)
from scoring.marks import attainable_values
from tests.scoring.builders import donnes

GARDE = Contract.GARDE


def problems(*marks: Any, contract: Any = GARDE, taker: Any = None) -> dict[str, dict[str, int | str]]:
    entry = MarksEntry(players=len(marks), contract=contract, marks=marks, taker=taker)
    return {problem.code: dict(problem.params) for problem in find_marks_problems(entry)}


def test_the_marks_of_the_official_sheet_have_no_problem() -> None:
    """Règlement officiel du jeu de Tarot, FFT, 2012, p. 9 and 10."""
    assert problems(-106, -106, 318, -106) == {}
    assert problems(-76, -76, -76, 228, contract=Contract.GARDE_SANS) == {}
    assert problems(42, -126, 42, 42, contract=Contract.PRISE) == {}
    assert problems(276, -92, -92, -92) == {}
    assert problems(-582, 1746, -582, -582) == {}


def test_a_sum_that_is_not_zero_is_told_with_its_sign() -> None:
    found = problems(318, -106, -106, -100)
    assert found[ProblemCode.MARKS_SUM] == {"total": 6}
    assert ProblemCode.MARKS_SHAPE in found
    assert problems(300, -106, -106, -106)[ProblemCode.MARKS_SUM] == {"total": -18}


def test_only_the_takers_mark_may_differ() -> None:
    assert set(problems(100, -50, -30, -20, contract=None)) == {ProblemCode.MARKS_SHAPE}
    assert set(problems(100, 100, -100, -100, contract=None)) == {ProblemCode.MARKS_SHAPE}


def test_the_taker_marks_three_times_a_defender_and_the_figures_are_told() -> None:
    assert problems(308, -106, -106, -106)[ProblemCode.MARKS_TAKER_MULTIPLE] == {
        "seat": 0,
        "factor": 3,
        "defender": 106,
        "expected": 318,
        "given": 308,
    }


@pytest.mark.parametrize(
    "marks",
    [(156, -78, -78), (-52, 104, -52), (60, 30, -30, -30, -30), (-30, -30, 30, -30, 60), (-58, -58, 232, -58, -58)],
)
def test_three_players_and_five_with_or_without_a_partner_have_their_own_shapes(marks: tuple[int, ...]) -> None:
    assert problems(*marks, contract=None) == {}


def test_a_partner_at_five_marks_half_of_what_the_taker_marks() -> None:
    assert problems(61, 30, -30, -30, -30, contract=None)[ProblemCode.MARKS_TAKER_MULTIPLE]["expected"] == 60
    assert ProblemCode.MARKS_SHAPE in problems(50, 40, -30, -30, -30, contract=None)


def test_marks_of_a_garde_are_even() -> None:
    assert problems(531, -177, -177, -177) == {ProblemCode.MARK_ODD: {"mark": 177, "multiple": 2}}
    assert problems(105, -35, -35, -35, contract=Contract.PRISE) == {}


def test_a_number_only_a_taker_can_have_proposes_the_defenders_mark() -> None:
    """318 typed as what one defender marks unfolds to 954."""
    assert problems(954, -318, -318, -318) == {ProblemCode.MARK_IS_TAKERS: {"mark": 318, "defender": 106}}
    assert problems(-192, 576, -192, -192, contract=Contract.PRISE)[ProblemCode.MARK_IS_TAKERS]["defender"] == 64


def test_a_number_nobody_can_have_is_told() -> None:
    assert problems(30, -10, -10, -10, contract=Contract.PRISE) == {ProblemCode.MARK_NOT_ATTAINABLE: {"mark": 10}}


def test_without_a_contract_only_sum_and_shape_are_checked() -> None:
    assert problems(531, -177, -177, -177, contract=None) == {}
    assert problems(30, -10, -10, -10, contract=None) == {}


def test_a_row_of_zeros_needs_its_contract_and_asks_for_its_taker() -> None:
    assert problems(0, 0, 0, 0, contract=Contract.GARDE_SANS, taker=2) == {}
    assert problems(0, 0, 0, 0, contract=Contract.GARDE_SANS) == {ProblemCode.MARKS_ZERO: {}}
    assert problems(0, 0, 0, 0, contract=None) == {ProblemCode.MARKS_ZERO: {}}
    assert problems(0, 0, 0, 0, contract=Contract.PRISE, taker=2) == {ProblemCode.MARK_NOT_ATTAINABLE: {"mark": 0}}


def test_a_taker_told_must_be_where_the_marks_show_him() -> None:
    assert problems(318, -106, -106, -106, taker=0) == {}
    assert problems(318, -106, -106, -106, taker=1) == {ProblemCode.MARKS_TAKER_SEAT: {"seat": 0}}


def test_an_arbiter_may_lift_a_shape_or_a_number_but_never_a_sum() -> None:
    def severities(*marks: int) -> set[tuple[str, str]]:
        entry = MarksEntry(players=4, contract=Contract.PRISE, marks=marks)
        return {(problem.code, problem.severity) for problem in find_marks_problems(entry)}

    assert severities(318, -106, -106, -100) == {
        (ProblemCode.MARKS_SUM, Severity.ERROR),
        (ProblemCode.MARKS_SHAPE, Severity.LIMIT),
    }
    assert severities(30, -10, -10, -10) == {(ProblemCode.MARK_NOT_ATTAINABLE, Severity.LIMIT)}


WRONG_FORMS: list[tuple[dict[str, Any], ProblemCode]] = [
    ({"players": 2}, ProblemCode.PLAYERS_RANGE),
    ({"players": True}, ProblemCode.PLAYERS_RANGE),
    ({"players": "4"}, ProblemCode.PLAYERS_RANGE),
    ({"contract": "garde"}, ProblemCode.CONTRACT_UNKNOWN),
    ({"marks": None}, ProblemCode.MARKS_COUNT),
    ({"marks": (318, -106, -212)}, ProblemCode.MARKS_COUNT),
    ({"marks": (318, -106, -106, None)}, ProblemCode.MARK_TYPE),
    ({"marks": (318.0, -106, -106, -106)}, ProblemCode.MARK_TYPE),
    ({"marks": (300_000, -100_000, -100_000, -100_000)}, ProblemCode.MARK_TYPE),
    ({"taker": 4}, ProblemCode.TAKER_RANGE),
    ({"taker": "0"}, ProblemCode.TAKER_RANGE),
]


@pytest.mark.parametrize(("changes", "code"), WRONG_FORMS)
def test_a_wrong_form_is_an_error(changes: dict[str, Any], code: ProblemCode) -> None:
    fields: dict[str, Any] = {"players": 4, "contract": GARDE, "marks": (318, -106, -106, -106)}
    found = find_marks_problems(MarksEntry(**(fields | changes)))
    assert (code, Severity.ERROR) in {(problem.code, problem.severity) for problem in found}


ANYTHING = st.one_of(st.none(), st.booleans(), st.integers(), st.floats(), st.text("12a-", max_size=3), st.just(GARDE))


@given(ANYTHING, ANYTHING, st.one_of(ANYTHING, st.tuples(ANYTHING, ANYTHING, ANYTHING, ANYTHING)), ANYTHING)
def test_nonsense_is_judged_and_never_crashes(players: Any, contract: Any, marks: Any, taker: Any) -> None:
    find_marks_problems(MarksEntry(players=players, contract=contract, marks=marks, taker=taker))
    find_marks_problems(MarksEntry(players=4, contract=contract, marks=marks, taker=taker))


@given(donnes())
def test_the_marks_of_every_possible_donne_are_accepted(entry: DonneEntry) -> None:
    if not any(problem.severity is not Severity.WARNING for problem in find_problems(entry)):
        score = score_donne(entry)
        assert score.value in attainable_values(entry.players, entry.contract, FFT)
        typed = MarksEntry(players=entry.players, contract=entry.contract, marks=score.by_seat, taker=entry.taker)
        assert find_marks_problems(typed) == ()


def test_a_value_unfolds_into_the_marks_of_each_seat() -> None:
    assert share(106, players=4, taker=2) == (-106, -106, 318, -106)
    assert share(-42, players=3, taker=0) == (-84, 42, 42)
    assert share(30, players=5, taker=4, partner=1) == (-30, 30, -30, -30, 60)
    assert share(58, players=5, taker=0) == (232, -58, -58, -58, -58)


def test_the_extremes_of_a_value_are_those_counted() -> None:
    """Ours, by exhaustive count; the lower ones hold with both slam primes at once."""
    values = {
        players: [value for contract in Contract for value in attainable_values(players, contract)]
        for players in (3, 4, 5)
    }
    assert {players: (min(found), max(found)) for players, found in values.items()} == {
        3: (-986, 962),
        4: (-986, 962),
        5: (-1006, 994),
    }
