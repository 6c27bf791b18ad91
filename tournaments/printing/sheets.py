"""Score sheets (feuilles de marque) of a position as they are printed: blank, with names, or with what was entered."""

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum

from django.db.models import Count, Max, Q
from django.utils.formats import date_format
from django.utils.translation import gettext as _
from django.utils.translation import pgettext

from scoring import Contract, PoigneeSize, RuleSet
from tournaments import labels
from tournaments.models import Basis, Game, Kind, Round, Table
from tournaments.models.rules import rule_set
from tournaments.selectors.names import entrant_names
from tournaments.selectors.sheets import (
    ORDER,
    RowState,
    Sheet,
    SheetRow,
    identity_of,
    name_beside,
    sheet,
    start_places,
)

from .typesetting import content_digest, layout_digest

FOUR = "NSEO"
CROWDED = 8  # donnes from which the head and the foot of the sheet give room to the rows
NAME_SIZES = ((22, "large"), (34, "middle"), (52, "small"))
NOT_PLAYED = "–"
PLAYERS_LEAST, PLAYERS_MOST = 3, 5


class Fill(StrEnum):
    """What is on the sheet before play."""

    BLANK = "BLANK"
    NAMES = "NAMES"
    RESULTS = "RESULTS"


@dataclass(frozen=True, slots=True, kw_only=True)
class Column:
    """A player's column. `identity` is the starting table (FFT movement) or the player's number."""

    place: str
    title: str
    identity: str
    name: str
    name_size: str
    is_barred: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Cell:
    """The two halves under a player."""

    plus: str = ""
    minus: str = ""
    is_barred: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Line:
    """A donne."""

    number: int
    contract: str
    cells: tuple[Cell, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Scale:
    """The reference table, computed from the rules in force; a column is a text of one line a contract."""

    contracts: str
    columns: tuple[str, ...]
    trumps: tuple[int, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class ScoreSheet:
    """One sheet of paper, every word and figure of it."""

    round_number: int
    table_number: int
    columns: tuple[Column, ...]
    lines: tuple[Line, ...]
    totals: tuple[Cell, ...]
    nets: tuple[Cell, ...]
    sum_of_nets: str
    keeper: str
    notes: tuple[str, ...]
    scale: Scale
    has_results: bool

    @property
    def is_crowded(self) -> bool:
        """Say whether the rows need the room of the head and the foot."""
        return len(self.lines) >= CROWDED

    @property
    def rules_path(self) -> str:
        """Return the lines between the rows, as an SVG path one unit wide and one unit a row."""
        return "".join(f"M0 {row}H1" for row in range(1, len(self.lines)))

    @property
    def is_of_five(self) -> bool:
        """Say whether there is a fifth column."""
        return len(self.columns) > len(FOUR)


@dataclass(frozen=True, slots=True, kw_only=True)
class Heading:
    """What stands on every sheet."""

    event: str
    club: str
    place: str
    date: str
    colour: str


@dataclass(frozen=True, slots=True, kw_only=True)
class _Sitter:
    """Who has a place, and the number printed beside it."""

    place: str
    name: str
    identity: str


@dataclass(frozen=True, slots=True, kw_only=True)
class _Known:
    """What all sheets of a position share: names by entrant, and where each sat in the first position."""

    names: Mapping[int, str]
    started: Mapping[int, tuple[str, int]]


def heading(position: Round) -> Heading:
    """Return the heading of a position's sheets."""
    session = position.session
    return Heading(
        event=session.tournament.name,
        club=session.tournament.club.name,
        place=session.tournament.place,
        date=date_format(session.date, "DATE_FORMAT"),
        colour=position.colour,
    )


def score_sheets(position: Round, fill: Fill) -> tuple[ScoreSheet, ...]:
    """Return the sheets of a position in table order; its session, tournament and club must be loaded with it."""
    rules = rule_set(position.session.tournament.rules)
    known = _Known(names=entrant_names(position.session_id), started=start_places(position.session_id))
    tables = position.tables.order_by("number").prefetch_related("seats__entrant__person")
    return tuple(_score_sheet(position, table, fill, rules, known) for table in tables)


def _score_sheet(position: Round, table: Table, fill: Fill, rules: RuleSet, known: _Known) -> ScoreSheet:
    table.round = position
    donnes = position.session.donnes_per_round
    sitters = _sitters(position, table, known)
    columns = _columns(table, sitters, with_names=fill is not Fill.BLANK)
    lines, (totals, nets, sum_of_nets) = (
        _empty_lines(donnes, columns),
        (_no_cells(columns), _no_cells(columns), ""),
    )
    if fill is Fill.RESULTS:
        found = sheet(table, names=known.names)
        lines, (totals, nets, sum_of_nets) = _filled_lines(found, columns), _feet(found, columns)
    return ScoreSheet(
        round_number=position.number,
        table_number=table.number,
        columns=columns,
        lines=lines,
        totals=totals,
        nets=nets,
        sum_of_nets=sum_of_nets,
        keeper=_keeper(sitters),
        notes=_notes(table),
        scale=_scale(rules, _players_of(table, sitters)),
        has_results=fill is Fill.RESULTS,
    )


def _players_of(table: Table, sitters: tuple[_Sitter, ...]) -> int:
    """Return how many play a donne there: the number of trumps of a handful depends on it."""
    places = len({sitter.place for sitter in sitters})
    return len(FOUR) if table.game == Game.MORT else min(max(places, PLAYERS_LEAST), PLAYERS_MOST)


def _no_cells(columns: tuple[Column, ...]) -> tuple[Cell, ...]:
    return tuple(Cell(is_barred=column.is_barred) for column in columns)


def fingerprint(position: Round, fill: Fill) -> str:
    """Return a digest by which equal printings are made once; entered results count by their rows' numbers."""
    results: object = ()
    if fill is Fill.RESULTS:
        tables = position.tables.order_by()
        results = (
            tables.aggregate(last=Max("donnes__pk"), count=Count("donnes", filter=Q(donnes__is_current=True))),
            tables.aggregate(last=Max("nets__pk"), count=Count("nets", filter=Q(nets__is_current=True))),
        )
    empty = score_sheets(position, fill if fill is not Fill.RESULTS else Fill.NAMES)
    return content_digest(heading(position), empty, results, fill, layout_digest("sheets"))


def _sitters(position: Round, table: Table, known: _Known) -> tuple[_Sitter, ...]:
    seats = sorted(table.seats.all(), key=lambda seat: (ORDER.index(seat.place), seat.from_donne))
    identities = [identity_of(position, seat, known.started) for seat in seats]
    return tuple(
        _Sitter(place=seat.place, name=name_beside(identity, seat, known.names), identity=identity)
        for seat, identity in zip(seats, identities, strict=True)
    )


def _columns(table: Table, sitters: tuple[_Sitter, ...], *, with_names: bool) -> tuple[Column, ...]:
    taken = {sitter.place for sitter in sitters}
    shown = ORDER if "C" in taken or table.game != Game.PLAIN else FOUR
    return tuple(
        _column(place, [sitter for sitter in sitters if sitter.place == place], with_names=with_names)
        for place in shown
    )


def _column(place: str, sitters: list[_Sitter], *, with_names: bool) -> Column:
    name = " / ".join(sitter.name for sitter in sitters) if with_names else ""
    return Column(
        place=place,
        title=labels.place_name(place),
        identity=" / ".join(sitter.identity for sitter in sitters) if with_names else "",
        name=name,
        name_size=name_size(name),
        is_barred=not sitters,
    )


def name_size(name: str) -> str:
    """Return the class of the letters in which a name fits two lines of its box; longer ones end in an ellipsis."""
    return next((size for most, size in NAME_SIZES if len(name) <= most), "smallest")


def _keeper(sitters: tuple[_Sitter, ...]) -> str:
    taken = [place for place in ("N", "S", "E", "O", "C") if any(sitter.place == place for sitter in sitters)]
    if not taken:
        return ""
    return _("%(place)s keeps the score at this table.") % {"place": labels.place_name(taken[0])}


def _notes(table: Table) -> tuple[str, ...]:
    if table.game == Game.MORT:
        return (_("The one sitting out deals and does not play: write – in their boxes."),)
    if table.game == Game.CALLED_KING:
        return (_("Beside the contract, write whom the taker called."),)
    return ()


def _scale(rules: RuleSet, players: int) -> Scale:
    factors = [rules.coefficients[contract] for contract in Contract]
    columns = (
        [str(rules.base * factor) for factor in factors],
        [f"×{factor}" for factor in factors],
        [str(rules.petit_au_bout * factor) for factor in factors],
        *([str(rules.poignees[size])] * len(factors) for size in PoigneeSize),
    )
    return Scale(
        contracts="\n".join(labels.contract_label(contract.value) for contract in Contract),
        columns=tuple("\n".join(column) for column in columns),
        trumps=tuple(rules.trumps[players, size] for size in PoigneeSize),
    )


def _empty_lines(donnes: int, columns: tuple[Column, ...]) -> tuple[Line, ...]:
    return tuple(Line(number=number, contract="", cells=_no_cells(columns)) for number in range(1, donnes + 1))


def _filled_lines(found: Sheet, columns: tuple[Column, ...]) -> tuple[Line, ...]:
    return tuple(
        Line(
            number=row.number,
            contract=_contract_or_fate(row),
            cells=tuple(_cell(row, column) for column in columns),
        )
        for row in found.rows
    )


def _contract_or_fate(row: SheetRow) -> str:
    if row.current is None or row.state is RowState.EMPTY:
        return ""
    if row.state is RowState.PLAYED:
        return labels.contract_label(row.current.contract, short=True)
    return {
        Kind.REMOVED: pgettext("deal", "Removed"),
        Kind.NOT_PLAYED: pgettext("deal", "Not played"),
        Kind.CANCELLED: pgettext("deal", "Cancelled"),
    }.get(row.current.kind, "")


def _cell(row: SheetRow, column: Column) -> Cell:
    if row.current is None or column.is_barred or row.state in (RowState.EMPTY, RowState.CANCELLED):
        return Cell(is_barred=column.is_barred)
    points = row.current.mark(column.place)
    if points is None:
        return Cell(plus=NOT_PLAYED, minus=NOT_PLAYED)
    return Cell(plus=str(points)) if points >= 0 else Cell(minus=str(-points))


def _feet(found: Sheet, columns: tuple[Column, ...]) -> tuple[tuple[Cell, ...], tuple[Cell, ...], str]:
    """Return the totals, the bilans and the sum of the bilans, from the marks or, on a sheet of nets, from these."""
    if found.basis == Basis.NETS:
        nets = {net.place: net.net for net in found.nets}
        sums = {net.place: (net.positive, net.negative) for net in found.nets}
    else:
        played = any(row.state is RowState.PLAYED for row in found.rows)
        nets = {total.place: total.net for total in found.totals} if played else {}
        sums = {total.place: (total.positive, total.negative) for total in found.totals} if played else {}
    return (
        tuple(_sum_cell(column, *sums.get(column.place, (None, None))) for column in columns),
        tuple(_net_cell(column, nets.get(column.place)) for column in columns),
        _signed(sum(nets.values())) if nets else "",
    )


def _sum_cell(column: Column, positive: int | None, negative: int | None) -> Cell:
    return Cell(
        plus="" if positive is None else str(positive),
        minus="" if negative is None else str(negative),
        is_barred=column.is_barred,
    )


def _net_cell(column: Column, net: int | None) -> Cell:
    if net is None:
        return Cell(is_barred=column.is_barred)
    return Cell(plus=_signed(net)) if net >= 0 else Cell(minus=_signed(net))


def _signed(number: int) -> str:
    """Return a signed figure without grouping, as the boxes of the paper hold it."""
    return f"{number:+d}".replace("-", labels.MINUS) if number else "0"
