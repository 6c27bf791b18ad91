"""A sheet held for writing: its table locked, then read as it stands now; nothing is written here."""

from collections.abc import Iterable
from dataclasses import dataclass

from django.db.models import Exists, OuterRef

from players.models import Role
from tournaments.errors import SessionClosedError
from tournaments.ledger import is_filled
from tournaments.locks import lock_tables
from tournaments.models import Donne, Mark, Place, Seat, Session, SessionState, SheetDraft, SheetNet, Table

from .actors import Actor, require


@dataclass(slots=True, kw_only=True)
class OpenSheet:
    """A table's sheet under its lock."""

    table: Table
    session: Session
    seats: tuple[Seat, ...]  # in column order
    current: dict[int, Donne]  # by slot
    nets: tuple[SheetNet, ...]  # in force, in column order
    has_draft: bool
    marks: dict[int, tuple[Mark, ...]]  # by version id, once asked for

    @property
    def slots(self) -> int:
        """How many donnes the sheet has."""
        return self.session.donnes_per_round

    @property
    def is_filled(self) -> bool:
        """Whether every slot is closed."""
        return is_filled({number: donne.kind for number, donne in self.current.items()}, self.slots)

    @property
    def is_complete(self) -> bool:
        """Whether the sheet has a result."""
        return bool(self.nets) or self.is_filled

    def seated_at(self, number: int) -> tuple[Seat, ...]:
        """Return who sits there for one donne, in column order."""
        return tuple(seat for seat in self.seats if seat.from_donne <= number <= (seat.to_donne or number))


def open_sheet(table_id: int, *, by: Actor) -> OpenSheet:
    """Lock a table and read its sheet. The session is read after the lock, so that no close can fall in between.

    Raises:
        NotAllowedError: the actor has nothing to enter in this club.
    """
    lock_tables([table_id])
    table = (
        Table.objects.select_related("round__session__tournament__rules")
        .annotate(
            has_nets=Exists(SheetNet.objects.filter(table=OuterRef("pk"), is_current=True)),
            has_draft=Exists(SheetDraft.objects.filter(table=OuterRef("pk"), settled_at__isnull=True)),
        )
        .get(pk=table_id)
    )
    session = table.round.session
    require(by, Role.CLERK, session.tournament.club_id)
    nets = SheetNet.objects.filter(table=table, is_current=True) if table.has_nets else ()
    return OpenSheet(
        table=table,
        session=session,
        seats=tuple(sorted(Seat.objects.filter(table=table), key=_column)),
        current={donne.number: donne for donne in Donne.objects.current().filter(table=table)},
        nets=tuple(sorted(nets, key=_column)),
        has_draft=table.has_draft,
        marks={},
    )


def require_open(session: Session) -> None:
    """Let a write pass while results may be entered.

    Raises:
        SessionClosedError: NOT_BEGUN before the draw, SESSION_CLOSED once the ranking is final.
    """
    if session.state == SessionState.REGISTRATION:
        raise SessionClosedError("NOT_BEGUN")
    if not session.is_open:
        raise SessionClosedError


def marks_of(donnes: Iterable[Donne]) -> dict[int, tuple[Mark, ...]]:
    """Return the marks of several versions, by version id, in one query."""
    found: dict[int, tuple[Mark, ...]] = {donne.pk: () for donne in donnes}
    for mark in Mark.objects.filter(donne__in=list(found)) if found else ():
        found[mark.donne_id] += (mark,)
    return found


def _column(row: Seat | SheetNet) -> tuple[int, int]:
    return Place.values.index(row.place), row.from_donne if isinstance(row, Seat) else 0
