"""What somebody asks to be written down, and what a row would then hold; nothing here reads or writes the database."""

from collections.abc import Mapping
from dataclasses import dataclass

from scoring import (
    DonneEntry,
    MarksEntry,
    Problem,
    ProblemCode,
    RuleSet,
    Severity,
    find_marks_problems,
    find_problems,
    score_donne,
)
from tournaments.errors import EntryCode, EntryProblem
from tournaments.ledger import value_of
from tournaments.models import Donne, Game, Kind, Mark, Place, Reason

LIMITS_LIFTED = "LIMITS_LIFTED"  # the code of an arbiter's decision to count what a regular deal cannot give
UNPLAYED = (Kind.CANCELLED, Kind.REMOVED, Kind.NOT_PLAYED)
_LEAST_PLAYERS = 3
_POIGNEE_COLUMNS = 2


@dataclass(frozen=True, slots=True)
class Played:
    """A donne that was played: computed from its details, or marks as written.

    The engine's seat 0 … is the first … letter of `places`, which is everybody seated for that donne unless given.
    `decision` is an arbiter's reason for counting what a regular deal cannot give.
    """

    entry: DonneEntry | MarksEntry
    places: str = ""
    sitting_out: str = ""
    decision: str = ""


@dataclass(frozen=True, slots=True)
class Unplayed:
    """A donne without marks: CANCELLED leaves its slot open, REMOVED and NOT_PLAYED close it."""

    kind: Kind


Entry = Played | Unplayed


@dataclass(frozen=True, slots=True, kw_only=True)
class SheetLine:
    """One slot of a sheet as a page sends it; `current_id` is the version it was typed over, None for an empty slot."""

    number: int
    entry: Entry
    current_id: int | None = None
    reason: Reason | str = ""
    text: str = ""


@dataclass(frozen=True, slots=True)
class NetLine:
    """The bilan of one seat; the two half columns of the paper when they were read as well."""

    place: str
    net: int
    positive: int | None = None
    negative: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Content:
    """What a version says, apart from who said it when: a row's columns, and its marks in the order of `places`."""

    kind: Kind
    places: str = ""
    sitting_out: str = ""
    taker: str = ""
    contract: str = ""
    bouts: int | None = None
    half_points: int | None = None
    partner: str = ""
    petit_au_bout: str = ""
    poignee1_size: str = ""
    poignee1_camp: str = ""
    poignee2_size: str = ""
    poignee2_camp: str = ""
    chelem: str = ""
    value: int | None = None
    decision: str = ""
    marks: tuple[int, ...] = ()


WITHDRAWN = Content(kind=Kind.WITHDRAWN)
_COLUMNS = tuple(name for name in Content.__slots__ if name not in {"kind", "marks"})


def columns(content: Content) -> Mapping[str, object]:
    """Return the columns of a row that holds this content."""
    return {"kind": content.kind, **{name: getattr(content, name) for name in _COLUMNS}}


