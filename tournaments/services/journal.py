"""The journal: one line per act, chained by digest per table and per session; ids, codes and numbers only.

The caller holds the lock of the table or session the line belongs to.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime

from django.utils import timezone

from tournaments.ledger import event_digest, text_digest
from tournaments.models import Event, Session, Table

from .actors import Actor


@dataclass(frozen=True, slots=True, kw_only=True)
class Line:
    """One act to be written down. `text` is free words, kept where they can be erased."""

    code: str
    refs: Mapping[str, int | str | None] = field(default_factory=dict)
    text: str = ""


def write_event(
    *,
    table: Table | None = None,
    session: Session | None = None,
    code: str,
    refs: Mapping[str, int | str | None],
    by: Actor,
    text: str = "",
    via: str = "",
) -> Event:
    """Write one line to the journal of a table or of a session."""
    line = Line(code=code, refs=refs, text=text)
    return write_lines(table=table, session=session, lines=[line], by=by, via=via, at=timezone.now())[0]


def write_lines(
    *,
    table: Table | None = None,
    session: Session | None = None,
    lines: Sequence[Line],
    by: Actor,
    via: str,
    at: datetime,
) -> list[Event]:
    """Write several lines in their order, in two statements."""
    head = Event.objects.filter(table=table, session=session).order_by("-seq").values_list("seq", "digest").first()
    seq, previous = head or (0, "")
    events: list[Event] = []
    for line in lines:
        seq += 1
        event = Event(
            table=table,
            session=session,
            seq=seq,
            code=line.code,
            refs=dict(line.refs),
            by=by.code,
            via=via,
            at=at,
            text_digest=text_digest(line.text),
            text=line.text,
            previous=previous,
        )
        event.digest = previous = event_digest(event)
        events.append(event)
    return Event.objects.bulk_create(events)
