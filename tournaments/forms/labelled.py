"""The labelled fields of one donne, which do what the compact keys do: read into what they tell, filled from it."""

from collections.abc import Mapping
from dataclasses import dataclass, fields

from scoring import Camp, Chelem, Contract, DonneEntry, MarksEntry, Poignee, PoigneeSize, ProblemCode
from tournaments.errors import EntryProblem

from .compact import (
    COLUMNS,
    LineCode,
    Told,
    UnreadableLineError,
    Way,
    half_points,
    member,
    read_line,
    whole_number,
    write_line,
)

LONGEST_FIELD = 40
_IN_BOTH = ("outcome", "taker", "contract")


@dataclass(frozen=True, slots=True, kw_only=True)
class Labelled:
    """What stands in the labelled fields of a row, as typed."""

    outcome: str = ""  # "" played, or the keys of a slot without a donne: x1 … x4, xs, /
    taker: str = ""
    contract: str = ""
    bouts: str = ""
    points: str = ""
    petit: str = ""
    poignee1: str = ""  # size-camp
    poignee2: str = ""
    chelem: str = ""
    mark_n: str = ""
    mark_s: str = ""
    mark_e: str = ""
    mark_o: str = ""
    mark_c: str = ""

    @property
    def is_blank(self) -> bool:
        """Say whether nothing is filled."""
        return not any(getattr(self, each.name) for each in fields(self))

    def filled(self) -> dict[str, str]:
        """Return the fields that hold something, by name."""
        return {each.name: getattr(self, each.name) for each in fields(self) if getattr(self, each.name)}

    def only_in(self, way: Way) -> dict[str, str]:
        """Return what is filled of the fields that only that way shows."""
        return {
            name: text
            for name, text in self.filled().items()
            if name not in _IN_BOTH and name.startswith("mark_") == (way is Way.MARKS)
        }

    def mark(self, place: str) -> str:
        """Return what is typed under a place."""
        return str(getattr(self, f"mark_{place.lower()}"))


def labelled_from(data: Mapping[str, str], number: int) -> Labelled:
    """Take a row's labelled fields out of a form; whatever was sent, only text of a sane length comes through."""
    return Labelled(
        **{
            each.name: data.get(f"{each.name}-{number}", "").replace("\x00", "").strip()[:LONGEST_FIELD]
            for each in fields(Labelled)
        }
    )


def read_labelled(typed: Labelled, *, way: Way, places: str) -> Told:
    """Read a row filled by labelled fields.

    Raises:
        UnreadableLineError: the first field that cannot be read; what breaks a rule is for scoring to say.
    """
    if typed.outcome:
        return read_line(typed.outcome, way=way, places=places)
    if way is Way.DETAIL:
        return Told(entry=_detail(typed, places))
    return Told(entry=_marks(typed, places))


def _stop(code: LineCode | ProblemCode, at: str, /, **params: int | str) -> UnreadableLineError:
    return UnreadableLineError(EntryProblem(field=at, code=code, params=params))


def _contract(code: str) -> Contract:
    contract = member(Contract, code)
    if contract is None:
        raise _stop(ProblemCode.CONTRACT_UNKNOWN, "contract")
    return contract


def _taker(place: str, places: str) -> int:
    if len(place) != 1 or place not in COLUMNS:
        raise _stop(ProblemCode.TAKER_RANGE, "taker")
    if place not in places:
        raise _stop(LineCode.SEAT_EMPTY, "taker", place=place)
    return places.index(place)


def _marks(typed: Labelled, places: str) -> MarksEntry:
    contract = _contract(typed.contract) if typed.contract else None
    taker = _taker(typed.taker, places) if typed.taker else None
    marks = []
    for place in places:
        if not typed.mark(place):
            raise _stop(LineCode.MARK_EMPTY, f"mark_{place.lower()}", place=place)
        marks.append(whole_number(typed.mark(place), f"mark_{place.lower()}"))
    return MarksEntry(players=len(places), contract=contract, marks=tuple(marks), taker=taker)


def _detail(typed: Labelled, places: str) -> DonneEntry:
    taker, contract = _taker(typed.taker, places), _contract(typed.contract)
    if not (typed.bouts.isascii() and typed.bouts.isdecimal() and len(typed.bouts) == 1):
        raise _stop(ProblemCode.BOUTS_RANGE, "bouts")
    if not typed.points:
        raise _stop(LineCode.POINTS_MISSING, "half_points")
    petit, chelem = member(Camp, typed.petit), member(Chelem, typed.chelem)
    if typed.petit and petit is None:
        raise _stop(ProblemCode.PETIT_AU_BOUT_UNKNOWN, "petit_au_bout")
    if typed.chelem and chelem is None:
        raise _stop(ProblemCode.CHELEM_UNKNOWN, "chelem")
    return DonneEntry(
        players=len(places),
        taker=taker,
        contract=contract,
        bouts=int(typed.bouts),
        half_points=half_points(typed.points),
        petit_au_bout=petit,
        poignees=tuple(_poignee(shown) for shown in (typed.poignee1, typed.poignee2) if shown),
        chelem=chelem,
    )


def _poignee(shown: str) -> Poignee:
    words = shown.split("-")
    size, camp = member(PoigneeSize, words[0]), member(Camp, words[-1])
    if size is None or camp is None or len(words) != 2:
        raise _stop(ProblemCode.POIGNEES_UNKNOWN, "poignees")
    return Poignee(size, camp)


def fill_labelled(told: Told, *, places: str) -> Labelled:
    """Return the fields that would have told this."""
    entry = told.entry
    if entry is None:
        return Labelled(outcome=write_line(told, places=places))
    taker = "" if entry.taker is None else places[entry.taker]
    contract = entry.contract.value if entry.contract else ""
    if isinstance(entry, MarksEntry):
        marks = {f"mark_{place.lower()}": str(mark) for place, mark in zip(places, entry.marks, strict=False)}
        return Labelled(taker=taker, contract=contract, **marks)
    shown = [f"{poignee.size}-{poignee.camp}" for poignee in entry.poignees] + ["", ""]
    return Labelled(
        taker=taker,
        contract=contract,
        bouts=str(entry.bouts),
        points=f"{entry.half_points // 2}{',5' if entry.half_points % 2 else ''}",
        petit=entry.petit_au_bout.value if entry.petit_au_bout else "",
        poignee1=shown[0],
        poignee2=shown[1],
        chelem=entry.chelem.value if entry.chelem else "",
    )
