"""Who comes to a session: checking in and undoing it, until the draw. Two machines may do it at once."""

from django.utils import timezone

from players.models import Display, Person, Role
from players.services import PersonDetails, add_newcomer, add_person
from tournaments.errors import RefusedError
from tournaments.locks import lock_session, writing
from tournaments.models import Entrant, Session, SessionState, Wish

from .actors import Actor, require
from .journal import write_event


def check_in(*, session: Session, person: Person, by: Actor, wish: str = Wish.NONE) -> Entrant:
    """Write somebody down as present; the same person twice is the same entrant.

    Raises:
        NotAllowedError: no role in this club.
        RefusedError: REGISTRATION_CLOSED; ANOTHER_CLUB when the person is not of this club.
    """
    _check_actor(session, by)
    if person.club_id != session.tournament.club_id:
        raise RefusedError("ANOTHER_CLUB")
    with writing():
        _hold_open(session)
        entrant, is_new = Entrant.objects.get_or_create(
            session=session, person=person, defaults={"wish": wish, "checked_in_at": timezone.now()}
        )
        if is_new:
            write_event(session=session, code="CHECKED_IN", refs={"entrant": entrant.pk}, by=by)
    return entrant


def check_in_new(
    *, session: Session, last_name: str, first_name: str, licence: str, by: Actor, is_apart: bool = False
) -> Entrant:
    """Add somebody the club does not know yet, and write them down as present.

    `is_apart` says that the user knows of the others of that name: this is somebody else.

    Raises:
        NotAllowedError: no role in this club.
        RefusedError: REGISTRATION_CLOSED.
        SameNameError: somebody of the club bears this name and nobody said that this is somebody else.
        LicenceTakenError: the FFT number is somebody else's; carries them.
    """
    _check_actor(session, by)
    club = session.tournament.club
    details = PersonDetails(
        last_name=last_name, first_name=first_name, licence=licence, display=Display(club.display_default)
    )
    with writing():
        _hold_open(session)
        person = (add_person if is_apart else add_newcomer)(club=club, details=details)
        return check_in(session=session, person=person, by=by)


def undo_check_in(*, entrant: Entrant, by: Actor) -> None:
    """Take back a check-in; twice is once.

    Raises:
        NotAllowedError: no role in this club.
        RefusedError: REGISTRATION_CLOSED.
    """
    _check_actor(entrant.session, by)
    with writing():
        _hold_open(entrant.session)
        gone, _ = Entrant.objects.filter(pk=entrant.pk).delete()
        if gone:
            write_event(session=entrant.session, code="CHECK_IN_UNDONE", refs={"entrant": entrant.pk}, by=by)


def _check_actor(session: Session, by: Actor) -> None:
    require(by, Role.CLERK, session.tournament.club_id)


def _hold_open(session: Session) -> None:
    lock_session(session.pk)
    state = Session.objects.values_list("state", flat=True).get(pk=session.pk)
    if state != SessionState.REGISTRATION:
        raise RefusedError("REGISTRATION_CLOSED")
