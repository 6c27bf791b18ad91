"""Writes about clubs and people: installing the first club, adding, changing, archiving and forgetting people."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime

from django.db import IntegrityError, transaction
from django.db.models import ProtectedError
from django.utils import timezone
from django.utils.text import slugify

from . import demonstration, first_code
from .models import Club, Display, Membership, Person, Role, User
from .names import search_key_of
from .pasting import LineVerdict, PastedLine, Verdict, judge
from .selectors import find_namesakes


class WrongCodeError(Exception):
    """The one-time code is not the right one."""


class AlreadyInstalledError(Exception):
    """A club exists already; the code has served."""


class LicenceTakenError(Exception):
    """Somebody of the club bears this FFT number already."""

    def __init__(self, holder: Person) -> None:
        super().__init__()
        self.holder = holder


class PersonKeptError(Exception):
    """Somebody who was in an evening is never deleted."""


class SameNameError(Exception):
    """Somebody of the club bears this name already: is it the same human or another?"""

    def __init__(self, people: tuple[Person, ...]) -> None:
        super().__init__()
        self.people = people


@dataclass(frozen=True, slots=True, kw_only=True)
class PersonDetails:
    """What is known of somebody; a minor's whole name is never shown, so FULL becomes SHORT."""

    last_name: str
    first_name: str = ""
    licence: str = ""
    pseudonym: str = ""
    is_minor: bool = False
    display: Display = Display.FULL

    @property
    def safe_display(self) -> Display:
        """The display that will be kept."""
        return Display.SHORT if self.is_minor and self.display == Display.FULL else self.display


def is_installed() -> bool:
    """Say whether a real club exists; the demonstration is none."""
    return Club.objects.exclude(slug=demonstration.SLUG).exists()


def install_club(*, code: str, club_name: str, username: str, password: str) -> User:
    """Create the first club and its administrator, who may also make other accounts.

    Raises:
        AlreadyInstalledError: somebody was faster, or it was done long ago.
        WrongCodeError: the code is not the one kept beside the data.
    """
    if is_installed():
        raise AlreadyInstalledError
    if not first_code.is_code(code):
        raise WrongCodeError
    if not first_code.claim_code():
        raise AlreadyInstalledError
    try:
        with transaction.atomic():
            club = Club.objects.create(name=club_name, slug=_free_slug(club_name))
            user = User.objects.create_superuser(username=username, password=password)
            Membership.objects.create(user=user, club=club, role=Role.ADMIN)
    except BaseException:
        first_code.give_code_back()
        raise
    first_code.discard_code()
    return user


def _free_slug(name: str) -> str:
    wanted = slugify(name)[:50] or "club"
    taken = set(Club.objects.filter(slug__startswith=wanted).values_list("slug", flat=True)) | {demonstration.SLUG}
    return next(slug for slug in [wanted, *(f"{wanted}-{n}" for n in range(2, len(taken) + 3))] if slug not in taken)


@transaction.atomic
def add_person(*, club: Club, details: PersonDetails) -> Person:
    """Add somebody to the club's people.

    Raises:
        LicenceTakenError: the FFT number is somebody else's; carries them.
    """
    person = Person(club=club, **_columns(details))
    _save(person)
    return person


@transaction.atomic
def add_newcomer(*, club: Club, details: PersonDetails) -> Person:
    """Add somebody to the club's people unless somebody bears that name; two at once with one name are asked about.

    Raises:
        SameNameError: carries everybody of that name.
        LicenceTakenError: the FFT number is somebody else's; carries them.
    """
    hold_club(club)
    namesakes = find_namesakes(club, f"{details.last_name} {details.first_name}")
    if namesakes:
        raise SameNameError(namesakes)
    return add_person(club=club, details=details)


@transaction.atomic
def edit_person(*, person: Person, details: PersonDetails) -> Person:
    """Change what is known of somebody; their results stay theirs.

    Raises:
        LicenceTakenError: the FFT number is somebody else's; carries them.
    """
    columns = _columns(details)
    for column, value in columns.items():
        setattr(person, column, value)
    _save(person, update_fields=list(columns))
    return person


