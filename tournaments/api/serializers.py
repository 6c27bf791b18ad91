"""Builds the commands of the services from a JSON object; values pass as they came, so that the engine judges them."""

from collections.abc import Iterable, Mapping
from enum import StrEnum
from typing import Any, TypeVar

from django.utils.translation import gettext as _

from scoring import Camp, Chelem, Contract, DonneEntry, MarksEntry, Poignee, PoigneeSize, ProblemCode
from tournaments.errors import EntryCode, EntryProblem, InvalidDonneError
from tournaments.forms.compact import COLUMNS, LineCode, UnreadableLineError, half_points, whole_number
from tournaments.models import Game, Kind, Place, Reason, Seat, Table
from tournaments.services.entries import Entry, Played, Unplayed

from .errors import RefusedRequestError

LONGEST_TEXT = 200
WHO = frozenset({"places", "sitting_out", "decision"})
COMPUTED = frozenset(
    {"taker", "contract", "bouts", "points", "half_points", "partner", "petit_au_bout", "poignees", "chelem"}
)
WRITTEN = frozenset({"taker", "contract", "marks"})
CORRECTION = frozenset({"reason", "text"})
FIELDS: Mapping[str, frozenset[str]] = {
    Kind.COMPUTED: WHO | COMPUTED,
    Kind.MARKS: WHO | WRITTEN,
    Kind.CANCELLED: frozenset(),
    Kind.REMOVED: frozenset(),
    Kind.NOT_PLAYED: frozenset(),
}
Code = TypeVar("Code", bound=StrEnum)


def read_number(data: Mapping[str, Any], *, most: int) -> int:
    """Return the slot a new donne is for, one of the sheet's.

    Raises:
        InvalidDonneError: it is none.
    """
    number = data.get("number")
    if type(number) is not int or not 1 <= number <= most:
        params: Mapping[str, int | str] = {"number": str(number)[:20], "most": most}
        raise InvalidDonneError((EntryProblem(field="number", code=EntryCode.NUMBER_RANGE, params=params),))
    return number


def read_reason(data: Mapping[str, Any]) -> tuple[str, str]:
    """Return the reason of a correction and its words.

    Raises:
        InvalidDonneError: the reason is none of the codes.
    """
    reason = data.get("reason", "")
    if reason not in ("", *Reason.values):
        raise InvalidDonneError((EntryProblem(field="reason", code=EntryCode.REASON_UNKNOWN),))
    return reason, _text(data, "text")


def read_entry(data: Mapping[str, Any], *, table: Table, number: int, also: frozenset[str]) -> Entry:
    """Return the entry of one donne.

    Args:
        also: fields of the request that are no part of the entry.

    Raises:
        RefusedRequestError: a field nobody knows.
        InvalidDonneError: a value that cannot be read at all; what breaks a rule is for the service to say.
    """
    kind = data.get("kind", Kind.COMPUTED)
    if not isinstance(kind, str) or kind not in FIELDS:
        raise InvalidDonneError((EntryProblem(field="kind", code=EntryCode.KIND_UNKNOWN),))
    refuse_unknown(data, FIELDS[kind] | also | {"kind"})
    if kind not in (Kind.COMPUTED, Kind.MARKS):
        return Unplayed(kind=Kind(kind))
    places, sitting_out = _text(data, "places"), _text(data, "sitting_out")
    playing = places or _seated(table, number, sitting_out)
    read = _computed if kind == Kind.COMPUTED else _written
    return Played(
        entry=read(data, playing), places=places, sitting_out=sitting_out, decision=_text(data, "decision").strip()
    )


def refuse_unknown(data: Mapping[str, Any], known: Iterable[str]) -> None:
    """Refuse fields nobody knows: a mistyped `chelem` must not become a donne without one."""
    unknown = sorted(set(data) - set(known))
    if unknown:
        message = _("This field is not known here.")
        raise RefusedRequestError(status=400, code="FIELD_UNKNOWN", field=unknown[0][:40], message=message)


def _seated(table: Table, number: int, sitting_out: str) -> str:
    """Return who plays a donne when nobody says otherwise: everybody seated for it, less the one who sits out."""
    held = {
        seat.place
        for seat in Seat.objects.filter(table=table)
        if seat.from_donne <= number <= (seat.to_donne or number)
    }
    away = {sitting_out} if table.game == Game.MORT else set()
    return "".join(place for place in Place.values if place in held - away)


