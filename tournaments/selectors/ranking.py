"""The ranking of a session read from the ledger, in a fixed number of queries; the public copy stands in standings.py.

A sheet counts once it is complete, and then whole; until then its table is named as not included. Penalties stand
beside the points, never among them, so that the points of everybody always add up to zero.
"""

from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from enum import StrEnum

from django.db.models import Count, Exists, OuterRef, Q, Sum

from players.names import fold
from scoring.standings import PlayerTotal, rank
from tournaments.models import Entrant, Penalty, Seat, Session

from .ledger import SheetRef, ledger_results, ledger_sheets
from .names import tell_apart


class LineState(StrEnum):
    """Why a line has a rank or none."""

    RANKED = "RANKED"
    NOT_RANKED = "NOT_RANKED"  # a make-up player or a stand-in
    NO_RESULT = "NO_RESULT"  # no sheet of theirs counts yet


@dataclass(frozen=True, slots=True, kw_only=True)
class EntrantTotal:
    """What one entrant has over the positions asked for."""

    entrant_id: int
    person_id: int
    number: int | None
    name: str
    in_ranking: bool
    by_round: tuple[int | None, ...]  # one a position of the ranking; None where no counted sheet has them
    points: int  # the sum of by_round
    penalty: int  # zero or negative
    warnings: int

    @property
    def total(self) -> int:
        """Return what is ranked."""
        return self.points + self.penalty

    @property
    def positions(self) -> int:
        """Return how many positions count for them."""
        return sum(points is not None for points in self.by_round)

    @property
    def state(self) -> LineState:
        """Say whether they can have a rank, and why not."""
        if not self.in_ranking:
            return LineState.NOT_RANKED
        return LineState.RANKED if self.positions else LineState.NO_RESULT


