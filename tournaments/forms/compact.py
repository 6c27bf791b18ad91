"""The compact keys of the desk, one line a donne: read into entries, and written back from them. No database here."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from enum import Enum, StrEnum
from typing import TypeVar

from scoring import Camp, Chelem, Contract, DonneEntry, MarksEntry, Poignee, PoigneeSize, ProblemCode, share
from tournaments.errors import EntryProblem

COLUMNS = "NSEOC"
LONGEST = 60
_CONTRACTS = dict(zip("PGSC", Contract, strict=True)) | dict(zip("1234", Contract, strict=True))
_CONTRACT_LETTERS = dict(zip(Contract, "PGSC", strict=True))
_MINUS = str.maketrans(
    {
        **dict.fromkeys("\N{MINUS SIGN}\N{EN DASH}\N{EM DASH}\N{HYPHEN}\N{NON-BREAKING HYPHEN}", "-"),
        "\N{NO-BREAK SPACE}": " ",
    }
)
_POIGNEES = {"p": PoigneeSize.SIMPLE, "pp": PoigneeSize.DOUBLE, "ppp": PoigneeSize.TRIPLE}
_CHELEMS = {
    "c-d": Chelem.ANNOUNCED_LOST_TO_DEFENCE,
    "c+": Chelem.ANNOUNCED_MADE,
    "c-": Chelem.ANNOUNCED_FAILED,
    "cd": Chelem.DEFENCE,
    "c": Chelem.UNANNOUNCED_MADE,
}
_LETTERS = re.compile(r"(?P<petit>b-?)|(?P<poignee>p{1,3}-?)|(?P<chelem>c-d|c\+|c-|cd|c)")


class Way(StrEnum):
    """The three ways to enter a sheet, in the order a desk needs them."""

    NETS = "A"
    MARKS = "B"
    DETAIL = "C"

    @property
    def following(self) -> "Way":
        """Return the way that + alone in a row goes to."""
        ways = tuple(Way)
        return ways[(ways.index(self) + 1) % len(ways)]


class Outcome(StrEnum):
    """What a line says of a slot that holds no donne; the codes are those of the ledger."""

    CANCELLED = "CANCELLED"
    REMOVED = "REMOVED"
    NOT_PLAYED = "NOT_PLAYED"


class LineCode(StrEnum):
    """What can be wrong with a line before there is an entry to check."""

    SEAT_UNREADABLE = "SEAT_UNREADABLE"  # typed
    SEAT_EMPTY = "SEAT_EMPTY"  # place
    CONTRACT_MISSING = "CONTRACT_MISSING"
    MARK_MISSING = "MARK_MISSING"
    MARK_EMPTY = "MARK_EMPTY"  # place
    MARK_UNREADABLE = "MARK_UNREADABLE"  # typed
    BOUTS_MISSING = "BOUTS_MISSING"
    POINTS_MISSING = "POINTS_MISSING"
    POINTS_UNREADABLE = "POINTS_UNREADABLE"  # typed
    LETTERS_UNKNOWN = "LETTERS_UNKNOWN"  # typed
    LETTER_TWICE = "LETTER_TWICE"
    REASON_DIGIT = "REASON_DIGIT"
    AFTER_THE_END = "AFTER_THE_END"
    FIVE_BY_NETS = "FIVE_BY_NETS"
    TEXT_TOO_LONG = "TEXT_TOO_LONG"
    NET_MISSING = "NET_MISSING"  # place
    NOTHING_TYPED = "NOTHING_TYPED"
    SLOT_SAVED = "SLOT_SAVED"


@dataclass(frozen=True, slots=True, kw_only=True)
class Told:
    """A donne as told by a line: what was played, and the digit of a cancelled one's reason."""

    entry: DonneEntry | MarksEntry | None = None
    outcome: Outcome | None = None
    reason: str = ""


class UnreadableLineError(ValueError):
    """The line cannot be read; carries the problem."""

    def __init__(self, problem: EntryProblem) -> None:
        super().__init__(problem.code)
        self.problem = problem


def _stop(code: LineCode | ProblemCode, at: str, /, **params: int | str) -> UnreadableLineError:
    return UnreadableLineError(EntryProblem(field=at, code=code, params=params))


Code = TypeVar("Code", bound=Enum)


def member(kind: type[Code], text: str) -> Code | None:
    """Return the member of that code, None for any other text."""
    return next((each for each in kind if each.value == text), None)


def cleaned(text: str) -> str:
    """Return what was typed with every minus and space of the same kind."""
    return text.translate(_MINUS).strip()


def whole_number(text: str, at: str = "marks") -> int:
    """Read a mark or a net: 318, +318, −106, 1 346.

    Raises:
        UnreadableLineError: it is none.
    """
    digits = cleaned(text).replace(" ", "")
    if not re.fullmatch(r"[+-]?[0-9]{1,6}", digits):
        raise _stop(LineCode.MARK_UNREADABLE, at, typed=text.strip()[:20])
    return int(digits)


def half_points(text: str) -> int:
    """Read card points with comma or point: 49, 41,5, 41.5, 41½, 41, (a half).

    Raises:
        UnreadableLineError: it is no number of points.
    """
    found = re.fullmatch(r"([0-9]{1,3})([,.](?:[05]?)|½)?", cleaned(text))
    if found is None:
        raise _stop(LineCode.POINTS_UNREADABLE, "half_points", typed=text.strip()[:20])
    half = found[2] is not None and not found[2].endswith("0")
    return int(found[1]) * 2 + half


