"""The sheet of one table: entry in three ways, correction with old and new side by side, conflicts, putting aside."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from uuid import uuid4

from django.conf import settings
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from players.access import roles_in
from players.models import Role
from scoring import RuleSet
from tournaments import labels
from tournaments.access import table_for
from tournaments.errors import (
    AlreadyRecordedError,
    EntryCode,
    EntryProblem,
    InvalidDonneError,
    KeyReusedError,
    StaleVersionError,
    TournamentError,
)
from tournaments.forms.compact import LineCode, Outcome, Way, member
from tournaments.forms.desk import read_sheet, restyled, saved_sheet, while_typing
from tournaments.forms.typed import (
    NEXT_WAY,
    PUT_ASIDE,
    REASON_KEYS,
    Preference,
    Style,
    TypedSheet,
    preference_from,
    preference_text,
    reason_of,
)
from tournaments.models import Donne, Source, Table, rule_set
from tournaments.selectors.history import history as read_history
from tournaments.selectors.history import names_of
from tournaments.selectors.sheets import Sheet
from tournaments.selectors.sheets import sheet as read_sheet_of
from tournaments.services.actors import actor_of
from tournaments.services.donnes import save_sheet, withdraw_donne
from tournaments.services.drafts import put_aside, take_back
from tournaments.services.keys import is_answered
from tournaments.services.nets import withdraw_nets

from .sheet_page import (
    Comparison,
    SheetPage,
    chelem_options,
    contract_options,
    nets_side,
    page_of,
    poignee_options,
    typed_side,
    version_side,
)

COOKIE = "tarot-desk"
YEAR = 365 * 24 * 3600


@dataclass(frozen=True, slots=True, kw_only=True)
class Desk:
    """What one request to a sheet works with."""

    request: HttpRequest
    table: Table
    sheet: Sheet
    rules: RuleSet

    @property
    def is_arbiter(self) -> bool:
        """Say whether the visitor may correct."""
        return Role.ARBITER in roles_in(self.request.user, self.table.round.session.tournament.club)

    @property
    def numbers(self) -> tuple[int, int, int]:
        """Return the numbers of the sheet's address."""
        return self.sheet.session_id, self.sheet.round_number, self.sheet.table_number


def _desk(request: HttpRequest, session_id: int, number: int, table_number: int) -> Desk:
    table = table_for(request, session_id, number, table_number, Role.CLERK)
    rules = rule_set(table.round.session.tournament.rules)
    return Desk(request=request, table=table, sheet=read_sheet_of(table), rules=rules)


def _preference(request: HttpRequest) -> Preference:
    """Return what this desk uses: what the form says, else what the address says, else what was kept."""
    kept = preference_from(request.COOKIES.get(COOKIE, ""))
    data = request.POST if request.method == "POST" else request.GET
    return Preference(
        way=member(Way, data.get("way", "")) or kept.way,
        style=member(Style, data.get("style", "")) or kept.style,
        control=data.get("control", str(int(kept.control))) == "1",
    )


def _keep(response: HttpResponse, preference: Preference) -> HttpResponse:
    response.set_cookie(
        COOKIE, preference_text(preference), max_age=YEAR, httponly=True, samesite="Lax", secure=settings.HTTPS
    )
    return response


@login_required
@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def sheet(request: HttpRequest, session_id: int, number: int, table_number: int) -> HttpResponse:
    """Show a table's sheet, or save what was typed on it."""
    desk = _desk(request, session_id, number, table_number)
    preference = _preference(request)
    if request.method != "POST":
        stands_on_nets = bool(desk.sheet.nets) and not any(row.is_closed for row in desk.sheet.rows)
        seen = replace(preference, way=Way.NETS) if stands_on_nets and "way" not in request.GET else preference
        typed = saved_sheet(desk.sheet, seen, desk.rules)
        is_entered = desk.sheet.is_complete and not desk.sheet.draft
        is_view = (is_entered and "corriger" not in request.GET) or not desk.table.round.session.is_open
        return _keep(_show(desk, typed, is_view=is_view), preference)
    typed = read_sheet(request.POST, desk.sheet, preference, desk.rules)
    return _act(desk, typed, request.POST.get("do", "save"))


