"""Writes about clubs and people: installing the first club, adding, changing and archiving people."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from django.db import IntegrityError, transaction
from django.utils import timezone
from django.utils.text import slugify

from . import demonstration, first_code
from .models import Club, Display, Membership, Person, Role, User
from .names import search_key_of


class WrongCodeError(Exception):
    """The one-time code is not the right one."""


class AlreadyInstalledError(Exception):
    """A club exists already; the code has served."""


class LicenceTakenError(Exception):
    """Somebody of the club bears this FFT number already."""

    def __init__(self, holder: Person) -> None:
        super().__init__()
        self.holder = holder


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
def edit_person(*, person: Person, details: PersonDetails) -> Person:
    """Change what is known of somebody; their results stay theirs.

    Raises:
        LicenceTakenError: the FFT number is somebody else's; carries them.
    """
    for column, value in _columns(details).items():
        setattr(person, column, value)
    _save(person)
    return person


def archive_person(*, person: Person) -> Person:
    """Put somebody out of the lists and searches; nobody is ever deleted."""
    return _set_archived(person, timezone.now())


def unarchive_person(*, person: Person) -> Person:
    """Bring somebody back into the lists."""
    return _set_archived(person, None)


@transaction.atomic
def add_people(*, club: Club, people: Sequence[PersonDetails], licences: Sequence[tuple[Person, str]] = ()) -> int:
    """Add many at once and give FFT numbers to some already known, or nothing at all; return how many were added.

    Raises:
        LicenceTakenError: an FFT number is somebody else's; carries them.
    """
    wanted = [details.licence for details in people if details.licence] + [licence for _, licence in licences]
    holder = Person.objects.filter(club=club, licence__in=wanted).first()
    if holder is not None:
        raise LicenceTakenError(holder)
    Person.objects.bulk_create(Person(club=club, **_columns(details)) for details in people)
    for person, licence in licences:
        person.licence = licence
        person.search_key = search_key_of(
            last_name=person.last_name, first_name=person.first_name, licence=licence, pseudonym=person.pseudonym
        )
        person.save(update_fields=["licence", "search_key"])
    return len(people)


def _set_archived(person: Person, at: datetime | None) -> Person:
    person.archived_at = at
    person.save(update_fields=["archived_at"])
    return person


def _save(person: Person) -> None:
    """Save, or say whose the FFT number is, also when somebody took it in the same moment."""
    try:
        with transaction.atomic():
            person.save()
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
