"""What holds of every plan, whatever the room, the movement, the seed and the past."""

from collections.abc import Iterator

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from scoring.seating import Movement, Plan, Room, SeatingError, TableOfFive
from tests.scoring.seating.builders import a_plan, all_who_meet_again, sizes, times_at


@pytest.fixture(autouse=True, scope="module")
def _short_walks() -> Iterator[None]:
    """None of this depends on how long the search for the last repeat goes on."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("scoring.seating.shuffled.STEPS", 1000)
        patch.setattr("scoring.seating.shuffled.STEPS_WHEN_CLOSE", 2000)
        yield


MOVEMENTS = st.sampled_from([Movement.FFT, Movement.RANDOM])


@st.composite
def plans(draw: st.DrawFn) -> tuple[Plan, tuple[Room, ...]]:
    """A plan and the past it was made with; where a movement is refused, random seating instead."""
    players = draw(st.integers(min_value=3, max_value=45))
    rounds = draw(st.integers(min_value=1, max_value=4))
    seed = draw(st.integers(min_value=0, max_value=2**32))
    five = draw(st.sampled_from([None, *TableOfFive]))
    past: tuple[Room, ...] = ()
    for played in range(draw(st.integers(min_value=0, max_value=2))):
        past += a_plan(players=players, rounds=1, seed=seed + played, past=past, table_of_five=five).rounds
    movement = draw(MOVEMENTS)
    try:
        return a_plan(players=players, rounds=rounds, movement=movement, seed=seed, past=past, table_of_five=five), past
    except SeatingError:
        return a_plan(players=players, rounds=rounds, seed=seed, past=past, table_of_five=five), past


@settings(max_examples=60, deadline=None)
@given(plans())
def test_everybody_sits_exactly_once_in_every_round(made: tuple[Plan, tuple[Room, ...]]) -> None:
    plan, _ = made
    for room in plan.rounds:
        assert sorted(p for places in room for p in places if p is not None) == list(range(plan.players))
        assert len(room) == len(plan.games)
        assert all(len(places) == 5 for places in room)


@settings(max_examples=60, deadline=None)
@given(plans())
def test_no_table_is_smaller_than_three_and_at_most_three_are_not_of_four(
    made: tuple[Plan, tuple[Room, ...]],
) -> None:
    plan, _ = made
    for room in plan.rounds:
        assert min(sizes(room)) >= 3
        assert sum(size != 4 for size in sizes(room)) <= 3
        assert [size == 5 for size in sizes(room)] == [game != "PLAIN" for game in plan.games]


@settings(max_examples=60, deadline=None)
@given(plans())
def test_the_report_is_what_a_count_by_hand_finds(made: tuple[Plan, tuple[Room, ...]]) -> None:
    plan, past = made
    again = all_who_meet_again(past + plan.rounds, plan.players)
    expected = {pair: rounds for pair, rounds in again.items() if rounds[-1] > len(past)}
    assert dict(plan.repeats) == expected
    assert [pair for pair, _ in plan.repeats] == sorted(expected)
    assert plan.tables_of_three == tuple(times_at(past + plan.rounds, p, 3) for p in range(plan.players))


@settings(max_examples=30, deadline=None)
@given(plans())
def test_the_same_seed_gives_the_same_plan(made: tuple[Plan, tuple[Room, ...]]) -> None:
    plan, past = made
    again = [
        a_plan(players=plan.players, rounds=len(plan.rounds), movement=plan.movement, seed=7, past=past)
        for _ in range(2)
    ]
    assert again[0] == again[1]


@settings(max_examples=60, deadline=None)
@given(
    players=st.integers(min_value=3, max_value=45),
    rounds=st.integers(min_value=1, max_value=4),
    seed=st.integers(min_value=0, max_value=2**32),
)
def test_random_seating_shares_the_tables_of_three_to_within_one(players: int, rounds: int, seed: int) -> None:
    times = a_plan(players=players, rounds=rounds, seed=seed).tables_of_three
    assert max(times) - min(times) <= 1
