"""A donne as entered: what is wrong with it and what it is worth; marks copied from paper stand in marks.py."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import NamedTuple

from scoring.limits import LIMITS, Limits, Span
from scoring.problems import InvalidDonneError, Problem, ProblemCode, Severity
from scoring.rules import (
    FFT,
    HALF_POINTS_IN_DECK,
    PLAYER_COUNTS,
    SHOWABLE_TRUMPS,
    Camp,
    Chelem,
    Contract,
    PoigneeSize,
    RuleSet,
)


@dataclass(frozen=True, slots=True)
class Poignee:
    size: PoigneeSize
    camp: Camp  # who showed it; the camp that wins the donne receives it


@dataclass(frozen=True, slots=True, kw_only=True)
class DonneEntry:
    """What was typed for one donne. Any value is taken as it comes: find_problems says what is wrong with it."""

    players: int
    taker: int  # seat, from 0
    contract: Contract
    bouts: int  # in the attack's tricks at the end
    half_points: int  # of the attack: 41½ points are 83
    partner: int | None = None  # seat, at five only; None: alone against four
    petit_au_bout: Camp | None = None
    poignees: tuple[Poignee, ...] = ()
    chelem: Chelem | None = None


class DonneScore(NamedTuple):
    """A named tuple, since a season is re-scored by the hundred thousand and a frozen dataclass is slow to make."""

    value: int  # what one defender owes; negative when the attack pays
    margin: int  # whole points above or below the target
    made: bool
    by_seat: tuple[int, ...]  # adds up to zero


def score_donne(entry: DonneEntry, rules: RuleSet = FFT, *, lifted: bool = False) -> DonneScore:
    """Score a donne by the règlement.

    Args:
        lifted: an arbiter decided to count a deal that a regular pack cannot give.

    Raises:
        InvalidDonneError: the entry has an error, or a limit that is not lifted.
    """
    if not _is_ordinary(entry, rules):
        _refuse_problems(find_problems(entry, rules), lifted=lifted)
    value, margin, made = rules.contract_scores[entry.contract, entry.bouts][entry.half_points]
    if entry.petit_au_bout is not None:
        petit = rules.petit_au_bout * rules.coefficients[entry.contract]
        value += petit if entry.petit_au_bout is Camp.ATTACK else -petit
    for poignee in entry.poignees:
        value += rules.poignees[poignee.size] if made else -rules.poignees[poignee.size]
    if entry.chelem is not None:
        value += rules.chelems[entry.chelem]
    return DonneScore(value, margin, made, share(value, entry.players, entry.taker, entry.partner))


def share(value: int, players: int, taker: int, partner: int | None = None) -> tuple[int, ...]:
    """The marks of a value: each defender loses it, a partner wins it, the taker makes the sum zero."""
    marks = [-value] * players
    marks[taker] = value * (players - 1)
    if partner is not None:
        marks[partner] = value
        marks[taker] = value * (players - 3)
    return tuple(marks)


def find_problems(entry: DonneEntry, rules: RuleSet = FFT) -> tuple[Problem, ...]:
    """Everything wrong with an entry, all at once; never raises, whatever was typed."""
    errors = tuple(_shape_problems(entry))
    bad = {problem.field for problem in errors}
    found = list(errors)
    if not bad & {"players", "contract", "bouts", "half_points"}:
        found += _total_problems(entry, LIMITS[entry.players, entry.contract, entry.bouts], frozenset(bad))
    if not bad & {"players", "half_points"} and entry.players == 4 and entry.half_points % 2:
        low = entry.half_points // 2
        found.append(_limit("half_points", ProblemCode.HALF_POINT_AT_FOUR, low=low, high=low + 1))
    if not bad & {"bouts", "petit_au_bout"}:
        found += _petit_problems(entry)
    if not bad & {"players", "partner", "poignees"}:
        found += _poignee_problems(entry, rules)
    if not bad & {"chelem"}:
        found += _slam_problems(entry, rules, frozenset(bad))
    return tuple(found)


def _refuse_problems(problems: tuple[Problem, ...], *, lifted: bool) -> None:
    blocking = {Severity.ERROR} if lifted else {Severity.ERROR, Severity.LIMIT}
    if any(problem.severity in blocking for problem in problems):
        raise InvalidDonneError(problems)


def _is_ordinary(entry: DonneEntry, rules: RuleSet) -> bool:
    """A quick yes for nearly every donne; a no only sends it to find_problems, which alone decides.

    Each type is looked at, since True, 4.0 and "garde" are equal to what they are not.
    """
    players, taker, partner, bouts = entry.players, entry.taker, entry.partner, entry.bouts
    contract, chelem, petit, half_points = entry.contract, entry.chelem, entry.petit_au_bout, entry.half_points
    if not (
        type(players) is type(taker) is type(bouts) is type(half_points) is int
        and contract.__class__ is Contract
        and (chelem is None or chelem.__class__ is Chelem)
    ):
        return False
    limits = LIMITS.get((players, contract, bouts))
    if limits is None or not 0 <= taker < players or half_points not in limits.regular[chelem]:
        return False
    if partner is not None and not (
        players == 5 and type(partner) is int and 0 <= partner < players and partner != taker
    ):
        return False
    if petit is not None and not (
        petit.__class__ is Camp
        and (bouts if petit is Camp.ATTACK else bouts < 3)
        and (chelem is None or chelem.winner in (None, petit))
    ):
        return False
    return entry.poignees == () or _are_ordinary_poignees(entry, rules, chelem.winner if chelem else None)


def _are_ordinary_poignees(entry: DonneEntry, rules: RuleSet, slam_winner: Camp | None) -> bool:
    poignees = entry.poignees
    if not _are_poignees(poignees) or len(poignees) > 2:
        return False
    if slam_winner and any(poignee.camp is not slam_winner for poignee in poignees):
        return False
    if len(poignees) == 1:
        return True
    one, other = poignees
    trumps = rules.trumps[entry.players, one.size] + rules.trumps[entry.players, other.size]
    in_one_hand = one.camp is other.camp is Camp.ATTACK and entry.partner is None
    return trumps <= SHOWABLE_TRUMPS and not in_one_hand


def _shape_problems(entry: DonneEntry) -> Iterator[Problem]:
    if not _is_whole(entry.players, PLAYER_COUNTS):
        yield _error("players", ProblemCode.PLAYERS_RANGE)
    seats = range(entry.players if _is_whole(entry.players, PLAYER_COUNTS) else max(PLAYER_COUNTS))
    if not _is_whole(entry.taker, seats):
        yield _error("taker", ProblemCode.TAKER_RANGE)
    if entry.partner is not None:
        if not _is_whole(entry.partner, seats):
            yield _error("partner", ProblemCode.PARTNER_RANGE)
        elif _is_whole(entry.taker, seats) and entry.partner == entry.taker:
            yield _error("partner", ProblemCode.PARTNER_IS_TAKER)
        if _is_whole(entry.players, (3, 4)):
            yield _error("partner", ProblemCode.PARTNER_ONLY_AT_FIVE)
    if not _is(entry.contract, Contract):
        yield _error("contract", ProblemCode.CONTRACT_UNKNOWN)
    if not _is_whole(entry.bouts, range(4)):
        yield _error("bouts", ProblemCode.BOUTS_RANGE)
    if not _is_whole(entry.half_points, range(HALF_POINTS_IN_DECK + 1)):
        yield _error("half_points", ProblemCode.HALF_POINTS_RANGE)
    if not (entry.petit_au_bout is None or _is(entry.petit_au_bout, Camp)):
        yield _error("petit_au_bout", ProblemCode.PETIT_AU_BOUT_UNKNOWN)
    if not _are_poignees(entry.poignees):
        yield _error("poignees", ProblemCode.POIGNEES_UNKNOWN)
    if not (entry.chelem is None or _is(entry.chelem, Chelem)):
        yield _error("chelem", ProblemCode.CHELEM_UNKNOWN)


def _is(value: object, kind: type) -> bool:
    return type(value) is kind


def _is_whole(value: object, allowed: range | tuple[int, ...]) -> bool:
    """An integer among those allowed; True and 4.0 equal integers and are none."""
    return type(value) is int and value in allowed


def _are_poignees(value: object) -> bool:
    if type(value) is not tuple:
        return False
    for poignee in value:  # spelled out: a generator would cost more than the rest of an ordinary donne's check
        if not (type(poignee) is Poignee and type(poignee.size) is PoigneeSize and type(poignee.camp) is Camp):
            return False
    return True


def _total_problems(entry: DonneEntry, limits: Limits, bad: frozenset[str]) -> Iterator[Problem]:
    total, chelem = entry.half_points, None if "chelem" in bad else entry.chelem
    takes_all = limits.slam is not None and total in limits.slam
    takes_none = limits.defence_slam is not None and total in limits.defence_slam
    if not (total in limits.ordinary or takes_all or takes_none):
        yield _limit(
            "half_points",
            ProblemCode.TOTAL_IMPOSSIBLE,
            least=limits.total.least,
            most=limits.ordinary.most,
            slam=limits.slam.most if limits.slam else 0,
            bouts=entry.bouts,
        )
    elif "petit_au_bout" not in bad and entry.petit_au_bout is not None and total not in limits.ordinary:
        holder_has_trick = takes_all if entry.petit_au_bout is Camp.ATTACK else takes_none
        if not holder_has_trick:
            yield _limit("petit_au_bout", ProblemCode.PETIT_TOTAL, **_bounds(limits.ordinary))
    if "chelem" in bad:
        return
    winner = chelem.winner if chelem is not None else None
    if winner is Camp.ATTACK and not takes_all:
        yield _limit("chelem", ProblemCode.SLAM_TOTAL, **_bounds(limits.slam))
    elif winner is Camp.DEFENCE and not takes_none:
        yield _limit("chelem", ProblemCode.DEFENCE_SLAM_TOTAL, **_bounds(limits.defence_slam))
    elif winner is None and total not in limits.ordinary:
        if takes_all:
            code = ProblemCode.SLAM_MISSING if chelem is None else ProblemCode.FAILED_SLAM_TOTAL
            yield _limit("chelem", code)
        elif takes_none:
            yield _limit("chelem", ProblemCode.DEFENCE_SLAM_MISSING)


def _bounds(span: Span | None) -> dict[str, int]:
    return {"least": span.least, "most": span.most} if span else {"least": 0, "most": 0}


def _petit_problems(entry: DonneEntry) -> Iterator[Problem]:
    if entry.petit_au_bout is Camp.ATTACK and entry.bouts == 0:
        yield _limit("petit_au_bout", ProblemCode.PETIT_ATTACK_NO_BOUT)
    if entry.petit_au_bout is Camp.DEFENCE and entry.bouts == 3:
        yield _limit("petit_au_bout", ProblemCode.PETIT_DEFENCE_THREE_BOUTS)


def _poignee_problems(entry: DonneEntry, rules: RuleSet) -> Iterator[Problem]:
    trumps = sum(rules.trumps[entry.players, poignee.size] for poignee in entry.poignees)
    if trumps > SHOWABLE_TRUMPS:
        yield _limit("poignees", ProblemCode.POIGNEE_TRUMPS, trumps=trumps, most=SHOWABLE_TRUMPS)
    attackers = 1 if entry.partner is None else 2
    for camp, players in ((Camp.ATTACK, attackers), (Camp.DEFENCE, entry.players - attackers)):
        if sum(poignee.camp is camp for poignee in entry.poignees) > players:
            yield _limit("poignees", ProblemCode.POIGNEE_PLAYERS, camp=camp.value, players=players)


def _slam_problems(entry: DonneEntry, rules: RuleSet, bad: frozenset[str]) -> Iterator[Problem]:
    winner = entry.chelem.winner if entry.chelem is not None else None
    if winner is None:
        return
    if "petit_au_bout" not in bad and entry.petit_au_bout not in (None, winner):
        yield _limit("petit_au_bout", ProblemCode.SLAM_PETIT)
    if not bad & {"players", "poignees"} and any(
        poignee.camp is not winner and _must_win_a_trick(rules.trumps[entry.players, poignee.size])
        for poignee in entry.poignees
    ):
        yield _limit("poignees", ProblemCode.POIGNEE_SLAM)
    if entry.chelem is Chelem.ANNOUNCED_LOST_TO_DEFENCE:
        yield Problem(field="chelem", code=ProblemCode.SLAM_LOST_AND_DEFENCE, severity=Severity.WARNING)


def _must_win_a_trick(trumps_shown: int) -> bool:
    """Whether a hand with so many trumps, one perhaps the Excuse, holds more than there are higher ones elsewhere."""
    numbered = trumps_shown - 1
    return numbered > SHOWABLE_TRUMPS - 1 - numbered


def _error(field: str, code: ProblemCode) -> Problem:
    return Problem(field=field, code=code, severity=Severity.ERROR)


def _limit(field: str, code: ProblemCode, **params: int | str) -> Problem:
    return Problem(field=field, code=code, severity=Severity.LIMIT, params=params)
