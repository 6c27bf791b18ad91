"""One score sheet as the ledger holds it: who sits where, each slot, the columns' feet, the nets; in seven queries."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum

from tournaments import labels
from tournaments.models import (
    CLOSING,
    SCORED,
    Basis,
    Donne,
    Game,
    Kind,
    Method,
    Round,
    Seat,
    SheetDraft,
    SheetNet,
    Table,
)

from .names import entrant_names

ORDER = "NSEOC"


@dataclass(frozen=True, slots=True, kw_only=True)
class SheetSeat:
    """A player's column. `identity` is what the paper prints beside the place, see `identity_of`."""

    place: str
    entrant_id: int
    name: str
    number: int | None
    identity: str
    from_donne: int
    to_donne: int | None

    def plays(self, number: int) -> bool:
        """Say whether they sit there for this donne."""
        return self.from_donne <= number and (self.to_donne is None or number <= self.to_donne)


@dataclass(frozen=True, slots=True, kw_only=True)
class PlaceMark:
    """A mark under its place."""

    place: str
    points: int


@dataclass(frozen=True, slots=True, kw_only=True)
class DonneVersion:
    """A version of a donne, ready to show."""

    id: int
    number: int
    version: int
    kind: Kind
    places: str
    sitting_out: str
    taker: str
    contract: str
    bouts: int | None
    half_points: int | None
    petit_au_bout: str
    poignees: tuple[tuple[str, str], ...]  # size, camp
    chelem: str
    value: int | None
    reason: str
    decision: str
    by: str
    recorded_at: datetime
    marks: tuple[PlaceMark, ...]

    def mark(self, place: str) -> int | None:
        """Return what a place marks, None when it has no mark here."""
        return next((mark.points for mark in self.marks if mark.place == place), None)


class RowState(StrEnum):
    """A slot: does it still wait for a donne?"""

    EMPTY = "EMPTY"
    PLAYED = "PLAYED"
    CLOSED = "CLOSED"  # removed or not played
    CANCELLED = "CANCELLED"


@dataclass(frozen=True, slots=True, kw_only=True)
class SheetRow:
    """A slot and the version in force, if any."""

    number: int
    state: RowState
    current: DonneVersion | None

    @property
    def is_closed(self) -> bool:
        """Say whether nothing is missing here."""
        return self.state in (RowState.PLAYED, RowState.CLOSED)


@dataclass(frozen=True, slots=True, kw_only=True)
class ColumnTotal:
    """The foot of a column: what stands under + and under −, both unsigned, and the net."""

    place: str
    positive: int
    negative: int

    @property
    def net(self) -> int:
        """Return what the player makes at this table."""
        return self.positive - self.negative


@dataclass(frozen=True, slots=True, kw_only=True)
class WrittenNet:
    """The bilan of one player as written on the paper."""

    place: str
    net: int
    positive: int | None
    negative: int | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Draft:
    """What was put aside, as typed."""

    id: int
    rows: list[object]
    note: str
    by: str
    at: datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class Sheet:
    """A whole sheet. `nets_version` is 0 when no nets are in force."""

    table_id: int
    session_id: int
    round_number: int
    table_number: int
    game: Game
    basis: Basis
    seats: tuple[SheetSeat, ...]
    rows: tuple[SheetRow, ...]
    totals: tuple[ColumnTotal, ...]
    nets: tuple[WrittenNet, ...]
    nets_version: int
    nets_by: str
    nets_at: datetime | None
    draft: Draft | None

    @property
    def places(self) -> str:
        """Return the places somebody has, in the order of the columns."""
        return "".join(place for place in ORDER if any(seat.place == place for seat in self.seats))

    def places_at(self, number: int) -> str:
        """Return the places somebody has at this donne."""
        held = {seat.place for seat in self.seats if seat.plays(number)}
        return "".join(place for place in ORDER if place in held)

    @property
    def is_complete(self) -> bool:
        """Say whether nothing is missing: the sheet stands on its nets, or each slot is closed."""
        if self.basis == Basis.NETS:
            return bool(self.nets)
        return all(row.is_closed for row in self.rows)

    @property
    def is_empty(self) -> bool:
        """Say whether nothing at all is saved."""
        return not self.nets and all(row.current is None for row in self.rows)

    @property
    def saved_at(self) -> datetime | None:
        """Return when anything in force was saved last."""
        moments = [row.current.recorded_at for row in self.rows if row.current] + (
            [self.nets_at] if self.nets_at else []
        )
        return max(moments, default=None)

    @property
    def entered(self) -> int:
        """Return how many slots are closed."""
        return sum(row.is_closed for row in self.rows)

    def row(self, number: int) -> SheetRow | None:
        """Return a slot, None when the sheet has no such number."""
        return next((row for row in self.rows if row.number == number), None)

    def net(self, place: str) -> int | None:
        """Return the net written for a place."""
        return next((net.net for net in self.nets if net.place == place), None)


