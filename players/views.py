"""Pages of the first installation, of accounts and of the club's people; each calls one service."""

from django.contrib import messages
from django.contrib.auth import login
from django.contrib.auth.decorators import login_required
from django.contrib.auth.views import PasswordChangeView
from django.db import IntegrityError
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse_lazy
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.cache import never_cache
from django.views.decorators.debug import sensitive_post_parameters
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from .access import require_club, require_role
from .accounts import (
    Account,
    AccountCode,
    AccountError,
    accounts_of,
    add_account,
    edit_account,
    give_password,
    is_own_alone,
)
from .demonstration import load_demonstration_club
from .forms import WRONG_CODE, AccountForm, InstallForm, NewAccountForm, PasswordForm, PasteForm, PersonForm, read_id
from .models import Club, Membership, Person, Role, User
from .pasting import LineVerdict, Verdict, judge, read_lines
from .selectors import PAGE_SIZE, people_page, was_in_an_evening
from .services import (
    AlreadyInstalledError,
    LicenceTakenError,
    PersonKeptError,
    SameNameError,
    WrongCodeError,
    add_newcomer,
    add_pasted,
    add_person,
    archive_person,
    delete_person,
    edit_person,
    install_club,
    is_installed,
    unarchive_person,
)

ACCOUNT_SENTENCES = {
    AccountCode.OWN_RIGHTS: gettext_lazy(
        "You cannot take your own rights away or shut your own account. Ask another organiser to do it."
    ),
    AccountCode.HELD_ELSEWHERE: gettext_lazy(
        "This account opens more than this club. Its holder changes the password; whoever keeps this computer can too."
    ),
}
MODEL_BACKEND = "django.contrib.auth.backends.ModelBackend"


@never_cache
@sensitive_post_parameters("password", "password_again", "code")
@require_http_methods(["GET", "HEAD", "POST"])
def install(request: HttpRequest) -> HttpResponse:
    """Create the first club and log its administrator in, or offer the demonstration."""
    if is_installed():
        return redirect("tournaments:home")
    form = InstallForm(request.POST if request.method == "POST" else None)
    if request.method == "POST" and form.is_valid():
        user = _install(request, form)
        if user is not None:
            login(request, user, backend=MODEL_BACKEND)
            return redirect("tournaments:home")
    return render(request, "players/install.html", {"form": form}, status=400 if form.errors else 200)


def _install(request: HttpRequest, form: InstallForm) -> User | None:
    typed = form.cleaned_data
    try:
        return install_club(
            code=typed["code"],
            club_name=typed["club_name"],
            username=typed["username"],
            password=typed["password"],
        )
    except WrongCodeError:
        form.add_error("code", WRONG_CODE)
    except AlreadyInstalledError:
        form.add_error(None, _("A club was created a moment ago on this computer. Log in instead."))
    return None


@require_POST
def demo(request: HttpRequest) -> HttpResponse:
    """Load the demonstration and look at it as its organiser; only while there is no club."""
    if is_installed():
        raise Http404
    club = load_demonstration_club()
    organiser = get_object_or_404(Membership.objects.select_related("user"), club=club, role=Role.ADMIN)
    login(request, organiser.user, backend=MODEL_BACKEND)
    return redirect("tournaments:home")


class PasswordView(PasswordChangeView):
    """Change one's own password."""

    template_name = "registration/password.html"
    success_url = reverse_lazy("tournaments:home")

    def form_valid(self, form: object) -> HttpResponse:
        """Save it and say so."""
        messages.success(self.request, _("Your password is changed."))
        return super().form_valid(form)  # type: ignore[arg-type]  # the base class's own form


