"""One function per object and right: the object, or 404 (another club's), or 403 (a right that lacks)."""

from django.http import Http404, HttpRequest
from django.shortcuts import get_object_or_404

from jobs.models import Job
from players.access import require_role
from players.models import Role

from .models import Donne, Round, Session, Table


def session_for(request: HttpRequest, session_id: int, role: Role) -> Session:
    """Return the session, with its tournament and club, for somebody who holds the role in its club."""
    found = get_object_or_404(Session.objects.select_related("tournament__club"), pk=session_id)
    require_role(request.user, found.tournament.club, role)
    return found


def round_for(request: HttpRequest, session_id: int, number: int, role: Role) -> Round:
    """Return a position of a session under the same rule."""
    session = session_for(request, session_id, role)
    found = get_object_or_404(Round, session=session, number=number)
    found.session = session
    return found


def table_for(request: HttpRequest, session_id: int, round_number: int, table_number: int, role: Role) -> Table:
    """Return a table of a position under the same rule."""
    position = round_for(request, session_id, round_number, role)
    found = get_object_or_404(Table, round=position, number=table_number)
    found.round = position
    return found


def table_by_id(request: HttpRequest, table_id: int, role: Role) -> Table:
    """Return a table by its id under the same rule."""
    found = get_object_or_404(Table.objects.select_related("round__session__tournament__club"), pk=table_id)
    require_role(request.user, found.round.session.tournament.club, role)
    return found


def donne_by_id(request: HttpRequest, donne_id: int, role: Role) -> Donne:
    """Return one version of a donne, current or not, under the same rule."""
    found = get_object_or_404(Donne.objects.select_related("table__round__session__tournament__club"), pk=donne_id)
    require_role(request.user, found.table.round.session.tournament.club, role)
    return found


def job_for(request: HttpRequest, job_id: int, role: Role) -> Job:
    """Return a job of a club the visitor holds the role in."""
    found = get_object_or_404(Job.objects.select_related("club"), pk=job_id)
    require_role(request.user, found.club, role)
    return found


def public_session(session_id: int) -> Session:
    """Return a session anybody may see.

    Raises:
        Http404: there is none, or its tournament is not published.
    """
    found = get_object_or_404(Session.objects.select_related("tournament__club"), pk=session_id)
    if not found.tournament.published:
        raise Http404
    return found
