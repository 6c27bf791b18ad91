"""How a head count splits into tables, and which head counts are served; who sits where is not decided here."""

from collections.abc import Sequence
from dataclasses import dataclass

from scoring.seating.plan import Room, SeatingCode, SeatingError, TableGame, TableOfFive

LEAST_PLAYERS = 3
MOST_PLAYERS = 2000
MOST_ROUNDS = 100


@dataclass(frozen=True, slots=True, kw_only=True)
class Tables:
    """The tables of one head count; those without four people come last: up to three of three, or one of five."""

    fours: int
    threes: int
    fives: int
    game_of_five: TableGame

    @property
    def total(self) -> int:
        return self.fours + self.threes + self.fives

    @property
    def sizes(self) -> tuple[int, ...]:
        return (4,) * self.fours + (3,) * self.threes + (5,) * self.fives

    @property
    def games(self) -> tuple[TableGame, ...]:
        return (TableGame.PLAIN,) * (self.fours + self.threes) + (self.game_of_five,) * self.fives


def split_into_tables(players: int, table_of_five: TableOfFive = TableOfFive.NEVER) -> Tables:
    """Tables of four, and of three for what is left over; or one of five when one person is and the club plays so.

    Five people are always one table of five, with a mort unless the club plays the five-player game.
    """
    game = TableGame.CALLED_KING if table_of_five == TableOfFive.CALLED_KING else TableGame.MORT
    if players == 5 or (players % 4 == 1 and table_of_five != TableOfFive.NEVER):
        return Tables(fours=players // 4 - 1, threes=0, fives=1, game_of_five=game)
    threes = -players % 4
    return Tables(fours=(players - 3 * threes) // 4, threes=threes, fives=0, game_of_five=game)


def check_players(players: int) -> None:
    """Refuse a head count nobody can be seated for.

    Raises:
        SeatingError: BAD_PLAYERS, TOO_FEW_PLAYERS, TOO_MANY_PLAYERS.
    """
    if players < 0:
        raise SeatingError(SeatingCode.BAD_PLAYERS, {"players": players})
    if players < LEAST_PLAYERS:
        raise SeatingError(SeatingCode.TOO_FEW_PLAYERS, {"players": players, "least": LEAST_PLAYERS})
    if players > MOST_PLAYERS:
        raise SeatingError(SeatingCode.TOO_MANY_PLAYERS, {"players": players, "most": MOST_PLAYERS})


def check_rounds(rounds: int, *, past: int) -> None:
    """Refuse no round at all, and more of them than any tournament has.

    Raises:
        SeatingError: BAD_ROUNDS.
    """
    if rounds < 1 or rounds + past > MOST_ROUNDS:
        raise SeatingError(SeatingCode.BAD_ROUNDS, {"rounds": rounds, "most": MOST_ROUNDS - past})


def check_past(past: Sequence[Sequence[Sequence[int | None]]], *, players: int) -> tuple[Room, ...]:
    """The past rounds as tuples; they may lack people who came late.

    Raises:
        SeatingError: BAD_PAST when a table has not five places, or a round seats a stranger or somebody twice.
    """
    for number, room in enumerate(past, start=1):
        people = [player for places in room for player in places if player is not None]
        strangers = any(not 0 <= player < players for player in people)
        if strangers or len(set(people)) < len(people) or any(len(places) != 5 for places in room):
            raise SeatingError(SeatingCode.BAD_PAST, {"round": number})
    return tuple(tuple((n, s, e, o, c) for n, s, e, o, c in room) for room in past)
