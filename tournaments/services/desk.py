"""Whether a position is entered: every sheet complete, every sum zero, by the ledger and under the session's lock."""

from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass

from django.db import transaction
from django.db.models import Count, Exists, OuterRef, Q, Sum

from jobs.queue import enqueue
from tournaments.ledger import basis_of
from tournaments.locks import lock_session, writing
from tournaments.models import (
    CLOSING,
    Basis,
    DeskState,
    Donne,
    Mark,
    Round,
    Session,
    SessionState,
    SheetDraft,
    SheetNet,
    Table,
)

from .keys import prune_keys


@dataclass(frozen=True, slots=True, kw_only=True)
class SheetCheck:
    """What the ledger says of one sheet."""

    table_id: int
    number: int
    is_complete: bool
    is_put_aside: bool
    is_balanced: bool  # each donne, and the result that counts, add up to zero
    total: int  # of the result that counts

    @property
    def is_entered(self) -> bool:
        """Whether nothing is left to do about it."""
        return self.is_complete and self.is_balanced and not self.is_put_aside


def settle_desk(round_id: int) -> DeskState:
    """Check a position and write down whether it is entered; a backup follows when it has just become so.

    Called after the commit of a write that completes or reopens a sheet. The session's lock makes the last caller see
    what every other one wrote.

    Raises:
        BusyError: the session was not had in time; the next call will say the same.
    """
    with writing():
        session_id = Round.objects.values_list("session", flat=True).get(pk=round_id)
        lock_session(session_id)
        position = Round.objects.select_related("session__tournament__club").get(pk=round_id)
        return settle_round(position)


def settle_round(position: Round) -> DeskState:
    """Do so for a position whose session is already held."""
    if position.session.state == SessionState.FINAL:
        return DeskState(position.desk)
    checks = check_sheets(position)
    entered = bool(checks) and all(check.is_entered for check in checks) and _is_zero_so_far(position)
    desk = DeskState.ENTERED if entered else DeskState.OPEN
    if desk != position.desk:
        Round.objects.filter(pk=position.pk).update(desk=desk)
        position.desk = desk
        if entered:
            prune_keys()
            transaction.on_commit(lambda: enqueue_backup(position.session, position.number), robust=True)
            transaction.on_commit(lambda: enqueue_standing(position.session), robust=True)
    return desk


def check_sheets(position: Round) -> tuple[SheetCheck, ...]:
    """Return what the ledger says of every sheet of a position, in three queries."""
    slots = position.session.donnes_per_round
    tables = list(
        Table.objects.filter(round=position)
        .order_by("number")
        .annotate(
            closed=Count(
                "donnes", filter=Q(donnes__is_current=True, donnes__kind__in=CLOSING, donnes__number__lte=slots)
            ),
            is_put_aside=Exists(SheetDraft.objects.filter(table=OuterRef("pk"), settled_at__isnull=True)),
        )
    )
    donnes = _sums_by_donne(position)
    nets = dict(
        SheetNet.objects.filter(table__round=position, is_current=True).values_list("table").annotate(total=Sum("net"))
    )
    return tuple(_check(table, slots, donnes[table.pk], nets.get(table.pk)) for table in tables)


def _sums_by_donne(position: Round) -> defaultdict[int, list[int]]:
    sums: defaultdict[int, list[int]] = defaultdict(list)
    rows = (
        Donne.objects.current()
        .filter(table__round=position)
        .values_list("table", "pk")
        .annotate(total=Sum("marks__points"))
        .values_list("table", "total")
    )
    for table_id, total in rows:
        sums[table_id].append(total or 0)
    return sums


def _check(table: Table, slots: int, donnes: list[int], nets: int | None) -> SheetCheck:
    filled = table.closed == slots  # type: ignore[attr-defined]  # annotated above
    basis = basis_of(filled=filled, has_nets=nets is not None)
    total = (nets or 0) if basis == Basis.NETS else sum(donnes)
    return SheetCheck(
        table_id=table.pk,
        number=table.number,
        is_complete=filled or nets is not None,
        is_put_aside=table.is_put_aside,  # type: ignore[attr-defined]  # annotated above
        is_balanced=basis == table.basis and not any(donnes) and total == 0,
        total=total,
    )


def _is_zero_so_far(position: Round) -> bool:
    """Add up every counted mark and bilan of the session, this position included."""
    so_far = {"table__round__session": position.session_id, "table__round__number__lte": position.number}
    marks = Mark.objects.filter(
        donne__is_current=True,
        donne__table__basis=Basis.DONNES,
        donne__table__round__session=position.session_id,
        donne__table__round__number__lte=position.number,
    ).aggregate(total=Sum("points"))["total"]
    nets = SheetNet.objects.filter(is_current=True, table__basis=Basis.NETS, **so_far).aggregate(total=Sum("net"))
    return (marks or 0) + (nets["total"] or 0) == 0


def enqueue_backup(session: Session, number: int) -> None:
    """Ask for a backup of the data as it stands; asked twice for the same state, it is made once."""
    versions = Donne.objects.filter(table__round__session=session).count()
    nets = SheetNet.objects.filter(table__round__session=session).count()
    enqueue(
        "backup",
        club=session.tournament.club,
        by="desk",
        params={"session": session.pk, "round": number},
        key=f"backup-{session.pk}-{number}-{session.state}-{versions}-{nets}",
    )


def enqueue_standing(session: Session) -> None:
    """Have the public's ranking built now rather than by its first reader; only where there is a public one."""
    if session.tournament.published:
        enqueue("publish_standing", club=session.tournament.club, by="desk", params={"session": session.pk})


def first_not_entered(positions: Iterable[Round]) -> Round | None:
    """Return the first position the desk has not finished, None when all are entered."""
    return next((position for position in positions if position.desk != DeskState.ENTERED), None)
