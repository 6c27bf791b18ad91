"""A whole score sheet: its sums, and which single slip would explain that it disagrees with the nets written on it.

A sheet is the list of its donnes in order, None for a slot without one. Every donne has the same seats as the nets; a
sheet whose number of players changed half-way is summed by whoever knows the seats, and is not diagnosed.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum

from scoring.donne import DonneEntry, Poignee, score_donne
from scoring.marks import MarksEntry, find_marks_problems
from scoring.problems import InvalidDonneError, Problem, ProblemCode, Severity
from scoring.rules import FFT, HALF_POINTS_IN_DECK, Camp, Chelem, Contract, PoigneeSize, RuleSet

Marks = tuple[int, ...]  # by seat


class Slip(StrEnum):
    """What went wrong, likeliest first: the order of this list is the order of the suspects (our judgement)."""

    NET_SIGN = "net_sign"
    NETS_SWAPPED = "nets_swapped"
    NET_TRANSPOSED = "net_transposed"
    NET_DIGIT = "net_digit"
    SIGN = "sign"
    TAKER = "taker"
    DONNE_MISSING = "donne_missing"
    TAKERS_MARK = "takers_mark"  # the taker's mark was typed as a defender's
    TRANSPOSED = "transposed"
    DIGIT = "digit"
    PETIT_AU_BOUT = "petit_au_bout"
    POIGNEE = "poignee"
    CONTRACT = "contract"
    BOUTS = "bouts"
    PARTNER = "partner"
    OTHER_CAMP_POINTS = "other_camp_points"
    CHELEM = "chelem"
    DONNE_TOO_MANY = "donne_too_many"


_OF_A_NET = {Slip.SIGN: Slip.NET_SIGN, Slip.TRANSPOSED: Slip.NET_TRANSPOSED, Slip.DIGIT: Slip.NET_DIGIT}


@dataclass(frozen=True, slots=True, kw_only=True)
class Suspect:
    """One slip that alone explains the difference."""

    slip: Slip
    number: int | None = None  # the donne, from 1; None: a written net, or a donne that has no slot
    seat: int | None = None
    found: int | None = None  # the figure as it stands, where the slip is in a figure
    meant: int | None = None
    entry: DonneEntry | None = None  # the donne as it would then be
    marks: Marks | None = None  # its marks


@dataclass(frozen=True, slots=True, kw_only=True)
class Column:
    """The foot of one player's column: what stands under + and under −, both unsigned, and the net."""

    plus: int
    minus: int

    @property
    def net(self) -> int:
        return self.plus - self.minus


def columns(rows: Sequence[Marks | None], players: int) -> tuple[Column, ...]:
    """The Total and Bilan rows of the sheet, by seat."""
    played = [row for row in rows if row is not None]
    return tuple(
        Column(plus=sum(max(row[seat], 0) for row in played), minus=sum(max(-row[seat], 0) for row in played))
        for seat in range(players)
    )


def find_sheet_problems(rows: Sequence[Marks | None], written_nets: Marks) -> tuple[Problem, ...]:
    """Each sum of the sheet that is not what it must be: donnes and nets to zero, each net to its column."""
    odd_rows = [
        _error("rows", ProblemCode.DONNE_SUM, number=number, total=sum(row))
        for number, row in enumerate(rows, start=1)
        if row is not None and sum(row) != 0
    ]
    seats = {len(row) for row in rows if row is not None} - {len(written_nets)}
    if seats:
        return (*odd_rows, _error("nets", ProblemCode.NETS_COUNT, expected=max(seats), given=len(written_nets)))
    nets_sum = sum(written_nets)
    wrong_sum = [_error("nets", ProblemCode.NETS_SUM, total=nets_sum)] if nets_sum else []
    differing = [
        _error("nets", ProblemCode.NET_DIFFERS, seat=seat, computed=column.net, written=written)
        for seat, (column, written) in enumerate(zip(columns(rows, len(written_nets)), written_nets, strict=True))
        if column.net != written
    ]
    return (*odd_rows, *wrong_sum, *differing)


def diagnose(
    entries: Sequence[DonneEntry | None], written_nets: Sequence[int], rules: RuleSet = FFT
) -> tuple[Suspect, ...]:
    """Single slips that would make the computed donnes agree with the nets on the paper, likeliest first."""
    written = tuple(written_nets)
    rows = [None if entry is None else _marks_of(entry, rules, lifted=True) for entry in entries]
    if any(entry is not None and row is None for entry, row in zip(entries, rows, strict=True)):
        return ()
    gap = _gap(rows, written)
    if gap is None or not any(gap):
        return ()
    suspects = [*_net_suspects(rows, written), *_whole_donne_suspects(rows, gap, rules)]
    for number, (entry, row) in enumerate(zip(entries, rows, strict=True), start=1):
        if entry is None or row is None:
            continue
        wanted = _added(row, gap)
        for slip, other in _single_slips(entry):
            if _marks_of(other, rules, lifted=False) == wanted:
                suspects.append(_computed_suspect(slip, number, entry, other, wanted))
    return _likeliest_first(suspects)


