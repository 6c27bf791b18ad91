"""People, clubs and who may do what: the rows every other application points at."""

from datetime import date
from typing import Self
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from django.contrib.auth.models import AbstractUser
from django.core.exceptions import ValidationError
from django.db import models
from django.db.models import Q
from django.utils import timezone
from django.utils.translation import gettext_lazy as _


def check_timezone(name: str) -> None:
    """Refuse a time zone this machine does not know: every page that shows a time would fail.

    Raises:
        ValidationError: it is none.
    """
    try:
        ZoneInfo(name)
    except (ZoneInfoNotFoundError, ValueError, OSError) as error:
        raise ValidationError(_("This time zone is not known. Write it like Europe/Paris.")) from error


class User(AbstractUser):
    """Somebody who logs in. A player needs no account."""

    username = models.CharField(
        _("user name"),
        max_length=150,
        unique=True,
        validators=[AbstractUser.username_validator],
        error_messages={"unique": _("This user name is taken. Choose another.")},
    )


class Display(models.TextChoices):
    """How much of a person's name the public sees."""

    FULL = "FULL", _("Full name")
    SHORT = "SHORT", _("First name and initial")
    PSEUDONYM = "PSEUDONYM", _("Pseudonym")
    HIDDEN = "HIDDEN", _("Hidden")


class Role(models.TextChoices):
    """A right in a club; each one includes those after it."""

    ADMIN = "ADMIN", _("Organiser")
    ARBITER = "ARBITER", _("Arbiter")
    CLERK = "CLERK", _("Entry clerk")


class Club(models.Model):
    """A club: the wall between one set of people and results and another."""

    name = models.CharField(_("name"), max_length=120)
    slug = models.SlugField(unique=True, max_length=60)
    timezone = models.CharField(_("time zone"), max_length=64, default="Europe/Paris", validators=[check_timezone])
    display_default = models.CharField(max_length=10, choices=Display.choices, default=Display.FULL)

    class Meta:
        verbose_name = _("club")
        verbose_name_plural = _("clubs")

    def __str__(self) -> str:
        return self.name

    def today(self) -> date:
        """Return the date where the club is."""
        return timezone.localdate(timezone=ZoneInfo(self.timezone))


class Membership(models.Model):
    """A user's role in a club."""

    user = models.ForeignKey(User, on_delete=models.CASCADE, related_name="memberships")
    club = models.ForeignKey(Club, on_delete=models.CASCADE, related_name="memberships")
    role = models.CharField(_("role"), max_length=10, choices=Role.choices)

    class Meta:
        verbose_name = _("membership")
        verbose_name_plural = _("memberships")
        constraints = [
            models.UniqueConstraint(fields=["user", "club", "role"], name="players_membership_unique"),
            models.CheckConstraint(condition=Q(role__in=Role.values), name="players_membership_known_role"),
        ]

    def __str__(self) -> str:
        return f"{self.user} · {self.get_role_display()} · {self.club}"


class PersonQuerySet(models.QuerySet["Person"]):
    """Sets of people with a domain name."""

    def active(self) -> Self:
        """Return those not archived."""
        return self.filter(archived_at__isnull=True)

    def matching(self, folded_words: list[str]) -> Self:
        """Return those whose search key holds every word; words must come from `players.names.fold`."""
        people = self
        for word in folded_words:
            people = people.filter(search_key__contains=word)
        return people


class Person(models.Model):
    """A player as one club knows them. The same human in two clubs is two rows."""

    club = models.ForeignKey(Club, on_delete=models.PROTECT, related_name="people")
    first_name = models.CharField(_("first name"), max_length=60, blank=True)
    last_name = models.CharField(_("last name"), max_length=60)
    pseudonym = models.CharField(_("pseudonym"), max_length=60, blank=True)
    search_key = models.CharField(max_length=200, editable=False)
    licence = models.CharField(_("FFT number"), max_length=20, blank=True)
    series = models.CharField(_("series"), max_length=30, blank=True)
    is_minor = models.BooleanField(_("under 18"), default=False)
    display = models.CharField(_("name shown to the public"), max_length=10, choices=Display.choices)
    informed_on = models.DateField(_("informed on"), null=True, blank=True)
    archived_at = models.DateTimeField(null=True, blank=True)
    user = models.ForeignKey(User, null=True, blank=True, on_delete=models.SET_NULL, related_name="people")

    objects = PersonQuerySet.as_manager()

    class Meta:
        verbose_name = _("person")
        verbose_name_plural = _("people")
        ordering = ["last_name", "first_name", "pk"]
        constraints = [
            models.UniqueConstraint(
                fields=["club", "licence"], condition=~Q(licence=""), name="players_person_licence_once_per_club"
            ),
            models.CheckConstraint(condition=Q(display__in=Display.values), name="players_person_known_display"),
        ]
        indexes = [models.Index(fields=["club", "search_key"], name="players_person_search")]

    def __str__(self) -> str:
        return f"{self.last_name} {self.first_name}".strip()
