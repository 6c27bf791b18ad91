"""The marks of one donne as written on paper, checked without knowing how they came about; sheets stand in sheet.py."""

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from itertools import combinations_with_replacement
from math import gcd

from scoring.limits import LIMITS
from scoring.problems import Problem, ProblemCode, Severity
from scoring.rules import FFT, PLAYER_COUNTS, SHOWABLE_TRUMPS, Chelem, Contract, PoigneeSize, RuleSet

_LARGEST_MARK = 99_999  # far above any scale; keeps a slipped finger out of an integer column


@dataclass(frozen=True, slots=True, kw_only=True)
class MarksEntry:
    """What the paper says. Any value is taken as it comes: find_marks_problems says what is wrong with it."""

    players: int
    contract: Contract | None  # None: not told, then sum and shape alone are checked
    marks: tuple[int, ...]  # by seat
    taker: int | None = None  # seat, when told; needed only where every mark is zero


@dataclass(frozen=True, slots=True)
class _Reading:
    """Marks understood: who took, what a defender owes, and how many times that the taker marks."""

    taker: int
    value: int
    factor: int


def find_marks_problems(entry: MarksEntry, rules: RuleSet = FFT) -> tuple[Problem, ...]:
    """Everything wrong with a written donne, all at once; never raises, whatever was typed."""
    errors = tuple(_form_problems(entry))
    if any(problem.field in ("players", "marks") for problem in errors):
        return errors
    found = list(errors)
    total = sum(entry.marks)
    if total:
        found.append(_problem(ProblemCode.MARKS_SUM, Severity.ERROR, total=total))
    if not any(entry.marks):
        return (*found, *_zero_problems(entry, rules))
    reading = _read(entry.marks)
    if isinstance(reading, Problem):
        return (*found, reading)
    if not errors and entry.taker is not None and entry.taker != reading.taker:
        found.append(_problem(ProblemCode.MARKS_TAKER_SEAT, Severity.ERROR, field="taker", seat=reading.taker))
    if not errors and entry.contract is not None:
        found += _value_problems(reading, entry.players, entry.contract, rules)
    return tuple(found)


def _form_problems(entry: MarksEntry) -> Iterator[Problem]:
    players = entry.players
    if not (type(players) is int and players in PLAYER_COUNTS):
        yield _problem(ProblemCode.PLAYERS_RANGE, Severity.ERROR, field="players")
        return
    if not _is_contract_or_none(entry.contract):
        yield _problem(ProblemCode.CONTRACT_UNKNOWN, Severity.ERROR, field="contract")
    if not _is_seat_or_none(entry.taker, players):
        yield _problem(ProblemCode.TAKER_RANGE, Severity.ERROR, field="taker")
    marks: object = entry.marks
    if not isinstance(marks, tuple):
        yield _problem(ProblemCode.MARKS_COUNT, Severity.ERROR, expected=players, given=0)
        return
    if len(marks) != players:
        yield _problem(ProblemCode.MARKS_COUNT, Severity.ERROR, expected=players, given=len(marks))
    for seat, mark in enumerate(marks):
        if type(mark) is not int or abs(mark) > _LARGEST_MARK:
            yield _problem(ProblemCode.MARK_TYPE, Severity.ERROR, seat=seat)


def _is_contract_or_none(value: object) -> bool:
    return value is None or type(value) is Contract


def _is_seat_or_none(value: object, players: int) -> bool:
    return value is None or (type(value) is int and 0 <= value < players)


def _zero_problems(entry: MarksEntry, rules: RuleSet) -> Iterator[Problem]:
    """A row of zeros is a real donne (garde sans made by 25, announced slam failed), but only its contract tells so."""
    if entry.contract is None:
        yield _problem(ProblemCode.MARKS_ZERO, Severity.ERROR)
    elif _is_contract_or_none(entry.contract) and 0 not in attainable_values(entry.players, entry.contract, rules):
        yield _problem(ProblemCode.MARK_NOT_ATTAINABLE, Severity.LIMIT, mark=0)
    elif entry.taker is None:
        yield _problem(ProblemCode.MARKS_ZERO, Severity.WARNING)


