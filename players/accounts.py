"""Accounts of a club: who logs in, with which role. None is ever deleted, since the journal names people by them."""

from dataclasses import dataclass
from enum import StrEnum

from django.core.exceptions import PermissionDenied
from django.db import transaction

from .models import Club, Membership, Role, User
from .services import hold_club

RANK = {role: place for place, role in enumerate(Role)}


class AccountCode(StrEnum):
    """Why an account is left as it is."""

    OWN_RIGHTS = "OWN_RIGHTS"
    HELD_ELSEWHERE = "HELD_ELSEWHERE"


class AccountError(Exception):
    """An account was left as it is; `code` says why."""

    def __init__(self, code: AccountCode) -> None:
        super().__init__(code)
        self.code = code


@dataclass(frozen=True, slots=True, kw_only=True)
class Account:
    """Somebody who logs in, and their highest role in the club."""

    user: User
    role: Role

    @property
    def name(self) -> str:
        """How pages and the journal call them."""
        return self.user.get_full_name() or self.user.get_username()


def accounts_of(club: Club) -> list[Account]:
    """Return the club's accounts: those in use first, each group by name. One query."""
    highest: dict[int, Account] = {}
    for membership in Membership.objects.filter(club=club).select_related("user"):
        role, known = Role(membership.role), highest.get(membership.user_id)
        if known is None or RANK[role] < RANK[known.role]:
            highest[membership.user_id] = Account(user=membership.user, role=role)
    return sorted(highest.values(), key=lambda account: (not account.user.is_active, account.name.lower()))


def is_own_alone(user: User, club: Club) -> bool:
    """Say whether the account belongs to this club only, so that its organisers may give it a new password."""
    return not user.is_superuser and not user.memberships.exclude(club=club).exists()


@transaction.atomic
def add_account(*, club: Club, username: str, name: str, password: str, role: Role) -> User:
    """Make an account with a role in the club.

    Raises:
        IntegrityError: the user name was taken in the same moment.
    """
    user = User.objects.create_user(username=username, password=password, first_name=name)
    Membership.objects.create(user=user, club=club, role=role)
    return user


@transaction.atomic
def edit_account(*, user: User, club: Club, name: str, role: Role, is_active: bool, by: int) -> User:
    """Change the name, the role in the club, and whether the account may log in.

    An organiser leaves their own rights alone, so that a club always keeps one.

    Args:
        by: the id of the organiser who changes it.

    Raises:
        AccountError: OWN_RIGHTS, or HELD_ELSEWHERE when the account of another club too would be shut.
        PermissionDenied: the writer is no organiser any more.
    """
    _hold(club, by)
    if user.pk == by and (role != Role.ADMIN or not is_active):
        raise AccountError(AccountCode.OWN_RIGHTS)
    if is_active != user.is_active and not is_own_alone(user, club):
        raise AccountError(AccountCode.HELD_ELSEWHERE)
    if name != user.get_full_name():
        user.first_name, user.last_name = name, ""
    user.is_active = is_active
    user.save(update_fields=["first_name", "last_name", "is_active"])
    _give_role(user, club, role)
    return user


@transaction.atomic
def give_password(*, user: User, club: Club, password: str, by: int) -> User:
    """Set a forgotten password anew; whoever is logged in with the old one is logged out.

    Raises:
        AccountError: HELD_ELSEWHERE; the account opens more than this club.
        PermissionDenied: the writer is no organiser any more.
    """
    _hold(club, by)
    if not is_own_alone(user, club):
        raise AccountError(AccountCode.HELD_ELSEWHERE)
    user.set_password(password)
    user.save(update_fields=["password"])
    return user


def _hold(club: Club, by: int) -> None:
    """Hold the club's accounts until the transaction ends, and make sure the writer still may change them."""
    hold_club(club)
    if not Membership.objects.filter(club=club, user_id=by, role=Role.ADMIN, user__is_active=True).exists():
        raise PermissionDenied


def _give_role(user: User, club: Club, role: Role) -> None:
    """Leave exactly this role; the oldest row is kept where it can be, since evenings may point to it."""
    rows = list(Membership.objects.filter(user=user, club=club).order_by("pk"))
    kept = next((row for row in rows if row.role == role), rows[0])
    Membership.objects.filter(pk__in=[row.pk for row in rows if row.pk != kept.pk]).delete()
    if kept.role != role:
        kept.role = role
        kept.save(update_fields=["role"])
