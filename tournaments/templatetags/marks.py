"""Figures in templates, written as on the paper."""

from django import template

from tournaments import labels

register = template.Library()


@register.filter
def signed(number: int | None) -> str:
    """Return +318, −106 or 0; unknown is empty."""
    return "" if number is None else labels.signed(number)


@register.filter
def points(half_points: int | None) -> str:
    """Return card points from half-points, 41½; unknown is empty."""
    return "" if half_points is None else labels.points(half_points)


@register.filter
def unsigned(number: int | None) -> str:
    """Return a figure for a column that carries the sign itself; unknown is empty."""
    return "" if number is None else labels.grouped(number)


@register.filter
def mark(number: int | str | None) -> str:
    """Return a mark, nothing for one not known, and – for somebody who did not play."""
    if number is None:
        return ""
    return labels.signed(number) if isinstance(number, int) else "–"


@register.filter
def place_name(place: str) -> str:
    """Return the name of a chair."""
    return labels.place_name(place)


@register.filter
def contract(code: str) -> str:
    """Return a contract as the sheet prints it."""
    return labels.contract_label(code, short=True)


@register.filter
def kind(code: str) -> str:
    """Return what became of a slot."""
    return labels.kind_label(code)