def _read(marks: tuple[int, ...]) -> _Reading | Problem:
    """Find the taker: all defenders mark the same, only the taker and a partner at five may differ."""
    players = len(marks)
    defender, same = Counter(marks).most_common(1)[0]
    others = [seat for seat, mark in enumerate(marks) if mark != defender]
    if same == players - 1:
        taker, factor = others[0], same
    elif players == 5 and same == 3 and -defender in (marks[others[0]], marks[others[1]]):
        partner, factor = (others[0] if marks[others[0]] == -defender else others[1]), 2
        taker = others[0] if partner == others[1] else others[1]
    else:
        return _problem(ProblemCode.MARKS_SHAPE, Severity.LIMIT)
    expected = -factor * defender
    if marks[taker] != expected:
        return _problem(
            ProblemCode.MARKS_TAKER_MULTIPLE,
            Severity.LIMIT,
            seat=taker,
            factor=factor,
            defender=-defender,
            expected=expected,
            given=marks[taker],
        )
    return _Reading(taker, -defender, factor)


def _value_problems(reading: _Reading, players: int, contract: Contract, rules: RuleSet) -> Iterator[Problem]:
    value, multiple = reading.value, _common_multiple(contract, rules)
    if value % multiple:
        yield _problem(ProblemCode.MARK_ODD, Severity.LIMIT, mark=abs(value), multiple=multiple)
        return
    attainable = attainable_values(players, contract, rules)
    if value in attainable:
        return
    if value % reading.factor == 0 and value // reading.factor in attainable:
        defender = abs(value // reading.factor)
        yield _problem(ProblemCode.MARK_IS_TAKERS, Severity.LIMIT, mark=abs(value), defender=defender)
    else:
        yield _problem(ProblemCode.MARK_NOT_ATTAINABLE, Severity.LIMIT, mark=abs(value))


def _common_multiple(contract: Contract, rules: RuleSet) -> int:
    """What every mark of this contract is a multiple of: 2 from the garde up, since each prime is even."""
    return gcd(rules.coefficients[contract], *rules.poignees.values(), *rules.chelems.values())


@cache
def attainable_values(players: int, contract: Contract, rules: RuleSet = FFT) -> frozenset[int]:
    """Every value a regular donne of this contract can have, and a few that only the bounds of totals let through."""
    petit = rules.petit_au_bout * rules.coefficients[contract]
    poignees = _poignee_sums(players, rules)
    values: set[int] = set()
    for bouts in range(4):
        limits = LIMITS[players, contract, bouts]
        attack_petit, defence_petit = (petit,) if bouts else (), (-petit,) if bouts < 3 else ()
        ways = [(limits.ordinary, (0, rules.chelems[Chelem.ANNOUNCED_FAILED]), (0, *attack_petit, *defence_petit))]
        if limits.slam:
            made = rules.chelems[Chelem.ANNOUNCED_MADE], rules.chelems[Chelem.UNANNOUNCED_MADE]
            ways.append((limits.slam, made, (0, *attack_petit)))
        if limits.defence_slam:
            lost = rules.chelems[Chelem.DEFENCE], rules.chelems[Chelem.ANNOUNCED_LOST_TO_DEFENCE]
            ways.append((limits.defence_slam, lost, (0, *defence_petit)))
        for span, chelems, petits in ways:
            plain = {
                (score.value, score.made)
                for score in rules.contract_scores[contract, bouts][span.least : span.most + 1]
            }
            values |= {
                points + chelem + bout + (poignee if made else -poignee)
                for points, made in plain
                for chelem in chelems
                for bout in petits
                for poignee in poignees
            }
    return frozenset(values)


def _poignee_sums(players: int, rules: RuleSet) -> frozenset[int]:
    """What the poignées of one donne can be worth together, in a pack of twenty-two trumps."""
    return frozenset(
        sum(rules.poignees[size] for size in sizes)
        for shown in range(players)
        for sizes in combinations_with_replacement(PoigneeSize, shown)
        if sum(rules.trumps[players, size] for size in sizes) <= SHOWABLE_TRUMPS
    )


def _problem(code: ProblemCode, severity: Severity, *, field: str = "marks", **params: int) -> Problem:
    return Problem(field=field, code=code, severity=severity, params=params)
