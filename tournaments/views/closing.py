"""The page "Vérification": every check with its sentence, then verification, the final ranking, and reopening it."""

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods

from players.models import Role
from tournaments.access import session_for
from tournaments.errors import TournamentError
from tournaments.forms.closing import ReopenForm
from tournaments.labels import refusal_sentence
from tournaments.models import Session, SessionState
from tournaments.selectors.closing import checks
from tournaments.selectors.milestones import milestones
from tournaments.selectors.snapshot import snapshot
from tournaments.services.actors import Actor, actor_of
from tournaments.services.rounds import end_after
from tournaments.services.sessions import close_session, reopen_session, start_verification


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def closing(request: HttpRequest, session_id: int) -> HttpResponse:
    """Show the checks to everybody at the desk; an arbiter takes the next step."""
    role = Role.ARBITER if request.method == "POST" else Role.CLERK
    session = session_for(request, session_id, role)
    if request.method != "POST":
        return _show(request, session, ReopenForm())
    form = ReopenForm(request.POST if request.POST.get("step") == "reopen" else None)
    if form.is_bound and not form.is_valid():
        return _show(request, session, form, status=400)
    try:
        by = actor_of(request.user, session.tournament.club)
        said = _take(request.POST.get("step", ""), request.POST.get("number", ""), session, form, by)
    except TournamentError as error:
        messages.error(request, refusal_sentence(error))
        return _show(request, session_for(request, session_id, role), form, status=error.status)
    messages.success(request, said)
    return redirect("tournaments:closing", session.pk)


def _number(typed: str) -> int:
    return int(typed) if typed.isascii() and typed.isdigit() and len(typed) < 4 else 0


def _take(step: str, typed: str, session: Session, form: ReopenForm, by: Actor) -> str:
    """Take a step and return what to tell about it."""
    if step == "verify":
        start_verification(session=session, by=by)
        return _("Score check begun: players may now check the ranking.")
    if step == "end":
        last = end_after(session=session, number=_number(typed), by=by)
        return _("The evening ends with position %(number)s.") % {"number": last.number}
    if step == "close":
        close_session(session=session, by=by)
        return _("No more claims: the ranking is final.")
    if step == "reopen":
        reopen_session(session=session, reason=form.cleaned_data["reason"], by=by)
        return _("The session is open again. The reason stands in the journal below.")
    return _("Nothing was changed.")


def _show(request: HttpRequest, session: Session, form: ReopenForm, *, status: int = 200) -> HttpResponse:
    with snapshot():
        found, passed = checks(session), milestones(session)
    context = {
        "session": session,
        "step": "closing",
        "checks": found,
        "milestones": passed,
        "form": form,
        "is_running": session.state == SessionState.RUNNING,
        "is_provisional": session.state == SessionState.PROVISIONAL,
        "is_final": session.state == SessionState.FINAL,
    }
    return render(request, "tournaments/closing.html", context, status=status)
