"""The journal, the keys of repeated requests and the copy of the standings."""

from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _

from .evening import Session, Table


class Event(models.Model):
    """One line of a table's or a session's journal, chained by digest to the one before.

    `refs` holds ids, codes and numbers only. Free words stand in `text`, which may be erased; their digest stays.
    """

    table = models.ForeignKey(Table, null=True, blank=True, on_delete=models.PROTECT, related_name="events")
    session = models.ForeignKey(Session, null=True, blank=True, on_delete=models.PROTECT, related_name="events")
    seq = models.PositiveIntegerField()
    code = models.CharField(max_length=40)
    refs = models.JSONField(default=dict)
    by = models.CharField(max_length=80)
    via = models.CharField(max_length=20, blank=True)
    at = models.DateTimeField()
    text_digest = models.CharField(max_length=64, blank=True)
    text = models.TextField(blank=True)
    previous = models.CharField(max_length=64, blank=True)
    digest = models.CharField(max_length=64)

    class Meta:
        verbose_name = _("event")
        verbose_name_plural = _("events")
        constraints = [
            models.UniqueConstraint(fields=["table", "seq"], name="tournaments_event_seq_once_per_table"),
            models.UniqueConstraint(fields=["session", "seq"], name="tournaments_event_seq_once_per_session"),
            models.CheckConstraint(
                condition=Q(table__isnull=True, session__isnull=False) | Q(table__isnull=False, session__isnull=True),
                name="tournaments_event_of_a_table_or_a_session",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.code} {self.seq}"


class IdempotencyKey(models.Model):
    """The stored answer of one request, so that a second sending gets the same and writes nothing."""

    actor = models.CharField(max_length=80)
    key = models.UUIDField()
    fingerprint = models.CharField(max_length=64)
    status = models.PositiveSmallIntegerField()
    body = models.TextField()
    at = models.DateTimeField()

    class Meta:
        verbose_name = _("request key")
        verbose_name_plural = _("request keys")
        constraints = [models.UniqueConstraint(fields=["actor", "key"], name="tournaments_key_once_per_actor")]
        indexes = [models.Index(fields=["at"], name="tournaments_key_at")]

    def __str__(self) -> str:
        return f"{self.actor} {self.key}"


class Stale(models.Model):
    """A note left by each write: the session's standing no longer tells the whole truth."""

    session = models.ForeignKey(Session, on_delete=models.CASCADE, related_name="stale")

    class Meta:
        verbose_name = _("stale standing")
        verbose_name_plural = _("stale standings")

    def __str__(self) -> str:
        return str(self.session)


class Standing(models.Model):
    """The last computed ranking of a session, for readers who may see it a second late."""

    session = models.OneToOneField(Session, on_delete=models.CASCADE, related_name="standing")
    version = models.PositiveIntegerField(default=0)
    built_at = models.DateTimeField(null=True, blank=True)
    claimed_until = models.DateTimeField(null=True, blank=True)
    rows = models.JSONField(default=list)

    class Meta:
        verbose_name = _("standing")

    def __str__(self) -> str:
        return f"{self.session} v{self.version}"