def archive_person(*, person: Person) -> Person:
    """Put somebody out of the lists and searches; their results stay."""
    return _set_archived(person, timezone.now())


def unarchive_person(*, person: Person) -> Person:
    """Bring somebody back into the lists."""
    return _set_archived(person, None)


def delete_person(*, person: Person) -> None:
    """Forget somebody who was added by mistake; whoever was in an evening is archived instead.

    Raises:
        PersonKeptError: something points at them, also when it began to in the same moment.
    """
    try:
        with transaction.atomic():
            person.delete()
    except (ProtectedError, IntegrityError):
        raise PersonKeptError from None


@dataclass(frozen=True, slots=True, kw_only=True)
class Pasted:
    """What came of a pasted list: a verdict a line, and how many people were added; None when nothing was written."""

    verdicts: tuple[LineVerdict, ...]
    added: int | None


@transaction.atomic
def add_pasted(*, club: Club, lines: Sequence[PastedLine], choices: Mapping[int, str]) -> Pasted:
    """Add the new people of a pasted list and give their FFT number to those recognised, once all is decided.

    The lines are judged again while the club's list is held, so that the same list sent twice at once is added once.

    Raises:
        LicenceTakenError: an FFT number was somebody else's in the same moment; nothing was written.
    """
    hold_club(club)
    verdicts = judge(club, lines, choices)
    if any(verdict.is_waiting or verdict.verdict == Verdict.ERROR for verdict in verdicts):
        return Pasted(verdicts=verdicts, added=None)
    new = [v.line for v in verdicts if v.verdict == Verdict.NEW or v.choice == "new"]
    recognised = {int(v.choice): v.line.licence for v in verdicts if v.choice.isdecimal() and v.line.licence}
    display = Display(club.display_default)
    added = [
        PersonDetails(last_name=line.last_name, first_name=line.first_name, licence=line.licence, display=display)
        for line in new
    ]
    try:
        with transaction.atomic():
            Person.objects.bulk_create(Person(club=club, **_columns(details)) for details in added)
            for person in Person.objects.filter(club=club, pk__in=recognised, licence=""):
                _give_licence(person, recognised[person.pk])
    except IntegrityError:
        wanted = [line.licence for line in new if line.licence] + list(recognised.values())
        holder = Person.objects.filter(club=club, licence__in=wanted).first()
        if holder is None:
            raise
        raise LicenceTakenError(holder) from None
    return Pasted(verdicts=verdicts, added=len(new))


def _give_licence(person: Person, licence: str) -> None:
    person.licence = licence
    person.search_key = search_key_of(
        last_name=person.last_name, first_name=person.first_name, licence=licence, pseudonym=person.pseudonym
    )
    person.save(update_fields=["licence", "search_key"])


def hold_club(club: Club) -> None:
    """Hold a club's people and accounts against others who change them in the same way, until the transaction ends."""
    _ = Club.objects.select_for_update(no_key=True).values_list("pk").get(pk=club.pk)


def _set_archived(person: Person, at: datetime | None) -> Person:
    person.archived_at = at
    person.save(update_fields=["archived_at"])
    return person


def _save(person: Person, *, update_fields: list[str] | None = None) -> None:
    """Save, or say whose the FFT number is, also when somebody took it in the same moment."""
    try:
        with transaction.atomic():
            person.save(update_fields=update_fields)
    except IntegrityError:
        holder = Person.objects.filter(club=person.club_id, licence=person.licence).exclude(pk=person.pk).first()
        if holder is None:
            raise
        raise LicenceTakenError(holder) from None


def _columns(details: PersonDetails) -> dict[str, str | bool]:
    return {
        "last_name": details.last_name,
        "first_name": details.first_name,
        "licence": details.licence,
        "pseudonym": details.pseudonym,
        "is_minor": details.is_minor,
        "display": details.safe_display,
        "search_key": search_key_of(
            last_name=details.last_name,
            first_name=details.first_name,
            licence=details.licence,
            pseudonym=details.pseudonym,
        ),
    }
