"""Making a tournament and changing its settings."""

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods

from players.access import require_club
from players.models import Role
from tournaments.access import session_for
from tournaments.errors import TournamentError
from tournaments.forms.evening import TournamentForm
from tournaments.labels import refusal_sentence
from tournaments.services.actors import actor_of
from tournaments.services.tournaments import create_tournament, edit_tournament


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def new_tournament(request: HttpRequest) -> HttpResponse:
    """Create a tournament and open its registration."""
    club = require_club(request, Role.ARBITER)
    form = TournamentForm(request.POST if request.method == "POST" else None, initial={"date": club.today()})
    if request.method == "POST" and form.is_valid():
        typed = form.cleaned_data
        session = create_tournament(
            club=club,
            name=typed["name"],
            place=typed["place"],
            date=typed["date"],
            rounds=typed["rounds"],
            donnes_per_round=typed["donnes"],
            methods=form.methods(),
            published=typed["published"],
            by=actor_of(request.user, club),
        )
        return redirect("tournaments:registration", session.pk)
    return render(request, "tournaments/new_tournament.html", {"form": form}, status=400 if form.errors else 200)


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def edit(request: HttpRequest, session_id: int) -> HttpResponse:
    """Change a tournament; after the draw only its name, place, date and publication."""
    session = session_for(request, session_id, Role.ARBITER)
    form = TournamentForm(request.POST if request.method == "POST" else None, session=session)
    if request.method == "POST" and form.is_valid():
        typed = form.cleaned_data
        try:
            edit_tournament(
                session=session,
                name=typed["name"],
                place=typed["place"],
                date=typed["date"],
                rounds=typed["rounds"],
                donnes_per_round=typed["donnes"],
                methods=list(session.planned_methods) if form.is_drawn else form.methods(),
                published=typed["published"],
                by=actor_of(request.user, session.tournament.club),
            )
        except TournamentError as error:
            form.add_error(None, refusal_sentence(error))
        else:
            messages.success(request, _("The settings are saved."))
            return redirect("tournaments:session", session.pk)
    context = {"form": form, "session": session, "step": "settings"}
    return render(request, "tournaments/edit_tournament.html", context, status=400 if form.errors else 200)
