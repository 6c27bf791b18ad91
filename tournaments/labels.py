"""Words for the codes of scoring, of the desk and of refusals; figures as people read them. No rule lives here."""

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol

from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop, ngettext

from scoring import Contract, Explanation, LineKind

from .errors import TournamentError

MINUS = "\N{MINUS SIGN}"
HALF = "\N{VULGAR FRACTION ONE HALF}"
NARROW = "\N{NO-BREAK SPACE}"


class ProblemLike(Protocol):
    """What a sentence needs of a problem: `scoring.Problem` and the desk's own have it."""

    @property
    def field(self) -> str: ...
    @property
    def code(self) -> str: ...
    @property
    def params(self) -> Mapping[str, int | str]: ...


def grouped(number: int) -> str:
    """Return a figure without its sign, thousands apart by a no-break space."""
    return f"{abs(number):,}".replace(",", NARROW)


def signed(number: int) -> str:
    """Return a mark as people write it: +318, −106 with a true minus, 0."""
    sign = "+" if number > 0 else MINUS if number < 0 else ""
    return sign + grouped(number)


def points(half_points: int) -> str:
    """Return card points from half-points: 41½."""
    whole, half = divmod(half_points, 2)
    return (str(whole) if whole or not half else "") + (HALF if half else "")


def number_label(number: int | None) -> str:
    """Return an entrant's number as the paper prints it: n° 5; "" where there is none."""
    return "" if number is None else _("no. %(number)s") % {"number": number}


PLACES = {
    "N": gettext_noop("North"),
    "S": gettext_noop("South"),
    "E": gettext_noop("East"),
    "O": gettext_noop("West"),
    "C": gettext_noop("Fifth"),
}


def place_name(place: str) -> str:
    """Return the name of a chair."""
    return _(PLACES[place]) if place in PLACES else place


CONTRACTS = {
    "prise": gettext_noop("Prise"),
    "garde": gettext_noop("Garde"),
    "garde_sans": gettext_noop("Garde sans"),
    "garde_contre": gettext_noop("Garde contre"),
}
SHORT_CONTRACTS = {"garde_sans": gettext_noop("G. Sans"), "garde_contre": gettext_noop("G. Contre")}


def contract_label(contract: str, *, short: bool = False) -> str:
    """Return a contract as the sheet prints it; "" stays ""."""
    if short and contract in SHORT_CONTRACTS:
        return _(SHORT_CONTRACTS[contract])
    return _(CONTRACTS[contract]) if contract in CONTRACTS else contract


CAMPS = {"attack": gettext_noop("attack"), "defence": gettext_noop("defence")}
CHELEMS = {
    "announced_made": gettext_noop("Slam announced and made (+400)"),
    "unannounced_made": gettext_noop("Slam made, not announced (+200)"),
    "announced_failed": gettext_noop("Slam announced, not made (−200)"),
    "defence": gettext_noop("Slam by the defence (+200 to each defender)"),
    "announced_lost_to_defence": gettext_noop("Slam announced, made by the defence"),
}
POIGNEES = {
    "simple": gettext_noop("Handful"),
    "double": gettext_noop("Double handful"),
    "triple": gettext_noop("Triple handful"),
}
KINDS = {
    "COMPUTED": gettext_noop("Played"),
    "MARKS": gettext_noop("Played"),
    "CANCELLED": gettext_noop("Cancelled, to be replayed"),
    "REMOVED": gettext_noop("Removed by the arbiter (slowness)"),
    "NOT_PLAYED": gettext_noop("Not played (time)"),
    "WITHDRAWN": gettext_noop("Withdrawn"),
}


WAYS = {
    "A": gettext_noop("Enter the nets"),
    "B": gettext_noop("Enter the marks"),
    "C": gettext_noop("Enter the deals in detail"),
}


def way_label(way: str) -> str:
    """Return the name of a way to enter a sheet."""
    return _(WAYS[way])


SAVED_IN = {
    "B": gettext_noop("Saved by its marks; typed again, read in detail."),
    "C": gettext_noop("Saved in detail; typed again, read as marks."),
}


def saved_in_sentence(way: str) -> str:
    """Say that a row shows what is saved in another way than the one in use."""
    return _(SAVED_IN[way])


def poignee_label(size: str, camp: str) -> str:
    """Return a poignée with who showed it."""
    return f"{_(POIGNEES[size])} ({_(CAMPS[camp])})"