def read_line(text: str, *, way: Way, places: str) -> Told:
    """Read one row as typed in way B or C.

    Args:
        places: who plays this donne, in the order N, S, E, O, C.

    Raises:
        UnreadableLineError: the first thing that cannot be read; what breaks a rule is for scoring to say.
    """
    line = cleaned(text)
    if len(line) > LONGEST:
        raise _stop(LineCode.TEXT_TOO_LONG, "row")
    if line == "/":
        return Told(outcome=Outcome.NOT_PLAYED)
    if line[:1] in ("x", "X"):
        return _outcome(line[1:].strip().lower())
    seat, contract, rest = _head(line, places)
    if way is Way.DETAIL:
        return Told(entry=_detail(rest, players=len(places), taker=seat, contract=contract))
    return Told(entry=_marks(rest, players=len(places), taker=seat, contract=contract))


def _outcome(said: str) -> Told:
    if said == "s":
        return Told(outcome=Outcome.REMOVED)
    if said in ("1", "2", "3", "4"):
        return Told(outcome=Outcome.CANCELLED, reason=said)
    raise _stop(LineCode.REASON_DIGIT, "row")


def _head(line: str, places: str) -> tuple[int, Contract, str]:
    first = line[:1].upper()
    place = COLUMNS[int(first) - 1] if first in ("1", "2", "3", "4", "5") else first
    if place not in COLUMNS or not place:
        raise _stop(LineCode.SEAT_UNREADABLE, "taker", typed=line[:1])
    if place not in places:
        raise _stop(LineCode.SEAT_EMPTY, "taker", place=place)
    rest = line[1:].lstrip()
    if not rest:
        raise _stop(LineCode.CONTRACT_MISSING, "contract")
    contract = _CONTRACTS.get(rest[0].upper())
    if contract is None:
        raise _stop(ProblemCode.CONTRACT_UNKNOWN, "contract")
    return places.index(place), contract, rest[1:].strip()


def _marks(rest: str, *, players: int, taker: int, contract: Contract) -> MarksEntry:
    if not rest or rest == "-":
        raise _stop(LineCode.MARK_MISSING, "marks")
    figures = rest.split()
    if len(figures) == 1:
        marks = share(whole_number(figures[0]), players, taker)
    else:
        marks = tuple(whole_number(figure) for figure in figures)
    return MarksEntry(players=players, contract=contract, marks=marks, taker=taker)


def _detail(rest: str, *, players: int, taker: int, contract: Contract) -> DonneEntry:
    if not rest[:1].isdecimal() or not rest[:1].isascii():
        raise _stop(LineCode.BOUTS_MISSING, "bouts")
    found = re.match(r"[0-9]{1,3}(?:[,.][0-9]?|½)?", rest[1:].lstrip())
    if found is None:
        raise _stop(LineCode.POINTS_MISSING, "half_points")
    petit, poignees, chelem = _letters(rest[1:].lstrip()[found.end() :])
    return DonneEntry(
        players=players,
        taker=taker,
        contract=contract,
        bouts=int(rest[0]),
        half_points=half_points(found[0]),
        petit_au_bout=petit,
        poignees=poignees,
        chelem=chelem,
    )


def _letters(text: str) -> tuple[Camp | None, tuple[Poignee, ...], Chelem | None]:
    petits: list[Camp] = []
    poignees: list[Poignee] = []
    chelems: list[Chelem] = []
    for letters, kind in _tokens(text.lower()):
        camp = Camp.DEFENCE if letters.endswith("-") else Camp.ATTACK
        if kind == "petit":
            petits.append(camp)
        elif kind == "poignee":
            poignees.append(Poignee(_POIGNEES[letters.rstrip("-")], camp))
        else:
            chelems.append(_CHELEMS[letters])
    if len(petits) > 1 or len(chelems) > 1:
        raise _stop(LineCode.LETTER_TWICE, "row")
    return petits[0] if petits else None, tuple(poignees), chelems[0] if chelems else None


def _tokens(text: str) -> Iterator[tuple[str, str]]:
    at = 0
    while at < len(text):
        if text[at].isspace():
            at += 1
            continue
        found = _LETTERS.match(text, at)
        if found is None or found.lastgroup is None:
            raise _stop(LineCode.LETTERS_UNKNOWN, "row", typed=text[at:][:20])
        yield found[0], found.lastgroup
        at = found.end()


def write_line(told: Told, *, places: str) -> str:
    """Return the keys that would have told this, "" when no keys can (marks whose taker or contract is not known)."""
    entry = told.entry
    if entry is None:
        keys = {Outcome.NOT_PLAYED: "/", Outcome.REMOVED: "xs", Outcome.CANCELLED: f"x{told.reason or 1}"}
        return keys[told.outcome] if told.outcome else ""
    if entry.taker is None or entry.contract is None:
        return ""
    head = places[entry.taker] + _CONTRACT_LETTERS[entry.contract]
    if isinstance(entry, MarksEntry):
        return head + _write_marks(entry)
    half = "," if entry.half_points % 2 else ""
    return f"{head}{entry.bouts}{entry.half_points // 2}{half}{_write_letters(entry)}"


def _write_marks(entry: MarksEntry) -> str:
    defender = next(mark for seat, mark in enumerate(entry.marks) if seat != entry.taker)
    if entry.taker is not None and entry.marks == share(-defender, entry.players, entry.taker):
        return str(-defender)
    return " " + " ".join(str(mark) for mark in entry.marks)


def _write_letters(entry: DonneEntry) -> str:
    keys = {size: letters for letters, size in _POIGNEES.items()}
    shown = [keys[poignee.size] + ("-" if poignee.camp is Camp.DEFENCE else "") for poignee in entry.poignees]
    slams = {chelem: letters for letters, chelem in _CHELEMS.items()}
    petit = {None: "", Camp.ATTACK: "b", Camp.DEFENCE: "b-"}[entry.petit_au_bout]
    return petit + " ".join(shown) + (slams[entry.chelem] if entry.chelem else "")
