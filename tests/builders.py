"""Builds what a test needs, with defaults: clubs, people, sessions, tables, and donnes through the public services."""

from collections.abc import Sequence
from datetime import date
from functools import partial
from itertools import count
from uuid import UUID, uuid4

from players.access import INCLUDES
from players.models import Club, Display, Membership, Person, Role, User
from players.names import fold
from scoring import Camp, Chelem, Contract, DonneEntry, MarksEntry, Poignee, PoigneeSize
from tournaments.models import (
    Donne,
    Entrant,
    Game,
    Kind,
    Method,
    Place,
    RoomState,
    Round,
    Rules,
    Seat,
    Session,
    SessionState,
    SheetNet,
    Source,
    Table,
    Tournament,
)
from tournaments.services.actors import Actor
from tournaments.services.donnes import record_donne
from tournaments.services.entries import Entry, NetLine, Played, Unplayed
from tournaments.services.nets import record_nets

_NUMBERS = count(1)

# The FFT's own example sheet: position n° 5, places N S E O. Marks of its five donnes, and its bilans.
FFT_MARKS = (
    (-106, -106, 318, -106),
    (-76, -76, -76, 228),
    (42, -126, 42, 42),
    (276, -92, -92, -92),
    (-582, 1746, -582, -582),
)
FFT_CONTRACTS = (Contract.GARDE, Contract.GARDE_SANS, Contract.PRISE, Contract.GARDE, Contract.GARDE)
FFT_NETS = (-446, 1346, -390, -510)


def a_club(*, name: str = "", slug: str = "") -> Club:
    """Make a club."""
    number = next(_NUMBERS)
    return Club.objects.create(name=name or f"Tarot Club {number}", slug=slug or f"club-{number}")


def a_user(
    *, club: Club | None = None, role: Role | None = Role.ARBITER, username: str = "", password: str = "secret"
) -> User:
    """Make an account, by default of an arbiter; without a club or a role it belongs to nobody."""
    user = User.objects.create_user(username=username or f"user{next(_NUMBERS)}", password=password)
    if club is not None and role is not None:
        Membership.objects.create(user=user, club=club, role=role)
    return user


def an_actor(*, role: Role = Role.ARBITER, code: str = "") -> Actor:
    """Return somebody who writes, without an account behind them."""
    return Actor(code=code or f"user:{900_000 + next(_NUMBERS)}", roles=INCLUDES[role])


def a_person(
    *, club: Club | None = None, first_name: str = "Camille", last_name: str = "", display: Display = Display.FULL
) -> Person:
    """Make a person of a club."""
    last = last_name or f"Joueur{next(_NUMBERS)}"
    return Person.objects.create(
        club=club or a_club(),
        first_name=first_name,
        last_name=last,
        search_key=fold(f"{last} {first_name}"),
        display=display,
    )


def a_tournament(*, club: Club | None = None, name: str = "Tournoi d'automne", published: bool = False) -> Tournament:
    """Make a tournament played by the FFT's scale."""
    rules = Rules.objects.get(pk=1)
    return Tournament.objects.create(club=club or a_club(), name=name, place="Salle", rules=rules, published=published)


def a_session(
    *,
    club: Club | None = None,
    players: int = 8,
    rounds: int = 2,
    donnes: int = 5,
    published: bool = False,
    state: SessionState = SessionState.REGISTRATION,
) -> Session:
    """Make a session with its entrants checked in and nothing drawn."""
    tournament = a_tournament(club=club, published=published)
    session = Session.objects.create(
        tournament=tournament,
        date=date(2026, 10, 3),
        rounds_planned=rounds,
        donnes_per_round=donnes,
        planned_methods=[Method.RANDOM.value] * rounds,
        state=state,
    )
    for _ in range(players):
        an_entrant(session)
    return session


def an_entrant(session: Session, *, person: Person | None = None, number: int | None = None) -> Entrant:
    """Check a person in."""
    person = person or a_person(club=session.tournament.club)
    return Entrant.objects.create(session=session, person=person, number=number)


def a_drawn_session(
    *,
    club: Club | None = None,
    players: int = 8,
    rounds: int = 2,
    donnes: int = 5,
    published: bool = False,
    game_of_five: Game = Game.MORT,
) -> Session:
    """Make a running session with all its positions seated: round 1 being played, each later one moved by a place.

    Tables of four, the last ones of three; five players are one table of five.
    """
    session = a_session(club=club, players=players, rounds=rounds, donnes=donnes, published=published)
    entrants = list(session.entrants.order_by("pk"))
    for number, entrant in enumerate(entrants, start=1):
        entrant.number = number
    Entrant.objects.bulk_update(entrants, ["number"])
    Session.objects.filter(pk=session.pk).update(state=SessionState.RUNNING)
    session.refresh_from_db()
    for number in range(1, rounds + 1):
        shift = number - 1
        _seat_round(session, number, [*entrants[shift:], *entrants[:shift]], game_of_five)
    return session