def chelem_label(chelem: str) -> str:
    """Return a slam with what it is worth."""
    return _(CHELEMS[chelem])


def kind_label(kind: str) -> str:
    """Return what became of a slot."""
    return _(KINDS.get(kind, kind))


CANCELLATIONS = {
    "1": gettext_noop("Misdeal"),
    "2": gettext_noop("Petit sec"),
    "3": gettext_noop("Arbiter's decision"),
    "4": gettext_noop("Foul play"),
}


def cancellation_label(key: str) -> str:
    """Return why a deal was cancelled, by the figure that is typed after x."""
    return _(CANCELLATIONS[key])


def cancellation_keys() -> str:
    """Return every motive of a cancelled deal after its figure: 1 fausse donne, 2 petit sec."""
    return ", ".join(f"{key} {cancellation_label(key).lower()}" for key in CANCELLATIONS)


def open_position_sentence(number: int, tables: Sequence[int], *, may_start: int = 0) -> str:
    """Say that sheets of a position are missing and, unless that is 0, which position may start all the same."""
    words = {"number": number, "tables": ", ".join(map(str, tables)), "next": may_start}
    if not may_start:
        sentence = ngettext(
            "Position %(number)s still open (table %(tables)s).",
            "Position %(number)s still open (tables %(tables)s).",
            len(tables),
        )
    else:
        sentence = ngettext(
            "Position %(number)s still open (table %(tables)s). Position %(next)s may start.",
            "Position %(number)s still open (tables %(tables)s). Position %(next)s may start.",
            len(tables),
        )
    return sentence % words


