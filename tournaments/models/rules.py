"""A scale of points as the database keeps it: one integer column per number of `scoring.RuleSet`."""

from django.db import models
from django.utils.translation import gettext_lazy as _


class Rules(models.Model):
    """A named scale. Row 1 is the FFT's; a row is frozen at the first donne scored with it."""

    name = models.CharField(_("name"), max_length=60, unique=True)
    frozen_at = models.DateTimeField(null=True, blank=True, editable=False)

    class Meta:
        verbose_name = _("scale")

    def __str__(self) -> str:
        return self.name
