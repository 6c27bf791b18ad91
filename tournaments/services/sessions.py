"""The end of an evening: verification, close, and the rare reopening; the draw stands in seating.py."""

from django.db import transaction
from django.db.models import Max

from players.models import Role
from tournaments.errors import NotAllowedError, RefusedError
from tournaments.locks import lock_session, lock_tables, writing
from tournaments.models import Round, Session, SessionState, Table, TournamentArbiter
from tournaments.selectors.audit import seal

from .actors import Actor, require
from .desk import enqueue_backup, enqueue_standing, first_not_entered, settle_round
from .journal import write_event


def start_verification(*, session: Session, by: Actor) -> Session:
    """Post the provisional ranking: from here on players check it and arbiters correct. Twice says the same.

    Raises:
        RefusedError: NOT_RUNNING, POSITION_NOT_ENTERED (number).
        NotAllowedError, BusyError.
    """
    with writing():
        held = _hold(session.pk, by)
        if held.state == SessionState.PROVISIONAL:
            return held
        if held.state != SessionState.RUNNING:
            raise RefusedError("NOT_RUNNING")
        _require_entered(held)
        _move(held, SessionState.PROVISIONAL)
        write_event(session=held, code="VERIFICATION_STARTED", refs={}, by=by)
        return held


def close_session(*, session: Session, by: Actor) -> Session:
    """Make the ranking final: from here on every road to the results is locked. Twice says the same.

    The journal's line seals the ledger: how many versions there are, and a digest over the journals of all tables.

    Raises:
        RefusedError: NOT_IN_VERIFICATION, POSITION_NOT_ENTERED (number).
        NotAllowedError, BusyError.
    """
    with writing():
        held = _hold(session.pk, by)
        if held.state == SessionState.FINAL:
            return held
        if held.state != SessionState.PROVISIONAL:
            raise RefusedError("NOT_IN_VERIFICATION")
        _require_entered(held)
        sealed = seal(held)
        _move(held, SessionState.FINAL)
        write_event(session=held, code="SESSION_CLOSED", refs=sealed, by=by)
        last = Round.objects.filter(session=held).aggregate(last=Max("number"))["last"] or 0
        transaction.on_commit(lambda: enqueue_backup(held, last), robust=True)
        transaction.on_commit(lambda: enqueue_standing(held), robust=True)
        return held


def reopen_session(*, session: Session, reason: str, by: Actor) -> Session:
    """Go back from a final ranking to verification; for an organiser or the chief arbiter, with words of why.

    Raises:
        RefusedError: NOT_FINAL, REASON_NEEDED.
        NotAllowedError, BusyError.
    """
    with writing():
        held = _hold(session.pk, by)
        if Role.ADMIN not in by.roles and not _is_chief(held, by):
            raise NotAllowedError("REOPENING_NEEDS_CHIEF")
        if held.state != SessionState.FINAL:
            raise RefusedError("NOT_FINAL")
        if not reason.strip():
            raise RefusedError("REASON_NEEDED")
        _move(held, SessionState.PROVISIONAL)
        write_event(session=held, code="SESSION_REOPENED", refs={}, by=by, text=reason.strip())
        return held


def _hold(session_id: int, by: Actor) -> Session:
    """Lock a session, then all its tables, and read it as it stands under the locks."""
    lock_session(session_id)
    lock_tables(Table.objects.filter(round__session=session_id).values_list("pk", flat=True))
    held = Session.objects.select_related("tournament__club").get(pk=session_id)
    require(by, Role.ARBITER, held.tournament.club_id)
    return held


def _require_entered(session: Session) -> None:
    positions = list(Round.objects.filter(session=session).order_by("number"))
    for position in positions:
        position.session = session
        settle_round(position)
    open_one = first_not_entered(positions)
    if open_one or not positions:
        raise RefusedError("POSITION_NOT_ENTERED", number=open_one.number if open_one else 1)


def _move(session: Session, state: SessionState) -> None:
    Session.objects.filter(pk=session.pk).update(state=state)
    session.state = state


def _is_chief(session: Session, by: Actor) -> bool:
    return (
        by.user_id is not None
        and TournamentArbiter.objects.filter(
            tournament=session.tournament_id, is_chief=True, membership__user=by.user_id
        ).exists()
    )