# The sentences of problems. Each takes its params by name; `number`, `seat_name`, `contract` come from the context.
_SENTENCES = {
    "PLAYERS_RANGE": gettext_noop("A deal is played by three, four or five."),
    "TAKER_RANGE": gettext_noop("The taker is one of those who play this deal: N, S, E or O."),
    "PARTNER_RANGE": gettext_noop("The called partner is one of those who play this deal."),
    "PARTNER_ONLY_AT_FIVE": gettext_noop("There is a called partner only at five players."),
    "PARTNER_IS_TAKER": gettext_noop("The taker cannot be their own partner: alone against four, leave it empty."),
    "CONTRACT_UNKNOWN": gettext_noop("The contract is Prise, Garde, Garde sans or Garde contre: P, G, S, C or 1 to 4."),
    "BOUTS_RANGE": gettext_noop("The taker has 0, 1, 2 or 3 bouts."),
    "HALF_POINTS_RANGE": gettext_noop("The taker's card points go from 0 to 91."),
    "PETIT_AU_BOUT_UNKNOWN": gettext_noop("The petit au bout goes to the attack or to the defence."),
    "POIGNEES_UNKNOWN": gettext_noop("A handful is single, double or triple, shown by the attack or by the defence."),
    "CHELEM_UNKNOWN": gettext_noop("This slam is not one of those on the list."),
    "HALF_POINT_AT_FOUR": gettext_noop("At four players, no half point: %(low)s or %(high)s?"),
    "PETIT_ATTACK_NO_BOUT": gettext_noop("With no bout the taker does not own the Petit: no petit au bout for him."),
    "PETIT_DEFENCE_THREE_BOUTS": gettext_noop(
        "With three bouts the taker owns the Petit: no petit au bout for the defence."
    ),
    "PETIT_TOTAL": gettext_noop(
        "Whoever takes the Petit in the last trick has a trick: the taker would have %(least)s to %(most)s points."
    ),
    "SLAM_PETIT": gettext_noop("Whoever makes the slam wins the last trick: the petit au bout is theirs."),
    "FAILED_SLAM_TOTAL": gettext_noop("With these points the slam is made: announced and made?"),
    "SLAM_MISSING": gettext_noop("These points are those of a slam: announced or not?"),
    "DEFENCE_SLAM_MISSING": gettext_noop("These points are those of a slam by the defence: is it one?"),
    "POIGNEE_PLAYERS": gettext_noop("More handfuls than players on that side."),
    "POIGNEE_SLAM": gettext_noop("So many trumps win a trick: no slam for the other side."),
    "SLAM_LOST_AND_DEFENCE": gettext_noop(
        "Slam announced and made by the defence: both bonuses are counted, 400 in all. Please read the sheet again."
    ),
    "MARKS_COUNT": gettext_noop("One mark for each player: %(expected)s expected, %(given)s given."),
    "MARK_TYPE": gettext_noop("%(seat_name)s: a mark is a whole number, written as 318 or −106."),
    "MARKS_SHAPE": gettext_noop("Only one mark may differ: the taker's."),
    "MARKS_TAKER_MULTIPLE": gettext_noop(
        "The taker marks %(times)s a defender's mark: %(factor)s × %(defender)s = %(expected)s, not %(given)s."
    ),
    "MARKS_TAKER_SEAT": gettext_noop("These marks show %(seat_name)s as the taker."),
    "MARKS_ZERO": gettext_noop("A row of zeros needs its contract and its taker."),
    "MARK_IS_TAKERS": gettext_noop("Is %(mark)s the taker's mark? Then %(defender)s for each defender."),
    "NETS_COUNT": gettext_noop("One net for each player: %(expected)s expected, %(given)s given."),
    "NET_DIFFERS": gettext_noop("%(seat_name)s: computed net %(computed)s, written net %(written)s."),
    # The grammar of the compact keys and of labelled fields
    "SEAT_UNREADABLE": gettext_noop(
        "A deal begins with the taker's seat, N, S, E or O, or 1 to 4 by column: “%(typed)s” is none."
    ),
    "SEAT_EMPTY": gettext_noop("Nobody plays this deal as %(seat_name)s."),
    "CONTRACT_MISSING": gettext_noop("After the seat comes the contract: P, G, S, C or 1 to 4."),
    "MARK_MISSING": gettext_noop(
        "Then the number one defender marks, without its sign: EG106. With − if the taker loses."
    ),
    "MARK_EMPTY": gettext_noop("%(seat_name)s: the mark is missing. 0 is a mark, empty is not."),
    "MARK_UNREADABLE": gettext_noop("“%(typed)s” is not a whole number."),
    "BOUTS_MISSING": gettext_noop("After the contract: the bouts (one figure), then the taker's points: EG249."),
    "POINTS_MISSING": gettext_noop("After the bouts: the taker's points, in one or two figures: EG249."),
    "POINTS_UNREADABLE": gettext_noop("“%(typed)s” is not a number of points: 49, 41½ or 41,5."),
    "LETTERS_UNKNOWN": gettext_noop("After the points: b, p, pp, ppp, c or their variants. “%(typed)s” is none."),
    "LETTER_TWICE": gettext_noop("Only one petit au bout and one slam in a deal."),
    "AFTER_THE_END": gettext_noop("The time was up before this deal: clear it, or clear the / above."),
    "FIVE_BY_NETS": gettext_noop("At five with a called king, enter the nets."),
    "TEXT_UNREADABLE": gettext_noop("Words are expected here."),
    "TEXT_TOO_LONG": gettext_noop("That is too long for one deal."),
    "NET_MISSING": gettext_noop("%(seat_name)s: the net is missing. 0 is a net, empty is not."),
    # A whole sheet, as the services see it
    "NUMBER_RANGE": gettext_noop("There is no deal %(number)s on this sheet: deals go from 1 to %(most)s."),
    "KIND_UNKNOWN": gettext_noop("A deal is played, cancelled, removed or not played."),
    "NUMBER_TWICE": gettext_noop("Deal %(number)s is there twice."),
    "PLACES_UNKNOWN": gettext_noop("The players of a deal are those who sit at this table, each once."),
    "PLAYERS_DIFFER": gettext_noop("%(expected)s players sit at this deal, and the entry is for %(given)s."),
    "SITTING_OUT_NEEDED": gettext_noop("At a table of five, say who deals and sits out."),
    "SITTING_OUT_ONLY_AT_MORT": gettext_noop("Somebody sits out only at a table of five."),
    "TAKER_NEEDED": gettext_noop("A row of zeros needs its contract and its taker."),
    "POIGNEES_COUNT": gettext_noop("%(most)s handfuls at most in a deal."),
    "REASON_NEEDED": gettext_noop("A correction needs its reason: a figure from 1 to 4, or words."),
    "REASON_UNKNOWN": gettext_noop("This reason is not one of those on the list."),
    "NETS_PLACES": gettext_noop("One net for each player: %(expected)s expected, %(given)s given."),
    "NETS_SHARED_PLACE": gettext_noop(
        "%(seat_name)s: two people sat there in turn, so the nets do not tell who made what. Enter the deals."
    ),
    "NET_TYPE": gettext_noop("%(seat_name)s: a net is a whole number, written as 1346 or −446."),
    "NET_PARTS": gettext_noop("%(seat_name)s: %(positive)s less %(negative)s is not %(net)s."),
    "NOTHING_TYPED": gettext_noop("Nothing is typed yet on this sheet."),
    "SLOT_SAVED": gettext_noop("This deal is saved. To take it out, use “Withdraw”."),
    "DECISION_NEEDED": gettext_noop("Arbiter's decision: count despite the limit"),
}


