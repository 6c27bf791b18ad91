"""The public's copy of a ranking: rebuilt at most once a second by whoever reads it first; nothing official reads it.

Each write leaves a `Stale` row. A reader that finds one claims the copy by a conditional UPDATE and rebuilds it from
the ledger; everybody else is served the old copy meanwhile. A job of kind "publish_standing" may do the same early.
"""

import logging
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from datetime import datetime, timedelta
from typing import Any

from django.db import DatabaseError
from django.db.models import Q
from django.utils import timezone

from jobs.registry import Task

from .models import Session, Stale, Standing
from .selectors.ledger import SheetRef
from .selectors.ranking import EntrantTotal, Ranking, rank_totals, ranking
from .selectors.snapshot import snapshot

CLAIM = timedelta(seconds=5)
FRESH = timedelta(seconds=1)
# A moment so far in the future was written before the clock was set back; nearer, by somebody a lock let pass first.
SKEW = timedelta(minutes=1)

logger = logging.getLogger(__name__)


class _LostError(Exception):
    """Somebody else claimed the copy while it was being rebuilt."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PublicStanding:
    """A ranking as it stood at a moment, with the version that names it."""

    version: int
    built_at: datetime
    ranking: Ranking


def read_standing(session: Session) -> PublicStanding:
    """Return the standing, rebuilt first when a write outdated it and nobody else is at it."""
    return _read(session, waits=True)


def publish_standing(session: Session) -> PublicStanding:
    """Rebuild the standing now if a write outdated it, however young it is, unless somebody else is at it."""
    return _read(session, waits=False)


def publish(task: Task) -> None:
    """Do so as a job of kind "publish_standing", for the session named in its params."""
    publish_standing(Session.objects.get(pk=task.params["session"], tournament__club=task.club_id))


def _read(session: Session, *, waits: bool) -> PublicStanding:
    stored = Standing.objects.filter(session=session).first()
    if stored is None or stored.version == 0 or Stale.objects.filter(session=session).exists():
        try:
            stored = _rebuild_if_claimed(session, waits=waits) or stored
        except (DatabaseError, _LostError):
            # A reader never fails for a copy: the database may be busy or read-only, or another builder was faster.
            logger.warning("standing of session %s not rebuilt", session.pk, exc_info=True)
    if stored is None or stored.version == 0:
        return PublicStanding(version=0, built_at=timezone.now(), ranking=ranking(session))
    return PublicStanding(
        version=stored.version,
        built_at=stored.built_at or timezone.now(),
        ranking=_from_rows(session.pk, stored.rows),
    )


def _rebuild_if_claimed(session: Session, *, waits: bool) -> Standing | None:
    Standing.objects.get_or_create(session=session)
    claimed_until = _claim(session, waits=waits)
    return _rebuild(session, claimed_until) if claimed_until else None


def _claim(session: Session, *, waits: bool) -> datetime | None:
    """Take the right to rebuild; None when somebody has it or the copy is too young."""
    now = timezone.now()
    free = Q(claimed_until__isnull=True) | Q(claimed_until__lte=now) | Q(claimed_until__gt=now + CLAIM + SKEW)
    due = Q(built_at__isnull=True) | Q(built_at__lte=now - FRESH) | Q(built_at__gt=now + SKEW) if waits else Q()
    mine = now + CLAIM
    claimed = Standing.objects.filter(free, due, session=session).update(claimed_until=mine)
    return mine if claimed else None


def _rebuild(session: Session, claimed_until: datetime) -> Standing:
    """Read the ledger and write the next version, forgetting only the Stale rows seen before reading.

    Raises:
        _LostError: the claim ran out and somebody else holds it now.
    """
    with snapshot():
        seen = list(Stale.objects.filter(session=session).values_list("pk", flat=True))
        built_at = timezone.now()
        fresh = ranking(Session.objects.get(pk=session.pk))
        stored = Standing.objects.get(session=session)
        stored.version, stored.built_at, stored.claimed_until = stored.version + 1, built_at, None
        stored.rows = _to_rows(fresh)
        written = Standing.objects.filter(session=session, claimed_until=claimed_until).update(
            version=stored.version, built_at=built_at, claimed_until=None, rows=stored.rows
        )
        if not written:
            raise _LostError
        Stale.objects.filter(pk__in=seen).delete()
    return stored


def _to_rows(found: Ranking) -> dict[str, Any]:
    """Return what is stored: numbers and ids only. Names are read when shown, so that an objection takes effect."""
    return {
        "rounds": list(found.rounds),
        "missing": [[sheet.round_number, sheet.table_number] for sheet in found.missing],
        "entrants": [asdict(row.entrant) | {"name": ""} for row in found.rows],
    }


def _from_rows(session_id: int, rows: Mapping[str, Any]) -> Ranking:
    return Ranking(
        session_id=session_id,
        rounds=tuple(rows["rounds"]),
        rows=rank_totals(
            EntrantTotal(**{**entrant, "by_round": tuple(entrant["by_round"])}) for entrant in rows["entrants"]
        ),
        missing=tuple(SheetRef(round_number=position, table_number=table) for position, table in rows["missing"]),
    )
