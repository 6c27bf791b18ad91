"""Who is here, who would sit where, who sits where: registration counts, a proposed seating and the room of a position.

Nothing is written; a proposal becomes seats in `services.seating`.
"""

import hashlib
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum

from scoring.seating import (
    Movement,
    MovementChoice,
    MovementReason,
    Plan,
    Repeat,
    SeatingError,
    TableOfFive,
    choose_movement,
    plan_rounds,
    split_into_tables,
)
from tournaments import labels
from tournaments.errors import RefusedError
from tournaments.models import Entrant, EntrantState, Game, Method, Place, RoomState, Round, Seat, Session

from .names import entrant_names, tell_apart

LEAST_PLAYERS = 3
PLACES = (Place.N, Place.S, Place.E, Place.O, Place.C)


@dataclass(frozen=True, slots=True, kw_only=True)
class Headcount:
    """How many are present and into how many tables they split; no table below three people."""

    present: int
    fours: int
    threes: int
    fives: int

    @property
    def is_enough(self) -> bool:
        """Say whether anybody can play."""
        return self.present >= LEAST_PLAYERS


class WhySeating(StrEnum):
    """Why the seats of the first positions are decided as proposed."""

    FFT_REPEATS_NOBODY = "FFT_REPEATS_NOBODY"
    FFT_ALL_THE_SAME = "FFT_ALL_THE_SAME"
    RANDOM_WANTED = "RANDOM_WANTED"
    TOO_FEW_TABLES = "TOO_FEW_TABLES"
    TABLE_OF_FIVE = "TABLE_OF_FIVE"
    TOO_MANY_ROUNDS = "TOO_MANY_ROUNDS"
    FFT_WOULD_REPEAT_AT = "FFT_WOULD_REPEAT_AT"
    FFT_UNFAIR_TABLES_OF_THREE = "FFT_UNFAIR_TABLES_OF_THREE"


