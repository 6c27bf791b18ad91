"""The door: three letters and Enter write somebody down as present. Answers are parts of the page for htmx.

What an answer leaves to settle is a card: the page names it when it sends, so that several stand side by side.
"""

import re

from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.views.decorators.http import require_POST, require_safe

from players.forms import read_id
from players.models import Person, Role
from players.pasting import split_name
from players.services import LicenceTakenError, SameNameError
from players.views import licence_sentence
from tournaments.access import session_for
from tournaments.errors import TournamentError
from tournaments.forms.evening import NewcomerForm
from tournaments.labels import refusal_sentence
from tournaments.models import Entrant, Session
from tournaments.selectors.registration import find_matches, find_namesakes, registration, show_people
from tournaments.services.actors import actor_of
from tournaments.services.registrations import check_in, check_in_new, undo_check_in

LONGEST_SEARCH = 100
CARD = re.compile(r"ask-[0-9a-z-]{1,40}")
SETTLED = {"done", "undone"}


@login_required
@require_safe
def page(request: HttpRequest, session_id: int) -> HttpResponse:
    """Show the search field and who is present."""
    session = session_for(request, session_id, Role.CLERK)
    context = {"session": session, "step": "registration", "registration": registration(session)}
    return render(request, "tournaments/registration.html", context)


@login_required
@require_safe
def present(request: HttpRequest, session_id: int) -> HttpResponse:
    """Send the list anew when it is not the version the page has; 204 otherwise."""
    session = session_for(request, session_id, Role.CLERK)
    now = registration(session)
    if now.version == request.GET.get("v"):
        return HttpResponse(status=204)
    return render(request, "tournaments/_present.html", {"session": session, "registration": now})


@login_required
@require_safe
def person_search(request: HttpRequest, session_id: int) -> HttpResponse:
    """List whom a few letters mean."""
    session = session_for(request, session_id, Role.CLERK)
    text = request.GET.get("q", "").strip()[:LONGEST_SEARCH]
    context = {"session": session, "text": text, "matches": find_matches(session, text)}
    return render(request, "tournaments/_matches.html", context)


@login_required
@require_POST
def check_in_person(request: HttpRequest, session_id: int) -> HttpResponse:
    """Write somebody down: the person chosen, else the first one the letters mean; namesakes are asked about.

    With `ask`, nobody is taken among several: the first one may not be who was meant.
    """
    session = session_for(request, session_id, Role.CLERK)
    text = _text(request)
    wanted = request.POST.get("person", "")
    if wanted == "new":
        return _ask_newcomer(request, session, text)
    if wanted:
        person: Person | None = get_object_or_404(Person, pk=read_id(wanted), club=session.tournament.club_id)
    else:
        matches = find_matches(session, text)
        matches = tuple(each for each in matches if each.person.licence == text.replace(" ", "")) or matches
        if request.POST.get("ask") and len(matches) > 1:
            return _answer(request, session, "several", matches=matches)
        person = next((match.person for match in matches if match.is_default), matches[0].person if matches else None)
    if person is None:
        return _ask_newcomer(request, session, text)
    is_chosen = bool(request.POST.get("chosen")) or (person.licence and person.licence == text.replace(" ", ""))
    namesakes = () if is_chosen else find_namesakes(session, person)
    if namesakes:
        return _answer(request, session, "namesakes", matches=namesakes)
    try:
        known = session.entrants.filter(person=person).exists()
        entrant = check_in(session=session, person=person, by=actor_of(request.user, session.tournament.club))
    except TournamentError as error:
        return _answer(request, session, "refused", sentence=refusal_sentence(error))
    return _answer(request, session, "known" if known else "done", entrant=entrant)


@login_required
@require_POST
def check_in_newcomer(request: HttpRequest, session_id: int) -> HttpResponse:
    """Add somebody the club does not know and write them down."""
    session = session_for(request, session_id, Role.CLERK)
    form = NewcomerForm(request.POST)
    if form.is_valid():
        typed = form.cleaned_data
        try:
            entrant = check_in_new(
                session=session,
                last_name=typed["last_name"],
                first_name=typed["first_name"],
                licence=typed["licence"],
                by=actor_of(request.user, session.tournament.club),
                is_apart=bool(request.POST.get("apart")),
            )
        except LicenceTakenError as error:
            form.add_error("licence", licence_sentence(error.holder))
        except SameNameError as error:
            return _answer(request, session, "namesakes", matches=show_people(session, error.people), newcomer=typed)
        except TournamentError as error:
            return _answer(request, session, "refused", sentence=refusal_sentence(error))
        else:
            return _answer(request, session, "done", entrant=entrant)
    return _ask_again(request, session, form)


@login_required
@require_POST
def undo(request: HttpRequest, session_id: int) -> HttpResponse:
    """Take a check-in back; one already taken back is no error."""
    session = session_for(request, session_id, Role.CLERK)
    entrant = Entrant.objects.filter(pk=read_id(request.POST.get("entrant", "")), session=session).first()
    if entrant is not None:
        entrant.session = session
        try:
            undo_check_in(entrant=entrant, by=actor_of(request.user, session.tournament.club))
        except TournamentError as error:
            return _answer(request, session, "refused", sentence=refusal_sentence(error), text=str(entrant.person))
    return _answer(request, session, "undone", entrant=entrant)


def _text(request: HttpRequest) -> str:
    return request.POST.get("q", "").strip()[:LONGEST_SEARCH]


def _card(request: HttpRequest) -> str:
    """Return the id of the card this request settles or becomes; a page without script has only one."""
    name = request.POST.get("card", "")
    return name if CARD.fullmatch(name) else "ask"


def _ask_newcomer(request: HttpRequest, session: Session, text: str) -> HttpResponse:
    last_name, first_name = split_name(text)
    if text == text.lower():
        last_name, first_name = last_name.upper(), first_name.title()
    return _ask_again(request, session, NewcomerForm(initial={"last_name": last_name, "first_name": first_name}))


def _ask_again(request: HttpRequest, session: Session, form: NewcomerForm) -> HttpResponse:
    form.auto_id = f"{_card(request)}-%s"  # several such cards may stand on the page
    return _answer(request, session, "new", form=form)


def _answer(request: HttpRequest, session: Session, kind: str, **said: object) -> HttpResponse:
    """Send the answer with the list as it is now; without htmx, the whole page."""
    session.refresh_from_db(fields=["state"])
    context = {
        "session": session,
        "step": "registration",
        "registration": registration(session),
        "kind": kind,
        "is_question": kind not in SETTLED,
        "card": _card(request),
        "text": _text(request),
        **said,
    }
    if request.headers.get("HX-Request"):
        return render(request, "tournaments/_registration_answer.html", context)
    if kind in SETTLED:
        return redirect("tournaments:registration", session.pk)
    return render(request, "tournaments/registration.html", context)
