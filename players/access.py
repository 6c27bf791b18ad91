"""Who may do what in a club. Objects of another club do not exist for a visitor (404); a right that lacks is 403."""

from typing import Any

from django.core.exceptions import PermissionDenied
from django.http import Http404, HttpRequest

from .models import Club, Membership, Role

INCLUDES = {
    Role.ADMIN: frozenset({Role.ADMIN, Role.ARBITER, Role.CLERK}),
    Role.ARBITER: frozenset({Role.ARBITER, Role.CLERK}),
    Role.CLERK: frozenset({Role.CLERK}),
}


def _granted(user: Any) -> dict[int, frozenset[Role]]:
    """Return the roles of a user by club id, read once per user object (that is, once per request)."""
    if not user.is_authenticated:
        return {}
    cached: dict[int, frozenset[Role]] | None = getattr(user, "_granted_roles", None)
    if cached is None:
        cached = {}
        for club_id, role in Membership.objects.filter(user=user).order_by("pk").values_list("club_id", "role"):
            cached[club_id] = cached.get(club_id, frozenset()) | INCLUDES[Role(role)]
        user._granted_roles = cached
    return cached


def roles_in(user: Any, club: Club) -> frozenset[Role]:
    """Return every role the user holds in the club, with those it includes; none for a visitor."""
    return _granted(user).get(club.pk, frozenset())


def belongs_to(user: Any, club_id: int) -> bool:
    """Say whether the user holds any role in that club."""
    return club_id in _granted(user)


def club_of(request: HttpRequest) -> Club | None:
    """Return the club the signed-in visitor works for: the first one they belong to, or None."""
    if not hasattr(request, "user"):
        return None
    granted = _granted(request.user)
    if not granted:
        return None
    cached: Club | None = getattr(request, "_club", None)
    if cached is None:
        cached = Club.objects.get(pk=next(iter(granted)))
        request._club = cached  # type: ignore[attr-defined]  # one query a request
    return cached


def require_role(user: Any, club: Club, role: Role) -> None:
    """Let a holder of the role pass.

    Raises:
        Http404: the user has nothing to do with this club.
        PermissionDenied: a member without this right.
    """
    roles = roles_in(user, club)
    if not roles:
        raise Http404
    if role not in roles:
        raise PermissionDenied


def require_club(request: HttpRequest, role: Role) -> Club:
    """Return the visitor's club when they hold the role in it.

    Raises:
        Http404: they belong to no club.
        PermissionDenied: they lack the right.
    """
    club = club_of(request)
    if club is None:
        raise Http404
    require_role(request.user, club, role)
    return club