@dataclass(frozen=True, slots=True, kw_only=True)
class Meeting:
    """Two entrants who meet again, and the positions in which they do; `names` as shown, told apart."""

    first: Entrant
    second: Entrant
    names: tuple[str, str]
    rounds: tuple[int, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class AtThree:
    """How many people sit at a table of three so many times."""

    times: int
    people: int


@dataclass(frozen=True, slots=True, kw_only=True)
class AtThreeCompared:
    """How many people would sit at a table of three at least so many times, by either seating."""

    times: int
    with_fft: int
    at_random: int


@dataclass(frozen=True, slots=True, kw_only=True)
class PlannedTable:
    """A table of a plan; `seats` are place and entrant, in the order N, S, E, O, C, empty places left out.

    `chairs` are the same with names told apart, by the numbers that a confirmed draw gives.
    """

    number: int
    game: Game
    seats: tuple[tuple[Place, Entrant], ...]
    chairs: tuple[tuple[Place, str], ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class PlannedRound:
    """A position of a plan."""

    number: int
    method: Method
    tables: tuple[PlannedTable, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Proposal:
    """A seating of all positions, drawn with `seed`; nothing is decided until it is confirmed.

    `fingerprint` changes with whoever is present and whatever is planned, so that a confirmation means this very plan.
    `fft_rounds` is how many positions the FFT movement was wanted for. `choice` is None where it was not.
    """

    seed: int
    fingerprint: str
    entrants: tuple[Entrant, ...]
    headcount: Headcount
    rounds: tuple[PlannedRound, ...]
    why: WhySeating
    choice: MovementChoice | None
    fft_rounds: int
    meetings: tuple[Meeting, ...]
    at_three: tuple[AtThree, ...]

    @property
    def methods(self) -> tuple[Method, ...]:
        """The methods in the order they come, each once."""
        return tuple(dict.fromkeys(planned.method for planned in self.rounds))

    @property
    def fft_is_possible(self) -> bool:
        """Say whether the user may take the FFT movement all the same."""
        return self.why == WhySeating.FFT_UNFAIR_TABLES_OF_THREE

    @property
    def at_three_compared(self) -> AtThreeCompared | None:
        """Say where the FFT movement and random seating differ most: None where the movement was not wanted."""
        if self.choice is None or not self.choice.at_three_fft:
            return None
        fft, at_random = self.choice.at_three_fft, self.choice.at_three_random
        times = len(at_random) if len(fft) > len(at_random) else len(at_random) - 1
        return AtThreeCompared(times=times, with_fft=sum(fft[times:]), at_random=sum(at_random[times:]))


@dataclass(frozen=True, slots=True, kw_only=True)
class Chair:
    """Somebody's seat. `name` is told apart from a namesake's, who alone has `licence` filled; `number` is words."""

    table: int
    place: Place
    person: str
    name: str
    number: str
    licence: str


@dataclass(frozen=True, slots=True, kw_only=True)
class RoomTable:
    """A table of a drawn position with who sits there, in the order N, S, E, O, C."""

    number: int
    game: Game
    chairs: tuple[Chair, ...]
    keeper: Place


@dataclass(frozen=True, slots=True, kw_only=True)
class RoomView:
    """A position as the room sees it; `by_name` holds the same chairs in the order of names."""

    number: int
    method: Method
    is_playing: bool
    is_played: bool
    previous_method: Method | None
    tables: tuple[RoomTable, ...]
    by_name: tuple[Chair, ...]

    @property
    def has_keeper_beside_north(self) -> bool:
        """Say whether somebody else than North keeps a score sheet: South, at a table of three."""
        return any(table.keeper != Place.N for table in self.tables)


def count_tables(present: int, table_of_five: str) -> Headcount:
    """Split a head count into tables."""
    tables = split_into_tables(present, TableOfFive(table_of_five)) if present >= LEAST_PLAYERS else None
    if tables is None:
        return Headcount(present=present, fours=0, threes=0, fives=0)
    return Headcount(present=present, fours=tables.fours, threes=tables.threes, fives=tables.fives)


def present_entrants(session: Session) -> tuple[Entrant, ...]:
    """Return who is present, in the order of names, in one query."""
    entrants = session.entrants.filter(state=EntrantState.PRESENT).select_related("person")
    return tuple(entrants.order_by("person__search_key", "pk"))


def propose(session: Session, seed: int, *, fft_all_the_same: bool = False) -> Proposal:
    """Plan every position for those present. The same session and seed always give the same proposal.

    Raises:
        RefusedError: TOO_FEW_PLAYERS, with `players`; SEATING_IMPOSSIBLE.
    """
    entrants = present_entrants(session)
    five = TableOfFive(session.tournament.table_of_five)
    methods = methods_of(session)
    wanted = next((index for index, method in enumerate(methods) if method != Method.FFT), len(methods))
    if len(entrants) < LEAST_PLAYERS:
        raise RefusedError("TOO_FEW_PLAYERS", players=len(entrants))
    try:
        choice = choose_movement(players=len(entrants), rounds=wanted, table_of_five=five) if wanted else None
        why = _why(choice, fft_all_the_same=fft_all_the_same)
        fft = wanted if why in {WhySeating.FFT_REPEATS_NOBODY, WhySeating.FFT_ALL_THE_SAME} else 0
        plans = _plan(len(entrants), five=five, seed=seed, fft=fft, rest=len(methods) - fft)
    except SeatingError as error:
        raise RefusedError("SEATING_IMPOSSIBLE", players=len(entrants)) from error
    times = Counter(plans[-1].tables_of_three)
    # A confirmed draw numbers people in this order: the numbers shown now are those of the paper.
    names = tell_apart((each.pk, str(each.person), number) for number, each in enumerate(entrants, start=1))
    return Proposal(
        seed=seed,
        fingerprint=_fingerprint(session, entrants, methods, fft),
        entrants=entrants,
        headcount=count_tables(len(entrants), five),
        rounds=_planned_rounds(plans, entrants, names),
        why=why,
        choice=choice,
        fft_rounds=wanted,
        meetings=_meetings(plans, entrants, names),
        at_three=tuple(AtThree(times=often, people=times[often]) for often in sorted(times) if often),
    )


def methods_of(session: Session) -> tuple[Method, ...]:
    """Return the method wanted for each planned position; FFT where nothing was said."""
    wanted = [Method(code) for code in session.planned_methods[: session.rounds_planned]]
    return (*wanted, *[wanted[-1] if wanted else Method.FFT] * (session.rounds_planned - len(wanted)))


def methods_shown(session: Session) -> tuple[Method, ...]:
    """Return the method of each position: as drawn once there are seats, as wanted until then."""
    drawn = session.rounds.order_by("number").values_list("method", flat=True)
    return tuple(Method(code) for code in drawn) or methods_of(session)


def _why(choice: MovementChoice | None, *, fft_all_the_same: bool) -> WhySeating:
    if choice is None:
        return WhySeating.RANDOM_WANTED
    if choice.reason == MovementReason.FFT_UNFAIR_TABLES_OF_THREE and fft_all_the_same:
        return WhySeating.FFT_ALL_THE_SAME
    return WhySeating(choice.reason)


def _plan(players: int, *, five: TableOfFive, seed: int, fft: int, rest: int) -> tuple[Plan, ...]:
    plans: list[Plan] = []
    if fft:
        plans.append(plan_rounds(players=players, rounds=fft, movement=Movement.FFT, seed=seed, table_of_five=five))
    if rest:
        past = [room for plan in plans for room in plan.rounds]
        plans.append(
            plan_rounds(
                players=players, rounds=rest, movement=Movement.RANDOM, seed=seed, table_of_five=five, past=past
            )
        )
    return tuple(plans)


def _planned_rounds(
    plans: Sequence[Plan], entrants: Sequence[Entrant], names: Mapping[int, str]
) -> tuple[PlannedRound, ...]:
    rooms = [(Method(plan.movement), plan.games, room) for plan in plans for room in plan.rounds]
    return tuple(
        PlannedRound(
            number=number,
            method=method,
            tables=tuple(
                _planned_table(
                    table,
                    game,
                    [(place, entrants[who]) for place, who in zip(PLACES, seats, strict=True) if who is not None],
                    names,
                )
                for table, (game, seats) in enumerate(zip(games, room, strict=True), start=1)
            ),
        )
        for number, (method, games, room) in enumerate(rooms, start=1)
    )


def _planned_table(
    number: int, game: str, seats: Sequence[tuple[Place, Entrant]], names: Mapping[int, str]
) -> PlannedTable:
    return PlannedTable(
        number=number,
        game=Game(game),
        seats=tuple(seats),
        chairs=tuple((place, names[entrant.pk]) for place, entrant in seats),
    )


def _meetings(plans: Sequence[Plan], entrants: Sequence[Entrant], names: Mapping[int, str]) -> tuple[Meeting, ...]:
    repeats: dict[tuple[int, int], Repeat] = {repeat.pair: repeat for plan in plans for repeat in plan.repeats}
    pairs = [(entrants[pair[0]], entrants[pair[1]], repeat) for pair, repeat in sorted(repeats.items())]
    return tuple(
        Meeting(first=first, second=second, names=(names[first.pk], names[second.pk]), rounds=repeat.rounds)
        for first, second, repeat in pairs
    )


def _fingerprint(session: Session, entrants: Sequence[Entrant], methods: Sequence[Method], fft: int) -> str:
    told = [session.pk, session.tournament.table_of_five, fft, *methods, *(entrant.pk for entrant in entrants)]
    return hashlib.sha256(" ".join(map(str, told)).encode()).hexdigest()[:16]


def room_view(position: Round) -> RoomView:
    """Return a drawn position with its seats, in four queries."""
    names = entrant_names(position.session_id)
    seats = (
        Seat.objects.filter(round=position)
        .select_related("entrant__person", "table")
        .order_by("entrant__person__search_key", "pk")
    )
    chairs = tuple(_chair(seat, names[seat.entrant_id]) for seat in seats)
    at: dict[int, list[Chair]] = {}
    for chair in chairs:
        at.setdefault(chair.table, []).append(chair)
    before = Round.objects.filter(session=position.session_id, number=position.number - 1).values_list("method").first()
    return RoomView(
        number=position.number,
        method=Method(position.method),
        is_playing=position.room == RoomState.PLAYING,
        is_played=position.room == RoomState.PLAYED,
        previous_method=Method(before[0]) if before else None,
        tables=tuple(
            _room_table(table.number, table.game, at.get(table.number, []))
            for table in position.tables.order_by("number")
        ),
        by_name=chairs,
    )


def _chair(seat: Seat, name: str) -> Chair:
    person = seat.entrant.person
    return Chair(
        table=seat.table.number,
        place=Place(seat.place),
        person=str(person),
        name=name,
        number=labels.number_label(seat.entrant.number),
        licence=person.licence if name != str(person) else "",
    )


def _room_table(number: int, game: str, chairs: Sequence[Chair]) -> RoomTable:
    ordered = tuple(sorted(chairs, key=lambda chair: PLACES.index(chair.place)))
    places = {chair.place for chair in ordered}
    return RoomTable(number=number, game=Game(game), chairs=ordered, keeper=Place.N if Place.N in places else Place.S)
