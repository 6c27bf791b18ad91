"""Who writes: a code for the ledger and the roles it holds in one club; how somebody signed in is not known here."""

from dataclasses import dataclass

from django.contrib.auth.models import AnonymousUser

from players.access import roles_in
from players.models import Club, Role, User
from tournaments.errors import NotAllowedError


@dataclass(frozen=True, slots=True, kw_only=True)
class Actor:
    """Somebody who writes. `code` goes into rows and the journal: an id, never a name."""

    code: str
    roles: frozenset[Role]
    club_id: int | None = None  # the club these roles are held in; None: given by the caller for the object at hand

    @property
    def user_id(self) -> int | None:
        """Return the account behind the code, None for a signed link."""
        kind, _, number = self.code.partition(":")
        return int(number) if kind == "user" and number.isdecimal() else None


def actor_of(user: User | AnonymousUser, club: Club) -> Actor:
    """Return a signed-in user as an actor in a club, with every role held there."""
    return Actor(code=f"user:{user.pk}", roles=roles_in(user, club), club_id=club.pk)


def require(by: Actor, role: Role, club_id: int, code: str = "") -> None:
    """Let an actor pass who holds the role in that club.

    Raises:
        NotAllowedError: with `code`, when the right lacks.
    """
    if role not in by.roles or by.club_id not in (None, club_id):
        raise NotAllowedError(code or NotAllowedError.code)
