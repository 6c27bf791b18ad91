"""Random seating: fewest meetings again, odd tables and places shared, the past counted, the same on every machine."""

import os
import subprocess
import sys

import pytest

from scoring.seating import Movement, Room, TableGame, TableOfFive
from scoring.seating.shuffled import Draw, evenly, least_cost
from tests.scoring.seating.builders import a_plan, all_who_meet_again, histogram, seat_of, sizes, times_at

ONE_TABLE: Room = ((0, 1, 2, 3, None),)


@pytest.mark.parametrize("players", [15, 16, 17, 19, 20, 21, 22, 23, 24, 25, 26, 28, 40, 68, 69, 70])
def test_nobody_meets_again_over_five_rounds_from_fifteen_players_up(players: int) -> None:
    plan = a_plan(players=players)
    assert plan.repeats == ()
    assert all_who_meet_again(plan.rounds, players) == {}


@pytest.mark.parametrize("seed", range(5))
def test_22_players_meet_nobody_twice_and_eight_sit_at_three_twice(seed: int) -> None:
    plan = a_plan(players=22, seed=seed)
    assert plan.repeats == ()
    assert histogram(plan.tables_of_three) == {1: 14, 2: 8}


@pytest.mark.parametrize(
    ("players", "people"),
    [
        (17, {2: 6, 3: 11}),
        (18, {1: 6, 2: 12}),
        (21, {2: 18, 3: 3}),
        (25, {1: 5, 2: 20}),
        (26, {1: 22, 2: 4}),
        (38, {0: 8, 1: 30}),
    ],
)
def test_tables_of_three_are_shared_as_evenly_as_any_seating_can(players: int, people: dict[int, int]) -> None:
    assert histogram(a_plan(players=players).tables_of_three) == people


def test_200_tables_meet_nobody_twice() -> None:
    assert a_plan(players=800).repeats == ()


