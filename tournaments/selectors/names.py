"""What tells two entrants of one name apart wherever a session shows names: the number that is printed. One place."""

from collections import Counter
from collections.abc import Iterable

from django.db.models import Exists, OuterRef

from players.names import fold
from tournaments import labels
from tournaments.models import Entrant, Seat


def tell_apart(named: Iterable[tuple[int, str, int | None]]) -> dict[int, str]:
    """Return names by id, with the number where two read the same; case and accents tell nobody apart.

    Args:
        named: an id, the name as shown, and the number, if any.
    """
    known = tuple(named)
    shared = Counter(fold(name) for _id, name, _number in known)
    return {
        each: name if shared[fold(name)] < 2 or number is None else f"{name} ({labels.number_label(number)})"
        for each, name, number in known
    }


def entrant_names(session_id: int) -> dict[int, str]:
    """Return the names of those who have a seat in a session, by entrant, told apart; in one query."""
    seated = Entrant.objects.filter(Exists(Seat.objects.filter(entrant=OuterRef("pk"))), session=session_id)
    return tell_apart(
        (entrant.pk, str(entrant.person), entrant.number)
        for entrant in seated.select_related("person").order_by("number", "pk")
    )
