"""What a service refuses, as a family of errors with a code each, and one thing wrong with what was typed.

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
from dataclasses import dataclass
from dataclasses import field as dataclass_field
from enum import StrEnum
from typing import TYPE_CHECKING, ClassVar

from scoring import Severity

if TYPE_CHECKING:
    from .models import Donne, SheetNet


class EntryCode(StrEnum):
    """What can be wrong with a sheet beyond the donne itself; each names the keys of its parameters, if any."""

    NUMBER_RANGE = "NUMBER_RANGE"  # number, most: the slots of a sheet
    KIND_UNKNOWN = "KIND_UNKNOWN"
    NUMBER_TWICE = "NUMBER_TWICE"  # number: two lines for one slot
    PLACES_UNKNOWN = "PLACES_UNKNOWN"  # a place nobody sits at, or named twice
    PLAYERS_DIFFER = "PLAYERS_DIFFER"  # expected, given: players seated, players of the entry
    SITTING_OUT_NEEDED = "SITTING_OUT_NEEDED"  # a table of five with a mort: who dealt?
    SITTING_OUT_ONLY_AT_MORT = "SITTING_OUT_ONLY_AT_MORT"
    TAKER_NEEDED = "TAKER_NEEDED"  # a row of zeros
    POIGNEES_COUNT = "POIGNEES_COUNT"  # most
    REASON_NEEDED = "REASON_NEEDED"
    REASON_UNKNOWN = "REASON_UNKNOWN"
    NETS_PLACES = "NETS_PLACES"  # expected, given: one net for each seat, no other
    NETS_SHARED_PLACE = "NETS_SHARED_PLACE"  # place: two people sat there in turn
    NET_TYPE = "NET_TYPE"  # place
    NET_PARTS = "NET_PARTS"  # place, positive, negative, net
    NETS_SUM = "NETS_SUM"  # total: signed; count
    NET_DIFFERS = "NET_DIFFERS"  # place, computed, written


@dataclass(frozen=True, slots=True, kw_only=True)
class EntryProblem:
    """One thing wrong, in the shape of `scoring.Problem`; the code is the engine's or an `EntryCode`."""

    field: str
    code: str
    severity: Severity = Severity.ERROR
    params: Mapping[str, int | str] = dataclass_field(default_factory=dict, hash=False)


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
    """The entry breaks a rule. Every problem at once; in a sheet fields begin with `lines.<number>.` or `nets`."""

    code = "INVALID"
    status = 400

    def __init__(self, problems: tuple[EntryProblem, ...]) -> None:
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
