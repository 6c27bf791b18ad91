"""The checks before a ranking is made final, read from the ledger in a fixed number of queries; closing is no read."""

from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass

from django.db.models import Max, Q

from tournaments.models import Round, Session, SheetDraft, SheetNet

from .ledger import LedgerSheet, ledger_results, ledger_sheets


@dataclass(frozen=True, slots=True, kw_only=True)
class SheetSum:
    """A sheet whose figures do not add up to zero."""

    table_number: int
    total: int


@dataclass(frozen=True, slots=True, kw_only=True)
class RoundCheck:
    """One position: what is entered, and what every sum makes."""

    number: int
    sheets: int
    missing: tuple[int, ...]  # tables whose sheet is not complete
    to_check: tuple[int, ...]  # tables whose sheet was put aside
    unbalanced: tuple[SheetSum, ...]
    differing: tuple[int, ...]  # tables where the nets written on the paper are not those of the marks
    total: int  # of the position, over its complete sheets
    cumul: int  # of all positions up to this one

    @property
    def is_untouched(self) -> bool:
        """Say whether not one sheet is complete."""
        return len(self.missing) == self.sheets

    @property
    def holds(self) -> bool:
        """Say whether nothing stands in the way of closing; what the desk wrote down may be older than the ledger."""
        return not (self.missing or self.to_check or self.unbalanced or self.differing or self.total or self.cumul)


@dataclass(frozen=True, slots=True, kw_only=True)
class Checks:
    """Every check of a session. `last_touched` is the last position with anything entered."""

    rounds: tuple[RoundCheck, ...]
    last_touched: int | None

    @property
    def may_end_after(self) -> int | None:
        """Return the position the evening may end with: all hold up to it, and later ones have nothing entered."""
        upto = [check for check in self.rounds if check.number <= (self.last_touched or 0)]
        is_shorter = 0 < len(upto) < len(self.rounds)
        return self.last_touched if is_shorter and all(check.holds for check in upto) else None

    @property
    def hold(self) -> bool:
        """Say whether the ranking can be made final."""
        return bool(self.rounds) and all(check.holds for check in self.rounds)


def checks(session: Session) -> Checks:
    """Return the checks of every drawn position of a session."""
    sheets: defaultdict[int, list[LedgerSheet]] = defaultdict(list)
    for sheet in ledger_sheets(session):
        sheets[sheet.ref.round_number].append(sheet)
    sums, differing = _sums_and_differences(session)
    aside = set(
        SheetDraft.objects.filter(table__round__session=session, settled_at__isnull=True).values_list(
            "table_id", flat=True
        )
    )
    found = []
    cumul = 0
    for position in Round.objects.filter(session=session).order_by("number"):
        of_round = sheets[position.number]
        total = sum(sums[sheet.table_id] for sheet in of_round if sheet.is_complete)
        cumul += total
        found.append(
            RoundCheck(
                number=position.number,
                sheets=len(of_round),
                missing=_numbers(sheet for sheet in of_round if not sheet.is_complete),
                to_check=_numbers(sheet for sheet in of_round if sheet.table_id in aside),
                unbalanced=tuple(
                    SheetSum(table_number=sheet.ref.table_number, total=sums[sheet.table_id])
                    for sheet in of_round
                    if sums[sheet.table_id]
                ),
                differing=_numbers(sheet for sheet in of_round if sheet.is_complete and sheet.table_id in differing),
                total=total,
                cumul=cumul,
            )
        )
    return Checks(rounds=tuple(found), last_touched=_last_touched(session))


def _last_touched(session: Session) -> int | None:
    entered = Q(tables__donnes__isnull=False) | Q(tables__nets__isnull=False) | Q(tables__drafts__isnull=False)
    last: int | None = Round.objects.filter(entered, session=session).aggregate(last=Max("number"))["last"]
    return last


def _numbers(sheets: Iterable[LedgerSheet]) -> tuple[int, ...]:
    return tuple(sheet.ref.table_number for sheet in sheets)


def _sums_and_differences(session: Session) -> tuple[defaultdict[int, int], set[int]]:
    """Return the sum of each table's results, and the tables whose written nets are not what its results make."""
    sums: defaultdict[int, int] = defaultdict(int)
    made: dict[tuple[int, int], int] = {}
    for result in ledger_results(session):
        sums[result.table_id] += result.points
        made[result.table_id, result.entrant_id] = result.points
    written = SheetNet.objects.filter(is_current=True, table__round__session=session)
    differing = {
        table_id
        for table_id, entrant_id, net in written.values_list("table_id", "entrant_id", "net")
        if made.get((table_id, entrant_id), 0) != net
    }
    return sums, differing
