"""The door: who is present, whom a few letters mean, who bears the same name."""

import hashlib
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from players.models import Person
from players.names import fold
from players.selectors import find_namesakes as namesakes_of
from players.selectors import find_people
from tournaments.models import Entrant, Session, SessionState

from .rooms import Headcount, count_tables, present_entrants

SHOWN = 8


@dataclass(frozen=True, slots=True, kw_only=True)
class Match:
    """Somebody a search found. `is_default` is whom Enter takes; a namesake is in the same list."""

    person: Person
    is_present: bool
    has_namesake: bool
    is_default: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Registration:
    """Everybody present, the tables they make, and a version that changes with them."""

    entrants: tuple[Entrant, ...]
    headcount: Headcount
    is_open: bool
    version: str


def registration(session: Session) -> Registration:
    """Return who is present, in one query."""
    entrants = present_entrants(session)
    told = [session.state, *(f"{entrant.pk} {entrant.person}" for entrant in entrants)]
    return Registration(
        entrants=entrants,
        headcount=count_tables(len(entrants), session.tournament.table_of_five),
        is_open=session.state == SessionState.REGISTRATION,
        version=hashlib.sha256("\n".join(told).encode()).hexdigest()[:16],
    )


def find_matches(session: Session, text: str) -> tuple[Match, ...]:
    """Return the first people a text means, in two queries; Enter takes the first who is not present yet."""
    if not fold(text):
        return ()
    return _matches(session, list(find_people(session.tournament.club, text)[:SHOWN]), with_default=True)


def find_namesakes(session: Session, person: Person) -> tuple[Match, ...]:
    """Return everybody of the club who bears this person's name, when there are several; none is taken by Enter."""
    found = namesakes_of(session.tournament.club, str(person))
    return _matches(session, found, with_default=False) if len(found) > 1 else ()


def show_people(session: Session, people: Sequence[Person]) -> tuple[Match, ...]:
    """Return people as a list to choose from shows them; none is taken by Enter."""
    return _matches(session, people, with_default=False)


def _matches(session: Session, people: Sequence[Person], *, with_default: bool) -> tuple[Match, ...]:
    present = set(session.entrants.filter(person__in=people).values_list("person_id", flat=True))
    names = Counter(fold(str(person)) for person in people)
    default = next((person.pk for person in people if person.pk not in present), None) if with_default else None
    return tuple(
        Match(
            person=person,
            is_present=person.pk in present,
            has_namesake=names[fold(str(person))] > 1,
            is_default=person.pk == default,
        )
        for person in people
    )
