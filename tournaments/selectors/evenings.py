"""The evenings of a club and those anybody may see, newest first."""

from dataclasses import dataclass

from django.db.models import Count, Q, QuerySet

from players.models import Club
from tournaments.models import EntrantState, Session, SessionState

from .steps import Whereabouts, whereabouts

SHOWN = 30


@dataclass(frozen=True, slots=True, kw_only=True)
class Evening:
    """A session with how many are present and where it stands."""

    session: Session
    present: int
    now: Whereabouts


@dataclass(frozen=True, slots=True, kw_only=True)
class Tonight:
    """The evening in progress, the others, and how many there are in all."""

    current: Evening | None
    others: tuple[Session, ...]
    total: int


def tonight(club: Club) -> Tonight:
    """Return the newest evening that is not final, in progress before those only being prepared, and the others."""
    sessions = list(_sessions().filter(tournament__club=club)[:SHOWN])
    in_progress = [session for session in sessions if session.is_open]
    prepared = [session for session in reversed(sessions) if session.state == SessionState.REGISTRATION]
    current = next(iter([*in_progress, *prepared]), None)
    total = Session.objects.filter(tournament__club=club).count() if len(sessions) == SHOWN else len(sessions)
    if current is None:
        return Tonight(current=None, others=tuple(sessions), total=total)
    present = current.entrants.filter(state=EntrantState.PRESENT).count()
    others = tuple(session for session in sessions if session.pk != current.pk)
    return Tonight(
        current=Evening(session=current, present=present, now=whereabouts(current)), others=others, total=total
    )


def published_sessions() -> tuple[Session, ...]:
    """Return the sessions anybody may see."""
    return tuple(_sessions().filter(tournament__published=True)[:SHOWN])


def _sessions() -> QuerySet[Session]:
    present = Count("entrants", filter=Q(entrants__state=EntrantState.PRESENT))
    return Session.objects.select_related("tournament__club").annotate(present=present).order_by("-date", "-pk")
