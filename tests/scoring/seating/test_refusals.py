"""Every code with which a plan is refused, with the numbers its sentence needs."""

from typing import Any

import pytest

from scoring.seating import Movement, SeatingCode, SeatingError, TableOfFive, choose_movement, plan_rounds

ROOM = ((0, 1, 2, 3, None), (4, 5, 6, 7, None))


def refusal(**changes: Any) -> tuple[SeatingCode, dict[str, int]]:
    wanted: dict[str, Any] = {"players": 20, "rounds": 5, "movement": Movement.RANDOM, "seed": 0, **changes}
    with pytest.raises(SeatingError) as refused:
        plan_rounds(**wanted)
    return refused.value.code, dict(refused.value.params)


@pytest.mark.parametrize("movement", list(Movement))
@pytest.mark.parametrize("players", [0, 1, 2])
def test_fewer_than_three_players_are_refused(players: int, movement: Movement) -> None:
    expected = (SeatingCode.TOO_FEW_PLAYERS, {"players": players, "least": 3})
    assert refusal(players=players, movement=movement) == expected


def test_fewer_players_than_none_are_nonsense() -> None:
    assert refusal(players=-4) == (SeatingCode.BAD_PLAYERS, {"players": -4})


def test_more_players_than_any_room_holds_are_refused() -> None:
    assert refusal(players=2001) == (SeatingCode.TOO_MANY_PLAYERS, {"players": 2001, "most": 2000})


@pytest.mark.parametrize("rounds", [-1, 0, 101])
def test_no_round_and_too_many_rounds_are_refused(rounds: int) -> None:
    assert refusal(rounds=rounds) == (SeatingCode.BAD_ROUNDS, {"rounds": rounds, "most": 100})


def test_past_rounds_count_towards_the_most_rounds() -> None:
    assert refusal(players=8, rounds=99, past=(ROOM, ROOM)) == (SeatingCode.BAD_ROUNDS, {"rounds": 99, "most": 98})


@pytest.mark.parametrize("movement", [Movement.BEST, Movement.OPTIMAL])
def test_movements_that_do_not_exist_yet_are_refused(movement: Movement) -> None:
    assert refusal(movement=movement) == (SeatingCode.NOT_SERVED, {})


@pytest.mark.parametrize(
    "wish",
    [
        {"standing": list(range(20))},
        {"standing": []},
        {"fixed": [3]},
        {"apart": [(1, 2)]},
        {"wishes": {}},
        {"teams": [(0, 1)]},
    ],
)
@pytest.mark.parametrize("movement", [Movement.FFT, Movement.RANDOM])
def test_wishes_that_cannot_be_met_yet_are_refused_not_forgotten(wish: dict[str, object], movement: Movement) -> None:
    assert refusal(movement=movement, **wish) == (SeatingCode.NOT_SERVED, {})


@pytest.mark.parametrize(("players", "tables"), [(9, 3), (11, 3), (12, 3), (13, 4), (15, 4), (16, 4)])
def test_howell_sizes_are_refused_under_the_fft_movement(players: int, tables: int) -> None:
    assert refusal(players=players, movement=Movement.FFT) == (SeatingCode.NOT_SERVED, {"tables": tables})


@pytest.mark.parametrize(("players", "tables"), [(3, 1), (4, 1), (5, 1), (6, 2), (8, 2)])
def test_one_and_two_tables_have_no_fft_movement(players: int, tables: int) -> None:
    expected = (SeatingCode.FFT_TOO_FEW_TABLES, {"tables": tables, "least": 5})
    assert refusal(players=players, movement=Movement.FFT) == expected


@pytest.mark.parametrize("game", [TableOfFive.MORT, TableOfFive.CALLED_KING])
def test_a_table_of_five_is_refused_under_the_fft_movement(game: TableOfFive) -> None:
    assert refusal(players=21, movement=Movement.FFT, table_of_five=game) == (SeatingCode.NOT_SERVED, {})


@pytest.mark.parametrize(("players", "tables", "at"), [(22, 6, 3), (32, 8, 3), (36, 9, 4), (48, 12, 4)])
def test_the_movement_is_refused_with_the_round_that_would_repeat(players: int, tables: int, at: int) -> None:
    assert refusal(players=players, movement=Movement.FFT) == (SeatingCode.FFT_REPEATS, {"tables": tables, "at": at})


def test_24_tables_repeat_at_the_seventh_round_only() -> None:
    expected = (SeatingCode.FFT_REPEATS, {"tables": 24, "at": 7})
    assert refusal(players=96, rounds=7, movement=Movement.FFT) == expected
    assert plan_rounds(players=96, rounds=6, movement=Movement.FFT, seed=0).repeats == ()


def test_the_movement_has_seven_rounds_at_most() -> None:
    expected = (SeatingCode.FFT_TOO_MANY_ROUNDS, {"rounds": 8, "most": 7})
    assert refusal(players=68, rounds=8, movement=Movement.FFT) == expected


@pytest.mark.parametrize(
    "room",
    [
        ((0, 1, 2, 8, None), (4, 5, 6, 7, None)),
        ((0, 1, 2, -1, None), (4, 5, 6, 7, None)),
        ((0, 1, 2, 3, None), (4, 5, 6, 3, None)),
        ((0, 1, 2, 3), (4, 5, 6, 7)),
        ((0, 1, 2, 3, None, None), (4, 5, 6, 7, None)),
    ],
    ids=["stranger", "below none", "twice", "four places", "six places"],
)
@pytest.mark.parametrize("movement", [Movement.FFT, Movement.RANDOM])
def test_a_past_round_that_cannot_have_been_is_refused(room: object, movement: Movement) -> None:
    assert refusal(players=8, past=(ROOM, room), movement=movement) == (SeatingCode.BAD_PAST, {"round": 2})


def test_an_error_says_its_code_and_numbers_to_a_developer() -> None:
    assert str(SeatingError(SeatingCode.FFT_REPEATS, {"tables": 6, "at": 3})) == "FFT_REPEATS tables=6 at=3"
    assert str(SeatingError(SeatingCode.NOT_SERVED)) == "NOT_SERVED"


@pytest.mark.parametrize(
    ("players", "rounds", "code"),
    [
        (-1, 5, SeatingCode.BAD_PLAYERS),
        (2, 5, SeatingCode.TOO_FEW_PLAYERS),
        (2001, 5, SeatingCode.TOO_MANY_PLAYERS),
        (20, 0, SeatingCode.BAD_ROUNDS),
    ],
)
def test_no_movement_is_chosen_for_nonsense(players: int, rounds: int, code: SeatingCode) -> None:
    with pytest.raises(SeatingError) as refused:
        choose_movement(players=players, rounds=rounds)
    assert refused.value.code == code
