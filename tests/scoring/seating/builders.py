"""Ways to ask for a plan and to count over one by brute force; nothing here is taken from the code under test."""

from collections import Counter

from scoring.seating import Movement, Plan, Room, TableOfFive, plan_rounds

PLACES = "NSEOC"


def a_plan(
    *,
    players: int,
    rounds: int = 5,
    movement: Movement = Movement.RANDOM,
    seed: int = 1,
    past: tuple[Room, ...] = (),
    table_of_five: TableOfFive | None = None,
) -> Plan:
    return plan_rounds(
        players=players, rounds=rounds, movement=movement, seed=seed, past=past, table_of_five=table_of_five
    )


def rounds_together(rounds: tuple[Room, ...], one: int, other: int) -> tuple[int, ...]:
    """The 1-based rounds in which two people share a table."""
    return tuple(number for number, room in enumerate(rounds, start=1) if any(one in t and other in t for t in room))


def all_who_meet_again(rounds: tuple[Room, ...], players: int) -> dict[tuple[int, int], tuple[int, ...]]:
    together = {(one, other): rounds_together(rounds, one, other) for other in range(players) for one in range(other)}
    return {pair: numbers for pair, numbers in together.items() if len(numbers) > 1}


def sizes(room: Room) -> list[int]:
    return [sum(player is not None for player in places) for places in room]


def times_at(rounds: tuple[Room, ...], player: int, size: int) -> int:
    return sum(player in places and sum(p is not None for p in places) == size for room in rounds for places in room)


def histogram(times: tuple[int, ...] | list[int]) -> dict[int, int]:
    """How many people did something so many times."""
    return dict(sorted(Counter(times).items()))


def seat_of(room: Room, player: int) -> tuple[int, str]:
    """The table (1-based) and the place of somebody."""
    return next(
        (number, PLACES[places.index(player)]) for number, places in enumerate(room, start=1) if player in places
    )
