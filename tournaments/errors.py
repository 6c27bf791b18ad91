"""What a service refuses, as a family of errors with a code each.

TournamentError
├── NotAllowedError            the actor lacks the right
├── InvalidDonneError          the entry breaks a rule; carries every problem
├── AlreadyRecordedError       the slot is taken; carries the current version
├── StaleVersionError          somebody else replaced it first; carries their version
├── SessionClosedError         the session is final (or has not begun)
├── KeyReusedError             same key, another body
├── BusyError                  a lock was not had in time; try again
└── RefusedError               a step out of order, said by its code and numbers
"""

from collections.abc import Mapping
from typing import TYPE_CHECKING, ClassVar

if TYPE_CHECKING:
    from .models import Donne, SheetNet


class TournamentError(Exception):
    """A refusal a user can read; `code` finds its sentence in `labels`, `params` fill it."""

    code: ClassVar[str] = "REFUSED"
    status: ClassVar[int] = 409

    def __init__(self, code: str = "", /, **params: int | str) -> None:
        super().__init__(code or self.code)
        self.reason = code or self.code
        self.params: Mapping[str, int | str] = params


class NotAllowedError(TournamentError):
    """The actor lacks the right: entering and correcting are two."""

    code = "NOT_ALLOWED"
    status = 403


class InvalidDonneError(TournamentError):
    """The entry breaks a rule. `problems` are `scoring.Problem`s or the same shape, all at once."""

    code = "INVALID"
    status = 400

    def __init__(self, problems: tuple[object, ...]) -> None:
        super().__init__()
        self.problems = problems


class AlreadyRecordedError(TournamentError):
    """The slot holds another result already."""

    code = "ALREADY_RECORDED"

    def __init__(self, current: "Donne | tuple[SheetNet, ...]") -> None:
        super().__init__()
        self.current = current


class StaleVersionError(TournamentError):
    """Somebody else replaced the version this one meant to replace."""

    code = "STALE_VERSION"
    status = 412

    def __init__(self, theirs: "Donne | tuple[SheetNet, ...]") -> None:
        super().__init__()
        self.theirs = theirs


class SessionClosedError(TournamentError):
    """The session takes no results: its ranking is final, or play has not begun."""

    code = "SESSION_CLOSED"


class KeyReusedError(TournamentError):
    """The same key came with another body."""

    code = "KEY_REUSED"
    status = 422


class BusyError(TournamentError):
    """A lock was not had within five seconds."""

    code = "BUSY"
    status = 503


class RefusedError(TournamentError):
    """A step that cannot be taken now; the code says which and what to do instead."""
