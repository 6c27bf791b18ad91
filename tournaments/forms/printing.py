"""What the prints page sends: which position, how filled, in which order."""

from collections.abc import Iterable
from typing import Any

from django import forms

from tournaments.printing import Fill, RankingOrder


class SheetsForm(forms.Form):
    """Score sheets of a position."""

    position = forms.TypedChoiceField(coerce=int)
    fill = forms.TypedChoiceField(coerce=Fill, choices=[(fill.value, fill.value) for fill in Fill])

    def __init__(self, data: Any, *, positions: Iterable[int]) -> None:
        super().__init__(data)
        self.fields["position"].choices = [(number, number) for number in positions]  # type: ignore[attr-defined]


class RankingForm(forms.Form):
    """A ranking; without a position, the overall one."""

    position = forms.TypedChoiceField(coerce=int, required=False, empty_value=None)
    order = forms.TypedChoiceField(coerce=RankingOrder, choices=[(order.value, order.value) for order in RankingOrder])

    def __init__(self, data: Any, *, positions: Iterable[int]) -> None:
        super().__init__(data)
        choices = [("", ""), *((number, number) for number in positions)]
        self.fields["position"].choices = choices  # type: ignore[attr-defined]