def content_of(donne: Donne, marks: tuple[Mark, ...]) -> Content:
    """Return what a saved version says."""
    points = {mark.place: mark.points for mark in marks}
    return Content(
        kind=Kind(donne.kind),
        marks=tuple(points[place] for place in donne.places if place in points),
        **{name: getattr(donne, name) for name in _COLUMNS},
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class Reading:
    """An entry understood: what to write, or every problem that keeps it from being written."""

    content: Content | None
    problems: tuple[EntryProblem, ...] = ()


def read_entry(entry: Entry, *, seated: str, game: str, rules: RuleSet) -> Reading:
    """Check an entry against the rules and the table. `seated` is who sits there for that donne, in column order."""
    if isinstance(entry, Unplayed):
        if entry.kind in UNPLAYED:
            return Reading(content=Content(kind=Kind(entry.kind)))
        return Reading(content=None, problems=(EntryProblem(field="kind", code=EntryCode.KIND_UNKNOWN),))
    places, sitting_out, problems = _who_played(entry, seated=seated, game=game)
    if type(entry.entry.players) is int and places and entry.entry.players != len(places):
        params = {"expected": len(places), "given": entry.entry.players}
        problems.append(EntryProblem(field="players", code=EntryCode.PLAYERS_DIFFER, params=params))
    found = _engine_problems(entry.entry, rules)
    lifted = bool(entry.decision.strip())
    blocking = {Severity.ERROR} if lifted else {Severity.ERROR, Severity.LIMIT}
    problems += found
    if any(problem.severity in blocking for problem in problems):
        return Reading(content=None, problems=tuple(problems))
    decision = LIMITS_LIFTED if any(problem.severity is Severity.LIMIT for problem in problems) else ""
    who = _Table(places=places, sitting_out=sitting_out, decision=decision)
    if isinstance(entry.entry, DonneEntry):
        return Reading(content=_computed(entry.entry, who, rules))
    return Reading(content=_written(entry.entry, who))


@dataclass(frozen=True, slots=True, kw_only=True)
class _Table:
    places: str
    sitting_out: str
    decision: str


def _who_played(entry: Played, *, seated: str, game: str) -> tuple[str, str, list[EntryProblem]]:
    """Return the places that played and the one that sat out, told or found, and what is wrong with them."""
    problems: list[EntryProblem] = []
    places, sitting_out = entry.places, entry.sitting_out
    mort = game == Game.MORT and len(seated) == len(Place.values)
    if mort and not places and sitting_out in seated:
        places = seated.replace(sitting_out, "", 1) if sitting_out else ""
    if mort and places and not sitting_out and len(seated) - len(places) == 1:
        sitting_out = "".join(place for place in seated if place not in places)
    if mort and (not sitting_out or sitting_out not in seated or sitting_out in places):
        return places, sitting_out, [EntryProblem(field="sitting_out", code=EntryCode.SITTING_OUT_NEEDED)]
    if not mort and sitting_out:
        problems.append(EntryProblem(field="sitting_out", code=EntryCode.SITTING_OUT_ONLY_AT_MORT))
    places = places or seated
    ordered = "".join(place for place in Place.values if place in places)
    if len(places) < _LEAST_PLAYERS or set(places) - set(seated) or len(set(places)) < len(places) or places != ordered:
        problems.append(EntryProblem(field="places", code=EntryCode.PLACES_UNKNOWN))
    return places, sitting_out, problems


def _engine_problems(entry: DonneEntry | MarksEntry, rules: RuleSet) -> list[EntryProblem]:
    if isinstance(entry, DonneEntry):
        problems = [_told(problem) for problem in find_problems(entry, rules)]
        if isinstance(entry.poignees, tuple) and len(entry.poignees) > _POIGNEE_COLUMNS:
            params = {"most": _POIGNEE_COLUMNS}
            problems.append(EntryProblem(field="poignees", code=EntryCode.POIGNEES_COUNT, params=params))
        return problems
    found = find_marks_problems(entry, rules)
    return [
        EntryProblem(field="taker", code=EntryCode.TAKER_NEEDED) if _lacks_taker(problem) else _told(problem)
        for problem in found
    ]


def _lacks_taker(problem: Problem) -> bool:
    """The engine only warns of a row of zeros without its taker; a ledger must know who took."""
    return problem.code is ProblemCode.MARKS_ZERO and problem.severity is Severity.WARNING


def _told(problem: Problem) -> EntryProblem:
    return EntryProblem(
        field=problem.field, code=problem.code.value, severity=problem.severity, params=dict(problem.params)
    )


def _computed(entry: DonneEntry, who: _Table, rules: RuleSet) -> Content:
    score = score_donne(entry, rules, lifted=bool(who.decision))
    sizes = [poignee.size.value for poignee in entry.poignees] + [""] * _POIGNEE_COLUMNS
    camps = [poignee.camp.value for poignee in entry.poignees] + [""] * _POIGNEE_COLUMNS
    return Content(
        kind=Kind.COMPUTED,
        places=who.places,
        sitting_out=who.sitting_out,
        taker=who.places[entry.taker],
        contract=entry.contract.value,
        bouts=entry.bouts,
        half_points=entry.half_points,
        partner="" if entry.partner is None else who.places[entry.partner],
        petit_au_bout=entry.petit_au_bout.value if entry.petit_au_bout else "",
        poignee1_size=sizes[0],
        poignee1_camp=camps[0],
        poignee2_size=sizes[1],
        poignee2_camp=camps[1],
        chelem=entry.chelem.value if entry.chelem else "",
        value=score.value,
        decision=who.decision,
        marks=score.by_seat,
    )


def _written(entry: MarksEntry, who: _Table) -> Content:
    return Content(
        kind=Kind.MARKS,
        places=who.places,
        sitting_out=who.sitting_out,
        taker="" if entry.taker is None else who.places[entry.taker],
        contract=entry.contract.value if entry.contract else "",
        value=value_of(entry.marks, entry.taker),
        decision=who.decision,
        marks=entry.marks,
    )
