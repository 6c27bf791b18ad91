"""Which movement suits a head count, and why: reasons as codes and numbers, for a page to put into words."""

from collections import Counter
from dataclasses import dataclass
from enum import StrEnum

from scoring.seating.fft import (
    LEAST_TABLES,
    MOST_ROUNDS,
    choose_tables_without_north,
    fft_rounds_without_repeat,
    passes_at_three,
)
from scoring.seating.plan import Movement, TableOfFive
from scoring.seating.tables import check_players, check_rounds, split_into_tables


class MovementReason(StrEnum):
    """Why a movement is the right one; all but the first speak for random seating."""

    FFT_REPEATS_NOBODY = "FFT_REPEATS_NOBODY"
    TOO_FEW_TABLES = "TOO_FEW_TABLES"
    TABLE_OF_FIVE = "TABLE_OF_FIVE"
    TOO_MANY_ROUNDS = "TOO_MANY_ROUNDS"
    FFT_WOULD_REPEAT_AT = "FFT_WOULD_REPEAT_AT"
    FFT_UNFAIR_TABLES_OF_THREE = "FFT_UNFAIR_TABLES_OF_THREE"


@dataclass(frozen=True, slots=True, kw_only=True)
class MovementChoice:
    """The right movement, with the numbers of the sentence that says why.

    fft_possible: whether `plan_rounds` serves the FFT movement here, be it the right one or not.
    fft_repeats_at: the first round in which it would make people meet again; None when that is not what stops it.
    at_three_fft: people who sit at a table of three 0, 1, 2 … times under the FFT movement; () where it is impossible.
    at_three_random: the same under random seating, which is the least for any seating.
    """

    movement: Movement
    reason: MovementReason
    tables: int
    tables_of_three: int
    fft_possible: bool
    fft_repeats_at: int | None
    at_three_fft: tuple[int, ...]
    at_three_random: tuple[int, ...]


def choose_movement(*, players: int, rounds: int, table_of_five: TableOfFive | None = None) -> MovementChoice:
    """The FFT movement where nobody meets again and the tables of three are shared as evenly as can be, else random.

    Raises:
        SeatingError: BAD_PLAYERS, TOO_FEW_PLAYERS, TOO_MANY_PLAYERS, BAD_ROUNDS.
    """
    check_players(players)
    check_rounds(rounds, past=0)
    tables = split_into_tables(players, table_of_five or TableOfFive.NEVER)
    served = fft_rounds_without_repeat(tables.total)
    evenly = share_evenly(3 * tables.threes * rounds, players)
    at_three: tuple[int, ...] = ()
    if tables.total < LEAST_TABLES:
        reason = MovementReason.TOO_FEW_TABLES
    elif tables.fives:
        reason = MovementReason.TABLE_OF_FIVE
    elif rounds > MOST_ROUNDS:
        reason = MovementReason.TOO_MANY_ROUNDS
    elif rounds > served:
        reason = MovementReason.FFT_WOULD_REPEAT_AT
    else:
        at_three = share_of_fft(players=players, tables=tables.total, rounds=rounds)
        fair = at_three == evenly
        reason = MovementReason.FFT_REPEATS_NOBODY if fair else MovementReason.FFT_UNFAIR_TABLES_OF_THREE
    return MovementChoice(
        movement=Movement.FFT if reason is MovementReason.FFT_REPEATS_NOBODY else Movement.RANDOM,
        reason=reason,
        tables=tables.total,
        tables_of_three=tables.threes,
        fft_possible=bool(at_three),
        fft_repeats_at=served + 1 if reason is MovementReason.FFT_WOULD_REPEAT_AT else None,
        at_three_fft=at_three,
        at_three_random=evenly,
    )


def share_evenly(seats: int, players: int) -> tuple[int, ...]:
    """People by how many of these seats they take, 0, 1, 2 … times, nobody two more than another."""
    each, more = divmod(seats, players)
    return (0,) * each + (players - more,) + ((more,) if more else ())


def share_of_fft(*, players: int, tables: int, rounds: int) -> tuple[int, ...]:
    """People by how often they sit at three, 0, 1, 2 … times, the tables without a North chosen at their best."""
    holes = choose_tables_without_north(tables, rounds, -players % 4)
    times = Counter(passes_at_three(tables, rounds, holes).values())
    never = players - times.total()
    return (never, *(times[often] for often in range(1, max(times, default=0) + 1)))