def _computed(data: Mapping[str, Any], playing: str) -> DonneEntry:
    return DonneEntry(
        players=len(playing),
        taker=_seat(data, "taker", playing),
        contract=_code(Contract, data.get("contract")),
        bouts=data.get("bouts"),  # type: ignore[arg-type]  # the engine judges any value
        half_points=_half_points(data),
        partner=None if data.get("partner") in (None, "") else _seat(data, "partner", playing),
        petit_au_bout=_optional(Camp, data.get("petit_au_bout")),
        poignees=_poignees(data.get("poignees", [])),
        chelem=_optional(Chelem, data.get("chelem")),
    )


def _written(data: Mapping[str, Any], playing: str) -> MarksEntry:
    marks = data.get("marks")
    if not isinstance(marks, dict) or set(marks) - set(playing):
        given = len(marks) if isinstance(marks, dict) else 0
        params = {"expected": len(playing), "given": given}
        raise InvalidDonneError((EntryProblem(field="marks", code=ProblemCode.MARKS_COUNT, params=params),))
    return MarksEntry(
        players=len(playing),
        contract=_optional(Contract, data.get("contract")),
        marks=tuple(_mark(marks, place) for place in playing),
        taker=None if data.get("taker") in (None, "") else _seat(data, "taker", playing),
    )


def _mark(marks: Mapping[str, Any], place: str) -> int:
    """Return the mark of a place; words are read as on paper, and 0 is a mark where nothing is none."""
    mark = marks.get(place)
    if mark in (None, ""):
        params = {"place": place}
        raise InvalidDonneError((EntryProblem(field="marks", code=LineCode.MARK_EMPTY, params=params),))
    try:
        return whole_number(mark) if isinstance(mark, str) else mark
    except UnreadableLineError as error:
        raise InvalidDonneError((error.problem,)) from error


def _seat(data: Mapping[str, Any], field: str, playing: str) -> int:
    """Return the engine's index of a place; what is no place at all is left for the engine to refuse."""
    place = data.get(field)
    if not isinstance(place, str) or len(place) != 1 or place not in COLUMNS:
        return -1
    if place not in playing:
        raise InvalidDonneError((EntryProblem(field=field, code=LineCode.SEAT_EMPTY, params={"place": place}),))
    return playing.index(place)


def _half_points(data: Mapping[str, Any]) -> int:
    """Return half-points, given as such or as `points`, which are read as on paper: 41.5, "41,5", "41½"."""
    if data.get("points", data.get("half_points")) in (None, ""):
        raise InvalidDonneError((EntryProblem(field="half_points", code=LineCode.POINTS_MISSING),))
    if "points" not in data:
        return data["half_points"]  # type: ignore[no-any-return]  # the engine judges any value
    points = data["points"]
    try:
        return half_points("" if isinstance(points, bool) else str(points))
    except UnreadableLineError as error:
        raise InvalidDonneError((error.problem,)) from error


def _code(codes: type[Code], value: Any) -> Code:
    """Return the member with this value or name; anything else as it came, for the engine to refuse."""
    if isinstance(value, str):
        for member in codes:
            if value in (member.value, member.name):
                return member
    return value  # type: ignore[no-any-return]  # nonsense is the engine's to name


def _optional(codes: type[Code], value: Any) -> Code | None:
    return None if value in (None, "") else _code(codes, value)


def _poignees(value: Any) -> tuple[Poignee, ...]:
    if not isinstance(value, list):
        return value  # type: ignore[no-any-return]  # nonsense is the engine's to name
    return tuple(
        Poignee(_code(PoigneeSize, shown.get("size")), _code(Camp, shown.get("camp")))
        if isinstance(shown, dict) and set(shown) <= {"size", "camp"}
        else shown
        for shown in value
    )


def _text(data: Mapping[str, Any], field: str) -> str:
    value = data.get(field, "")
    if not isinstance(value, str):
        raise InvalidDonneError((EntryProblem(field=field, code="TEXT_UNREADABLE"),))
    if len(value) > LONGEST_TEXT:
        raise InvalidDonneError((EntryProblem(field=field, code=LineCode.TEXT_TOO_LONG),))
    return value
