"""What is wrong with one sheet of the ledger, or one journal, once its rows are at hand; they are read in selectors."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum

from scoring import InvalidDonneError, RuleSet, score_donne

from .ledger import (
    MarkRow,
    basis_of,
    donne_digest,
    entry_of,
    event_digest,
    is_filled,
    net_digest,
    sums,
    text_digest,
    value_of,
    version_digest,
)
from .models import SCORED, Donne, Event, Kind, Seat, SheetNet, Table


class FindingCode(StrEnum):
    """One kind of damage each; the sentence stands with the command."""

    GUARD_MISSING = "GUARD_MISSING"
    RULES_CHANGED = "RULES_CHANGED"
    DONNE_DIGEST = "DONNE_DIGEST"
    DONNE_SHAPE = "DONNE_SHAPE"
    DONNE_SUM = "DONNE_SUM"
    DONNE_SEAT = "DONNE_SEAT"
    DONNE_SCORE = "DONNE_SCORE"
    DONNE_VERSIONS = "DONNE_VERSIONS"
    DONNE_JOURNAL = "DONNE_JOURNAL"
    NET_DIGEST = "NET_DIGEST"
    NET_JOURNAL = "NET_JOURNAL"
    NET_SHAPE = "NET_SHAPE"
    NET_SUM = "NET_SUM"
    NET_VERSIONS = "NET_VERSIONS"
    NET_DIFFERS = "NET_DIFFERS"
    BASIS = "BASIS"
    EVENT_DIGEST = "EVENT_DIGEST"
    EVENT_TEXT = "EVENT_TEXT"
    EVENT_CHAIN = "EVENT_CHAIN"
    SEAL = "SEAL"


@dataclass(frozen=True, slots=True, kw_only=True)
class Finding:
    """One thing wrong, and where: what is not known is 0."""

    code: FindingCode
    session: int = 0
    position: int = 0
    table: int = 0
    number: int = 0
    row: int = 0  # the id of the row, for whoever looks it up
    name: str = ""


@dataclass(slots=True, kw_only=True)
class SheetRows:
    """Every row of one table, versions in their order."""

    table: Table  # with its position and session
    rules: RuleSet
    seats: list[Seat] = field(default_factory=list)
    donnes: list[Donne] = field(default_factory=list)
    marks: dict[int, list[MarkRow]] = field(default_factory=dict)  # by donne id
    nets: list[SheetNet] = field(default_factory=list)
    events: list[Event] = field(default_factory=list)


def audit_sheet(rows: SheetRows) -> Iterator[Finding]:
    """Yield everything wrong with a table's rows."""
    journal = _journalled(rows.events)
    where = _Where(rows)
    for donne in rows.donnes:
        for code in _donne_faults(donne, rows, journal):
            yield where.finding(code, number=donne.number, row=donne.pk)
    yield from _version_faults(rows, where)
    yield from _net_faults(rows, where)
    for code, row in journal_faults(rows.events):
        yield where.finding(code, row=row)
    yield from _result_faults(rows, where)


@dataclass(frozen=True, slots=True)
class _Where:
    rows: SheetRows

    def finding(self, code: FindingCode, *, number: int = 0, row: int = 0) -> Finding:
        table = self.rows.table
        return Finding(
            code=code,
            session=table.round.session_id,
            position=table.round.number,
            table=table.number,
            number=number,
            row=row,
        )


def _journalled(events: Sequence[Event]) -> Mapping[int, list[str]]:
    """Return the digests the journal holds of each version of a donne, by its id."""
    found: dict[int, list[str]] = {}
    for event in events:
        if "digest" in event.refs and "donne" in event.refs:
            found.setdefault(event.refs["donne"], []).append(event.refs["digest"])
    return found


def _donne_faults(donne: Donne, rows: SheetRows, journal: Mapping[int, list[str]]) -> Iterator[FindingCode]:
    marks = rows.marks.get(donne.pk, [])
    if donne_digest(donne, marks) != donne.digest:
        yield FindingCode.DONNE_DIGEST
    if journal.get(donne.pk) != [donne.digest]:
        yield FindingCode.DONNE_JOURNAL
    if sorted(place for place, _, _ in marks) != sorted(donne.places) or bool(marks) != (donne.kind in SCORED):
        yield FindingCode.DONNE_SHAPE
        return
    if sum(points for _, _, points in marks):
        yield FindingCode.DONNE_SUM
    sitting = {
        (seat.place, seat.entrant_id)
        for seat in rows.seats
        if seat.from_donne <= donne.number <= (seat.to_donne or donne.number)
    }
    if any((place, entrant_id) not in sitting for place, entrant_id, _ in marks):
        yield FindingCode.DONNE_SEAT
    if marks and not _scores_so(donne, marks, rows.rules):
        yield FindingCode.DONNE_SCORE