@login_required
@require_POST
def preview(request: HttpRequest, session_id: int, number: int, table_number: int) -> HttpResponse:
    """Show what a sheet being typed would say; saves nothing."""
    desk = _desk(request, session_id, number, table_number)
    typed = while_typing(read_sheet(request.POST, desk.sheet, _preference(request), desk.rules))
    return render(request, "tournaments/_paper.html", _context(desk, typed))


@login_required
@require_safe
def history(request: HttpRequest, session_id: int, number: int, table_number: int) -> HttpResponse:
    """Show every version of a sheet: who, when, why."""
    desk = _desk(request, session_id, number, table_number)
    page = page_of(saved_sheet(desk.sheet, Preference(), desk.rules), desk.rules)
    found = read_history(desk.table)
    changes = [
        (change, version_side(change.old, page.columns, _("Old value")), version_side(change.new, page.columns, ""))
        for change in found.donnes
    ]
    nets = [
        (change, nets_side({net.place: net.points for net in change.nets}, page.columns, "")) for change in found.nets
    ]
    context = {**_context(desk, page.typed), "changes": changes, "net_changes": nets}
    return render(request, "tournaments/history.html", context)


def _act(desk: Desk, typed: TypedSheet, do: str) -> HttpResponse:
    """Do what the pressed button or the typed key asks for."""
    verb, _sep, rest = do.partition("-")
    if verb == "see":  # for this sheet alone: what the desk prefers stays
        way = member(Way, rest) or typed.preference.way
        control = typed.preference.control or rest == "nets"
        return _show(desk, restyled(typed, replace(typed.preference, way=way, control=control)))
    if verb == "way" or (verb == "save" and typed.wants == NEXT_WAY):
        return _change(desk, typed, way=member(Way, rest) or typed.preference.way.following)
    if verb == "style":
        return _change(desk, typed, style=member(Style, rest) or Style.KEYS)
    if verb == "control":
        return _change(desk, typed, control=rest == "1")
    if verb == "aside" or (verb == "save" and typed.wants == PUT_ASIDE):
        return _put_aside(desk, typed)
    if verb == "back":
        return _take_back(desk)
    if verb == "theirs":
        return _take_theirs(desk, rest)
    if verb == "mine":
        return _save(desk, _over_theirs(desk, typed, rest), confirmed=not desk.sheet.is_complete)
    if verb == "withdraw":
        return _withdraw(desk, typed, rest)
    only = int(rest) if verb == "row" and rest.isascii() and rest.isdecimal() and len(rest) < 4 else 0
    return _save(desk, typed, confirmed=verb == "confirm", only=only)


def _change(
    desk: Desk,
    typed: TypedSheet,
    *,
    way: Way | None = None,
    style: Style | None = None,
    control: bool | None = None,
) -> HttpResponse:
    """Go over to another way or style with all that was typed."""
    kept = typed.preference
    wanted = Preference(
        way=way or kept.way, style=style or kept.style, control=kept.control if control is None else control
    )
    return _keep(_show(desk, restyled(typed, wanted)), wanted)


def _save(desk: Desk, typed: TypedSheet, *, confirmed: bool, only: int = 0) -> HttpResponse:
    by = actor_of(desk.request.user, desk.table.round.session.tournament.club)
    if not _says_something(typed, only) and is_answered(by=by, key=typed.key):
        return _saved(desk)  # this very page was saved before: its answer was lost, or its button pressed twice
    is_stale = bool(_conflicts(desk, typed))  # the service will say so: no reason or confirmation is asked for in vain
    problems = () if is_stale else _problems_before(desk, typed, only)
    if problems or _blocks(typed, only):
        return _show(desk, typed, problems=problems, status=422)
    if desk.sheet.is_complete and not confirmed and not is_stale and desk.is_arbiter:
        return _show(desk, typed, changes=_changes(desk, typed))
    code, text = reason_of(typed.reason)
    try:
        save_sheet(
            table=desk.table,
            lines=typed.lines(only=only),
            nets=() if only else typed.net_lines(),
            nets_version=typed.nets_version or None,
            nets_source=typed.source,
            nets_reason=code,
            nets_text=text,
            by=by,
            key=typed.key,
        )
    except TournamentError as error:
        return _refused(desk, typed, error)
    return _saved(desk)


