"""The scoring desk of one position, read from the ledger in a fixed number of queries."""

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum

from django.db.models import Count, Q

from tournaments import labels
from tournaments.errors import EntryProblem
from tournaments.models import CLOSING, DeskState, Donne, Kind, RoomState, Round, Seat, SheetDraft, SheetNet, Table

from .ledger import LedgerSheet, Result, ledger_results, ledger_sheets
from .names import entrant_names
from .sheets import ORDER


class SheetState(StrEnum):
    """What the desk knows of a sheet."""

    NOT_ENTERED = "NOT_ENTERED"
    INCOMPLETE = "INCOMPLETE"
    TO_CHECK = "TO_CHECK"
    COMPLETE = "COMPLETE"


@dataclass(frozen=True, slots=True, kw_only=True)
class Whereabout:
    """A player of a sheet to check, and where they sit now; table 0: nowhere."""

    place: str
    name: str
    table_now: int


@dataclass(frozen=True, slots=True, kw_only=True)
class DeskTable:
    """One sheet as the desk lists it. `keeper` holds the paper: North, else South."""

    number: int
    state: SheetState
    entered: int
    slots: int
    keeper_place: str
    keeper: str
    aside_total: int = 0  # what a sheet put aside makes, when it does not make zero
    aside_problems: tuple[EntryProblem, ...] = ()
    aside_note: str = ""
    players: tuple[Whereabout, ...] = ()
    places: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class LastSaved:
    """What this person saved last in this position."""

    table_number: int
    at: datetime
    can_undo: bool
    donne_ids: tuple[int, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Sums:
    """The checks: sheets at zero among those brought in, and what position and cumul make with the sheets put aside."""

    at_zero: int
    brought: int
    position: int
    cumul: int
    tables: tuple[int, ...]  # those that do not make zero


@dataclass(frozen=True, slots=True, kw_only=True)
class OpenRound:
    """Another position whose sheets are not all in; `may_start` is the one that may start all the same, or 0."""

    number: int
    tables: tuple[int, ...]
    may_start: int = 0

    @property
    def sentence(self) -> str:
        """Say it in words."""
        return labels.open_position_sentence(self.number, self.tables, may_start=self.may_start)


@dataclass(frozen=True, slots=True, kw_only=True)
class DeskView:
    """The whole desk of a position."""

    number: int
    tables: tuple[DeskTable, ...]
    sums: Sums
    last: LastSaved | None
    is_entered: bool
    room: RoomState
    rounds: tuple[int, ...]  # every drawn position
    open_rounds: tuple[OpenRound, ...]  # earlier ones that still miss sheets
    next_waits: bool  # the position after this one has not begun

    def of_state(self, state: SheetState) -> tuple[DeskTable, ...]:
        """Return the sheets in one state."""
        return tuple(table for table in self.tables if table.state is state)

    @property
    def complete(self) -> int:
        """Return how many sheets are in."""
        return len(self.of_state(SheetState.COMPLETE))

    @property
    def missing(self) -> tuple[DeskTable, ...]:
        """Return the sheets that nobody brought."""
        return self.of_state(SheetState.NOT_ENTERED)

    @property
    def incomplete(self) -> tuple[DeskTable, ...]:
        """Return the sheets entered in part."""
        return self.of_state(SheetState.INCOMPLETE)

    @property
    def to_check(self) -> tuple[DeskTable, ...]:
        """Return the sheets put aside."""
        return self.of_state(SheetState.TO_CHECK)

    @property
    def done(self) -> tuple[DeskTable, ...]:
        """Return the complete sheets."""
        return self.of_state(SheetState.COMPLETE)


def desk(position: Round, *, by: str) -> DeskView:
    """Read the desk of a position; its session must be loaded with it. `by` is the actor's code."""
    session = position.session
    rounds = tuple(Round.objects.filter(session=session).order_by("number"))
    sheets = ledger_sheets(session, upto=position.number)
    here = tuple(sheet for sheet in sheets if sheet.ref.round_number == position.number)
    results = ledger_results(session)
    drafts = {
        draft.table_id: draft for draft in SheetDraft.objects.filter(table__round=position, settled_at__isnull=True)
    }
    entered = _entered(position)
    seats = _seats_by_table(position)
    names = entrant_names(session.pk)
    now = _seats_now(rounds, [seat for table_id in drafts for seat in seats.get(table_id, ())])
    slots = session.donnes_per_round
    tables = tuple(
        _table(sheet, seats.get(sheet.table_id, ()), names, entered, drafts.get(sheet.table_id), now, slots)
        for sheet in here
    )
    return DeskView(
        number=position.number,
        tables=tables,
        sums=_sums(tables, here, sheets, results),
        last=_last_saved(position, by, {sheet.table_id for sheet in here if sheet.is_complete}),
        is_entered=position.desk == DeskState.ENTERED,
        room=RoomState(position.room),
        rounds=tuple(each.number for each in rounds),
        open_rounds=_open_rounds(sheets, position),
        next_waits=any(each.number == position.number + 1 and each.room == RoomState.DRAWN for each in rounds),
    )


def open_tables(position: Round) -> frozenset[int]:
    """Return the numbers of the tables of a position whose sheet is not complete."""
    sheets = ledger_sheets(position.session, only=position.number)
    return frozenset(sheet.ref.table_number for sheet in sheets if not sheet.is_complete)


def _entered(position: Round) -> dict[int, tuple[int, int]]:
    """Return, per table, how many slots are closed and how many rows there are at all."""
    found = (
        Donne.objects.current()
        .filter(table__round=position, number__lte=position.session.donnes_per_round)
        .values_list("table_id")
        .annotate(closed=Count("pk", filter=Q(kind__in=CLOSING)), rows=Count("pk"))
    )
    return {table_id: (closed, rows) for table_id, closed, rows in found}


def _seats_by_table(position: Round) -> dict[int, tuple[Seat, ...]]:
    found: dict[int, tuple[Seat, ...]] = {}
    for seat in Seat.objects.filter(round=position).select_related("entrant__person"):
        found[seat.table_id] = (*found.get(seat.table_id, ()), seat)
    return {
        table_id: tuple(sorted(seats, key=lambda seat: ORDER.index(seat.place))) for table_id, seats in found.items()
    }


def _seats_now(rounds: Iterable[Round], seats: list[Seat]) -> dict[int, Seat]:
    """Return where the players of sheets put aside sit in the position being played."""
    playing = [each for each in rounds if each.room == RoomState.PLAYING]
    entrants = [seat.entrant_id for seat in seats]
    found = Seat.objects.filter(round__in=playing, entrant_id__in=entrants).select_related("table")
    return {seat.entrant_id: seat for seat in found}


def _table(
    sheet: LedgerSheet,
    seats: tuple[Seat, ...],
    names: Mapping[int, str],
    entered: Mapping[int, tuple[int, int]],
    draft: SheetDraft | None,
    now: Mapping[int, Seat],
    slots: int,
) -> DeskTable:
    closed = entered.get(sheet.table_id, (0, 0))[0]
    keeper = seats[0] if seats else None
    return DeskTable(
        number=sheet.ref.table_number,
        state=_state(sheet, draft, closed),
        entered=closed,
        slots=slots,
        keeper_place=keeper.place if keeper else "",
        keeper=names[keeper.entrant_id] if keeper else "",
        aside_total=_aside_total(draft),
        aside_problems=_aside_problems(draft),
        aside_note=draft.note if draft else "",
        players=tuple(_whereabout(seat, names, now.get(seat.entrant_id)) for seat in seats) if draft else (),
        places="".join(seat.place for seat in seats),
    )


def _state(sheet: LedgerSheet, draft: SheetDraft | None, closed: int) -> SheetState:
    if draft is not None:
        return SheetState.TO_CHECK
    if sheet.is_complete:
        return SheetState.COMPLETE
    return SheetState.INCOMPLETE if closed else SheetState.NOT_ENTERED


def _whereabout(seat: Seat, names: Mapping[int, str], now: Seat | None) -> Whereabout:
    return Whereabout(
        place=seat.place,
        name=names[seat.entrant_id],
        table_now=now.table.number if now else 0,
    )


def _findings(draft: SheetDraft | None) -> Mapping[str, object]:
    rows = draft.rows if draft else []
    return next((row for row in rows if isinstance(row, dict) and "problems" in row), {})


def _aside_total(draft: SheetDraft | None) -> int:
    total = _findings(draft).get("total", 0)
    return total if isinstance(total, int) else 0


def _aside_problems(draft: SheetDraft | None) -> tuple[EntryProblem, ...]:
    problems = _findings(draft).get("problems", [])
    return tuple(
        EntryProblem(field=str(found.get("field", "")), code=str(found.get("code", "")), params=found.get("params", {}))
        for found in (problems if isinstance(problems, list) else [])
        if isinstance(found, dict)
    )


def _sums(
    tables: tuple[DeskTable, ...],
    here: tuple[LedgerSheet, ...],
    sheets: tuple[LedgerSheet, ...],
    results: tuple[Result, ...],
) -> Sums:
    """Add up what the ledger holds and what the sheets put aside would bring."""
    by_table: Counter[int] = Counter()
    for result in results:
        by_table[result.table_id] += result.points
    aside = {table.number: table.aside_total for table in tables if table.aside_total}
    ledger = {sheet.ref.table_number: by_table[sheet.table_id] for sheet in here if by_table[sheet.table_id]}
    uneven = {**ledger, **aside}
    position = sum(uneven.values())
    earlier = sum(by_table[sheet.table_id] for sheet in sheets if sheet not in here)
    brought = [table for table in tables if table.state in (SheetState.COMPLETE, SheetState.TO_CHECK)]
    return Sums(
        at_zero=len(brought) - len(uneven),
        brought=len(brought),
        position=position,
        cumul=earlier + position,
        tables=tuple(sorted(uneven)),
    )


def _open_rounds(sheets: tuple[LedgerSheet, ...], position: Round) -> tuple[OpenRound, ...]:
    number, may_start = position.number, position.number if position.room == RoomState.DRAWN else 0
    missing: dict[int, tuple[int, ...]] = {}
    for sheet in sheets:
        if not sheet.is_complete and sheet.ref.round_number < number:
            missing[sheet.ref.round_number] = (*missing.get(sheet.ref.round_number, ()), sheet.ref.table_number)
    return tuple(OpenRound(number=each, tables=tables, may_start=may_start) for each, tables in missing.items())


def _last_saved(position: Round, by: str, complete: set[int]) -> LastSaved | None:
    donne = (
        Donne.objects.current()
        .filter(table__round=position, by=by)
        .exclude(kind=Kind.WITHDRAWN)
        .select_related("table")
        .order_by("-recorded_at", "pk")
        .first()
    )
    nets = SheetNet.objects.filter(table__round=position, by=by, is_current=True)
    net = nets.select_related("table").order_by("-recorded_at").first()
    if net is not None and (donne is None or net.recorded_at >= donne.recorded_at):
        return _last(net.table, net.recorded_at, complete, ())
    if donne is None:
        return None
    ids = Donne.objects.current().filter(table=donne.table, by=by, recorded_at=donne.recorded_at).order_by("pk")
    return _last(donne.table, donne.recorded_at, complete, tuple(ids.values_list("pk", flat=True)))


def _last(table: Table, at: datetime, complete: set[int], ids: tuple[int, ...]) -> LastSaved:
    return LastSaved(table_number=table.number, at=at, can_undo=bool(ids) and table.pk not in complete, donne_ids=ids)