@dataclass(frozen=True, slots=True, kw_only=True)
class Totals:
    """Everybody's totals over some positions, and which sheets are not in them."""

    session_id: int
    rounds: tuple[int, ...]  # the positions that have a column
    entrants: tuple[EntrantTotal, ...]
    missing: tuple[SheetRef, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class RankedRow:
    """One printed line of a ranking."""

    rank: int | None
    tied: bool
    entrant: EntrantTotal
    of_positions: int

    @property
    def is_partial(self) -> bool:
        """Say whether fewer positions count for this line than for others."""
        return 0 < self.entrant.positions < self.of_positions


@dataclass(frozen=True, slots=True, kw_only=True)
class Ranking:
    """A ranking ready to show or print."""

    session_id: int
    rounds: tuple[int, ...]
    rows: tuple[RankedRow, ...]
    missing: tuple[SheetRef, ...]

    @property
    def has_penalties(self) -> bool:
        """Say whether a penalties column would hold anything."""
        return any(row.entrant.penalty for row in self.rows)

    @property
    def has_results(self) -> bool:
        """Say whether any sheet counts."""
        return any(row.entrant.positions for row in self.rows)

    @property
    def alphabetical(self) -> tuple[RankedRow, ...]:
        """Return the same lines by name, for players who check their scores."""
        return tuple(sorted(self.rows, key=lambda row: (fold(row.entrant.name), row.entrant.entrant_id)))


def ranking(session: Session, *, upto: int | None = None, only: int | None = None) -> Ranking:
    """Rank the totals: equals share a rank and the next is skipped; whoever has no counted sheet has no rank."""
    found = totals(session, upto=upto, only=only)
    return Ranking(
        session_id=found.session_id, rounds=found.rounds, rows=rank_totals(found.entrants), missing=found.missing
    )


def with_names(found: Ranking, names: Mapping[int, str]) -> Ranking:
    """Return the same ranking under other names, given by person; two that read the same are told apart."""
    shown = tell_apart((row.entrant.entrant_id, names[row.entrant.person_id], row.entrant.number) for row in found.rows)
    return replace(
        found,
        rows=tuple(
            replace(row, entrant=replace(row.entrant, name=shown[row.entrant.entrant_id])) for row in found.rows
        ),
    )


def rank_totals(entrants: Iterable[EntrantTotal]) -> tuple[RankedRow, ...]:
    """Put totals in printed order with their ranks."""
    by_id = {entrant.entrant_id: entrant for entrant in entrants}
    most = max((entrant.positions for entrant in by_id.values()), default=0)
    ranked = rank(
        PlayerTotal(
            id=entrant.entrant_id,
            points=entrant.points,
            penalty=entrant.penalty,
            in_ranking=entrant.state is LineState.RANKED,
        )
        for entrant in by_id.values()
    )
    return tuple(
        RankedRow(rank=line.rank, tied=line.tied, entrant=by_id[line.player.id], of_positions=most) for line in ranked
    )


def totals(session: Session, *, upto: int | None = None, only: int | None = None) -> Totals:
    """Add up, per entrant and position, the marks or the nets of each complete sheet: never both.

    Args:
        upto: the last position to count.
        only: the one position to count; the penalties given in it go with it, and no others.
    """
    sheets = ledger_sheets(session, upto=upto, only=only)
    counted = {sheet.table_id: sheet.ref.round_number for sheet in sheets if sheet.is_complete}
    rounds = (only,) if only is not None else tuple(sorted(set(counted.values())))
    points = _points_by_round(session, counted)
    penalties = _penalties(session, upto=upto, only=only)
    entrants = _entrants(session)
    names = tell_apart((entrant.pk, str(entrant.person), entrant.number) for entrant in entrants)
    return Totals(
        session_id=session.pk,
        rounds=rounds,
        entrants=tuple(
            _entrant_total(entrant, names[entrant.pk], rounds, points[entrant.pk], penalties.get(entrant.pk, (0, 0)))
            for entrant in entrants
        ),
        missing=tuple(
            sheet.ref
            for sheet in sheets
            if not sheet.is_complete and (sheet.is_played or sheet.ref.round_number in rounds)
        ),
    )


def _entrant_total(
    entrant: Entrant, name: str, rounds: tuple[int, ...], points: Mapping[int, int], penalty: tuple[int, int]
) -> EntrantTotal:
    return EntrantTotal(
        entrant_id=entrant.pk,
        person_id=entrant.person_id,
        number=entrant.number,
        name=name,
        in_ranking=entrant.in_ranking,
        by_round=tuple(points.get(number) for number in rounds),
        points=sum(points.values()),
        penalty=penalty[0],
        warnings=penalty[1],
    )


def _points_by_round(session: Session, counted: Mapping[int, int]) -> defaultdict[int, dict[int, int]]:
    """Return, per entrant, the points of each position; `counted` gives the position of each table that counts."""
    points: defaultdict[int, dict[int, int]] = defaultdict(dict)
    for result in ledger_results(session):
        if result.table_id in counted:
            position, theirs = counted[result.table_id], points[result.entrant_id]
            theirs[position] = theirs.get(position, 0) + result.points
    return points


def _penalties(session: Session, *, upto: int | None, only: int | None) -> dict[int, tuple[int, int]]:
    """Return, per entrant, points taken and warnings given, without what was withdrawn."""
    given = Penalty.objects.filter(session=session, withdraws__isnull=True, withdrawn_by__isnull=True)
    if upto is not None:
        given = given.filter(Q(round__isnull=True) | Q(round__number__lte=upto))
    if only is not None:
        given = given.filter(round__number=only)
    found = given.values_list("entrant_id").annotate(
        taken=Sum("points"),
        warnings=Count("pk", filter=Q(points=0)),
    )
    return {entrant_id: (taken, warnings) for entrant_id, taken, warnings in found}


def _entrants(session: Session) -> list[Entrant]:
    """Return those who sat at a table or were penalised; somebody who never came has no line."""
    return list(
        Entrant.objects.filter(
            Exists(Seat.objects.filter(entrant=OuterRef("pk")))
            | Exists(Penalty.objects.filter(entrant=OuterRef("pk"))),
            session=session,
        )
        .select_related("person")
        .order_by("number", "pk")
    )
