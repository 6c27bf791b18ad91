"""Words of rankings and of the checks before closing: which sheets are not in, as of when."""

from collections.abc import Iterable, Sequence
from datetime import datetime
from itertools import groupby
from zoneinfo import ZoneInfo

from django import template
from django.utils import timezone
from django.utils.translation import gettext, ngettext

from players.models import Club
from tournaments.selectors.ledger import SheetRef

register = template.Library()


@register.simple_tag
def as_of(moment: datetime, club: Club, missing: Sequence[SheetRef]) -> str:
    """Return "Ranking as of 22:41, without tables 4 and 11", with their positions where there are several."""
    time = clock(moment, club)
    by_round = {number: list(sheets) for number, sheets in groupby(missing, key=lambda sheet: sheet.round_number)}
    if not by_round:
        return gettext("Ranking as of %(time)s") % {"time": time}
    if len(by_round) == 1:
        [(number, sheets)] = by_round.items()
        return ngettext(
            "Ranking as of %(time)s, without table %(tables)s of position %(number)s",
            "Ranking as of %(time)s, without tables %(tables)s of position %(number)s",
            len(sheets),
        ) % {"time": time, "tables": _numbers(sheets), "number": number}
    places = "; ".join(
        ngettext("position %(number)s, table %(tables)s", "position %(number)s, tables %(tables)s", len(sheets))
        % {"tables": _numbers(sheets), "number": number}
        for number, sheets in by_round.items()
    )
    return gettext("Ranking as of %(time)s, without: %(places)s") % {"time": time, "places": places}


@register.filter
def clock(moment: datetime, club: Club) -> str:
    """Return the time of day in the club's time zone."""
    return timezone.localtime(moment, ZoneInfo(club.timezone)).strftime("%H:%M")


@register.filter
def all_of(values: Iterable[object]) -> str:
    """Return "4, 7 and 11"."""
    words = [str(value) for value in values]
    if len(words) < 2:
        return "".join(words)
    return gettext("%(first)s and %(last)s") % {"first": ", ".join(words[:-1]), "last": words[-1]}


@register.filter
def nth(values: Sequence[int], index: int) -> int:
    """Return the value at an index."""
    return values[index]


def _numbers(sheets: Iterable[SheetRef]) -> str:
    return all_of(sheet.table_number for sheet in sheets)