def _scores_so(donne: Donne, marks: Sequence[MarkRow], rules: RuleSet) -> bool:
    points = {place: points for place, _, points in marks}
    written = tuple(points[place] for place in donne.places)
    try:
        if donne.kind == Kind.MARKS:
            return donne.value == value_of(written, donne.places.index(donne.taker) if donne.taker else None)
        score = score_donne(entry_of(donne), rules, lifted=bool(donne.decision))
    except (InvalidDonneError, ValueError):
        return False
    return (score.value, score.by_seat) == (donne.value, written)


def _version_faults(rows: SheetRows, where: _Where) -> Iterator[Finding]:
    """Versions of a slot follow each other without a hole, each naming its elder, and the last alone is in force."""
    slots: dict[int, list[Donne]] = {}
    for donne in rows.donnes:
        slots.setdefault(donne.number, []).append(donne)
    for number, versions in slots.items():
        elder: int | None = None
        for expected, donne in enumerate(versions, start=1):
            is_last = expected == len(versions)
            if donne.version != expected or donne.replaces_id != elder or donne.is_current != is_last:
                yield where.finding(FindingCode.DONNE_VERSIONS, number=number, row=donne.pk)
            elder = donne.pk


def _net_faults(rows: SheetRows, where: _Where) -> Iterator[Finding]:
    versions: dict[int, list[SheetNet]] = {}
    for net in rows.nets:
        versions.setdefault(net.version, []).append(net)
        if net_digest(net) != net.digest:
            yield where.finding(FindingCode.NET_DIGEST, row=net.pk)
    seats = sorted((seat.place, seat.entrant_id) for seat in rows.seats)
    withdrawn = {event.refs.get("version") for event in rows.events if event.code == "NETS_WITHDRAWN"}
    known = {
        event.refs.get("version"): event.refs.get("digest")
        for event in rows.events
        if event.code in {"NETS_RECORDED", "NETS_CORRECTED"}
    }
    for expected, (version, nets) in enumerate(sorted(versions.items()), start=1):
        first = nets[0].pk
        if known.get(version) != version_digest(nets):
            yield where.finding(FindingCode.NET_JOURNAL, row=first)
        if sorted((net.place, net.entrant_id) for net in nets) != seats:
            yield where.finding(FindingCode.NET_SHAPE, row=first)
        if sum(net.net for net in nets):
            yield where.finding(FindingCode.NET_SUM, row=first)
        in_force = expected == len(versions) and version not in withdrawn
        if version != expected or any(net.is_current != in_force for net in nets):
            yield where.finding(FindingCode.NET_VERSIONS, row=first)


def _result_faults(rows: SheetRows, where: _Where) -> Iterator[Finding]:
    """The table says which result counts; the bilans and the marks do not contradict each other."""
    kinds = {donne.number: donne.kind for donne in rows.donnes if donne.is_current}
    nets = {net.place: net.net for net in rows.nets if net.is_current}
    filled = is_filled(kinds, rows.table.round.session.donnes_per_round)
    if basis_of(filled=filled, has_nets=bool(nets)) != rows.table.basis:
        yield where.finding(FindingCode.BASIS, row=rows.table.pk)
    if filled and nets:
        marks = [
            (place, points)
            for donne in rows.donnes
            if donne.is_current
            for place, _, points in rows.marks.get(donne.pk, [])
        ]
        if sums(marks, nets) != nets:
            yield where.finding(FindingCode.NET_DIFFERS, row=rows.table.pk)


def journal_faults(events: Sequence[Event]) -> Iterator[tuple[FindingCode, int]]:
    """Yield each broken line of one chain, with its id."""
    previous = ""
    for expected, event in enumerate(events, start=1):
        if event_digest(event) != event.digest:
            yield FindingCode.EVENT_DIGEST, event.pk
        if event.text and text_digest(event.text) != event.text_digest:
            yield FindingCode.EVENT_TEXT, event.pk
        if event.seq != expected or event.previous != previous:
            yield FindingCode.EVENT_CHAIN, event.pk
        previous = event.digest
