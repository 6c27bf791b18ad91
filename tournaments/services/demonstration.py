"""The demonstration club: invented people and one running evening, made only through the public services."""

from collections.abc import Iterator
from datetime import date
from random import Random
from uuid import UUID

from django.db import IntegrityError, transaction

from players.demonstration import SLUG
from players.models import Club, Membership, Role, User
from players.services import PersonDetails, add_person
from scoring import Camp, Contract, DonneEntry, Poignee, PoigneeSize, find_problems
from tournaments.models import Kind, Method, Round, Session, Source, Table

from .actors import Actor, actor_of
from .donnes import record_donne
from .entries import NetLine, Played, Unplayed
from .nets import record_nets
from .registrations import check_in
from .rounds import next_round
from .seating import confirm_draw
from .tournaments import create_tournament

SEED = 1978
PEOPLE = (
    ("ABRICOT", "Léonie"), ("BALADIN", "Firmin"), ("CAPUCINE", "Odette"), ("DÉDALE", "Achille"),
    ("ÉTINCELLE", "Maëlys"), ("FARANDOLE", "Gaston"), ("GIROFLÉE", "Anaïs"), ("HIRONDELLE", "Joël"),
    ("ISLEMBERT", "Colombe"), ("JONQUILLE", "Rémi"), ("KERVADEC-LANOË", "Yaëlle"), ("LUCIOLE", "Ambre"),
    ("MISTRALET", "Côme"), ("NARCISSE", "Élie"), ("ŒILLETON", "Philibert"), ("PÂQUERETTE", "Suzon"),
    ("QUENOUILLE", "Théodule"), ("RIVEBELLE", "D'Arcy"), ("SARCELLE", "Noëlle"), ("TRAMONTANE", "Ulysse"),
    ("VALBRUNE", "Zoé"), ("YSENGRAIN", "Barnabé"),
)  # fmt: skip
CONTRACTS = (Contract.PRISE, Contract.GARDE, Contract.GARDE_SANS, Contract.GARDE_CONTRE)
HOW_OFTEN = (35, 52, 10, 3)


def _keys(random: Random) -> Iterator[UUID]:
    while True:
        yield UUID(int=random.getrandbits(128), version=4)


def _entry(random: Random, players: int) -> DonneEntry:
    """Return a believable donne that breaks no rule."""
    step = 2 if players == 4 else 1
    while True:
        contract = random.choices(CONTRACTS, HOW_OFTEN)[0]
        bouts = random.choices((0, 1, 2, 3), (8, 37, 42, 13))[0]
        target = {0: 112, 1: 102, 2: 82, 3: 72}[bouts]
        petit = random.choices((None, Camp.ATTACK, Camp.DEFENCE), (80, 12, 8))[0]
        shown = random.choices((None, Camp.ATTACK, Camp.DEFENCE), (84, 10, 6))[0]
        entry = DonneEntry(
            players=players,
            taker=random.randrange(players),
            contract=contract,
            bouts=bouts,
            half_points=round(random.gauss(target + 8, 16) / step) * step,
            partner=None,
            petit_au_bout=petit,
            poignees=() if shown is None else (Poignee(PoigneeSize.SIMPLE, shown),),
            chelem=None,
        )
        if not find_problems(entry):
            return entry


def load_demonstration(*, today: date) -> Club:
    """Create the demonstration club, or return it when it is there, also when somebody made it in the same moment.

    One evening of 22 players is running: two positions are entered, the third is being played.
    """
    existing = Club.objects.filter(slug=SLUG)
    try:
        return existing.first() or _make(today)
    except IntegrityError:
        club = existing.first()
        if club is None:
            raise
        return club


@transaction.atomic
def _make(today: date) -> Club:
    random = Random(SEED)  # noqa: S311  a fixed seed, so that everybody sees the same evening
    club = Club.objects.create(name="Les Atouts de Valbrise", slug=SLUG)
    user = User(username=SLUG, first_name="Arbitre", last_name="de démonstration")
    user.set_unusable_password()
    user.save()
    Membership.objects.create(user=user, club=club, role=Role.ADMIN)
    by = actor_of(user, club)
    people = [add_person(club=club, details=PersonDetails(last_name=last, first_name=first)) for last, first in PEOPLE]
    session = create_tournament(
        club=club,
        name="Tournoi de démonstration",
        place="Salle des Trois Bouts",
        date=today,
        rounds=5,
        donnes_per_round=5,
        methods=[Method.RANDOM] * 5,
        published=True,
        by=by,
    )
    for person in people:
        check_in(session=session, person=person, by=by)
    keys = _keys(random)
    rounds = confirm_draw(session=session, seed=SEED, by=by, key=next(keys))
    for position in rounds[:2]:
        _enter(position, random, keys, by)
        next_round(session=session, by=by)
    return club


def _enter(position: Round, random: Random, keys: Iterator[UUID], by: Actor) -> None:
    session: Session = position.session
    for table in position.tables.order_by("number"):
        places = "".join(sorted(table.seats.values_list("place", flat=True), key="NSEOC".index))
        if position.number == 2 and table.number == 1:
            _enter_nets(table, places, random, next(keys), by)
            continue
        for number in range(1, session.donnes_per_round + 1):
            entry: Played | Unplayed = Played(entry=_entry(random, len(places)))
            if position.number == 2 and table.number == 4 and number == session.donnes_per_round:
                entry = Unplayed(kind=Kind.NOT_PLAYED)
            record_donne(table=table, number=number, entry=entry, by=by, key=next(keys))


def _enter_nets(table: Table, places: str, random: Random, key: UUID, by: Actor) -> None:
    nets = [random.randrange(-30, 30) * 8 for _ in places[1:]]
    nets.append(-sum(nets))
    lines = [NetLine(place=place, net=net) for place, net in zip(places, nets, strict=True)]
    record_nets(table=table, nets=lines, source=Source.SHEET, by=by, key=key)
