"""What is asked to prepare an evening: the tournament with its session, somebody new at the door, a draw."""

from collections.abc import Iterator
from typing import Any

from django import forms
from django.forms import BoundField
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from players.forms import NameField, PersonForm
from tournaments.errors import RefusedError
from tournaments.models import Method, Session, SessionState
from tournaments.selectors.rooms import methods_shown
from tournaments.services.tournaments import check_methods

MOST_ROUNDS = 10
MOST_DONNES = 12
METHODS = [(Method.FFT.value, Method.FFT.label), (Method.RANDOM.value, Method.RANDOM.label)]


class TournamentForm(forms.Form):
    """A tournament and its one session. Once drawn, what the seats rest on cannot be changed any more."""

    name = NameField(label=gettext_lazy("Name of the tournament"), max_length=120)
    date = forms.DateField(
        label=gettext_lazy("Date"),
        widget=forms.DateInput(format="%Y-%m-%d", attrs={"type": "date", "class": "input-medium"}),
    )
    place = NameField(label=gettext_lazy("Place"), max_length=120, required=False)
    rounds = forms.IntegerField(
        label=gettext_lazy("Number of positions"),
        min_value=1,
        max_value=MOST_ROUNDS,
        initial=5,
        help_text=gettext_lazy("From 1 to 10; the FFT plays 5."),
        widget=forms.NumberInput(attrs={"class": "input-short", "inputmode": "numeric"}),
    )
    donnes = forms.IntegerField(
        label=gettext_lazy("Deals a position"),
        min_value=1,
        max_value=MOST_DONNES,
        initial=5,
        help_text=gettext_lazy("From 1 to 12."),
        widget=forms.NumberInput(attrs={"class": "input-short", "inputmode": "numeric"}),
    )
    published = forms.BooleanField(
        label=gettext_lazy("Published"),
        required=False,
        help_text=gettext_lazy("Anybody who opens this site may follow the ranking. Names as each person chose."),
    )

    def __init__(self, *args: Any, session: Session | None = None, **kwargs: Any) -> None:
        """Show what a session has, or the usual values."""
        super().__init__(*args, **kwargs)
        self.is_drawn = session is not None and session.state != SessionState.REGISTRATION
        wanted = [*methods_shown(session)] if session else []
        choices = [(method.value, method.label) for method in Method] if self.is_drawn else METHODS
        if session:
            self.initial.update(
                {
                    "name": session.tournament.name,
                    "place": session.tournament.place,
                    "date": session.date,
                    "rounds": session.rounds_planned,
                    "donnes": session.donnes_per_round,
                    "published": session.tournament.published,
                }
            )
        for number in range(1, MOST_ROUNDS + 1):
            method = wanted[number - 1] if number <= len(wanted) else (wanted[-1] if wanted else Method.FFT)
            self.fields[f"method_{number}"] = forms.ChoiceField(
                label=_("Position %(number)d") % {"number": number},
                choices=choices,
                initial=Method(method).value,
                required=False,
            )
        if self.is_drawn:
            for name in ["rounds", "donnes", *self._method_names()]:
                self.fields[name].disabled = True

    def method_fields(self) -> Iterator[BoundField]:
        """Yield the field of each position's method."""
        return (self[name] for name in self._method_names())

    def clean(self) -> dict[str, Any] | None:
        """Refuse the FFT movement after another method, beside the position that wants it."""
        cleaned = super().clean() or self.cleaned_data
        if "rounds" in cleaned:
            try:
                check_methods(self.methods())
            except RefusedError as error:
                self.add_error(
                    f"method_{error.params['position']}",
                    _("After random or best/best seating, the FFT movement cannot be resumed."),
                )
        return cleaned

    def methods(self) -> list[str]:
        """Return the method of each position that will be played; one not told is that of the position before."""
        methods: list[str] = []
        for name in self._method_names()[: self.cleaned_data["rounds"]]:
            before = methods[-1] if methods else Method.FFT.value
            methods.append(self.cleaned_data.get(name) or before)
        return methods

    @staticmethod
    def _method_names() -> list[str]:
        return [f"method_{number}" for number in range(1, MOST_ROUNDS + 1)]


class NewcomerForm(PersonForm):
    """Somebody the club does not know yet: names and FFT number, the rest can wait."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        """Ask for three things only; ids do not meet those of other forms of the page."""
        super().__init__(*args, **{**kwargs, "auto_id": "new_%s"})
        for name in ("is_minor", "display", "pseudonym"):
            del self.fields[name]


class DrawForm(forms.Form):
    """A confirmed draw: which one, what the user saw, and the key of this very page."""

    draw = forms.CharField()
    seen = forms.CharField(max_length=64)
    key = forms.UUIDField()
    fft = forms.BooleanField(required=False)


class LeavingForm(forms.Form):
    """Which position the user saw being played."""

    leaving = forms.IntegerField(min_value=1, max_value=MOST_ROUNDS)
