"""The values a seating plan is made of, and the error that refuses one; how seats are found is told elsewhere."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from itertools import combinations
from typing import NamedTuple, TypeAlias

Places: TypeAlias = tuple[int | None, int | None, int | None, int | None, int | None]
"""One table: who sits at N, S, E, O and C (the fifth place), a 0-based player index or None when nobody does."""

Room: TypeAlias = tuple[Places, ...]
"""One round: its tables in order, the first one being table 1."""


class Movement(StrEnum):
    """How the seats of a round are decided."""

    FFT = "FFT"
    RANDOM = "RANDOM"
    BEST = "BEST"
    OPTIMAL = "OPTIMAL"


class TableOfFive(StrEnum):
    """What a tournament does with the fifth person when the head count leaves one over."""

    NEVER = "NEVER"
    MORT = "MORT"
    CALLED_KING = "CALLED_KING"


class TableGame(StrEnum):
    """What is played at a table: plain (three or four), with a rotating mort, or the five-player game."""

    PLAIN = "PLAIN"
    MORT = "MORT"
    CALLED_KING = "CALLED_KING"


class SeatingCode(StrEnum):
    """Why no plan was made; the integers that each one carries in `params` are named behind it."""

    BAD_PLAYERS = "BAD_PLAYERS"  # players: negative
    TOO_FEW_PLAYERS = "TOO_FEW_PLAYERS"  # players, least
    TOO_MANY_PLAYERS = "TOO_MANY_PLAYERS"  # players, most
    BAD_ROUNDS = "BAD_ROUNDS"  # rounds, most (past rounds included)
    BAD_PAST = "BAD_PAST"  # round: the first past round that no room of these players can have been
    FFT_TOO_FEW_TABLES = "FFT_TOO_FEW_TABLES"  # tables, least
    FFT_TOO_MANY_ROUNDS = "FFT_TOO_MANY_ROUNDS"  # rounds, most
    FFT_REPEATS = "FFT_REPEATS"  # tables, at: the first round in which somebody would meet again
    FFT_CANNOT_RESUME = "FFT_CANNOT_RESUME"  # at: the first round that does not follow from the past ones
    NOT_SERVED = "NOT_SERVED"  # nothing, or tables when it is a Howell movement that is missing


class SeatingError(Exception):
    """No plan can be made of these arguments: `code` says why, `params` holds the numbers a sentence about it needs."""

    def __init__(self, code: SeatingCode, params: Mapping[str, int] | None = None) -> None:
        super().__init__(code, params)
        self.code = code
        self.params: Mapping[str, int] = {} if params is None else params

    def __str__(self) -> str:
        return " ".join([self.code, *(f"{name}={number}" for name, number in self.params.items())])


class Repeat(NamedTuple):
    """Two players who meet more than once, and every round in which they do.

    `pair` is ascending. `rounds` are 1-based and count the past rounds first. A named tuple, so that
    `for pair, rounds in plan.repeats` reads well.
    """

    pair: tuple[int, int]
    rounds: tuple[int, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Plan:
    """Who sits where in each planned round.

    rounds: `rounds[r][t]` is table t of planned round r, five places N, S, E, O, C; the past is not repeated here.
    games: what is played at each table, the same in every round.
    repeats: pairs who meet at least twice, past rounds counted, at least once of it in this plan; () when nobody does.
    tables_of_three: for each player, how many rounds are spent at a table of three, past rounds counted.
    """

    movement: Movement
    players: int
    rounds: tuple[Room, ...]
    games: tuple[TableGame, ...]
    repeats: tuple[Repeat, ...]
    tables_of_three: tuple[int, ...]


def seated(places: Places) -> tuple[int, ...]:
    """The people at a table, in the order of its places."""
    return tuple(player for player in places if player is not None)


def meetings(room: Sequence[Places]) -> Iterator[tuple[int, int]]:
    """Every pair that shares a table of this room, each ascending."""
    for places in room:
        yield from combinations(sorted(seated(places)), 2)


def make_plan(
    *, movement: Movement, players: int, rounds: Sequence[Room], games: Sequence[TableGame], past: Sequence[Room]
) -> Plan:
    """A plan with its report: who meets again and who sits at three."""
    return Plan(
        movement=movement,
        players=players,
        rounds=tuple(rounds),
        games=tuple(games),
        repeats=find_repeats(rounds, past=past),
        tables_of_three=count_tables_of_three(players, [*past, *rounds]),
    )


def find_repeats(rounds: Sequence[Room], *, past: Sequence[Room]) -> tuple[Repeat, ...]:
    """The pairs that a plan makes meet again, in ascending order; see `Plan.repeats`."""
    met: dict[tuple[int, int], list[int]] = {}
    for number, room in enumerate([*past, *rounds], start=1):
        for pair in meetings(room):
            met.setdefault(pair, []).append(number)
    return tuple(
        Repeat(pair, tuple(numbers))
        for pair, numbers in sorted(met.items())
        if len(numbers) > 1 and numbers[-1] > len(past)
    )


def count_tables_of_three(players: int, rounds: Sequence[Room]) -> tuple[int, ...]:
    """How often each player sits at a table of three."""
    counts = [0] * players
    for room in rounds:
        for people in map(seated, room):
            if len(people) == 3:
                for player in people:
                    counts[player] += 1
    return tuple(counts)