def test_twelve_players_meet_as_seldom_as_three_tables_allow() -> None:
    # Four people of one table sit at three tables in any other round: at least one pair of them together, so three
    # repeats for each of the ten pairs of rounds, and 90 meetings over 66 pairs.
    plan = a_plan(players=12)
    assert sum(len(rounds) * (len(rounds) - 1) // 2 for _, rounds in plan.repeats) == 30
    assert max(len(rounds) for _, rounds in plan.repeats) <= 3


@pytest.mark.parametrize(
    ("players", "times"), [(3, 5), (4, 5), (5, 5), (6, 4), (7, 4), (8, 3), (9, 2), (10, 3), (11, 3), (13, 2), (14, 2)]
)
def test_in_a_small_room_the_same_people_do_not_meet_all_the_time(players: int, times: int) -> None:
    repeats = a_plan(players=players).repeats
    assert max(len(rounds) for _, rounds in repeats) <= times


@pytest.mark.parametrize(
    ("players", "people"),
    [(3, [3]), (4, [4]), (5, [5]), (6, [3, 3]), (7, [4, 3]), (9, [3, 3, 3]), (10, [4, 3, 3]), (13, [4, 3, 3, 3])],
)
def test_any_head_count_splits_into_tables_of_four_and_three(players: int, people: list[int]) -> None:
    assert all(sizes(room) == people for room in a_plan(players=players, rounds=3).rounds)


def test_nobody_is_north_at_a_table_of_three() -> None:
    for room in a_plan(players=22).rounds:
        assert [places[0] is None for places in room] == [False, False, False, False, True, True]
        assert all(None not in places[1:4] for places in room)


@pytest.mark.parametrize("players", [5, 6, 16, 22, 68, 69])
def test_nobody_has_the_same_place_more_than_twice_in_five_rounds(players: int) -> None:
    plan = a_plan(players=players)
    for player in range(players):
        places = [seat_of(room, player)[1] for room in plan.rounds]
        assert max(places.count(place) for place in places) <= 2


def test_five_people_are_one_table_of_five_with_a_mort() -> None:
    plan = a_plan(players=5)
    assert plan.games == (TableGame.MORT,)
    for room in plan.rounds:
        assert sorted(player for player in room[0] if player is not None) == [0, 1, 2, 3, 4]


def test_five_people_play_with_a_called_king_where_the_club_does() -> None:
    assert a_plan(players=5, table_of_five=TableOfFive.CALLED_KING).games == (TableGame.CALLED_KING,)


@pytest.mark.parametrize("wanted", [TableOfFive.MORT, TableOfFive.CALLED_KING])
def test_one_person_left_over_makes_a_table_of_five_where_the_club_plays_so(wanted: TableOfFive) -> None:
    plan = a_plan(players=25, table_of_five=wanted)
    assert all(sizes(room) == [4, 4, 4, 4, 4, 5] for room in plan.rounds)
    assert plan.games == (TableGame.PLAIN,) * 5 + (TableGame(wanted),)
    assert plan.repeats == ()
    assert {times_at(plan.rounds, player, 5) for player in range(25)} == {1}
    assert plan.tables_of_three == (0,) * 25


@pytest.mark.parametrize("players", [22, 23, 24])
def test_a_table_of_five_changes_nothing_unless_one_person_is_left_over(players: int) -> None:
    assert a_plan(players=players, table_of_five=TableOfFive.MORT) == a_plan(players=players)


def test_rounds_drawn_later_avoid_the_meetings_of_the_past() -> None:
    past = a_plan(players=26, rounds=3, seed=5).rounds
    plan = a_plan(players=26, rounds=2, seed=6, past=past)
    assert plan.repeats == ()
    assert all_who_meet_again(past + plan.rounds, 26) == {}
    assert histogram(plan.tables_of_three) == {1: 22, 2: 4}


def test_random_rounds_follow_the_fft_movement() -> None:
    past = a_plan(players=28, rounds=3, movement=Movement.FFT).rounds
    plan = a_plan(players=28, rounds=2, past=past)
    assert all_who_meet_again(past + plan.rounds, 28) == {}


def test_repeats_count_the_past_rounds_first() -> None:
    past = a_plan(players=4, rounds=2).rounds
    plan = a_plan(players=4, rounds=1, past=past)
    assert [rounds for _, rounds in plan.repeats] == [(1, 2, 3)] * 6
    assert len(plan.rounds) == 1


def test_people_who_only_met_again_in_the_past_are_no_repeat_of_the_plan() -> None:
    first = ((0, 1, 2, 3, None), (4, 5, 6, 7, None), (8, 9, 10, 11, None), (12, 13, 14, 15, None))
    past: tuple[Room, ...] = (first, first)
    plan = a_plan(players=16, rounds=1, past=past)
    assert plan.repeats == ()


def test_a_latecomer_is_seated_from_the_next_round() -> None:
    past = a_plan(players=23, rounds=2).rounds
    plan = a_plan(players=24, rounds=3, past=past)
    assert all(sizes(room) == [4] * 6 for room in plan.rounds)
    assert all_who_meet_again(past + plan.rounds, 24) == {}


def test_who_sat_at_the_table_of_five_before_does_not_while_others_have_not() -> None:
    past = a_plan(players=33, rounds=2, table_of_five=TableOfFive.MORT).rounds
    plan = a_plan(players=33, rounds=2, table_of_five=TableOfFive.MORT, past=past)
    assert max(times_at(past + plan.rounds, player, 5) for player in range(33)) == 1


def test_another_process_draws_the_same_plan() -> None:
    program = (
        "from scoring.seating import Movement, plan_rounds\n"
        "for movement in (Movement.RANDOM, Movement.FFT):\n"
        "    for players in (18, 26, 69):\n"
        "        print(plan_rounds(players=players, rounds=5, movement=movement, seed=2026))\n"
    )
    said = {
        subprocess.run(
            [sys.executable, "-c", program],
            env={**os.environ, "PYTHONHASHSEED": hash_seed},
            capture_output=True,
            text=True,
            check=True,
        ).stdout
        for hash_seed in ("1", "2")
    }
    here = "".join(
        f"{a_plan(players=players, movement=movement, seed=2026)}\n"
        for movement in (Movement.RANDOM, Movement.FFT)
        for players in (18, 26, 69)
    )
    assert said == {here}


def test_every_seat_is_open_to_everybody() -> None:
    souths = {a_plan(players=16, rounds=1, seed=seed).rounds[0][0][1] for seed in range(200)}
    assert souths == set(range(16))


def test_things_spread_evenly_share_the_fewest_boxes() -> None:
    assert [evenly(things, 3) for things in range(8)] == [0, 0, 0, 0, 1, 2, 3, 5]


@pytest.mark.parametrize(
    ("players", "sizes", "rounds", "past", "least"),
    [
        (16, (4, 4, 4, 4), 5, (), 0),
        (12, (4, 4, 4), 5, (), 30),
        (16, (4, 4, 4, 4), 6, (), 24),  # 144 meetings over 120 pairs
        (4, (4,), 1, (ONE_TABLE, ONE_TABLE), 12),  # six pairs meet a third time: two more pairs of rounds each
        (8, (4, 4), 1, (ONE_TABLE,), 0),  # with latecomers the bound is too kind, never too strict
    ],
)
def test_the_least_cost_is_what_no_seating_can_go_below(
    players: int, sizes: tuple[int, ...], rounds: int, past: tuple[Room, ...], least: int
) -> None:
    assert least_cost(players=players, sizes=sizes, rounds=rounds, past=past) == least


def test_a_draw_that_cannot_be_better_is_left_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    def proposed(_draw: Draw, _round_index: int, _one: int) -> tuple[int | None, int]:
        pytest.fail("an exchange was looked for")

    monkeypatch.setattr(Draw, "propose", proposed)
    assert len(a_plan(players=4).repeats) == 6
    assert len(a_plan(players=5).repeats) == 10
