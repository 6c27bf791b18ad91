"""What the ledger holds of a session: which sheets are complete and what each entrant made at each table."""

from dataclasses import dataclass

from django.db.models import Count, Q, Sum

from tournaments.models import CLOSING, Basis, Donne, Mark, RoomState, Session, SheetNet, Table


@dataclass(frozen=True, slots=True, kw_only=True)
class SheetRef:
    """A table of a position, by the numbers people know it by."""

    round_number: int
    table_number: int


@dataclass(frozen=True, slots=True, kw_only=True)
class LedgerSheet:
    """A sheet as far as counting goes."""

    table_id: int
    ref: SheetRef
    is_played: bool  # its position is over in the room
    is_complete: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Result:
    """What one entrant made at one table: the sum of their marks, or their net where the sheet stands on nets."""

    table_id: int
    entrant_id: int
    points: int


def ledger_sheets(session: Session, *, upto: int | None = None, only: int | None = None) -> tuple[LedgerSheet, ...]:
    """Return the sheets of the positions asked for, in printed order, in three queries.

    A sheet is complete when each slot holds a played, removed or unplayed donne, or when it stands on its nets.
    """
    wanted = Q(round__session=session)
    if upto is not None:
        wanted &= Q(round__number__lte=upto)
    if only is not None:
        wanted &= Q(round__number=only)
    closed = dict(
        Donne.objects.current()
        .filter(table__round__session=session, kind__in=CLOSING, number__lte=session.donnes_per_round)
        .values_list("table_id")
        .annotate(slots=Count("pk"))
    )
    with_nets = set(
        SheetNet.objects.filter(table__round__session=session, is_current=True).values_list("table_id", flat=True)
    )
    return tuple(
        LedgerSheet(
            table_id=table.pk,
            ref=SheetRef(round_number=table.round.number, table_number=table.number),
            is_played=table.round.room == RoomState.PLAYED,
            is_complete=(
                table.pk in with_nets
                if table.basis == Basis.NETS
                else closed.get(table.pk, 0) == session.donnes_per_round
            ),
        )
        for table in Table.objects.filter(wanted).select_related("round").order_by("round__number", "number")
    )


def ledger_results(session: Session) -> tuple[Result, ...]:
    """Return who made what at which table: the marks or the nets of a sheet, never both, in two queries."""
    marks = (
        Mark.objects.filter(
            donne__is_current=True, donne__table__round__session=session, donne__table__basis=Basis.DONNES
        )
        .values_list("donne__table_id", "entrant_id")
        .annotate(made=Sum("points"))
        .order_by()
    )
    nets = SheetNet.objects.filter(is_current=True, table__round__session=session, table__basis=Basis.NETS).values_list(
        "table_id", "entrant_id", "net"
    )
    return tuple(
        Result(table_id=table_id, entrant_id=entrant_id, points=made) for table_id, entrant_id, made in (*marks, *nets)
    )
