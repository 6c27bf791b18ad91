"""The draw: a confirmed proposal becomes positions, tables and seats, once."""

import secrets
from collections.abc import Sequence
from uuid import UUID

from django.utils import timezone

from players.models import Role
from tournaments.errors import RefusedError
from tournaments.locks import lock_session, writing
from tournaments.models import Entrant, RoomState, Round, Seat, Session, SessionState, Table
from tournaments.selectors.rooms import PlannedRound, Proposal, propose

from .actors import Actor, require
from .journal import write_event
from .keys import Answer, fingerprint, keep_answer, stored_answer

LARGEST_SEED = 10**9


def new_seed() -> int:
    """Return a seed nobody can foresee; it is kept with the session, so that a draw can be made again."""
    return secrets.randbelow(LARGEST_SEED) + 1


def confirm_draw(
    *, session: Session, seed: int, by: Actor, key: UUID, seen: str = "", fft_all_the_same: bool = False
) -> tuple[Round, ...]:
    """Seat everybody present for all planned positions, number them and start position 1.

    A second call, from a double click or another machine, writes nothing and returns the draw that stands. `seen` is
    the fingerprint of the proposal the user looked at; empty means none was looked at.

    Raises:
        NotAllowedError: not an arbiter.
        RefusedError: TOO_FEW_PLAYERS, SEATING_IMPOSSIBLE; PLAN_CHANGED when `seen` is no longer what would be drawn.
        KeyReusedError: the key came with another seed.
    """
    require(by, Role.ARBITER, session.tournament.club_id)
    with writing():
        lock_session(session.pk)
        session.refresh_from_db()
        body = fingerprint("draw", session.pk, seed)
        stored_answer(by=by, key=key, body=body)
        if session.state != SessionState.REGISTRATION:
            return tuple(session.rounds.order_by("number"))
        proposal = propose(session, seed, fft_all_the_same=fft_all_the_same)
        if seen and seen != proposal.fingerprint:
            raise RefusedError("PLAN_CHANGED")
        rounds = _write_rounds(session, proposal)
        _number(proposal.entrants)
        session.seed = seed
        session.state = SessionState.RUNNING
        session.save(update_fields=["seed", "state"])
        refs: dict[str, int | str | None] = {
            "seed": seed,
            "players": len(proposal.entrants),
            "methods": " ".join(planned.method for planned in proposal.rounds),
        }
        write_event(session=session, code="DRAWN", refs=refs, by=by)
        answer = Answer(rounds=tuple(position.pk for position in rounds))
        keep_answer(by=by, key=key, body=body, answer=answer, at=timezone.now())
    return rounds


def _write_rounds(session: Session, proposal: Proposal) -> tuple[Round, ...]:
    rounds = Round.objects.bulk_create(
        Round(
            session=session,
            number=planned.number,
            method=planned.method,
            seed=proposal.seed,
            room=RoomState.PLAYING if planned.number == 1 else RoomState.DRAWN,
        )
        for planned in proposal.rounds
    )
    for position, planned in zip(rounds, proposal.rounds, strict=True):
        _write_tables(position, planned)
    return tuple(rounds)


def _write_tables(position: Round, planned: PlannedRound) -> None:
    tables = Table.objects.bulk_create(
        Table(round=position, number=table.number, game=table.game) for table in planned.tables
    )
    Seat.objects.bulk_create(
        Seat(table=row, round=position, place=place, entrant=entrant)
        for row, table in zip(tables, planned.tables, strict=True)
        for place, entrant in table.seats
    )


def _number(entrants: Sequence[Entrant]) -> None:
    """Give everybody the number that is printed, in the order of names."""
    for number, entrant in enumerate(entrants, start=1):
        entrant.number = number
    Entrant.objects.bulk_update(entrants, ["number"], batch_size=500)
