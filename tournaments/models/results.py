"""What was entered from paper: append-only rows, each version naming the one it replaces."""

from itertools import combinations
from typing import Self

from django.db import models
from django.db.models import F, Q
from django.utils.translation import gettext_lazy as _

from scoring import Camp, Chelem, Contract, PoigneeSize

from .evening import Entrant, Place, Round, Session, Table


class Kind(models.TextChoices):
    """What a version of a donne says of its slot."""

    COMPUTED = "COMPUTED", _("Computed from the entry")
    MARKS = "MARKS", _("Marks as written")
    CANCELLED = "CANCELLED", _("Cancelled, to be replayed")
    REMOVED = "REMOVED", _("Removed by the arbiter (slowness)")
    NOT_PLAYED = "NOT_PLAYED", _("Not played (time)")
    WITHDRAWN = "WITHDRAWN", _("Withdrawn")


SCORED = (Kind.COMPUTED, Kind.MARKS)
CLOSING = (Kind.COMPUTED, Kind.MARKS, Kind.REMOVED, Kind.NOT_PLAYED)
EMPTY = (Kind.CANCELLED, Kind.WITHDRAWN)  # the slot is open again; the next version fills it

# Who can have played a donne: three places or more, in the order of the sheet's columns.
PLAYED_BY = tuple("".join(group) for size in (3, 4, 5) for group in combinations(Place.values, size))
_CAMPS = tuple(camp.value for camp in Camp)
_SIZES = tuple(size.value for size in PoigneeSize)


class Reason(models.TextChoices):
    """Why a saved result was replaced; keys 1 to 4 at the desk, or free words."""

    TYPING = "TYPING", _("Typing slip")
    TABLE = "TABLE", _("Sheet corrected by the table")
    DECISION = "DECISION", _("Arbiter's decision")
    CLAIM = "CLAIM", _("Claim")
    OTHER = "OTHER", _("Other")


class VersionQuerySet(models.QuerySet["Donne"]):
    """Sets of versions with a domain name."""

    def current(self) -> Self:
        """Return the one version in force of each slot."""
        return self.filter(is_current=True)