def _seat_round(session: Session, number: int, entrants: list[Entrant], game_of_five: Game) -> None:
    room = RoomState.PLAYING if number == 1 else RoomState.DRAWN
    position = Round.objects.create(session=session, number=number, method=Method.RANDOM, room=room)
    if len(entrants) == len(Place.values):
        table = Table.objects.create(round=position, number=1, game=game_of_five)
        seats = [(table, place, entrant) for place, entrant in zip(Place.values, entrants, strict=True)]
    else:
        threes = -len(entrants) % 4
        fours = (len(entrants) - 3 * threes) // 4
        waiting = iter(entrants)
        seats = []
        for table_number in range(1, fours + threes + 1):
            table = Table.objects.create(round=position, number=table_number)
            places = "NSEO" if table_number <= fours else "SEO"
            seats += [(table, place, next(waiting)) for place in places]
    Seat.objects.bulk_create(
        Seat(table=table, round=position, place=place, entrant=entrant) for table, place, entrant in seats
    )


def a_table(
    *, players: int = 4, donnes: int = 5, club: Club | None = None, game_of_five: Game = Game.CALLED_KING
) -> Table:
    """Make the one table of a running session: of 3, 4 or 5 players (at five, called king unless told MORT)."""
    session = a_drawn_session(players=players, rounds=1, donnes=donnes, club=club, game_of_five=game_of_five)
    return table_of(session)


def table_of(session: Session, *, position: int = 1, number: int = 1) -> Table:
    """Return a table of a session."""
    return Table.objects.select_related("round__session__tournament__club").get(
        round__session=session, round__number=position, number=number
    )


def a_played(
    *,
    players: int = 4,
    taker: int = 0,
    contract: Contract = Contract.GARDE,
    bouts: int = 2,
    half_points: int = 98,
    partner: int | None = None,
    petit_au_bout: Camp | None = None,
    poignees: Sequence[Poignee] = (),
    chelem: Chelem | None = None,
    places: str = "",
    sitting_out: str = "",
    decision: str = "",
) -> Played:
    """Return a donne in detail: by default a garde with two bouts made by 8, (25 + 8) × 2 = 66 each."""
    entry = DonneEntry(
        players=players,
        taker=taker,
        contract=contract,
        bouts=bouts,
        half_points=half_points,
        partner=partner,
        petit_au_bout=petit_au_bout,
        poignees=tuple(poignees),
        chelem=chelem,
    )
    return Played(entry, places=places, sitting_out=sitting_out, decision=decision)


def a_written(
    *marks: int,
    contract: Contract | None = Contract.GARDE,
    taker: int | None = None,
    places: str = "",
    sitting_out: str = "",
    decision: str = "",
) -> Played:
    """Return a donne as marks written on paper: by default 318 for the first place, −106 for the others."""
    given = marks or (318, -106, -106, -106)
    entry = MarksEntry(players=len(given), contract=contract, marks=given, taker=taker)
    return Played(entry, places=places, sitting_out=sitting_out, decision=decision)


not_played = partial(Unplayed, Kind.NOT_PLAYED)
removed = partial(Unplayed, Kind.REMOVED)
cancelled = partial(Unplayed, Kind.CANCELLED)


def a_donne(
    *,
    table: Table | None = None,
    number: int = 1,
    entry: Entry | None = None,
    by: Actor | None = None,
    key: UUID | None = None,
) -> Donne:
    """Record a donne, at a table of four unless told."""
    return record_donne(
        table=table or a_table(), number=number, entry=entry or a_played(), by=by or an_actor(), key=key or uuid4()
    )


def fill_table(table: Table, *, by: Actor | None = None, entry: Entry | None = None) -> list[Donne]:
    """Record every donne of a table's sheet; by default each the same garde made by the first place."""
    players = table.seats.count()
    return [
        a_donne(table=table, number=number, entry=entry or a_played(players=players), by=by)
        for number in range(1, table.round.session.donnes_per_round + 1)
    ]


def net_lines(*nets: int, places: str = "NSEO") -> tuple[NetLine, ...]:
    """Return bilans by place; without numbers, those of the FFT's own sheet."""
    return tuple(NetLine(place, net) for place, net in zip(places, nets or FFT_NETS, strict=True))


def some_nets(
    *, table: Table | None = None, nets: Sequence[NetLine] = (), by: Actor | None = None
) -> tuple[SheetNet, ...]:
    """Record the bilans of a table."""
    lines = nets or net_lines()
    return record_nets(table=table or a_table(), nets=lines, source=Source.SHEET, by=by or an_actor(), key=uuid4())


def the_fft_sheet() -> tuple[Played, ...]:
    """Return the five donnes of the FFT's own sheet in detail; their marks are FFT_MARKS."""
    shown, held_against = Poignee(PoigneeSize.SIMPLE, Camp.ATTACK), Poignee(PoigneeSize.SIMPLE, Camp.DEFENCE)
    attack, defence = Camp.ATTACK, Camp.DEFENCE
    return (
        a_played(taker=2, half_points=98, petit_au_bout=attack, poignees=[shown]),
        a_played(taker=3, contract=Contract.GARDE_SANS, half_points=90, petit_au_bout=defence),
        a_played(taker=1, contract=Contract.PRISE, half_points=68, petit_au_bout=attack, poignees=[shown]),
        a_played(taker=0, half_points=104, poignees=[held_against]),
        a_played(taker=1, half_points=174, petit_au_bout=attack, poignees=[shown], chelem=Chelem.ANNOUNCED_MADE),
    )
