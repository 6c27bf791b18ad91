"""Which place each person takes at a table once it is known who sits there; the tables themselves are not changed."""

from collections.abc import Sequence
from itertools import permutations
from random import Random

from scoring.seating.plan import Places, Room

# At a table of three nobody is North, as in the FFT movement; South keeps the score there.
PLACES_OF = {3: (1, 2, 3), 4: (0, 1, 2, 3), 5: (0, 1, 2, 3, 4)}
SWEEPS = 3


def seat_groups(
    groups: Sequence[Sequence[Sequence[int]]], *, players: int, past: Sequence[Room], rng: Random
) -> tuple[Room, ...]:
    """Give every person a place in each round, so that few have the same place again and again.

    Each table in turn takes the order that repeats least for its people, all others as they are; a few sweeps settle.
    """
    times = [[0] * 5 for _ in range(players)]
    for room in past:
        for places in room:
            count_places(times, places, by=1)
    rounds = [[shuffled_places(people, rng) for people in tables] for tables in groups]
    for tables in rounds:
        for places in tables:
            count_places(times, places, by=1)
    for _ in range(SWEEPS):
        for tables in rounds:
            for table, places in enumerate(tables):
                count_places(times, places, by=-1)
                tables[table] = best_places(places, times)
                count_places(times, tables[table], by=1)
    return tuple(tuple(tables) for tables in rounds)


def shuffled_places(people: Sequence[int], rng: Random) -> Places:
    order = list(people)
    rng.shuffle(order)
    return put(order)


def best_places(places: Places, times: Sequence[Sequence[int]]) -> Places:
    """The order of these people in which their places so far repeat least; their present order among equals."""
    people = [player for player in places if player is not None]
    taken = PLACES_OF[len(people)]

    def weight(order: Sequence[int]) -> int:
        return sum(times[player][place] ** 2 for player, place in zip(order, taken, strict=True))

    return put(min(permutations(people), key=weight))


def put(people: Sequence[int]) -> Places:
    """People in the order of the places of their table."""
    if len(people) == 3:
        return (None, people[0], people[1], people[2], None)
    return (people[0], people[1], people[2], people[3], people[4] if len(people) == 5 else None)


def count_places(times: Sequence[list[int]], places: Places, *, by: int) -> None:
    for place, player in enumerate(places):
        if player is not None:
            times[player][place] += by
