"""The scoring desk of a position: the table asked for, what is in and what is missing, undoing the last entry."""

from dataclasses import dataclass
from uuid import UUID, uuid5

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.db import transaction
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_POST, require_safe

from players.access import roles_in
from players.models import Role
from tournaments import labels
from tournaments.access import round_for
from tournaments.errors import TournamentError
from tournaments.forms.typed import told_of
from tournaments.models import EMPTY, Donne, Kind, Reason, RoomState, Round, SheetDraft, Table
from tournaments.selectors.desk import DeskTable, open_tables
from tournaments.selectors.desk import desk as read_desk
from tournaments.selectors.ranking import ranking
from tournaments.selectors.sheets import version_of
from tournaments.selectors.snapshot import snapshot
from tournaments.services.actors import Actor, actor_of
from tournaments.services.donnes import correct_donne, withdraw_donne
from tournaments.services.entries import Played, Unplayed

FIRST = 3


@dataclass(frozen=True, slots=True, kw_only=True)
class Asked:
    """What was typed in "Table n° ?", and why it opens no sheet yet."""

    text: str = ""
    sentence: str = ""
    other_round: int = 0  # the position whose sheet it more likely is
    table: int = 0


@login_required
@never_cache
@require_safe
def desk(request: HttpRequest, session_id: int, number: int) -> HttpResponse:
    """Show the desk, or open the sheet of the table asked for."""
    position = round_for(request, session_id, number, Role.CLERK)
    asked = Asked()
    if "table" in request.GET:
        asked = _asked(position, request.GET["table"])
        if asked.table and not asked.sentence:
            return redirect("tournaments:sheet", session_id, number, asked.table)
    club = position.session.tournament.club
    with snapshot():
        view = read_desk(position, by=actor_of(request.user, club).code)
        first = ranking(position.session).rows[:FIRST]
    context = {
        "session": position.session,
        "round": position,
        "number": number,
        "step": "entry",
        "desk": view,
        "asked": asked,
        "first": [row for row in first if row.rank],
        "aside": [(table, _aside_sentences(table)) for table in view.to_check],
        "missing_words": _tables(view.missing),
        "is_arbiter": Role.ARBITER in roles_in(request.user, club),
        "next_number": number + 1 if number + 1 in view.rounds else 0,
    }
    return render(request, "tournaments/desk.html", context)


@login_required
@require_POST
def undo_entry(request: HttpRequest, session_id: int, number: int) -> HttpResponse:
    """Take back what this person saved last, while its sheet is incomplete."""
    position = round_for(request, session_id, number, Role.CLERK)
    by = actor_of(request.user, position.session.tournament.club)
    last = read_desk(position, by=by.code).last
    if last is not None and last.can_undo and request.POST.get("donne", "") == str(last.donne_ids[0]):
        found = (
            Donne.objects.filter(pk__in=last.donne_ids).select_related("replaces").prefetch_related("replaces__marks")
        )
        try:
            with transaction.atomic():
                for donne in found:
                    _undo(donne, by)
        except TournamentError as error:
            messages.error(request, labels.refusal_sentence(error))
        return redirect("tournaments:sheet", session_id, number, last.table_number)
    return redirect("tournaments:desk", session_id, number)


def _undo(donne: Donne, by: Actor) -> None:
    """Put back what the version before said; without one the slot is empty again."""
    key = uuid5(UUID(int=0), f"undo-{donne.pk}")
    elder = donne.replaces
    told = told_of(version_of(elder)) if elder is not None and elder.kind not in EMPTY else None
    if elder is None or told is None:
        withdraw_donne(current=donne, reason=Reason.TYPING, by=by, key=key)
    elif told.entry is None:
        correct_donne(current=donne, entry=Unplayed(kind=Kind(elder.kind)), reason=Reason.TYPING, by=by, key=key)
    else:
        entry = Played(told.entry, places=elder.places, sitting_out=elder.sitting_out)
        correct_donne(current=donne, entry=entry, reason=Reason.TYPING, by=by, key=key)


def _asked(position: Round, text: str) -> Asked:
    """Read the table asked for; what was typed stays where it opens nothing."""
    text = text.strip()[:20]
    numbers = list(Table.objects.filter(round=position).order_by("number").values_list("number", flat=True))
    if not (text.isascii() and text.isdecimal() and int(text) in numbers):
        sentence = _("There is no table “%(typed)s” in this position: tables go from 1 to %(last)s.")
        return Asked(text=text, sentence=sentence % {"typed": text, "last": max(numbers, default=0)})
    table = int(text)
    if position.room == RoomState.DRAWN:
        sentence = _("Position %(number)s has not begun: nothing can be on its sheets yet.")
        return Asked(text=text, sentence=sentence % {"number": position.number})
    if position.room == RoomState.PLAYING and position.number > 1:
        before = Round.objects.filter(session=position.session, number=position.number - 1).first()
        if before is not None:
            before.session = position.session
            if table in open_tables(before) and not _is_put_aside(before, table):
                words = {"table": table, "playing": position.number, "before": before.number}
                sentence = _(
                    "Table %(table)s is still playing position %(playing)s. Is this the sheet of position %(before)s?"
                )
                return Asked(text=text, sentence=sentence % words, other_round=before.number, table=table)
    return Asked(text=text, table=table)


def _is_put_aside(position: Round, number: int) -> bool:
    """Say whether a sheet is on the desk already, to be checked: another one with its number is of another position."""
    drafts = SheetDraft.objects.filter(table__round=position, table__number=number, settled_at__isnull=True)
    return drafts.exists()


def _aside_sentences(table: DeskTable) -> tuple[str, ...]:
    return tuple(labels.problem_sentence(problem, places=table.places) for problem in table.aside_problems)


def _tables(tables: tuple[DeskTable, ...]) -> str:
    """Say which tables are missing: 4, 11 and 12."""
    numbers = [str(table.number) for table in tables]
    if not numbers:
        return ""
    if len(numbers) == 1:
        return _("Table %(number)s is missing.") % {"number": numbers[0]}
    words = {"numbers": ", ".join(numbers[:-1]), "last": numbers[-1]}
    return _("Tables %(numbers)s and %(last)s are missing.") % words
