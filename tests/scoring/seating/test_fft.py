"""The FFT base movement: who moves where, how long nobody meets again, and which tables lack a North."""

import pytest

from scoring.seating import Movement, SeatingCode, SeatingError, fft_rounds_without_repeat
from tests.scoring.seating.builders import a_plan, all_who_meet_again, histogram, seat_of, sizes

# The manual's list of table counts for the base movement (OT11 p.12-14: 5, 7, 11, 13, 17, 19, 21 to 200, at most seven
# rounds), with the two exceptions found by replaying it: five tables last five rounds, 24 tables six.
MANUAL = (5, 7, 11, 13, 17, 19, *range(21, 201))


def test_north_stays_south_goes_up_one_east_two_and_west_comes_down_two() -> None:
    plan = a_plan(players=28, movement=Movement.FFT)
    for player in range(28):
        tables, places = zip(*(seat_of(room, player) for room in plan.rounds), strict=True)
        step = {"N": 0, "S": 1, "E": 2, "O": -2}[places[0]]
        assert len(set(places)) == 1
        assert tables == tuple((tables[0] - 1 + step * r) % 7 + 1 for r in range(5))


def test_the_base_movement_lasts_as_the_manual_says() -> None:
    found = {tables: fft_rounds_without_repeat(tables) for tables in MANUAL}
    assert found == {tables: {5: 5, 24: 6}.get(tables, 7) for tables in MANUAL}


@pytest.mark.parametrize(
    ("tables", "first_repeat"),
    [(1, 2), (2, 2), (3, 2), (4, 2), (6, 3), (8, 3), (9, 4), (12, 4), (5, 6), (10, 6)],
)
def test_the_base_movement_repeats_where_it_is_known_to(tables: int, first_repeat: int) -> None:
    assert fft_rounds_without_repeat(tables) == first_repeat - 1


def test_no_table_at_all_has_no_rounds() -> None:
    assert fft_rounds_without_repeat(0) == 0


@pytest.mark.parametrize("tables", range(1, 25))
def test_the_movement_is_refused_or_repeats_nobody_for_every_size(tables: int) -> None:
    served = [rounds for rounds in range(1, 8) if is_served(tables, rounds)]
    assert served == (list(range(1, fft_rounds_without_repeat(tables) + 1)) if tables >= 5 else [])
    for rounds in served[-1:]:
        plan = a_plan(players=4 * tables, rounds=rounds, movement=Movement.FFT)
        assert plan.repeats == ()
        assert all_who_meet_again(plan.rounds, 4 * tables) == {}


def is_served(tables: int, rounds: int) -> bool:
    try:
        a_plan(players=4 * tables, rounds=rounds, movement=Movement.FFT)
    except SeatingError:
        return False
    return True


def test_68_players_for_three_rounds_meet_nobody_twice() -> None:
    plan = a_plan(players=68, rounds=3, movement=Movement.FFT, seed=0)
    assert len(plan.rounds) == 3
    assert all(sizes(room) == [4] * 17 for room in plan.rounds)
    assert plan.repeats == ()


@pytest.mark.parametrize(
    ("players", "once", "twice", "three_times"),
    [(17, 0, 0, 15), (18, 0, 15, 0), (25, 4, 10, 7), (26, 12, 9, 0), (38, 30, 0, 0)],
)
def test_tables_of_three_are_shared_as_evenly_as_the_movement_can(
    players: int, once: int, twice: int, three_times: int
) -> None:
    times = histogram(a_plan(players=players, movement=Movement.FFT).tables_of_three)
    assert (times.get(1, 0), times.get(2, 0), times.get(3, 0)) == (once, twice, three_times)


@pytest.mark.parametrize("players", [65, 66, 70, 73, 74, 77])
def test_nobody_sits_at_three_twice_in_a_big_room(players: int) -> None:
    assert max(a_plan(players=players, movement=Movement.FFT).tables_of_three) == 1


def test_two_of_69_players_sit_at_three_twice() -> None:
    assert histogram(a_plan(players=69, movement=Movement.FFT).tables_of_three)[2] == 2


def test_one_table_of_three_is_always_fair() -> None:
    for players in (19, 27, 43, 51):
        assert max(a_plan(players=players, movement=Movement.FFT).tables_of_three) == 1


@pytest.mark.parametrize("players", [17, 18, 19, 25, 26, 27, 65, 66, 67])
def test_the_missing_people_are_norths_and_one_is_of_the_highest_table(players: int) -> None:
    for room in a_plan(players=players, movement=Movement.FFT).rounds:
        holes = [number for number, places in enumerate(room, start=1) if places[0] is None]
        assert len(holes) == -players % 4
        assert holes[-1] == len(room)
        assert all(None not in places[1:4] and places[4] is None for places in room)


@pytest.mark.parametrize("movement", [Movement.FFT, Movement.RANDOM])
@pytest.mark.parametrize("players", [17, 18, 19])
def test_people_beyond_the_last_full_table_are_seated_too(players: int, movement: Movement) -> None:
    for room in a_plan(players=players, movement=movement).rounds:
        assert sorted(player for places in room for player in places if player is not None) == list(range(players))


def test_four_people_of_a_table_have_four_places() -> None:
    room = a_plan(players=68, movement=Movement.FFT).rounds[0]
    assert len({seat_of(room, player) for player in range(68)}) == 68


def test_everybody_draws_a_seat_and_another_seed_draws_others() -> None:
    first, second = (a_plan(players=68, movement=Movement.FFT, seed=seed).rounds[0] for seed in (1, 2))
    assert first != second
    norths = {a_plan(players=20, movement=Movement.FFT, seed=seed).rounds[0][0][0] for seed in range(200)}
    assert norths == set(range(20))


def test_the_movement_goes_on_from_its_own_past_rounds() -> None:
    whole = a_plan(players=27, movement=Movement.FFT, rounds=5)
    rest = a_plan(players=27, movement=Movement.FFT, rounds=3, seed=99, past=whole.rounds[:2])
    assert rest.rounds == whole.rounds[2:]
    assert rest.tables_of_three == whole.tables_of_three


def test_the_movement_does_not_resume_after_random_rounds() -> None:
    past = a_plan(players=28, movement=Movement.RANDOM, rounds=2).rounds
    with pytest.raises(SeatingError) as refused:
        a_plan(players=28, movement=Movement.FFT, rounds=3, past=past)
    assert (refused.value.code, refused.value.params) == (SeatingCode.FFT_CANNOT_RESUME, {"at": 2})


def test_the_movement_does_not_go_on_with_a_latecomer() -> None:
    past = a_plan(players=27, movement=Movement.FFT, rounds=1).rounds
    with pytest.raises(SeatingError) as refused:
        a_plan(players=28, movement=Movement.FFT, rounds=3, past=past)
    assert (refused.value.code, refused.value.params) == (SeatingCode.FFT_CANNOT_RESUME, {"at": 1})


def test_past_rounds_count_towards_the_last_round_of_the_movement() -> None:
    past = a_plan(players=20, movement=Movement.FFT, rounds=4).rounds
    assert a_plan(players=20, movement=Movement.FFT, rounds=1, past=past).repeats == ()
    with pytest.raises(SeatingError) as refused:
        a_plan(players=20, movement=Movement.FFT, rounds=2, past=past)
    assert (refused.value.code, refused.value.params) == (SeatingCode.FFT_REPEATS, {"tables": 5, "at": 6})
