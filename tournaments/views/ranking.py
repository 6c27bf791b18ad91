"""The desk's rankings, overall and by position, read from the ledger each time."""

from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils import timezone
from django.views.decorators.http import require_safe

from players.models import Role
from tournaments.access import round_for, session_for
from tournaments.models import Session, SessionState
from tournaments.selectors.ranking import ranking as read_ranking
from tournaments.selectors.snapshot import snapshot


@login_required
@require_safe
def ranking(request: HttpRequest, session_id: int) -> HttpResponse:
    """Show the overall ranking of a session."""
    return _show(request, session_for(request, session_id, Role.CLERK))


@login_required
@require_safe
def round_ranking(request: HttpRequest, session_id: int, number: int) -> HttpResponse:
    """Show the ranking of one position."""
    return _show(request, round_for(request, session_id, number, Role.CLERK).session, only=number)


def _show(request: HttpRequest, session: Session, *, only: int | None = None) -> HttpResponse:
    moment = timezone.now()
    with snapshot():
        found = read_ranking(session, only=only)
    alphabetical = request.GET.get("ordre") == "alphabetique"
    context = {
        "session": session,
        "step": "ranking",
        "only": only,
        "ranking": found,
        "rows": found.alphabetical if alphabetical else found.rows,
        "alphabetical": alphabetical,
        "moment": moment,
        "positions": session.rounds.values_list("number", flat=True),
        "is_final": session.state == SessionState.FINAL,
    }
    return render(request, "tournaments/ranking.html", context)
