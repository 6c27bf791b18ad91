"""Sheets put aside "to be checked", as typed; they are in no ranking and keep their position from being entered."""

import json

from django.db import transaction
from django.utils import timezone

from tournaments.errors import RefusedError
from tournaments.locks import writing
from tournaments.models import SheetDraft, Table

from .actors import Actor
from .desk import settle_desk
from .journal import write_event
from .open_sheet import open_sheet, require_open

_LARGEST = 20_000  # characters of JSON; a full sheet of twelve donnes takes about 3,000
_LONGEST_NOTE = 200


def put_aside(*, table: Table, rows: list[object], note: str, by: Actor) -> SheetDraft:
    """Keep a sheet that cannot be saved yet, as typed; an earlier one of that table is settled by it.

    Raises:
        RefusedError: DRAFT_TOO_LARGE.
        NotAllowedError, SessionClosedError, BusyError.
    """
    typed = json.dumps(rows).replace("\\u0000", "")
    if len(typed) > _LARGEST:
        raise RefusedError("DRAFT_TOO_LARGE")
    with writing():
        sheet = open_sheet(table.pk, by=by)
        require_open(sheet.session)
        now = timezone.now()
        if sheet.has_draft:
            SheetDraft.objects.filter(table=table, settled_at__isnull=True).update(settled_at=now)
        draft = SheetDraft.objects.create(
            table=sheet.table,
            rows=json.loads(typed),
            note=note.replace("\x00", "")[:_LONGEST_NOTE],
            by=by.code,
            at=now,
        )
        write_event(table=sheet.table, code="SHEET_PUT_ASIDE", refs={"draft": draft.pk}, by=by)
        if sheet.is_complete:
            transaction.on_commit(lambda: settle_desk(sheet.table.round_id), robust=True)
        return draft


def take_back(*, draft: SheetDraft, by: Actor) -> SheetDraft:
    """Settle a sheet put aside: it has been looked at. Twice says the same.

    Raises:
        NotAllowedError, SessionClosedError, BusyError.
    """
    with writing():
        sheet = open_sheet(draft.table_id, by=by)
        require_open(sheet.session)
        held = SheetDraft.objects.get(pk=draft.pk)
        if held.settled_at is not None:
            return held
        held.settled_at = timezone.now()
        held.save(update_fields=["settled_at"])
        write_event(table=sheet.table, code="DRAFT_TAKEN_BACK", refs={"draft": held.pk}, by=by)
        if sheet.is_complete:
            transaction.on_commit(lambda: settle_desk(sheet.table.round_id), robust=True)
        return held
