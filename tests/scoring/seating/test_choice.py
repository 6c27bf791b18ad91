"""Which movement is proposed for a room, and the reason given for it."""

import pytest

from scoring.seating import Movement, MovementReason, SeatingError, TableOfFive, choose_movement
from tests.scoring.seating.builders import a_plan, histogram


@pytest.mark.parametrize("players", [19, 20, 27, 28, 43, 44, 52, 65, 66, 68, 70, 73, 74, 77, 800])
def test_the_fft_movement_is_chosen_where_it_repeats_nobody_and_is_fair(players: int) -> None:
    choice = choose_movement(players=players, rounds=5)
    assert (choice.movement, choice.reason) == (Movement.FFT, MovementReason.FFT_REPEATS_NOBODY)
    assert choice.fft_possible
    assert choice.fft_repeats_at is None


@pytest.mark.parametrize(("players", "at"), [(22, 3), (24, 3), (32, 3), (36, 4), (48, 4)])
def test_random_seating_is_chosen_where_the_movement_would_repeat(players: int, at: int) -> None:
    choice = choose_movement(players=players, rounds=5)
    assert (choice.movement, choice.reason) == (Movement.RANDOM, MovementReason.FFT_WOULD_REPEAT_AT)
    assert choice.fft_repeats_at == at
    assert not choice.fft_possible
    assert choice.at_three_fft == ()


@pytest.mark.parametrize(
    ("players", "fft", "at_random"),
    [
        (17, (2, 0, 0, 15), (0, 0, 6, 11)),
        (18, (3, 0, 15), (0, 6, 12)),
        (25, (4, 4, 10, 7), (0, 5, 20)),
        (26, (5, 12, 9), (0, 22, 4)),
        (69, (26, 41, 2), (24, 45)),
    ],
)
def test_random_seating_is_chosen_where_the_movement_is_unfair(
    players: int, fft: tuple[int, ...], at_random: tuple[int, ...]
) -> None:
    choice = choose_movement(players=players, rounds=5)
    assert (choice.movement, choice.reason) == (Movement.RANDOM, MovementReason.FFT_UNFAIR_TABLES_OF_THREE)
    assert choice.fft_possible
    assert (choice.at_three_fft, choice.at_three_random) == (fft, at_random)


def test_the_choice_for_22_players_tells_their_tables() -> None:
    choice = choose_movement(players=22, rounds=5)
    assert (choice.tables, choice.tables_of_three) == (6, 2)
    assert choice.at_three_random == (0, 14, 8)


@pytest.mark.parametrize("players", range(3, 17))
def test_under_five_tables_seating_is_random(players: int) -> None:
    choice = choose_movement(players=players, rounds=5)
    assert (choice.movement, choice.reason) == (Movement.RANDOM, MovementReason.TOO_FEW_TABLES)


def test_a_table_of_five_is_seated_at_random() -> None:
    choice = choose_movement(players=69, rounds=5, table_of_five=TableOfFive.MORT)
    assert (choice.movement, choice.reason) == (Movement.RANDOM, MovementReason.TABLE_OF_FIVE)
    assert (choice.tables, choice.tables_of_three) == (17, 0)


def test_more_than_seven_rounds_are_seated_at_random() -> None:
    assert choose_movement(players=68, rounds=7).movement == Movement.FFT
    choice = choose_movement(players=68, rounds=8)
    assert (choice.movement, choice.reason) == (Movement.RANDOM, MovementReason.TOO_MANY_ROUNDS)
    assert choice.fft_repeats_at is None


@pytest.mark.parametrize("players", [*range(17, 39), 41, 42, 49, 50, 53, 54, 57, 58, 61, 62, 69, 70])
def test_what_the_choice_says_of_the_movement_is_what_the_plan_does(players: int) -> None:
    for rounds in (1, 5, 7):
        choice = choose_movement(players=players, rounds=rounds)
        try:
            plan = a_plan(players=players, rounds=rounds, movement=Movement.FFT)
        except SeatingError:
            assert not choice.fft_possible
        else:
            assert choice.fft_possible
            assert plan.repeats == ()
            said = {times: people for times, people in enumerate(choice.at_three_fft) if people}
            assert histogram(plan.tables_of_three) == said