def sheet(table: Table, *, names: Mapping[int, str] | None = None) -> Sheet:
    """Read the sheet of a table; its round and session must be loaded with it.

    Args:
        names: of the session's entrants, if they are known already (see `entrant_names`).
    """
    position = table.round
    donnes = tuple(Donne.objects.current().filter(table=table).prefetch_related("marks").order_by("number"))
    rows = _rows({donne.number: version_of(donne) for donne in donnes}, position.session.donnes_per_round)
    seats = _seats(table, names if names is not None else entrant_names(position.session_id))
    nets = tuple(SheetNet.objects.filter(table=table, is_current=True))
    draft = SheetDraft.objects.filter(table=table, settled_at__isnull=True).first()
    return Sheet(
        table_id=table.pk,
        session_id=position.session_id,
        round_number=position.number,
        table_number=table.number,
        game=Game(table.game),
        basis=Basis(table.basis),
        seats=seats,
        rows=rows,
        totals=column_totals(rows, "".join(seat.place for seat in seats)),
        nets=_written(nets),
        nets_version=nets[0].version if nets else 0,
        nets_by=nets[0].by if nets else "",
        nets_at=nets[0].recorded_at if nets else None,
        draft=Draft(id=draft.pk, rows=list(draft.rows), note=draft.note, by=draft.by, at=draft.at) if draft else None,
    )


def version_of(donne: Donne) -> DonneVersion:
    """Return a donne whose marks are loaded as a plain value."""
    shown = ((donne.poignee1_size, donne.poignee1_camp), (donne.poignee2_size, donne.poignee2_camp))
    return DonneVersion(
        id=donne.pk,
        number=donne.number,
        version=donne.version,
        kind=Kind(donne.kind),
        places=donne.places,
        sitting_out=donne.sitting_out,
        taker=donne.taker,
        contract=donne.contract,
        bouts=donne.bouts,
        half_points=donne.half_points,
        petit_au_bout=donne.petit_au_bout,
        poignees=tuple(pair for pair in shown if pair[0]),
        chelem=donne.chelem,
        value=donne.value,
        reason=donne.reason,
        decision=donne.decision,
        by=donne.by,
        recorded_at=donne.recorded_at,
        marks=tuple(
            PlaceMark(place=mark.place, points=mark.points)
            for mark in sorted(donne.marks.all(), key=lambda mark: ORDER.index(mark.place))
        ),
    )


def column_totals(rows: Iterable[SheetRow], places: str) -> tuple[ColumnTotal, ...]:
    """Add up each column, + and − apart, as the foot of the paper does."""
    marks = [mark for row in rows if row.current is not None for mark in row.current.marks]
    return tuple(
        ColumnTotal(
            place=place,
            positive=sum(mark.points for mark in marks if mark.place == place and mark.points > 0),
            negative=-sum(mark.points for mark in marks if mark.place == place and mark.points < 0),
        )
        for place in sorted(set(places), key=ORDER.index)
    )


def _rows(by_number: dict[int, DonneVersion], slots: int) -> tuple[SheetRow, ...]:
    return tuple(
        SheetRow(number=number, state=_state(by_number.get(number)), current=by_number.get(number))
        for number in range(1, max([slots, *by_number]) + 1)
    )


def _state(current: DonneVersion | None) -> RowState:
    if current is None or current.kind == Kind.WITHDRAWN:
        return RowState.EMPTY
    if current.kind in SCORED:
        return RowState.PLAYED
    return RowState.CLOSED if current.kind in CLOSING else RowState.CANCELLED


def start_places(session_id: int) -> dict[int, tuple[str, int]]:
    """Return the place and table where each entrant sat in the first position."""
    seats = Seat.objects.filter(round__session=session_id, round__number=1)
    found = seats.values_list("entrant_id", "place", "table__number")
    return {entrant_id: (place, number) for entrant_id, place, number in found}


def identity_of(position: Round, seat: Seat, started: Mapping[int, tuple[str, int]]) -> str:
    """Return the starting table where place and table tell a player (FFT movement), else their number: n° 5."""
    place, number = started.get(seat.entrant_id, ("", 0))
    if position.method == Method.FFT and place == seat.place:
        return str(number)
    return labels.number_label(seat.entrant.number)


def name_beside(identity: str, seat: Seat, names: Mapping[int, str]) -> str:
    """Return the name that stands under an identity, told apart from a namesake's unless the identity does that."""
    if identity and identity == labels.number_label(seat.entrant.number):
        return str(seat.entrant.person)
    return names[seat.entrant_id]


def _seats(table: Table, names: Mapping[int, str]) -> tuple[SheetSeat, ...]:
    seats = list(Seat.objects.filter(table=table).select_related("entrant__person"))
    started = start_places(table.round.session_id)
    identities = {seat.pk: identity_of(table.round, seat, started) for seat in seats}
    return tuple(
        SheetSeat(
            place=seat.place,
            entrant_id=seat.entrant_id,
            name=name_beside(identities[seat.pk], seat, names),
            number=seat.entrant.number,
            identity=identities[seat.pk],
            from_donne=seat.from_donne,
            to_donne=seat.to_donne,
        )
        for seat in sorted(seats, key=lambda seat: (ORDER.index(seat.place), seat.from_donne))
    )


def _written(nets: tuple[SheetNet, ...]) -> tuple[WrittenNet, ...]:
    return tuple(
        WrittenNet(place=net.place, net=net.net, positive=net.positive, negative=net.negative)
        for net in sorted(nets, key=lambda net: ORDER.index(net.place))
    )
