"""The FFT movement for five tables and more: North stays, South goes up one table, East two, West comes down two.

Only the base movement is here, and only as far as it makes nobody meet again. The reference is the FFT's manual for
organisers (mouvement FFT); a missing person is always a North.
"""

from collections import Counter
from collections.abc import Iterator, Sequence
from functools import lru_cache
from itertools import combinations
from random import Random

from scoring.seating.plan import Places, Room, SeatingCode, SeatingError, meetings

STEPS = (0, 1, 2, -2)
LEAST_TABLES = 5
MOST_ROUNDS = 7


def fft_room(start: Sequence[Places], round_index: int) -> Room:
    """The room `round_index` rounds after `start`, everybody having moved by the step of their place."""
    tables = len(start)

    def at(place: int, table: int) -> int | None:
        return start[(table - STEPS[place] * round_index) % tables][place]

    return tuple((at(0, table), at(1, table), at(2, table), at(3, table), None) for table in range(tables))


@lru_cache
def fft_rounds_without_repeat(tables: int) -> int:
    """How many rounds of the base movement can be played before two people meet again, seven at most.

    Found by playing the movement with every seat taken: 2 at 6 tables, 5 at 5, 6 at 24, 7 at 7, 11, 13 and 17 …
    """
    if tables < 1:
        return 0
    start: Room = tuple((4 * t, 4 * t + 1, 4 * t + 2, 4 * t + 3, None) for t in range(tables))
    met: set[tuple[int, int]] = set()
    for round_index in range(MOST_ROUNDS):
        pairs = set(meetings(fft_room(start, round_index)))
        if met & pairs:
            return round_index
        met |= pairs
    return MOST_ROUNDS


def passes_at_three(tables: int, rounds: int, holes: Sequence[int]) -> Counter[tuple[int, int]]:
    """How often each (place, starting table) of South, East and West comes to a table without a North.

    Those who never do are not in the counter; Norths never move, so never do.
    """
    return Counter(
        (place, (hole - STEPS[place] * round_index) % tables)
        for hole in holes
        for place in (1, 2, 3)
        for round_index in range(rounds)
    )


@lru_cache
def choose_tables_without_north(tables: int, rounds: int, missing: int) -> tuple[int, ...]:
    """Which tables (0-based, descending) play without a North so that the fewest people sit at three more than once.

    The highest table is always one of them; a turn of the whole room changes nothing, so no choice is lost by it.
    Equals are told apart by who sits there more than twice, then by the highest tables.
    """
    if missing == 0:
        return ()
    best: tuple[int, ...] = ()
    least = (0, 0)
    for others in combinations(range(tables - 2, -1, -1), missing - 1):
        holes = (tables - 1, *others)
        passes = passes_at_three(tables, rounds, holes).values()
        unfair = (sum(times > 1 for times in passes), sum(times > 2 for times in passes))
        if not best or unfair < least:
            best, least = holes, unfair
        if least == (0, 0):
            break
    return best


def check_fft(*, tables: int, rounds: int) -> None:
    """Refuse the movement where it does not exist or makes somebody meet again.

    Raises:
        SeatingError: FFT_TOO_FEW_TABLES, FFT_TOO_MANY_ROUNDS, FFT_REPEATS; NOT_SERVED at 3 and 4 tables (Howell).
    """
    if tables in (3, 4):
        raise SeatingError(SeatingCode.NOT_SERVED, {"tables": tables})
    if tables < LEAST_TABLES:
        raise SeatingError(SeatingCode.FFT_TOO_FEW_TABLES, {"tables": tables, "least": LEAST_TABLES})
    if rounds > MOST_ROUNDS:
        raise SeatingError(SeatingCode.FFT_TOO_MANY_ROUNDS, {"rounds": rounds, "most": MOST_ROUNDS})
    served = fft_rounds_without_repeat(tables)
    if rounds > served:
        raise SeatingError(SeatingCode.FFT_REPEATS, {"tables": tables, "at": served + 1})


def draw_start(*, players: int, tables: int, rounds: int, rng: Random) -> Room:
    """The first round: everybody draws a place and a table, and keeps the place for good."""
    holes = choose_tables_without_north(tables, rounds, -players % 4)
    order = list(range(players))
    rng.shuffle(order)
    drawn: Iterator[int] = iter(order)
    return tuple(
        (None if table in holes else next(drawn), next(drawn), next(drawn), next(drawn), None)
        for table in range(tables)
    )


def fft_rounds(*, players: int, tables: int, rounds: int, past: Sequence[Room], rng: Random) -> tuple[Room, ...]:
    """The planned rounds of the movement; with past rounds of the same movement, those that follow them.

    Raises:
        SeatingError: as `check_fft`, and FFT_CANNOT_RESUME when the past rounds are not this movement.
    """
    total = len(past) + rounds
    check_fft(tables=tables, rounds=total)
    start = past[0] if past else draw_start(players=players, tables=tables, rounds=total, rng=rng)
    check_past_follows(past, tables=tables, players=players)
    return tuple(fft_room(start, index) for index in range(len(past), total))


def check_past_follows(past: Sequence[Room], *, tables: int, players: int) -> None:
    """Refuse to go on from rounds that were not played in this movement by these players."""
    for index, room in enumerate(past):
        people = sum(place is not None for places in room for place in places)
        if len(room) != tables or people != players or tuple(room) != fft_room(past[0], index):
            raise SeatingError(SeatingCode.FFT_CANNOT_RESUME, {"at": index + 1})