def _lines_prefix(field: str) -> int:
    """Return the number of the donne that a field such as `lines.3.marks` speaks of, or 0."""
    found = re.match(r"lines\.(\d+)\.", field)
    return int(found[1]) if found else 0


def _seat_name(params: Mapping[str, int | str], places: str) -> str:
    seat = params.get("seat", params.get("place", ""))
    if isinstance(seat, int):
        return place_name(places[seat]) if seat < len(places) else str(seat + 1)
    return place_name(str(seat))


@dataclass(frozen=True, slots=True)
class _Context:
    number: int
    contract: str
    places: str


def _sum_of_donne(params: Mapping[str, int | str], at: _Context) -> str:
    number = at.number or int(params.get("number", 0))
    words = {"number": number, "total": signed(int(params.get("total", 0)))}
    if number:
        return _("Deal %(number)s: the total is %(total)s, it must be 0.") % words
    return _("The total is %(total)s, it must be 0.") % words


def _sum_of_nets(params: Mapping[str, int | str], at: _Context) -> str:
    sentences = {
        3: _("The three nets add up to %(total)s, they must add up to 0."),
        5: _("The five nets add up to %(total)s, they must add up to 0."),
    }
    sentence = sentences.get(
        int(params.get("count", len(at.places))), _("The four nets add up to %(total)s, they must add up to 0.")
    )
    return sentence % {"total": signed(int(params.get("total", 0)))}


def _total_impossible(params: Mapping[str, int | str], at: _Context) -> str:
    slam = int(params.get("slam", 0))
    words = {
        "contract": contract_label(at.contract).lower(),
        "bouts": params.get("bouts", ""),
        "least": points(int(params.get("least", 0))),
        "most": points(int(params.get("most", 0))),
        "slam": points(slam),
    }
    if not at.contract and not slam:
        return _("With %(bouts)s bouts, the taker has %(least)s to %(most)s points.") % words
    if not at.contract:
        return _("With %(bouts)s bouts, the taker has %(least)s to %(most)s points, or %(slam)s with a slam.") % words
    if not slam:
        return _("In a %(contract)s with %(bouts)s bouts, the taker has %(least)s to %(most)s points.") % words
    return (
        _(
            "In a %(contract)s with %(bouts)s bouts, the taker has %(least)s to %(most)s points,"
            " or %(slam)s with a slam."
        )
        % words
    )


def _slam_total(params: Mapping[str, int | str], _at: _Context) -> str:
    most = int(params.get("most", 0))
    if not most:
        return _("No slam with these bouts.")
    words = {"least": points(int(params.get("least", 0))), "most": points(most)}
    if words["least"] == words["most"]:
        return _("With this slam the taker has %(most)s points.") % words
    return _("With this slam the taker has %(least)s to %(most)s points.") % words


def _poignee_trumps(params: Mapping[str, int | str], _at: _Context) -> str:
    return (
        _("%(trumps)s trumps shown in all: there are only %(most)s. Two handfuls at four: two single ones only.")
        % params
    )


def _mark_odd(params: Mapping[str, int | str], at: _Context) -> str:
    words = {
        "contract": contract_label(at.contract).lower(),
        "mark": grouped(int(params.get("mark", 0))),
        "multiple": params.get("multiple", 2),
    }
    if params.get("multiple") != 2:
        return _("The marks of this contract are multiples of %(multiple)s: %(mark)s is impossible.") % words
    if not at.contract:
        return _("The marks of this contract are even: %(mark)s is impossible.") % words
    return _("Marks of a %(contract)s are even: %(mark)s is impossible.") % words