def diagnose_marks(
    rows: Sequence[Marks | None], written_nets: Sequence[int], rules: RuleSet = FFT
) -> tuple[Suspect, ...]:
    """The same for marks copied from the paper."""
    written = tuple(written_nets)
    gap = _gap(rows, written)
    if gap is None or not any(gap):
        return ()
    suspects = [*_net_suspects(rows, written), *_whole_donne_suspects(rows, gap, rules)]
    for number, row in enumerate(rows, start=1):
        if row is not None:
            suspects += _row_suspects(number, row, _added(row, gap))
    return _likeliest_first(suspects)


def _likeliest_first(suspects: Sequence[Suspect]) -> tuple[Suspect, ...]:
    order = list(Slip)
    return tuple(sorted(suspects, key=lambda suspect: (order.index(suspect.slip), suspect.number or 0)))


def _gap(rows: Sequence[Marks | None], written: Marks) -> Marks | None:
    """What the paper has more than the donnes, by seat; None when their seats are not the same."""
    played = [row for row in rows if row is not None]
    if any(len(row) != len(written) for row in played):
        return None
    return tuple(net - sum(row[seat] for row in played) for seat, net in enumerate(written))


def _added(row: Marks, gap: Marks) -> Marks:
    return tuple(mark + more for mark, more in zip(row, gap, strict=True))


def _marks_of(entry: DonneEntry, rules: RuleSet, *, lifted: bool) -> Marks | None:
    """The marks of an entry, None when it cannot be scored."""
    try:
        return score_donne(entry, rules, lifted=lifted).by_seat
    except InvalidDonneError:
        return None


def _net_suspects(rows: Sequence[Marks | None], written: Marks) -> Iterator[Suspect]:
    """Slips on the paper itself: one net miswritten, or two in each other's column."""
    computed = tuple(column.net for column in columns(rows, len(written)))
    differing = [seat for seat, net in enumerate(written) if net != computed[seat]]
    if len(differing) == 1:
        seat = differing[0]
        slip = _figure_slip(written[seat], computed[seat])
        if slip is not None:
            yield Suspect(slip=_OF_A_NET[slip], seat=seat, found=written[seat], meant=computed[seat])
    if len(differing) == 2:
        one, other = differing
        if written[one] == computed[other] and written[other] == computed[one]:
            yield Suspect(slip=Slip.NETS_SWAPPED, seat=one, found=written[one], meant=computed[one])


def _whole_donne_suspects(rows: Sequence[Marks | None], gap: Marks, rules: RuleSet) -> Iterator[Suspect]:
    """A donne of the paper that was not entered, or one entered that is not in the nets."""
    if _could_be_a_donne(gap, rules):
        empty = [number for number, row in enumerate(rows, start=1) if row is None]
        if not empty:
            yield Suspect(slip=Slip.DONNE_MISSING, marks=gap)
        for number in empty:
            yield Suspect(slip=Slip.DONNE_MISSING, number=number, marks=gap)
    for number, row in enumerate(rows, start=1):
        if row is not None and any(row) and gap == tuple(-mark for mark in row):
            yield Suspect(slip=Slip.DONNE_TOO_MANY, number=number, marks=row)


def _could_be_a_donne(marks: Marks, rules: RuleSet) -> bool:
    players = len(marks)
    if find_marks_problems(MarksEntry(players=players, contract=None, marks=marks), rules):
        return False
    return any(
        not find_marks_problems(MarksEntry(players=players, contract=contract, marks=marks), rules)
        for contract in Contract
    )


def _row_suspects(number: int, row: Marks, wanted: Marks) -> Iterator[Suspect]:
    """Slips in one row of marks that would turn it into the wanted one."""
    if sum(wanted):
        return
    differing = [seat for seat, mark in enumerate(row) if mark != wanted[seat]]
    if wanted == tuple(-mark for mark in row):
        yield Suspect(slip=Slip.SIGN, number=number, marks=wanted)
    elif len(differing) == 1:
        seat = differing[0]
        slip = _figure_slip(row[seat], wanted[seat])
        if slip is not None:
            yield Suspect(slip=slip, number=number, seat=seat, found=row[seat], meant=wanted[seat], marks=wanted)
    elif len(differing) == 2 and sorted(row) == sorted(wanted):
        seat = max(differing, key=lambda place: abs(wanted[place]))
        yield Suspect(slip=Slip.TAKER, number=number, seat=seat, marks=wanted)
    elif _same_shape(row, wanted):
        found, meant = _defender_mark(row), _defender_mark(wanted)
        factor = max(abs(mark) for mark in row) // abs(found)
        slip = Slip.TAKERS_MARK if found == factor * meant else _figure_slip(found, meant)
        if slip is not None:
            yield Suspect(slip=slip, number=number, found=found, meant=meant, marks=wanted)