def _says_something(typed: TypedSheet, only: int) -> bool:
    """Say whether anything typed is not saved yet, readable or not."""
    return bool(typed.lines(only=only) or (not only and typed.net_lines())) or _blocks(typed, only)


def _blocks(typed: TypedSheet, only: int) -> bool:
    if only:
        return any(row.blocks for row in typed.rows if row.number == only)
    return typed.blocks


def _problems_before(desk: Desk, typed: TypedSheet, only: int) -> tuple[EntryProblem, ...]:
    """Say what only the page knows: nothing typed, or a correction without its reason."""
    if not _says_something(typed, only):
        return (EntryProblem(field="sheet", code=LineCode.NOTHING_TYPED),)
    corrects = desk.sheet.is_complete and desk.is_arbiter and not _only_adds(desk, typed)
    if corrects and not typed.reason.strip():
        return (EntryProblem(field="reason", code=EntryCode.REASON_NEEDED),)
    return ()


def _only_adds(desk: Desk, typed: TypedSheet) -> bool:
    """Say whether a sheet that stands on its bilans only receives its donnes."""
    return not typed.nets_changed and all(not row.saved.is_closed for row in typed.changed_rows)


def _saved(desk: Desk) -> HttpResponse:
    """Go back to the desk once a sheet is complete, and stay on it until then."""
    desk.table.refresh_from_db(fields=["basis"])
    fresh = read_sheet_of(desk.table)
    if fresh.is_complete:
        return redirect("tournaments:desk", *desk.numbers[:2])
    return redirect("tournaments:sheet", *desk.numbers)


def _refused(desk: Desk, typed: TypedSheet, error: TournamentError) -> HttpResponse:
    """Show the page again with all that was typed and what the service said."""
    desk.table.refresh_from_db(fields=["basis"])
    now = replace(desk, sheet=read_sheet_of(desk.table))
    if isinstance(error, InvalidDonneError):
        return _show(desk, typed, problems=error.problems, status=422)
    if isinstance(error, KeyReusedError):
        typed = replace(typed, key=uuid4())
    conflicts: tuple[Comparison, ...] = ()
    if isinstance(error, StaleVersionError | AlreadyRecordedError):
        typed = read_sheet(desk.request.POST, now.sheet, typed.preference, desk.rules)
        conflicts = _conflicts(now, typed)
    return _show(
        now,
        typed,
        refusal=labels.refusal_sentence(error),
        conflicts=conflicts,
        status=error.status,
    )


def _changes(desk: Desk, typed: TypedSheet) -> tuple[Comparison, ...]:
    """Put old and new side by side for a correction."""
    columns = page_of(typed, desk.rules).columns
    old, new = _("Old value"), _("New value")
    found = [
        Comparison(
            title=_("Deal %(number)s") % {"number": row.number},
            left=version_side(row.saved.current, columns, old),
            right=typed_side(row, columns, new),
            number=row.number,
        )
        for row in typed.changed_rows
    ]
    if typed.nets_changed:
        saved = {net.place: net.net for net in desk.sheet.nets}
        nets = {net.place: net.net for net in typed.nets if net.net is not None}
        left, right = nets_side(saved, columns, old), nets_side(nets, columns, new)
        found.append(Comparison(title=_("Nets"), left=left, right=right))
    return tuple(found)


