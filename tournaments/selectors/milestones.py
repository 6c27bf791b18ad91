"""The milestones of an evening, as its journal tells them: the score check, the close, the reopenings."""

from dataclasses import dataclass
from datetime import datetime

from django.db.models import CharField, F, OuterRef, Subquery, Value
from django.db.models.expressions import Combinable
from django.db.models.functions import Cast, Concat, Trim

from players.models import User
from tournaments.models import Event, Session

CODES = ("VERIFICATION_STARTED", "ENDED_AFTER", "SESSION_CLOSED", "SESSION_REOPENED")


@dataclass(frozen=True, slots=True, kw_only=True)
class Milestone:
    """One step of a session's end. `reason` is free words, "" for most; `position` is the last one played, 0 else."""

    code: str
    who: str
    at: datetime
    reason: str
    position: int


def milestones(session: Session) -> tuple[Milestone, ...]:
    """Return them, the newest first, in one query."""
    events = (
        Event.objects.filter(session=session, code__in=CODES)
        .annotate(
            full_name=_of_account(Trim(Concat("first_name", Value(" "), "last_name"))),
            username=_of_account(F("username")),
        )
        .order_by("-seq")
    )
    return tuple(
        Milestone(
            code=event.code,
            who=event.full_name or event.username or event.by,
            at=event.at,
            reason=event.text,
            position=event.refs.get("position", 0),
        )
        for event in events
    )


def _of_account(what: Combinable) -> Subquery:
    """Return a value of the account behind an event's code."""
    code = Concat(Value("user:"), Cast("pk", CharField()))
    accounts = User.objects.annotate(code=code).filter(code=OuterRef("by")).order_by()
    return Subquery(accounts.annotate(what=what).values("what")[:1])