@login_required
@require_safe
def people(request: HttpRequest) -> HttpResponse:
    """List and search the club's people; htmx swaps the list alone."""
    club = require_club(request, Role.CLERK)
    text = request.GET.get("q", "")[:100]
    archived = request.GET.get("archives") == "1"
    page = people_page(club, text=text, number=read_id(request.GET.get("page", "")), archived=archived)
    context = {"page": page, "text": text, "archived": archived, "menu": "people", "page_size": PAGE_SIZE}
    part = request.headers.get("HX-Target") == "people-list"
    return render(request, "players/_people.html" if part else "players/people.html", context)


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def new_person(request: HttpRequest) -> HttpResponse:
    """Add somebody to the club; a name somebody bears already is asked about once."""
    club = require_club(request, Role.ADMIN)
    form = PersonForm(request.POST if request.method == "POST" else None, initial={"display": club.display_default})
    namesakes: tuple[Person, ...] = ()
    if request.method == "POST" and form.is_valid():
        add = add_person if "apart" in request.POST else add_newcomer
        try:
            person = add(club=club, details=form.details())
        except LicenceTakenError as error:
            form.add_error("licence", licence_sentence(error.holder))
        except SameNameError as error:
            namesakes = error.people
        else:
            messages.success(request, _("%(name)s is added.") % {"name": person})
            return redirect("players:add_person" if "again" in request.POST else "players:people")
    context = {"form": form, "menu": "people", "namesakes": namesakes, "again": "again" in request.POST}
    return render(request, "players/person.html", context, status=400 if form.errors else 200)


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def person(request: HttpRequest, person_id: int) -> HttpResponse:
    """Change what is known of somebody."""
    found = _person_for(request, person_id)
    form = PersonForm(request.POST if request.method == "POST" else None, initial=PersonForm.initial_of(found))
    if request.method == "POST" and form.is_valid():
        try:
            edit_person(person=found, details=form.details())
        except LicenceTakenError as error:
            form.add_error("licence", licence_sentence(error.holder))
        else:
            messages.success(request, _("%(name)s is saved.") % {"name": found})
            return redirect("players:people")
    context = {"form": form, "person": found, "menu": "people", "may_delete": not was_in_an_evening(found)}
    return render(request, "players/person.html", context, status=400 if form.errors else 200)


@login_required
@require_POST
def archive(request: HttpRequest, person_id: int) -> HttpResponse:
    """Put somebody out of the lists, or bring them back; the results stay in both cases."""
    found = _person_for(request, person_id)
    if "back" in request.POST:
        unarchive_person(person=found)
        messages.success(request, _("%(name)s is back in the lists.") % {"name": found})
    else:
        archive_person(person=found)
        messages.success(request, _("%(name)s is archived. All results are kept.") % {"name": found})
    return redirect("players:people")


@login_required
@require_POST
def delete(request: HttpRequest, person_id: int) -> HttpResponse:
    """Forget somebody who was never in an evening."""
    found = _person_for(request, person_id)
    name = str(found)
    try:
        delete_person(person=found)
    except PersonKeptError:
        messages.error(
            request, _("%(name)s has been in an evening and stays. Archiving keeps all results.") % {"name": name}
        )
        return redirect("players:person", person_id)
    messages.success(request, _("%(name)s is deleted.") % {"name": name})
    return redirect("players:people")


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def paste_people(request: HttpRequest) -> HttpResponse:
    """Read pasted lines, give a verdict on each, and add people only once all is decided."""
    club = require_club(request, Role.ADMIN)
    form = PasteForm(request.POST if request.method == "POST" else None)
    verdicts: tuple[LineVerdict, ...] = ()
    if request.method == "POST" and form.is_valid():
        lines = read_lines(form.cleaned_data["text"])
        choices = {line.number: request.POST.get(f"line-{line.number}", "") for line in lines}
        if not lines or "confirm" not in request.POST:
            verdicts = judge(club, lines, choices)
        else:
            try:
                pasted = add_pasted(club=club, lines=lines, choices=choices)
            except LicenceTakenError:
                verdicts = judge(club, lines, choices)
            else:
                if pasted.added is not None:
                    messages.success(request, _("People added: %(number)d.") % {"number": pasted.added})
                    return redirect("players:people")
                verdicts = pasted.verdicts
    context = {
        "form": form,
        "verdicts": verdicts,
        "menu": "people",
        "confirmed": "confirm" in request.POST,
        "new": sum(verdict.verdict == Verdict.NEW for verdict in verdicts),
        "known": sum(verdict.verdict == Verdict.KNOWN for verdict in verdicts),
        "guessed": sum(verdict.is_guess for verdict in verdicts),
        "same": sum(verdict.verdict == Verdict.SAME_NAME for verdict in verdicts),
        "errors": sum(verdict.verdict == Verdict.ERROR for verdict in verdicts),
    }
    return render(request, "players/paste.html", context, status=400 if form.errors else 200)