def _mark_not_attainable(params: Mapping[str, int | str], at: _Context) -> str:
    words = {"mark": grouped(int(params.get("mark", 0))), "contract": contract_label(at.contract).lower()}
    if not at.contract:
        return _("No deal of this contract is marked %(mark)s.") % words
    return _("No deal of a %(contract)s is marked %(mark)s.") % words


def _reason_digit(_params: Mapping[str, int | str], _at: _Context) -> str:
    return _("x and a figure for a cancelled deal: %(motives)s; xs for one removed by the arbiter.") % {
        "motives": cancellation_keys()
    }


_BUILT: Mapping[str, Callable[[Mapping[str, int | str], _Context], str]] = {
    "MARKS_SUM": _sum_of_donne,
    "DONNE_SUM": _sum_of_donne,
    "NETS_SUM": _sum_of_nets,
    "TOTAL_IMPOSSIBLE": _total_impossible,
    "SLAM_TOTAL": _slam_total,
    "DEFENCE_SLAM_TOTAL": _slam_total,
    "POIGNEE_TRUMPS": _poignee_trumps,
    "MARK_ODD": _mark_odd,
    "REASON_DIGIT": _reason_digit,
    "MARK_NOT_ATTAINABLE": _mark_not_attainable,
}
_SIGNED = ("expected", "given", "computed", "written", "net")
_HALVES = ("least", "most")
_COUNTS = ("MARKS_COUNT", "NETS_COUNT", "NETS_PLACES", "PLAYERS_DIFFER")


def has_sentence(code: str) -> bool:
    """Say whether a problem's code has its own sentence."""
    return code in _SENTENCES or code in _BUILT


def problem_sentence(problem: ProblemLike, *, places: str = "NSEO", number: int = 0, contract: str = "") -> str:
    """Say what is wrong and what would be right.

    Args:
        places: who plays, in the order of the seats a problem counts from 0.
        number: the donne spoken of, when the problem's field does not name it.
        contract: the contract typed, for sentences that speak of it.
    """
    code = str(problem.code)
    number = _lines_prefix(problem.field) or number
    if code in _BUILT:
        return _BUILT[code](problem.params, _Context(number, contract, places))
    if code not in _SENTENCES:
        return _("This entry cannot be kept as it is (%(code)s).") % {"code": code}
    words: dict[str, int | str] = dict(problem.params)
    for name in () if code in _COUNTS else _SIGNED:
        if isinstance(words.get(name), int):
            words[name] = signed(int(words[name])) if code == "NET_DIFFERS" else _plain(int(words[name]))
    for name in _HALVES:
        if isinstance(words.get(name), int):
            words[name] = points(int(words[name]))
    for name in ("mark", "defender"):
        if isinstance(words.get(name), int):
            words[name] = _plain(int(words[name]))
    words["seat_name"] = _seat_name(problem.params, places)
    words["times"] = _times(int(words.get("factor", 0) or 0))
    return _(_SENTENCES[code]) % words


def _plain(number: int) -> str:
    return (MINUS if number < 0 else "") + grouped(number)


def _times(factor: int) -> str:
    return {2: _("twice"), 3: _("three times"), 4: _("four times")}.get(factor, f"{factor} ×")


