"""Background work as rows: the row is the truth, a queue only wakes somebody up."""

from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _


class JobState(models.TextChoices):
    """Where a job stands, in words a user reads."""

    QUEUED = "QUEUED", _("Waiting")
    RUNNING = "RUNNING", _("Working")
    DONE = "DONE", _("Ready")
    FAILED = "FAILED", _("Failed")
    CANCELLED = "CANCELLED", _("Cancelled")


class Job(models.Model):
    """One piece of work: its kind names a function in the registry, `params` are ids and codes only."""

    kind = models.CharField(max_length=40)
    club = models.ForeignKey("players.Club", on_delete=models.CASCADE, related_name="jobs")
    by = models.CharField(max_length=80)
    params = models.JSONField(default=dict)
    state = models.CharField(max_length=10, choices=JobState.choices, default=JobState.QUEUED)
    done = models.PositiveIntegerField(default=0)
    total = models.PositiveIntegerField(default=0)
    attempts = models.PositiveSmallIntegerField(default=0)
    heartbeat_at = models.DateTimeField(null=True, blank=True)
    error_code = models.CharField(max_length=60, blank=True)
    file = models.CharField(max_length=200, blank=True)
    key = models.CharField(max_length=120, null=True, blank=True, unique=True)
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        verbose_name = _("job")
        verbose_name_plural = _("jobs")
        indexes = [
            models.Index(fields=["created_at"], condition=Q(state__in=("QUEUED", "RUNNING")), name="jobs_job_waiting"),
        ]
        constraints = [
            models.CheckConstraint(condition=Q(state__in=JobState.values), name="jobs_job_known_state"),
            models.CheckConstraint(condition=Q(attempts__lte=3), name="jobs_job_at_most_three_attempts"),
        ]

    def __str__(self) -> str:
        return f"{self.kind} {self.pk}"
