"""What can be wrong with a donne as entered: codes and their severity; the checks stand beside what they check."""

from collections.abc import Mapping
from dataclasses import dataclass
from dataclasses import field as dataclass_field
from enum import StrEnum


class Severity(StrEnum):
    ERROR = "ERROR"  # shape and ranges: never lifted
    LIMIT = "LIMIT"  # a regular deal cannot give it: an arbiter's decision may lift it
    WARNING = "WARNING"  # never blocks


class ProblemCode(StrEnum):
    """Each code names the keys of its parameters, if any, for the sentence that explains it."""

    # Shape and ranges of a computed donne
    PLAYERS_RANGE = "PLAYERS_RANGE"
    TAKER_RANGE = "TAKER_RANGE"
    PARTNER_RANGE = "PARTNER_RANGE"
    PARTNER_ONLY_AT_FIVE = "PARTNER_ONLY_AT_FIVE"
    PARTNER_IS_TAKER = "PARTNER_IS_TAKER"
    CONTRACT_UNKNOWN = "CONTRACT_UNKNOWN"
    BOUTS_RANGE = "BOUTS_RANGE"
    HALF_POINTS_RANGE = "HALF_POINTS_RANGE"
    PETIT_AU_BOUT_UNKNOWN = "PETIT_AU_BOUT_UNKNOWN"
    POIGNEES_UNKNOWN = "POIGNEES_UNKNOWN"
    CHELEM_UNKNOWN = "CHELEM_UNKNOWN"
    # What the deck cannot give
    HALF_POINT_AT_FOUR = "HALF_POINT_AT_FOUR"  # low, high: the two whole numbers of points around it
    TOTAL_IMPOSSIBLE = "TOTAL_IMPOSSIBLE"  # least, most; slam: the most with a slam, or 0 (half points); bouts
    PETIT_ATTACK_NO_BOUT = "PETIT_ATTACK_NO_BOUT"
    PETIT_DEFENCE_THREE_BOUTS = "PETIT_DEFENCE_THREE_BOUTS"
    PETIT_TOTAL = "PETIT_TOTAL"  # least, most: half points of the attack when that camp has a trick
    SLAM_PETIT = "SLAM_PETIT"
    SLAM_TOTAL = "SLAM_TOTAL"  # least, most: half points; both 0 when these bouts allow no slam
    DEFENCE_SLAM_TOTAL = "DEFENCE_SLAM_TOTAL"  # the same, for a slam of the defence
    FAILED_SLAM_TOTAL = "FAILED_SLAM_TOTAL"
    SLAM_MISSING = "SLAM_MISSING"
    DEFENCE_SLAM_MISSING = "DEFENCE_SLAM_MISSING"
    POIGNEE_TRUMPS = "POIGNEE_TRUMPS"  # trumps: how many were shown in all; most
    POIGNEE_PLAYERS = "POIGNEE_PLAYERS"  # camp, players: how many sit in it
    POIGNEE_SLAM = "POIGNEE_SLAM"
    SLAM_LOST_AND_DEFENCE = "SLAM_LOST_AND_DEFENCE"  # both primes, by our reading
    # Marks typed from the paper
    MARKS_COUNT = "MARKS_COUNT"  # expected, given
    MARK_TYPE = "MARK_TYPE"  # seat
    MARKS_SUM = "MARKS_SUM"  # total: signed
    MARKS_SHAPE = "MARKS_SHAPE"
    MARKS_TAKER_MULTIPLE = "MARKS_TAKER_MULTIPLE"  # seat, factor, defender, expected, given
    MARKS_TAKER_SEAT = "MARKS_TAKER_SEAT"  # seat: where the marks show the taker
    MARKS_ZERO = "MARKS_ZERO"  # a row of zeros needs its contract and its taker
    MARK_ODD = "MARK_ODD"  # mark, multiple: the marks of this contract are multiples of it
    MARK_IS_TAKERS = "MARK_IS_TAKERS"  # mark, defender: what each defender would then mark
    MARK_NOT_ATTAINABLE = "MARK_NOT_ATTAINABLE"  # mark
    # A whole sheet
    DONNE_SUM = "DONNE_SUM"  # number, total
    NETS_COUNT = "NETS_COUNT"  # expected, given
    NETS_SUM = "NETS_SUM"  # total: signed
    NET_DIFFERS = "NET_DIFFERS"  # seat, computed, written


@dataclass(frozen=True, slots=True, kw_only=True)
class Problem:
    """One thing wrong: where, what, how grave, and the figures a sentence about it needs."""

    field: str
    code: ProblemCode
    severity: Severity
    params: Mapping[str, int | str] = dataclass_field(default_factory=dict, hash=False)


class InvalidDonneError(ValueError):
    """An entry that cannot be scored; carries every problem found, not only the first."""

    def __init__(self, problems: tuple[Problem, ...]) -> None:
        super().__init__(", ".join(f"{problem.field}: {problem.code}" for problem in problems))
        self.problems = problems