@login_required
@require_safe
def accounts(request: HttpRequest) -> HttpResponse:
    """List who may log in."""
    club = require_club(request, Role.ADMIN)
    return render(request, "players/accounts.html", {"accounts": accounts_of(club), "menu": "accounts"})


@login_required
@sensitive_post_parameters("password", "password_again")
@require_http_methods(["GET", "HEAD", "POST"])
def new_account(request: HttpRequest) -> HttpResponse:
    """Make an account for somebody else."""
    club = require_club(request, Role.ADMIN)
    form = NewAccountForm(request.POST if request.method == "POST" else None)
    if request.method == "POST" and form.is_valid():
        typed = form.cleaned_data
        try:
            add_account(
                club=club,
                username=typed["username"],
                name=typed["name"],
                password=typed["password"],
                role=Role(typed["role"]),
            )
        except IntegrityError:
            form.add_error("username", _("This user name is taken. Choose another."))
        else:
            messages.success(request, _("%(name)s can log in now.") % {"name": typed["name"]})
            return redirect("players:accounts")
    context = {"form": form, "menu": "accounts"}
    return render(request, "players/new_account.html", context, status=400 if form.errors else 200)


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def account(request: HttpRequest, user_id: int) -> HttpResponse:
    """Change the name, the role and the use of an account."""
    club, found = _account_for(request, user_id)
    form = AccountForm(request.POST if request.method == "POST" else None, initial=AccountForm.initial_of(found))
    if request.method == "POST" and form.is_valid():
        typed = form.cleaned_data
        try:
            edit_account(
                user=found.user,
                club=club,
                name=typed["name"],
                role=Role(typed["role"]),
                is_active=typed["is_active"],
                by=request.user.pk or 0,
            )
        except AccountError as error:
            form.add_error(None, ACCOUNT_SENTENCES[error.code])
        else:
            messages.success(request, _("%(name)s is saved.") % {"name": typed["name"]})
            return redirect("players:accounts")
    return _account_page(request, club, found, form=form)


@login_required
@sensitive_post_parameters("password", "password_again")
@require_POST
def account_password(request: HttpRequest, user_id: int) -> HttpResponse:
    """Give somebody who forgot theirs a new password."""
    club, found = _account_for(request, user_id)
    form = PasswordForm(request.POST, user=found.user)
    if form.is_valid():
        try:
            give_password(user=found.user, club=club, password=form.cleaned_data["password"], by=request.user.pk or 0)
        except AccountError as error:
            form.add_error(None, ACCOUNT_SENTENCES[error.code])
        else:
            messages.success(request, _("%(name)s has a new password. Tell it to them.") % {"name": found.name})
            return redirect("players:accounts")
    return _account_page(request, club, found, password_form=form)


def _account_page(
    request: HttpRequest,
    club: Club,
    found: Account,
    *,
    form: AccountForm | None = None,
    password_form: PasswordForm | None = None,
) -> HttpResponse:
    context = {
        "account": found,
        "is_own": found.user.pk == request.user.pk,
        "is_own_alone": is_own_alone(found.user, club),
        "form": form or AccountForm(initial=AccountForm.initial_of(found)),
        "password_form": password_form or PasswordForm(),
        "menu": "accounts",
    }
    wrong = (form and form.errors) or (password_form and password_form.errors)
    return render(request, "players/account.html", context, status=400 if wrong else 200)


def _account_for(request: HttpRequest, user_id: int) -> tuple[Club, Account]:
    club = require_club(request, Role.ADMIN)
    found = next((account for account in accounts_of(club) if account.user.pk == user_id), None)
    if found is None:
        raise Http404
    return club, found


def licence_sentence(holder: Person) -> str:
    """Say whose an FFT number is."""
    if holder.archived_at is not None:
        return _("FFT number already registered: %(name)s, archived.") % {"name": holder}
    return _("FFT number already registered: %(name)s.") % {"name": holder}


def _person_for(request: HttpRequest, person_id: int) -> Person:
    found = get_object_or_404(Person.objects.select_related("club"), pk=person_id)
    require_role(request.user, found.club, Role.ADMIN)
    return found
