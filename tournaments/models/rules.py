"""A scale of points as the database keeps it: one integer column per number of `scoring.RuleSet`."""

from dataclasses import fields

from django.db import models
from django.utils.translation import gettext_lazy as _

from scoring import FFT, RuleSet


class Rules(models.Model):
    """A named scale. Row 1 is the FFT's; a row is frozen at the first donne scored with it, and triggers hold that."""

    name = models.CharField(_("name"), max_length=60, unique=True)
    target_0_bouts = models.PositiveSmallIntegerField()
    target_1_bout = models.PositiveSmallIntegerField()
    target_2_bouts = models.PositiveSmallIntegerField()
    target_3_bouts = models.PositiveSmallIntegerField()
    base = models.PositiveSmallIntegerField()
    coefficient_prise = models.PositiveSmallIntegerField()
    coefficient_garde = models.PositiveSmallIntegerField()
    coefficient_garde_sans = models.PositiveSmallIntegerField()
    coefficient_garde_contre = models.PositiveSmallIntegerField()
    petit_au_bout = models.PositiveSmallIntegerField()
    poignee_simple = models.PositiveSmallIntegerField()
    poignee_double = models.PositiveSmallIntegerField()
    poignee_triple = models.PositiveSmallIntegerField()
    chelem_announced_made = models.PositiveSmallIntegerField()
    chelem_unannounced_made = models.PositiveSmallIntegerField()
    chelem_announced_failed = models.PositiveSmallIntegerField()
    chelem_defence = models.PositiveSmallIntegerField()
    trumps_3_simple = models.PositiveSmallIntegerField()
    trumps_3_double = models.PositiveSmallIntegerField()
    trumps_3_triple = models.PositiveSmallIntegerField()
    trumps_4_simple = models.PositiveSmallIntegerField()
    trumps_4_double = models.PositiveSmallIntegerField()
    trumps_4_triple = models.PositiveSmallIntegerField()
    trumps_5_simple = models.PositiveSmallIntegerField()
    trumps_5_double = models.PositiveSmallIntegerField()
    trumps_5_triple = models.PositiveSmallIntegerField()
    frozen_at = models.DateTimeField(null=True, blank=True, editable=False)

    class Meta:
        verbose_name = _("scale")

    def __str__(self) -> str:
        return self.name


def rule_set(row: Rules) -> RuleSet:
    """Return a row as the engine's value; the FFT's own object when the numbers are the FFT's."""
    found = RuleSet(**{field.name: getattr(row, field.name) for field in fields(RuleSet)})
    return FFT if found == FFT else found