_REFUSALS = {
    "NOT_ALLOWED": gettext_noop("This belongs to the arbiter. Call them, or sign in as an arbiter."),
    "INVALID": gettext_noop("Something on this sheet does not agree: see beside each deal."),
    "ALREADY_RECORDED": gettext_noop("This deal has been entered meanwhile. Here are both versions."),
    "STALE_VERSION": gettext_noop("Someone else has just changed deal %(number)s. Here are both versions."),
    "SESSION_CLOSED": gettext_noop("This session takes no more results: its ranking is final, or play has not begun."),
    "KEY_REUSED": gettext_noop("This page had already been sent. Please read the sheet again before saving."),
    "BUSY": gettext_noop("The desk is busy for a moment. Nothing was lost: save again."),
    "VERSION_UNKNOWN": gettext_noop("Deal %(number)s is not what this page believed. Read the sheet again, then save."),
    "DECISION_NEEDS_ARBITER": gettext_noop(
        "Only an arbiter counts a deal despite a limit. Put the sheet aside for them."
    ),
    "CORRECTION_NEEDS_ARBITER": gettext_noop("Once a sheet is complete, only an arbiter corrects it, with a reason."),
    "DRAFT_TOO_LARGE": gettext_noop("That is too much text to put aside."),
    "NOT_BEGUN": gettext_noop("The evening has not begun: draw the seats first."),
    "TOO_FEW_PLAYERS": gettext_noop("At least 3 players are needed."),
    "SEATING_IMPOSSIBLE": gettext_noop("No seating can be made for %(players)s players."),
    "PLAN_CHANGED": gettext_noop(
        "Those present or the settings have changed since this seating was proposed. Here is a new one."
    ),
    "REGISTRATION_CLOSED": gettext_noop("Registration is closed: the seating is drawn."),
    "ANOTHER_CLUB": gettext_noop("This person belongs to another club."),
    "ALREADY_DRAWN": gettext_noop("The seating is drawn: positions, deals and methods stay as they are."),
    "FFT_CANNOT_RESUME": gettext_noop("After random or best/best seating, the FFT movement cannot be resumed."),
    "NO_POSITION_PLAYING": gettext_noop("No such position is being played now."),
    "POSITION_HOLDS_RESULTS": gettext_noop(
        "Something is entered for position %(number)s: withdraw it first, or enter the position whole."
    ),
    "NOT_RUNNING": gettext_noop("The evening is not being played: its verification cannot begin."),
    "NOT_IN_VERIFICATION": gettext_noop("The ranking becomes final after the verification: begin that first."),
    "POSITION_NOT_ENTERED": gettext_noop("Position %(number)s is not entered: every sheet must be in, every sum zero."),
    "NOT_FINAL": gettext_noop("The ranking is not final: there is nothing to reopen."),
    "REOPENING_NEEDS_CHIEF": gettext_noop("Only the chief arbiter or an organiser reopens a final ranking."),
    "REASON_NEEDED": gettext_noop("Reopening a final ranking needs a reason."),
    "REFUSED": gettext_noop("This step cannot be taken now."),
}


def has_refusal(code: str) -> bool:
    """Say whether a refusal's code has its own sentence."""
    return code in _REFUSALS


def refusal_sentence(error: TournamentError) -> str:
    """Say why a service refused, in words for the user."""
    sentence = _REFUSALS.get(error.reason) or _REFUSALS.get(error.code) or _REFUSALS["REFUSED"]
    words: dict[str, int | str] = {"number": "?", **error.params}
    found = getattr(error, "theirs", None) or getattr(error, "current", None)
    number = getattr(found, "number", None)
    if number:
        words["number"] = number
    elif error.reason == "STALE_VERSION":
        return _("Someone else has just changed the nets of this sheet. Here are both versions.")
    return _(sentence) % words


def explanation_line(explained: Explanation) -> str:
    """Take a score apart in one line: (25 + 8) × 2 = 66 ; poignée 20 ; petit au bout 20 ; total 106."""
    parts = []
    for line in explained.lines:
        amount = _plain(line.amount)
        if line.kind is LineKind.CONTRACT:
            parts.append(f"({explained.base} + {abs(explained.margin)}) × {explained.coefficient} = {amount}")
        elif line.kind is LineKind.PETIT_AU_BOUT:
            parts.append(_("petit au bout %(amount)s") % {"amount": amount})
        elif line.kind is LineKind.POIGNEE:
            parts.append(_("handful %(amount)s") % {"amount": amount})
        else:
            parts.append(_("slam %(amount)s") % {"amount": amount})
    parts.append(_("total %(amount)s") % {"amount": _plain(explained.value)})
    return _("; ").join(parts)


def margin_line(explained: Explanation) -> str:
    """Say by how much the contract is made or down, and what became of a half point."""
    if explained.margin == 0:
        said = _("Just made: contract won by 0")
    elif explained.made:
        said = _("Made by %(margin)s") % {"margin": explained.margin}
    else:
        said = _("Down by %(margin)s") % {"margin": -explained.margin}
    if explained.half_points % 2:
        half = _("The half point goes to the winning side: %(points)s counts %(counted)s.") % {
            "points": points(explained.half_points),
            "counted": explained.counted,
        }
        return f"{said}. {half}"
    return f"{said}."


def contract_code(contract: Contract | None) -> str:
    """Return the code that `contract_label` knows; "" for a contract not told."""
    return contract.value if contract is not None else ""
