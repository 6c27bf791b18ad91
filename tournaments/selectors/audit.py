"""The whole ledger read table by table for its audit: a few queries for some hundred sheets, never all at once."""

import hashlib
from collections.abc import Iterator, Sequence
from itertools import islice

from django.db import connection
from django.db.models import F, OuterRef, Subquery

from scoring import FFT, RuleSet
from tournaments import guards
from tournaments.audit import Finding, FindingCode, SheetRows, audit_sheet, journal_faults
from tournaments.models import (
    Donne,
    Event,
    Mark,
    Rules,
    Seat,
    Session,
    SessionState,
    SheetNet,
    Table,
    rule_set,
)

from .snapshot import snapshot

SHEETS_AT_A_TIME = 400


def findings(session_id: int | None = None) -> Iterator[Finding]:
    """Yield everything wrong with the ledger, of one session or of all; each group of sheets is read at one moment."""
    for name in guards.missing(connection):
        yield Finding(code=FindingCode.GUARD_MISSING, name=name)
    if rule_set(Rules.objects.get(pk=1)) != FFT:
        yield Finding(code=FindingCode.RULES_CHANGED, row=1)
    tables = Table.objects.order_by("pk")
    sessions = Session.objects.order_by("pk")
    if session_id is not None:
        tables = tables.filter(round__session=session_id)
        sessions = sessions.filter(pk=session_id)
    ids = tables.values_list("pk", flat=True).iterator(chunk_size=10_000)
    while group := list(islice(ids, SHEETS_AT_A_TIME)):
        with snapshot():
            found = [finding for rows in _sheets(group) for finding in audit_sheet(rows)]
        yield from found
    for session in sessions:
        with snapshot():
            found = list(_session_findings(session))
        yield from found


def journal_heads(session: Session) -> str:
    """Return one digest over the last line of each table's journal, in table order; a close writes it down."""
    last = Event.objects.filter(table=OuterRef("pk")).order_by("-seq").values("digest")[:1]
    heads = Table.objects.filter(round__session=session).order_by("pk").annotate(head=Subquery(last))
    written = ",".join(f"{pk}:{head or ''}" for pk, head in heads.values_list("pk", "head"))
    return hashlib.sha256(written.encode()).hexdigest()


def _sheets(table_ids: Sequence[int]) -> list[SheetRows]:
    tables = Table.objects.filter(pk__in=table_ids).select_related("round__session__tournament").order_by("pk")
    scales: dict[int, RuleSet] = {row.pk: rule_set(row) for row in Rules.objects.all()}
    sheets = {
        table.pk: SheetRows(table=table, rules=scales[table.round.session.tournament.rules_id]) for table in tables
    }
    for seat in Seat.objects.filter(table__in=table_ids):
        sheets[seat.table_id].seats.append(seat)
    for donne in Donne.objects.filter(table__in=table_ids).order_by("table_id", "number", "version"):
        sheets[donne.table_id].donnes.append(donne)
    marks = Mark.objects.filter(donne__table__in=table_ids).values_list(
        "donne__table", "donne", "place", "entrant", "points"
    )
    for table_id, donne_id, place, entrant_id, points in marks:
        sheets[table_id].marks.setdefault(donne_id, []).append((place, entrant_id, points))
    for net in SheetNet.objects.filter(table__in=table_ids).order_by("table_id", "version"):
        sheets[net.table_id].nets.append(net)
    for event in Event.objects.filter(table__in=table_ids).annotate(of=F("table_id")).order_by("table_id", "seq"):
        sheets[event.of].events.append(event)
    return list(sheets.values())


def _session_findings(session: Session) -> Iterator[Finding]:
    events = list(Event.objects.filter(session=session).order_by("seq"))
    for code, row in journal_faults(events):
        yield Finding(code=code, session=session.pk, row=row)
    if session.state != SessionState.FINAL:
        return
    seals = [event for event in events if event.code in {"SESSION_CLOSED", "SESSION_REOPENED"}]
    if not seals or seals[-1].code != "SESSION_CLOSED" or seals[-1].refs != seal(session):
        yield Finding(code=FindingCode.SEAL, session=session.pk)


def seal(session: Session) -> dict[str, int | str | None]:
    """Return what a close writes down of the ledger: how many versions there are, and the heads of the journals."""
    return {
        "donnes": Donne.objects.filter(table__round__session=session).count(),
        "nets": SheetNet.objects.filter(table__round__session=session).count(),
        "heads": journal_heads(session),
    }