def _conflicts(desk: Desk, typed: TypedSheet) -> tuple[Comparison, ...]:
    """Put theirs and mine side by side for every slot that moved since the page was read."""
    columns = page_of(typed, desk.rules).columns
    found = []
    names = names_of([row.current.by for row in desk.sheet.rows if row.current] + [desk.sheet.nets_by])
    for row in typed.changed_rows:
        now = desk.sheet.row(row.number)
        current = now.current if now else None
        if current is None or current.id == row.current_id:
            continue
        title = _("Their version (%(who)s)") % {"who": names[current.by]}
        found.append(
            Comparison(
                title=_("Deal %(number)s") % {"number": row.number},
                left=version_side(current, columns, title),
                right=typed_side(row, columns, _("Your version")),
                number=row.number,
                current=current.id,
            )
        )
    nets = {net.place: net.net for net in typed.nets if net.net is not None}
    saved = {net.place: net.net for net in desk.sheet.nets}
    if typed.net_lines() and typed.nets_version != desk.sheet.nets_version and nets != saved:
        title = _("Their version (%(who)s)") % {"who": names[desk.sheet.nets_by]}
        left, right = nets_side(saved, columns, title), nets_side(nets, columns, _("Your version"))
        found.append(Comparison(title=_("Nets"), left=left, right=right, current=desk.sheet.nets_version))
    return tuple(found)


def _over_theirs(desk: Desk, typed: TypedSheet, which: str) -> TypedSheet:
    """Take note that the version now in force was seen, for one donne or (0) for the bilans."""
    if which == "0":
        return replace(typed, nets_version=desk.sheet.nets_version, key=uuid4())
    rows = tuple(
        replace(row, current_id=row.saved.current.id)
        if str(row.number) == which and row.saved.current is not None
        else row
        for row in typed.rows
    )
    return replace(typed, rows=rows, key=uuid4())


def _take_theirs(desk: Desk, which: str) -> HttpResponse:
    """Drop what was typed for one slot and show what is saved there."""
    gone = {f"{name}-{which}" for name in ("row", "style", "way", "id", "mort", "decision")}
    data = {
        name: str(value)
        for name, value in desk.request.POST.items()
        if name not in gone and not (which == "0" and name.partition("-")[0] in ("net", "plus", "minus"))
    }
    if which == "0":
        data["nets_version"] = str(desk.sheet.nets_version)
    data["key"] = str(uuid4())
    typed = read_sheet(data, desk.sheet, _preference(desk.request), desk.rules)
    return _show(desk, typed) if _says_something(typed, 0) else _saved(desk)


def _put_aside(desk: Desk, typed: TypedSheet) -> HttpResponse:
    by = actor_of(desk.request.user, desk.table.round.session.tournament.club)
    try:
        put_aside(table=desk.table, rows=typed.draft_rows(), note=typed.note, by=by)
    except TournamentError as error:
        return _refused(desk, typed, error)
    return redirect("tournaments:desk", *desk.numbers[:2])


def _take_back(desk: Desk) -> HttpResponse:
    """Forget a sheet put aside: what is saved stands."""
    draft = desk.table.drafts.filter(settled_at__isnull=True).first()
    try:
        if draft is not None:
            take_back(draft=draft, by=actor_of(desk.request.user, desk.table.round.session.tournament.club))
    except TournamentError as error:
        return _refused(desk, saved_sheet(desk.sheet, _preference(desk.request), desk.rules), error)
    return redirect("tournaments:sheet", *desk.numbers)


