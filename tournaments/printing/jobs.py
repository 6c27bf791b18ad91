"""The two kinds of printing job: parameters in (numbers and codes only), a PDF out; safe to run twice or at once."""

from collections.abc import Mapping, Sequence
from typing import Any

from django.utils import timezone, translation
from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from jobs.errors import JobError
from jobs.registry import Product, Task
from tournaments.models import Round, Session

from .rankings import RankingOrder, ranking_paper
from .sheets import Fill, heading, score_sheets
from .typesetting import NO_PANGO, typeset

SHEETS_A_BATCH = 10
PAGES_A_BATCH = 8
GONE = "GONE"

SENTENCES: dict[str, Promise] = {
    NO_PANGO: gettext_lazy(
        "This machine lacks a library for printing: install libpangoft2-1.0-0 and fonts-dejavu-core, then try again."
    ),
    GONE: gettext_lazy("What was to be printed does not exist any more."),
}


def print_sheets(task: Task) -> Product:
    """Print the score sheets of the position `round`, filled as `fill` says, in the language `language`."""
    with translation.override(task.params["language"]):
        position = _found(
            Round.objects.filter(session__tournament__club=task.club_id).select_related(
                "session__tournament__club", "session__tournament__rules"
            ),
            task.params["round"],
        )
        sheets = score_sheets(position, Fill(task.params["fill"]))
        return typeset(
            task,
            name="sheets",
            title=describe_sheets(task.params),
            batches=_batches(sheets, SHEETS_A_BATCH),
            context=heading(position),
        )


def print_ranking(task: Task) -> Product:
    """Print the ranking of `session`, or of its position `only`, in the order `order`, in the language `language`."""
    with translation.override(task.params["language"]):
        session = _found(
            Session.objects.filter(tournament__club=task.club_id).select_related("tournament__club"),
            task.params["session"],
        )
        paper = ranking_paper(
            session, only=task.params["only"], order=RankingOrder(task.params["order"]), moment=timezone.now()
        )
        return typeset(
            task,
            name="ranking",
            title=paper.title,
            batches=_batches(paper.pages, PAGES_A_BATCH),
            context=paper,
        )


def describe_sheets(params: Mapping[str, Any]) -> str:
    """Return the title of a printing of score sheets."""
    words = {"number": params["number"]}
    return {
        Fill.BLANK: _("Blank score sheets, position %(number)s"),
        Fill.NAMES: _("Score sheets with names, position %(number)s"),
        Fill.RESULTS: _("Score sheets with results, position %(number)s"),
    }[Fill(params["fill"])] % words


def describe_ranking(params: Mapping[str, Any]) -> str:
    """Return the title of a printing of a ranking."""
    words = {"number": params["only"]}
    title = _("Overall ranking") if params["only"] is None else _("Ranking of position %(number)s") % words
    return _("%(title)s, by name") % {"title": title} if params["order"] == RankingOrder.NAME else title


def _found(rows: Any, pk: int) -> Any:
    row = rows.filter(pk=pk).first()
    if row is None:
        raise JobError(GONE)
    return row


def _batches(items: Sequence[object], size: int) -> list[Sequence[object]]:
    return [items[start : start + size] for start in range(0, len(items), size)]
