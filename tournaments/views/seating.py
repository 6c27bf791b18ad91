"""Mise en place and the room: a proposal, its confirmation, who sits where, the next position."""

from uuid import uuid4

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.core import signing
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from players.access import require_role
from players.models import Role
from tournaments.access import round_for, session_for
from tournaments.errors import RefusedError, TournamentError
from tournaments.forms.evening import DrawForm, LeavingForm
from tournaments.labels import refusal_sentence
from tournaments.models import Round, Session, SessionState
from tournaments.selectors.registration import registration
from tournaments.selectors.rooms import propose, room_view
from tournaments.services.actors import actor_of
from tournaments.services.rounds import back_to_round, next_round
from tournaments.services.seating import confirm_draw, new_seed


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def seating(request: HttpRequest, session_id: int) -> HttpResponse:
    """Propose a seating to an arbiter and confirm it; afterwards say how the evening is seated."""
    session = session_for(request, session_id, Role.CLERK)
    if request.method == "POST":
        require_role(request.user, session.tournament.club, Role.ARBITER)
        return _confirm(request, session)
    context: dict[str, object] = {"session": session, "step": "seating"}
    if session.state != SessionState.REGISTRATION:
        context["rounds"] = list(session.rounds.order_by("number"))
        return render(request, "tournaments/seated.html", context)
    if not _is_arbiter(request, session):
        return render(request, "tournaments/seating.html", {**context, "registration": registration(session)})
    seed = _seed_of(session, request.GET.get("tirage", ""))
    if seed is None:
        return redirect(_draw_url(session, fft="fft" in request.GET))
    try:
        context["proposal"] = propose(session, seed, fft_all_the_same="fft" in request.GET)
    except RefusedError as error:
        context["refusal"] = refusal_sentence(error)
    context |= {"draw": request.GET["tirage"], "key": uuid4(), "fft": "fft" in request.GET}
    return render(request, "tournaments/seating.html", context)


def _confirm(request: HttpRequest, session: Session) -> HttpResponse:
    form = DrawForm(request.POST)
    seed = _seed_of(session, request.POST.get("draw", ""))
    if not form.is_valid() or seed is None:
        messages.error(request, _("This draw could not be read. Here is another one."))
        return redirect("tournaments:seating", session.pk)
    sent = form.cleaned_data
    try:
        confirm_draw(
            session=session,
            seed=seed,
            seen=sent["seen"],
            fft_all_the_same=sent["fft"],
            by=actor_of(request.user, session.tournament.club),
            key=sent["key"],
        )
    except TournamentError as error:
        messages.error(request, refusal_sentence(error))
        return redirect("tournaments:seating", session.pk)
    if session.seed != seed:
        messages.warning(request, _("The draw was confirmed elsewhere a moment before: here it is."))
    return redirect("tournaments:room", session.pk, 1)


@login_required
@require_safe
def room(request: HttpRequest, session_id: int, number: int) -> HttpResponse:
    """Show who sits where at a position, and what to announce."""
    position = round_for(request, session_id, number, Role.CLERK)
    session = position.session
    view = room_view(position)
    last = session.rounds.order_by("-number").values_list("number", flat=True)[0]
    context = {"session": session, "step": "room", "number": number, "room": view, "is_last": number == last}
    return render(request, "tournaments/room.html", context)


@login_required
@require_POST
def move_on(request: HttpRequest, session_id: int) -> HttpResponse:
    """End the position being played and start the next; or go back to one after a slip."""
    session = session_for(request, session_id, Role.ARBITER)
    form = LeavingForm(request.POST)
    if not form.is_valid():
        return redirect("tournaments:session", session.pk)
    by = actor_of(request.user, session.tournament.club)
    number: int = form.cleaned_data["leaving"]
    try:
        if "back" in request.POST:
            now = back_to_round(session=session, number=number, by=by)
        else:
            now = next_round(session=session, by=by, leaving=number)
    except TournamentError as error:
        messages.error(request, refusal_sentence(error))
        return redirect("tournaments:session", session.pk)
    return redirect(_room_url(session, now))


def _room_url(session: Session, position: Round) -> str:
    return reverse("tournaments:room", args=[session.pk, position.number])


def _is_arbiter(request: HttpRequest, session: Session) -> bool:
    return Role.ARBITER in actor_of(request.user, session.tournament.club).roles


def _seed_of(session: Session, draw: str) -> int | None:
    """Return the seed a page carries, signed so that nobody can choose one; None when it is no seed of this session."""
    try:
        seed = signing.loads(draw, salt=f"draw {session.pk}")
    except signing.BadSignature:
        return None
    return int(seed)


def _draw_url(session: Session, *, fft: bool) -> str:
    draw = signing.dumps(new_seed(), salt=f"draw {session.pk}")
    return f"{reverse('tournaments:seating', args=[session.pk])}?tirage={draw}{'&fft' if fft else ''}"