def _defender_mark(row: Marks) -> int:
    return max(row, key=row.count)


def _same_shape(row: Marks, wanted: Marks) -> bool:
    """Whether both rows are the same seats' donne with another value: one number was typed and unfolded."""
    found, meant = _defender_mark(row), _defender_mark(wanted)
    return found != 0 and all(mark * meant == other * found for mark, other in zip(row, wanted, strict=True))


def _figure_slip(found: int, meant: int) -> Slip | None:
    """How one figure may have been written for another: sign, two digits the wrong way round, one digit."""
    if found == -meant:
        return Slip.SIGN
    if (found < 0) != (meant < 0):
        return None
    one, other = str(abs(found)), str(abs(meant))
    if len(one) == len(other):
        apart = [place for place, pair in enumerate(zip(one, other, strict=True)) if pair[0] != pair[1]]
        if len(apart) == 1:
            return Slip.DIGIT
        first, last = apart[0], apart[-1]
        swapped = len(apart) == 2 and last == first + 1 and one[first] == other[last] and one[last] == other[first]
        return Slip.TRANSPOSED if swapped else None
    longer, shorter = (one, other) if len(one) > len(other) else (other, one)
    dropped = any(longer[:place] + longer[place + 1 :] == shorter for place in range(len(longer)))
    return Slip.DIGIT if dropped else None


def _single_slips(entry: DonneEntry) -> Iterator[tuple[Slip, DonneEntry]]:
    """The entry with one thing in it other than typed."""
    for camp in (None, *Camp):
        if camp is not entry.petit_au_bout:
            yield Slip.PETIT_AU_BOUT, replace(entry, petit_au_bout=camp)
    for poignees in _other_poignees(entry.poignees):
        yield Slip.POIGNEE, replace(entry, poignees=poignees)
    for chelem in (None, *Chelem):
        if chelem is not entry.chelem:
            yield Slip.CHELEM, replace(entry, chelem=chelem)
    contracts = list(Contract)
    place = contracts.index(entry.contract)
    for contract in contracts[max(place - 1, 0) : place] + contracts[place + 1 : place + 2]:
        yield Slip.CONTRACT, replace(entry, contract=contract)
    for bouts in (entry.bouts - 1, entry.bouts + 1):
        yield Slip.BOUTS, replace(entry, bouts=bouts)
    yield from _other_seats(entry)
    yield from _other_points(entry)


def _other_poignees(shown: tuple[Poignee, ...]) -> Iterator[tuple[Poignee, ...]]:
    """One poignée more, less or of another size; the camp changes nothing, the winners receive it."""
    for place, poignee in enumerate(shown):
        rest = shown[:place] + shown[place + 1 :]
        yield rest
        for size in PoigneeSize:
            if size is not poignee.size:
                yield (*rest, Poignee(size, poignee.camp))
    for size in PoigneeSize:
        yield (*shown, Poignee(size, Camp.ATTACK))


def _other_seats(entry: DonneEntry) -> Iterator[tuple[Slip, DonneEntry]]:
    for seat in range(entry.players):
        if seat != entry.taker:
            partner = entry.taker if seat == entry.partner else entry.partner
            yield Slip.TAKER, replace(entry, taker=seat, partner=partner)
    if entry.players == 5:
        for partner in (None, *range(5)):
            if partner not in (entry.partner, entry.taker):
                yield Slip.PARTNER, replace(entry, partner=partner)


def _other_points(entry: DonneEntry) -> Iterator[tuple[Slip, DonneEntry]]:
    whole, half = divmod(entry.half_points, 2)
    for half_points in range(HALF_POINTS_IN_DECK + 1):
        if half_points == entry.half_points:
            continue
        slip = _figure_slip(whole, half_points // 2) if half_points % 2 == half else None
        if slip is not None:
            yield slip, replace(entry, half_points=half_points)
    if entry.players != 4:
        yield Slip.DIGIT, replace(entry, half_points=entry.half_points ^ 1)  # the ½ forgotten or added
    yield Slip.OTHER_CAMP_POINTS, replace(entry, half_points=HALF_POINTS_IN_DECK - entry.half_points)


def _computed_suspect(slip: Slip, number: int, entry: DonneEntry, other: DonneEntry, marks: Marks) -> Suspect:
    if entry.half_points != other.half_points:
        return Suspect(
            slip=slip, number=number, found=entry.half_points, meant=other.half_points, entry=other, marks=marks
        )
    seat = other.taker if slip is Slip.TAKER else None
    return Suspect(slip=slip, number=number, seat=seat, entry=other, marks=marks)


def _error(field: str, code: ProblemCode, **params: int) -> Problem:
    return Problem(field=field, code=code, severity=Severity.ERROR, params=params)
