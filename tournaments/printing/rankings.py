"""The ranking of a session or a position as it is printed and posted, read from the ledger, split into pages."""

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum

from django.utils.formats import date_format
from django.utils.translation import gettext as _

from players.models import Club
from tournaments import labels
from tournaments.models import Session, SessionState
from tournaments.selectors.ledger import SheetRef
from tournaments.selectors.ranking import LineState, RankedRow, Ranking, ranking
from tournaments.selectors.snapshot import snapshot

from .sheets import name_size
from .typesetting import content_digest, layout_digest

ROWS_UPRIGHT = 41
ROWS_ACROSS = 26
MOST_COLUMNS_UPRIGHT = 6


class RankingOrder(StrEnum):
    """In which order the lines stand."""

    RANK = "RANK"
    NAME = "NAME"


@dataclass(frozen=True, slots=True, kw_only=True)
class RankingLine:
    """One printed line."""

    rank: str
    number: str
    name: str
    name_size: str
    note: str
    by_round: tuple[str, ...]
    penalty: str
    total: str


@dataclass(frozen=True, slots=True, kw_only=True)
class RankingPage:
    """The lines of one page."""

    number: int
    lines: tuple[RankingLine, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class RankingPaper:
    """A whole ranking on paper."""

    event: str
    place: str
    date: str
    club: Club
    title: str
    order: RankingOrder
    moment: datetime
    missing: tuple[SheetRef, ...]
    rounds: tuple[int, ...]
    total_title: str
    has_penalties: bool
    pages: tuple[RankingPage, ...]

    @property
    def is_across(self) -> bool:
        """Say whether the paper lies on its side."""
        return _is_across(len(self.rounds))

    @property
    def is_alphabetical(self) -> bool:
        """Say whether the lines stand by name."""
        return self.order is RankingOrder.NAME


def ranking_paper(session: Session, *, only: int | None, order: RankingOrder, moment: datetime) -> RankingPaper:
    """Return the ranking of a session, or of its position `only`; tournament and club must be loaded with it."""
    with snapshot():
        found = ranking(session, only=only)
    rounds = () if only is not None else found.rounds
    rows = found.alphabetical if order is RankingOrder.NAME else found.rows
    lines = tuple(_line(row, with_rounds=bool(rounds)) for row in rows)
    return RankingPaper(
        event=session.tournament.name,
        place=session.tournament.place,
        date=date_format(session.date, "DATE_FORMAT"),
        club=session.tournament.club,
        title=_title(session, only),
        order=order,
        moment=moment,
        missing=found.missing,
        rounds=rounds,
        total_title=_("Net of the position") if only is not None else _("Running total"),
        has_penalties=found.has_penalties,
        pages=tuple(_pages(lines, ROWS_ACROSS if _is_across(len(rounds)) else ROWS_UPRIGHT)),
    )


def fingerprint(session: Session, *, only: int | None, order: RankingOrder, moment: datetime) -> str:
    """Return a digest by which many clicks within a minute print once; the paper bears the time, hence the minute."""
    with snapshot():
        found: Ranking = ranking(session, only=only)
    minute = moment.replace(second=0, microsecond=0)
    words = (session.tournament.name, session.tournament.place, session.date, session.state)
    return content_digest(found, only, order, minute, words, layout_digest("ranking"))


def _title(session: Session, only: int | None) -> str:
    if only is not None:
        return _("Ranking of position %(number)s") % {"number": only}
    return _("Final ranking") if session.state == SessionState.FINAL else _("Overall ranking, provisional")


def _is_across(columns: int) -> bool:
    return columns > MOST_COLUMNS_UPRIGHT


def _line(row: RankedRow, *, with_rounds: bool) -> RankingLine:
    entrant = row.entrant
    has_result = entrant.state is not LineState.NO_RESULT
    return RankingLine(
        rank=_rank(row),
        number="" if entrant.number is None else str(entrant.number),
        name=entrant.name,
        name_size=name_size(entrant.name),
        note=_note(row),
        by_round=tuple("" if points is None else labels.signed(points) for points in entrant.by_round)
        if with_rounds
        else (),
        penalty=_penalty(row),
        total=labels.signed(entrant.total) if has_result or entrant.penalty else "",
    )


def _rank(row: RankedRow) -> str:
    if row.rank is None:
        return "–"
    return _("%(rank)s tied") % {"rank": row.rank} if row.tied else str(row.rank)


def _note(row: RankedRow) -> str:
    if row.entrant.state is LineState.NOT_RANKED:
        return _("Not ranked")
    if row.is_partial:
        return _("%(count)s positions of %(all)s") % {"count": row.entrant.positions, "all": row.of_positions}
    return ""


def _penalty(row: RankedRow) -> str:
    if row.entrant.penalty:
        return labels.signed(row.entrant.penalty)
    return _("warning") if row.entrant.warnings else ""


def _pages(lines: tuple[RankingLine, ...], rows: int) -> Iterator[RankingPage]:
    for start in range(0, max(len(lines), 1), rows):
        yield RankingPage(number=start // rows + 1, lines=lines[start : start + rows])
