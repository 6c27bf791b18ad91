"""The room moves on from position to position, and back after a slip; it never waits for the desk."""

from players.models import Role
from tournaments.errors import RefusedError, SessionClosedError
from tournaments.locks import lock_session, lock_tables, writing
from tournaments.models import Donne, RoomState, Round, Seat, Session, SessionState, SheetDraft, SheetNet, Table

from .actors import Actor, require
from .journal import write_event


def next_round(*, session: Session, by: Actor, leaving: int | None = None) -> Round:
    """End the position being played and start the one after it; after the last one the room is empty.

    `leaving` is the position the user saw being played: when it is over already, nothing happens and the one being
    played (or the last) is returned, so a double click moves the room once.

    Raises:
        NotAllowedError: not an arbiter.
        SessionClosedError: nothing is being played in this session.
        RefusedError: NO_POSITION_PLAYING.
    """
    require(by, Role.ARBITER, session.tournament.club_id)
    with writing():
        rounds = _hold(session)
        playing = next((position for position in rounds if position.room == RoomState.PLAYING), None)
        if leaving is not None and (playing is None or playing.number != leaving):
            return playing or rounds[-1]
        if playing is None:
            raise RefusedError("NO_POSITION_PLAYING")
        _set_room(playing, RoomState.PLAYED)
        following = next((position for position in rounds if position.number == playing.number + 1), None)
        if following is not None:
            _set_room(following, RoomState.PLAYING)
        write_event(session=session, code="POSITION_PLAYED", refs={"position": playing.number}, by=by)
    return following or playing


def back_to_round(*, session: Session, number: int, by: Actor) -> Round:
    """Say that a position is still being played after all; a slip is undone.

    Raises:
        NotAllowedError: not an arbiter.
        SessionClosedError: nothing is being played in this session.
        RefusedError: NO_POSITION_PLAYING when there is no such position before the one being played.
    """
    require(by, Role.ARBITER, session.tournament.club_id)
    with writing():
        rounds = _hold(session)
        wanted = next((position for position in rounds if position.number == number), None)
        if wanted is None or wanted.room == RoomState.DRAWN:
            raise RefusedError("NO_POSITION_PLAYING")
        if wanted.room == RoomState.PLAYED:
            for position in rounds[number:]:
                _set_room(position, RoomState.DRAWN)
            _set_room(wanted, RoomState.PLAYING)
            write_event(session=session, code="POSITION_RESUMED", refs={"position": number}, by=by)
    return wanted


def end_after(*, session: Session, number: int, by: Actor) -> Round:
    """Play no position after this one: the evening is shorter than planned. Twice says the same.

    What was drawn for later positions goes away; nobody has entered anything there.

    Raises:
        NotAllowedError: not an arbiter.
        SessionClosedError: nothing is being played in this session.
        RefusedError: NO_POSITION_PLAYING when there is no such position or it has not begun; POSITION_HOLDS_RESULTS
            (number) when something was entered for a later one.
        BusyError.
    """
    require(by, Role.ARBITER, session.tournament.club_id)
    with writing():
        rounds = _hold(session)
        last = next((position for position in rounds if position.number == number), None)
        if last is None or last.room == RoomState.DRAWN:
            raise RefusedError("NO_POSITION_PLAYING")
        later = rounds[rounds.index(last) + 1 :]
        lock_tables(Table.objects.filter(round__in=later).values_list("pk", flat=True))
        for position in later:
            if _holds_results(position):
                raise RefusedError("POSITION_HOLDS_RESULTS", number=position.number)
        if later:
            Seat.objects.filter(round__in=later).delete()
            Table.objects.filter(round__in=later).delete()
            Round.objects.filter(pk__in=[position.pk for position in later]).delete()
            session.rounds_planned = number
            session.planned_methods = session.planned_methods[:number]
            session.save(update_fields=["rounds_planned", "planned_methods"])
            write_event(session=session, code="ENDED_AFTER", refs={"position": number}, by=by)
    return last


def _holds_results(position: Round) -> bool:
    of_position = {"table__round": position}
    return any(model.objects.filter(**of_position).exists() for model in (Donne, SheetNet, SheetDraft))


def _hold(session: Session) -> list[Round]:
    lock_session(session.pk)
    session.refresh_from_db(fields=["state", "rounds_planned", "planned_methods"])
    if session.state != SessionState.RUNNING:
        raise SessionClosedError
    return list(session.rounds.order_by("number"))


def _set_room(position: Round, room: RoomState) -> None:
    position.room = room
    position.save(update_fields=["room"])