class Donne(models.Model):
    """One version of one slot of a sheet. Rows are never changed or deleted; triggers hold that.

    `places` says who played, in the order N, S, E, O, C; `taker`, `partner` and `sitting_out` are places.
    At five with a called king, no partner means alone. Card points are half-points. `value` is what one
    defender owes. `by` is an actor's code (see `tournaments.services.actors`). Free words of a reason stand in the
    journal, where they can be erased.
    """

    table = models.ForeignKey(Table, on_delete=models.PROTECT, related_name="donnes")
    number = models.PositiveSmallIntegerField()
    version = models.PositiveSmallIntegerField()
    is_current = models.BooleanField(default=True)
    replaces = models.OneToOneField("self", null=True, blank=True, on_delete=models.PROTECT, related_name="replaced_by")
    kind = models.CharField(max_length=10, choices=Kind.choices)
    places = models.CharField(max_length=5, blank=True)
    sitting_out = models.CharField(max_length=1, choices=Place.choices, blank=True)
    taker = models.CharField(max_length=1, choices=Place.choices, blank=True)
    contract = models.CharField(max_length=12, blank=True)
    bouts = models.PositiveSmallIntegerField(null=True, blank=True)
    half_points = models.PositiveSmallIntegerField(null=True, blank=True)
    partner = models.CharField(max_length=1, choices=Place.choices, blank=True)
    petit_au_bout = models.CharField(max_length=8, blank=True)
    poignee1_size = models.CharField(max_length=8, blank=True)
    poignee1_camp = models.CharField(max_length=8, blank=True)
    poignee2_size = models.CharField(max_length=8, blank=True)
    poignee2_camp = models.CharField(max_length=8, blank=True)
    chelem = models.CharField(max_length=30, blank=True)
    value = models.IntegerField(null=True, blank=True)
    reason = models.CharField(max_length=10, choices=Reason.choices, blank=True)
    decision = models.CharField(max_length=40, blank=True)
    by = models.CharField(max_length=80)
    recorded_at = models.DateTimeField()
    digest = models.CharField(max_length=64)

    objects = VersionQuerySet.as_manager()

    class Meta:
        verbose_name = _("deal")
        constraints = [
            models.UniqueConstraint(
                fields=["table", "number", "version"], name="tournaments_donne_version_once_per_number"
            ),
            models.UniqueConstraint(
                fields=["table", "number"],
                condition=Q(is_current=True),
                name="tournaments_donne_one_current_per_number",
            ),
            models.CheckConstraint(condition=Q(kind__in=Kind.values), name="tournaments_donne_known_kind"),
            models.CheckConstraint(
                condition=Q(number__gte=1, number__lte=12, version__gte=1), name="tournaments_donne_number_and_version"
            ),
            models.CheckConstraint(
                condition=Q(version=1, replaces__isnull=True) | Q(version__gt=1, replaces__isnull=False),
                name="tournaments_donne_later_version_names_its_elder",
            ),
            models.CheckConstraint(
                condition=~Q(kind=Kind.COMPUTED)
                | Q(
                    bouts__isnull=False,
                    bouts__lte=3,
                    half_points__isnull=False,
                    half_points__lte=182,
                    value__isnull=False,
                    taker__gt="",
                    contract__gt="",
                ),
                name="tournaments_donne_computed_has_its_entry",
            ),
            models.CheckConstraint(
                condition=Q(kind=Kind.COMPUTED)
                | Q(
                    bouts__isnull=True,
                    half_points__isnull=True,
                    partner="",
                    petit_au_bout="",
                    poignee1_size="",
                    poignee1_camp="",
                    poignee2_size="",
                    poignee2_camp="",
                    chelem="",
                ),
                name="tournaments_donne_only_a_computed_one_has_details",
            ),
            models.CheckConstraint(
                condition=Q(kind__in=SCORED, places__in=PLAYED_BY)
                | Q(
                    ~Q(kind__in=SCORED),
                    places="",
                    sitting_out="",
                    taker="",
                    contract="",
                    value__isnull=True,
                    decision="",
                ),
                name="tournaments_donne_only_a_played_one_has_places",
            ),
            models.CheckConstraint(
                condition=Q(taker__in=("", *Place.values), sitting_out__in=("", *Place.values))
                & Q(partner__in=("", *Place.values))
                & (Q(partner="") | (Q(places="NSEOC") & ~Q(partner=F("taker")))),
                name="tournaments_donne_known_places",
            ),
            models.CheckConstraint(
                condition=Q(contract__in=("", *(contract.value for contract in Contract)))
                & Q(petit_au_bout__in=("", *_CAMPS))
                & Q(chelem__in=("", *(chelem.value for chelem in Chelem)))
                & Q(reason__in=("", *Reason.values)),
                name="tournaments_donne_known_codes",
            ),
            models.CheckConstraint(
                condition=(
                    Q(poignee1_size="", poignee1_camp="", poignee2_size="")
                    | Q(poignee1_size__in=_SIZES, poignee1_camp__in=_CAMPS)
                )
                & (Q(poignee2_size="", poignee2_camp="") | Q(poignee2_size__in=_SIZES, poignee2_camp__in=_CAMPS)),
                name="tournaments_donne_known_poignees",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.table} · {self.number} v{self.version}"


class Mark(models.Model):
    """What one seat marks in one version of a donne. `entrant` is copied so no later swap can move it."""

    donne = models.ForeignKey(Donne, on_delete=models.PROTECT, related_name="marks")
    place = models.CharField(max_length=1, choices=Place.choices)
    entrant = models.ForeignKey(Entrant, on_delete=models.PROTECT, related_name="marks")
    points = models.IntegerField()

    class Meta:
        verbose_name = _("mark")
        constraints = [
            models.UniqueConstraint(fields=["donne", "place"], name="tournaments_mark_one_per_place"),
            models.UniqueConstraint(fields=["donne", "entrant"], name="tournaments_mark_one_per_entrant"),
            models.CheckConstraint(condition=Q(place__in=Place.values), name="tournaments_mark_known_place"),
        ]

    def __str__(self) -> str:
        return f"{self.place} {self.points:+d}"


class Source(models.TextChoices):
    """Where typed bilans come from."""

    SHEET = "SHEET", _("Score sheet")
    CARDS = "CARDS", _("Personal cards")
    DECISION = "DECISION", _("Arbiter's decision")


class SheetNet(models.Model):
    """The bilan of one seat of a sheet, as written on the paper; one version covers all seats of the table."""

    table = models.ForeignKey(Table, on_delete=models.PROTECT, related_name="nets")
    place = models.CharField(max_length=1, choices=Place.choices)
    entrant = models.ForeignKey(Entrant, on_delete=models.PROTECT, related_name="nets")
    positive = models.PositiveIntegerField(null=True, blank=True)
    negative = models.PositiveIntegerField(null=True, blank=True)
    net = models.IntegerField()
    source = models.CharField(max_length=8, choices=Source.choices)
    version = models.PositiveSmallIntegerField()
    is_current = models.BooleanField(default=True)
    reason = models.CharField(max_length=10, choices=Reason.choices, blank=True)
    by = models.CharField(max_length=80)
    recorded_at = models.DateTimeField()
    digest = models.CharField(max_length=64)

    class Meta:
        verbose_name = _("net")
        constraints = [
            models.UniqueConstraint(
                fields=["table", "place", "version"], name="tournaments_net_version_once_per_place"
            ),
            models.UniqueConstraint(
                fields=["table", "place"], condition=Q(is_current=True), name="tournaments_net_one_current_per_place"
            ),
            models.UniqueConstraint(fields=["table", "entrant", "version"], name="tournaments_net_one_per_entrant"),
            models.CheckConstraint(condition=Q(place__in=Place.values), name="tournaments_net_known_place"),
            models.CheckConstraint(condition=Q(source__in=Source.values), name="tournaments_net_known_source"),
            models.CheckConstraint(
                condition=Q(positive__isnull=True) | Q(negative__isnull=True) | Q(net=F("positive") - F("negative")),
                name="tournaments_net_is_positive_less_negative",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.table} {self.place} {self.net:+d}"


class SheetDraft(models.Model):
    """A sheet that does not balance, put aside as typed ("à vérifier"); it is in no ranking."""

    table = models.ForeignKey(Table, on_delete=models.PROTECT, related_name="drafts")
    rows = models.JSONField()
    note = models.CharField(max_length=200, blank=True)
    by = models.CharField(max_length=80)
    at = models.DateTimeField()
    settled_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        verbose_name = _("sheet to be checked")
        verbose_name_plural = _("sheets to be checked")
        constraints = [
            models.UniqueConstraint(
                fields=["table"], condition=Q(settled_at__isnull=True), name="tournaments_draft_one_open_per_table"
            ),
        ]

    def __str__(self) -> str:
        return str(self.table)


class Penalty(models.Model):
    """Points taken from one entrant, given to nobody: outside every zero sum. 0 points is a warning."""

    session = models.ForeignKey(Session, on_delete=models.PROTECT, related_name="penalties")
    entrant = models.ForeignKey(Entrant, on_delete=models.PROTECT, related_name="penalties")
    round = models.ForeignKey(Round, null=True, blank=True, on_delete=models.PROTECT, related_name="penalties")
    points = models.IntegerField()
    code = models.CharField(max_length=40)
    reason = models.CharField(max_length=200, blank=True)
    by = models.CharField(max_length=80)
    at = models.DateTimeField()
    withdraws = models.OneToOneField(
        "self", null=True, blank=True, on_delete=models.PROTECT, related_name="withdrawn_by"
    )

    class Meta:
        verbose_name = _("penalty")
        verbose_name_plural = _("penalties")
        constraints = [
            models.CheckConstraint(condition=Q(points__lte=0), name="tournaments_penalty_never_gives_points"),
        ]

    def __str__(self) -> str:
        return f"{self.entrant} {self.points}"
