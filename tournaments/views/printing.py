"""The prints page, the page of a job under way, and its file."""

from csp.decorators import csp_exempt
from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import FileResponse, Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_POST, require_safe

from jobs import files, queue
from jobs.selectors import job_view, recent_jobs
from players.models import Role
from tournaments.access import job_for, round_for, session_for
from tournaments.forms.printing import RankingForm, SheetsForm
from tournaments.models import Session
from tournaments.services.actors import actor_of
from tournaments.services.printing import KINDS, ask_for_ranking, ask_for_sheets


@login_required
@require_safe
def prints(request: HttpRequest, session_id: int) -> HttpResponse:
    """Show what can be printed and the latest printings."""
    return _prints(request, session_for(request, session_id, Role.ARBITER))


def _prints(request: HttpRequest, session: Session, *, status: int = 200) -> HttpResponse:
    context = {
        "session": session,
        "step": "prints",
        "positions": session.rounds.all(),
        "jobs": recent_jobs(session.tournament.club, kinds=KINDS),
    }
    return render(request, "tournaments/prints.html", context, status=status)


@login_required
@require_POST
def print_sheets(request: HttpRequest, session_id: int) -> HttpResponse:
    """Ask for the score sheets of a position."""
    session = session_for(request, session_id, Role.ARBITER)
    form = SheetsForm(request.POST, positions=session.rounds.values_list("number", flat=True))
    if not form.is_valid():
        messages.error(request, _("Choose a position of this session and what its sheets should hold."))
        return _prints(request, session, status=400)
    position = round_for(request, session_id, form.cleaned_data["position"], Role.ARBITER)
    by = actor_of(request.user, session.tournament.club)
    return redirect("tournaments:job", ask_for_sheets(position=position, fill=form.cleaned_data["fill"], by=by).pk)


@login_required
@require_POST
def print_ranking(request: HttpRequest, session_id: int) -> HttpResponse:
    """Ask for a ranking on paper."""
    session = session_for(request, session_id, Role.ARBITER)
    form = RankingForm(request.POST, positions=session.rounds.values_list("number", flat=True))
    if not form.is_valid():
        messages.error(request, _("Choose the overall ranking or a position of this session, and an order."))
        return _prints(request, session, status=400)
    made = ask_for_ranking(
        session=session,
        only=form.cleaned_data["position"],
        order=form.cleaned_data["order"],
        by=actor_of(request.user, session.tournament.club),
    )
    return redirect("tournaments:job", made.pk)


@login_required
@require_safe
@never_cache
def job(request: HttpRequest, job_id: int) -> HttpResponse:
    """Show how a job gets on; asked by htmx, the part that changes."""
    found = job_for(request, job_id, Role.ARBITER)
    if request.headers.get("HX-Request"):
        return render(request, "tournaments/_job.html", {"job": job_view(found)})
    session = session_for(request, found.params.get("session", 0), Role.ARBITER)
    return render(request, "tournaments/job.html", {"job": job_view(found), "session": session, "step": "prints"})


@login_required
@require_POST
def cancel_job(request: HttpRequest, job_id: int) -> HttpResponse:
    """Cancel a job that has not ended."""
    found = job_for(request, job_id, Role.ARBITER)
    if not queue.cancel(found):
        messages.info(request, _("This work had already ended."))
    return redirect("tournaments:job", found.pk)


@login_required
@require_POST
def retry_job(request: HttpRequest, job_id: int) -> HttpResponse:
    """Start an ended job again."""
    found = job_for(request, job_id, Role.ARBITER)
    if not queue.retry(found):
        messages.info(request, _("This work is already under way."))
    return redirect("tournaments:job", found.pk)


@login_required
@require_safe
@never_cache
@csp_exempt()  # type: ignore[arg-type]  # typed for views without arguments
def job_file(request: HttpRequest, job_id: int) -> FileResponse:
    """Give the file of a job to its club, shown in the browser so that it can be printed from there.

    The page's own security policy would keep some browsers' PDF viewers from opening it, and a PDF runs nothing.
    """
    found = job_for(request, job_id, Role.ARBITER)
    path = files.path_of(found)
    if path is None:
        raise Http404
    return FileResponse(path.open("rb"), content_type="application/pdf", filename=job_view(found).file_name)