def _withdraw(desk: Desk, typed: TypedSheet, rest: str) -> HttpResponse:
    """Empty one slot (or, for 0, take the bilans out); a complete sheet asks for a reason and shows both values."""
    which, _sep, sure = rest.partition("-")
    number = int(which) if which.isascii() and which.isdecimal() and len(which) < 4 else -1
    row = desk.sheet.row(number)
    current = row.current if row else None
    if current is None and not (number == 0 and desk.sheet.nets):
        return _show(desk, typed, problems=(EntryProblem(field="sheet", code=LineCode.NOTHING_TYPED),), status=422)
    if desk.is_arbiter and desk.sheet.is_complete and not typed.reason.strip():
        problems = (EntryProblem(field="reason", code=EntryCode.REASON_NEEDED),)
        return _show(desk, typed, problems=problems, status=422)
    if desk.is_arbiter and desk.sheet.is_complete and sure != "confirm":
        return _show(desk, typed, changes=(_withdrawal(desk, typed, number),), withdraws=number)
    code, text = reason_of(typed.reason)
    by = actor_of(desk.request.user, desk.table.round.session.tournament.club)
    try:
        if current is not None:
            found = Donne.objects.get(pk=current.id)
            withdraw_donne(current=found, reason=code, text=text, by=by, key=typed.key)
        else:
            withdraw_nets(
                table=desk.table, version=desk.sheet.nets_version, reason=code, text=text, by=by, key=typed.key
            )
    except TournamentError as error:
        return _refused(desk, typed, error)
    return redirect("tournaments:sheet", *desk.numbers)


def _withdrawal(desk: Desk, typed: TypedSheet, number: int) -> Comparison:
    columns = page_of(typed, desk.rules).columns
    row = desk.sheet.row(number)
    gone = version_side(None, columns, _("New value"))
    if row is None:
        saved = {net.place: net.net for net in desk.sheet.nets}
        return Comparison(title=_("Nets"), left=nets_side(saved, columns, _("Old value")), right=gone)
    title = _("Deal %(number)s") % {"number": number}
    return Comparison(title=title, left=version_side(row.current, columns, _("Old value")), right=gone, number=number)


def _reason_words(typed: str) -> str:
    key = REASON_KEYS.get(typed.strip())
    return str(key.label) if key else typed


def _context(
    desk: Desk,
    typed: TypedSheet,
    *,
    problems: Sequence[EntryProblem] = (),
    is_view: bool = False,
) -> dict[str, object]:
    page: SheetPage = page_of(typed, desk.rules, problems=problems)
    return {
        "session": desk.table.round.session,
        "round": desk.table.round,
        "number": desk.sheet.round_number,
        "table": desk.table,
        "step": "entry",
        "sheet": desk.sheet,
        "typed": typed,
        "page": page,
        "is_view": is_view,
        "is_arbiter": desk.is_arbiter,
        "ways": [(way.value, labels.way_label(way.value)) for way in Way],
        "reasons": [(key, reason.label) for key, reason in REASON_KEYS.items()],
        "sources": [(source.value, source.label) for source in Source],
        "reason_words": _reason_words(typed.reason),
        "asks_reason": (desk.sheet.is_complete and not is_view)
        or any(problem.code == EntryCode.REASON_NEEDED for problem in problems),
        "contracts": contract_options(),
        "poignees": poignee_options(),
        "chelems": chelem_options(),
        "outcomes": [
            ("xs", labels.kind_label(Outcome.REMOVED.value)),
            ("/", labels.kind_label(Outcome.NOT_PLAYED.value)),
        ],
    }


def _show(
    desk: Desk,
    typed: TypedSheet,
    *,
    problems: Sequence[EntryProblem] = (),
    is_view: bool = False,
    refusal: str = "",
    conflicts: Sequence[Comparison] = (),
    changes: Sequence[Comparison] = (),
    withdraws: int | None = None,
    status: int = 200,
) -> HttpResponse:
    method = desk.request.method
    context = {
        **_context(desk, typed, problems=problems, is_view=is_view),
        "refusal": refusal,
        "conflicts": conflicts,
        "changes": changes,
        "withdraws": withdraws,
        "is_fresh": not is_view and (method == "GET" or desk.request.POST.get("do", "").startswith("see-")),
        "lacks_reason": any(problem.code == EntryCode.REASON_NEEDED for problem in problems),
        "stops": is_view or bool(refusal or conflicts or changes) or status != 200,
    }
    return render(desk.request, "tournaments/sheet.html", context, status=status)
