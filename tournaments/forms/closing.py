"""What reopening a final session asks for."""

from django import forms
from django.utils.translation import gettext_lazy as _


class ReopenForm(forms.Form):
    """A reason in words; without one nothing is reopened."""

    reason = forms.CharField(
        label=_("Reason"),
        max_length=200,
        help_text=_("It stays in the journal of the session."),
        error_messages={"required": _("Reopening needs its reason.")},
    )
