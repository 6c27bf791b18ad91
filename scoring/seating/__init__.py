"""Who sits where at each round: the door of the seating package, and all that other packages import of it."""

from collections.abc import Sequence
from random import Random

from scoring.seating.choice import MovementChoice, MovementReason, choose_movement
from scoring.seating.fft import fft_rounds, fft_rounds_without_repeat
from scoring.seating.plan import (
    Movement,
    Places,
    Plan,
    Repeat,
    Room,
    SeatingCode,
    SeatingError,
    TableGame,
    TableOfFive,
    make_plan,
)
from scoring.seating.shuffled import random_rounds
from scoring.seating.tables import check_past, check_players, check_rounds, split_into_tables

__all__ = [
    "Movement",
    "MovementChoice",
    "MovementReason",
    "Places",
    "Plan",
    "Repeat",
    "Room",
    "SeatingCode",
    "SeatingError",
    "TableGame",
    "TableOfFive",
    "choose_movement",
    "fft_rounds_without_repeat",
    "plan_rounds",
    "split_into_tables",
]


def plan_rounds(
    *,
    players: int,
    rounds: int,
    movement: Movement,
    seed: int,
    table_of_five: TableOfFive | None = None,
    past: Sequence[Sequence[Sequence[int | None]]] = (),
    standing: Sequence[int] | None = None,
    fixed: Sequence[object] = (),
    apart: Sequence[object] = (),
    wishes: object | None = None,
    teams: object | None = None,
) -> Plan:
    """Seat `players` people (0 … players−1) for `rounds` rounds; the same arguments always give the same plan.

    table_of_five: what a person left over by tables of four means; None is NEVER, which gives tables of three (five
        people are one table all the same). The FFT movement is not played with a table of five.
    past: rounds already played, in the shape of `Plan.rounds`. Random seating avoids their meetings and evens out their
        tables of three; the FFT movement goes on from them, which it can only from rounds of its own.
    standing, fixed, apart, wishes, teams, and the movements BEST and OPTIMAL: not served.

    The rounds of one movement are best planned in one call: what is fair over five rounds is not found one by one.

    Raises:
        SeatingError: every code of `SeatingCode`, whose comments name its `params`.
    """
    check_players(players)
    check_rounds(rounds, past=len(past))
    if standing is not None or fixed or apart or wishes is not None or teams is not None:
        raise SeatingError(SeatingCode.NOT_SERVED)
    rooms = check_past(past, players=players)
    tables = split_into_tables(players, table_of_five or TableOfFive.NEVER)
    rng = Random(seed)  # noqa: S311 - a draw to be repeated from its seed, not a secret
    if movement == Movement.FFT and not (tables.fives and tables.fours):
        planned = fft_rounds(players=players, tables=tables.total, rounds=rounds, past=rooms, rng=rng)
    elif movement == Movement.RANDOM:
        planned = random_rounds(players=players, tables=tables, rounds=rounds, past=rooms, rng=rng)
    else:
        raise SeatingError(SeatingCode.NOT_SERVED)
    return make_plan(movement=movement, players=players, rounds=planned, games=tables.games, past=rooms)
