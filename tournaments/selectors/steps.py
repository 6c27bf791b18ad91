"""Where an evening stands: its steps for the thread at the top of each page, and the one next action."""

from dataclasses import dataclass
from enum import StrEnum

from tournaments.models import DeskState, RoomState, Session, SessionState


class NextStep(StrEnum):
    """The page an arbiter most likely needs now."""

    REGISTRATION = "REGISTRATION"
    ENTRY = "ENTRY"
    VERIFICATION = "VERIFICATION"
    RANKING = "RANKING"


@dataclass(frozen=True, slots=True, kw_only=True)
class Step:
    """A position as the thread shows it."""

    number: int
    is_drawn: bool
    is_entered: bool
    is_playing: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Whereabouts:
    """The step of a session; `number` is the position of an ENTRY step, 0 elsewhere."""

    step: NextStep
    number: int


def position_steps(session: Session) -> tuple[Step, ...]:
    """Return every planned position of a session, drawn or not, in one query."""
    drawn = {position.number: position for position in session.rounds.all()}
    last = max([session.rounds_planned, *drawn])
    return tuple(
        Step(
            number=number,
            is_drawn=number in drawn,
            is_entered=number in drawn and drawn[number].desk == DeskState.ENTERED,
            is_playing=number in drawn and drawn[number].room == RoomState.PLAYING,
        )
        for number in range(1, last + 1)
    )


def whereabouts(session: Session) -> Whereabouts:
    """Return the next step: the desk works on the first position that is not entered yet."""
    if session.state == SessionState.REGISTRATION:
        return Whereabouts(step=NextStep.REGISTRATION, number=0)
    if session.state == SessionState.FINAL:
        return Whereabouts(step=NextStep.RANKING, number=0)
    steps = position_steps(session)
    waiting = next((step.number for step in steps if step.is_drawn and not step.is_entered), None)
    if session.state == SessionState.PROVISIONAL or waiting is None:
        return Whereabouts(step=NextStep.VERIFICATION, number=0)
    return Whereabouts(step=NextStep.ENTRY, number=waiting)
