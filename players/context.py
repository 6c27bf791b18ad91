"""What every page shows of the club in use."""

from django.http import HttpRequest

from .access import club_of, roles_in


def club_in_use(request: HttpRequest) -> dict[str, object]:
    """Give templates `club` (or None) and `roles`, the set of role codes of the visitor in it."""
    club = club_of(request)
    return {"club": club, "roles": roles_in(request.user, club) if club else frozenset()}
