"""The evenings of a club and those anybody may see, newest first."""

from dataclasses import dataclass

from django.db.models import Count, Q, QuerySet

from players.models import Club
from tournaments.models import EntrantState, Session, SessionState

from .steps import Whereabouts, whereabouts

PAGE_SIZE = 30
LAST_PAGE = 10_000  # a page further on is asked by nobody, and its offset fits no database


@dataclass(frozen=True, slots=True, kw_only=True)
class Evening:
    """A session with how many are present and where it stands."""

    session: Session
    present: int
    now: Whereabouts


@dataclass(frozen=True, slots=True, kw_only=True)
class Tonight:
    """The evening in progress and one page of the others; `older` is the number of the next page, 0 at the last."""

    current: Evening | None
    others: tuple[Session, ...]
    older: int


def tonight(club: Club, *, page: int = 1) -> Tonight:
    """Return the evening in progress, or else the first one being prepared, and the others newest first."""
    current = _current(club)
    others = _sessions().filter(tournament__club=club)
    if current is not None:
        others = others.exclude(pk=current.session.pk)
    page = min(max(page, 1), LAST_PAGE)
    start = (page - 1) * PAGE_SIZE
    found = list(others[start : start + PAGE_SIZE + 1])
    return Tonight(current=current, others=tuple(found[:PAGE_SIZE]), older=page + 1 if len(found) > PAGE_SIZE else 0)


def _current(club: Club) -> Evening | None:
    """Return a running or provisional session before one in registration; of several, the newest, or next to come."""
    sessions = Session.objects.filter(tournament__club=club).select_related("tournament")
    running = sessions.filter(state__in=[SessionState.RUNNING, SessionState.PROVISIONAL]).order_by("-date", "-pk")
    prepared = sessions.filter(state=SessionState.REGISTRATION).order_by("date", "pk")
    session = running.first() or prepared.first()
    if session is None:
        return None
    present = session.entrants.filter(state=EntrantState.PRESENT).count()
    return Evening(session=session, present=present, now=whereabouts(session))


def published_sessions() -> tuple[Session, ...]:
    """Return the newest sessions anybody may see."""
    return tuple(_sessions().filter(tournament__published=True)[:PAGE_SIZE])


def _sessions() -> QuerySet[Session]:
    present = Count("entrants", filter=Q(entrants__state=EntrantState.PRESENT))
    return Session.objects.select_related("tournament__club").annotate(present=present).order_by("-date", "-pk")
