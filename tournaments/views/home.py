"""The first page: the evening in progress for the club, published evenings for everybody else."""

from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_safe

from players.access import club_of
from players.forms import read_id
from players.models import Club, Role
from players.services import is_installed
from tournaments.access import session_for
from tournaments.selectors.evenings import published_sessions, tonight
from tournaments.selectors.steps import NextStep, whereabouts


@require_safe
def home(request: HttpRequest) -> HttpResponse:
    """Show a member the evening in progress, a visitor what is published; before the first club, how to begin."""
    club = club_of(request)
    if club is not None:
        page = read_id(request.GET.get("page", ""))
        context = {"tonight": tonight(club, page=page), "menu": "home", "is_installed": is_installed()}
        return render(request, "tournaments/home.html", context)
    if not Club.objects.exists():
        return redirect("players:install")
    context = {"sessions": published_sessions(), "is_installed": is_installed()}
    return render(request, "tournaments/public_home.html", context)


@login_required
@require_safe
def session(request: HttpRequest, session_id: int) -> HttpResponse:
    """Go to the step the evening has reached."""
    found = session_for(request, session_id, Role.CLERK)
    now = whereabouts(found)
    if now.step == NextStep.ENTRY:
        return redirect("tournaments:desk", found.pk, now.number)
    if now.step == NextStep.VERIFICATION:
        return redirect("tournaments:closing", found.pk)
    if now.step == NextStep.RANKING:
        return redirect("tournaments:ranking", found.pk)
    return redirect("tournaments:registration", found.pk)
