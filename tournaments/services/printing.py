"""Asking for paper: the same paper asked for twice is made once; making it is `tournaments.printing`'s business."""

from django.utils import timezone
from django.utils.translation import get_language

from jobs.models import Job
from jobs.queue import enqueue
from tournaments.models import Round, Session
from tournaments.printing import Fill, RankingOrder, rankings, sheets

from .actors import Actor

KINDS = ("print_sheets", "print_ranking")


def ask_for_sheets(*, position: Round, fill: Fill, by: Actor) -> Job:
    """Put the printing of a position's score sheets in line, in the language of the moment."""
    language = get_language()
    return enqueue(
        "print_sheets",
        club=position.session.tournament.club,
        by=by.code,
        params={
            "session": position.session_id,
            "round": position.pk,
            "number": position.number,
            "fill": fill.value,
            "language": language,
        },
        key=f"sheets-{position.pk}-{language}-{sheets.fingerprint(position, fill)}",
    )


def ask_for_ranking(*, session: Session, only: int | None, order: RankingOrder, by: Actor) -> Job:
    """Put the printing of a ranking in line, overall or of the position `only`, in the language of the moment."""
    language = get_language()
    digest = rankings.fingerprint(session, only=only, order=order, moment=timezone.now())
    return enqueue(
        "print_ranking",
        club=session.tournament.club,
        by=by.code,
        params={"session": session.pk, "only": only, "order": order.value, "language": language},
        key=f"ranking-{session.pk}-{language}-{digest}",
    )
