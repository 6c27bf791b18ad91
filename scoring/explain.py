"""A score taken apart, line by line, as figures; the words for them belong to whoever shows them."""

from dataclasses import dataclass
from enum import StrEnum

from scoring.donne import DonneEntry, score_donne
from scoring.rules import FFT, Camp, Chelem, PoigneeSize, RuleSet


class LineKind(StrEnum):
    CONTRACT = "contract"  # (base + margin) × coefficient
    PETIT_AU_BOUT = "petit_au_bout"
    POIGNEE = "poignee"
    CHELEM = "chelem"


@dataclass(frozen=True, slots=True, kw_only=True)
class ValueLine:
    """One part of the value, signed for the attack."""

    kind: LineKind
    amount: int
    camp: Camp | None = None  # whose petit au bout; who showed the poignée
    size: PoigneeSize | None = None
    chelem: Chelem | None = None


class Role(StrEnum):
    TAKER = "taker"
    PARTNER = "partner"
    DEFENDER = "defender"


@dataclass(frozen=True, slots=True, kw_only=True)
class ShareLine:
    """What one seat marks, and how many times the value that is."""

    seat: int
    role: Role
    factor: int
    mark: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Explanation:
    half_points: int  # as counted
    target: int  # points needed
    counted: int  # points, the half point awarded to the winner
    margin: int
    made: bool
    base: int
    coefficient: int
    lines: tuple[ValueLine, ...]  # their amounts add up to the value
    value: int
    shares: tuple[ShareLine, ...]  # by seat; their marks add up to zero


def explain(entry: DonneEntry, rules: RuleSet = FFT, *, lifted: bool = False) -> Explanation:
    """Take apart what score_donne says.

    Raises:
        InvalidDonneError: as score_donne.
    """
    score = score_donne(entry, rules, lifted=lifted)
    target = rules.targets[entry.bouts]
    return Explanation(
        half_points=entry.half_points,
        target=target,
        counted=target + score.margin,
        margin=score.margin,
        made=score.made,
        base=rules.base,
        coefficient=rules.coefficients[entry.contract],
        lines=_value_lines(entry, rules, sign=1 if score.made else -1, margin=score.margin),
        value=score.value,
        shares=_share_lines(entry, score.by_seat),
    )


def _value_lines(entry: DonneEntry, rules: RuleSet, *, sign: int, margin: int) -> tuple[ValueLine, ...]:
    coefficient = rules.coefficients[entry.contract]
    lines = [ValueLine(kind=LineKind.CONTRACT, amount=sign * (rules.base + abs(margin)) * coefficient)]
    if entry.petit_au_bout is not None:
        amount = rules.petit_au_bout * coefficient * (1 if entry.petit_au_bout is Camp.ATTACK else -1)
        lines.append(ValueLine(kind=LineKind.PETIT_AU_BOUT, amount=amount, camp=entry.petit_au_bout))
    for poignee in entry.poignees:
        amount = sign * rules.poignees[poignee.size]
        lines.append(ValueLine(kind=LineKind.POIGNEE, amount=amount, camp=poignee.camp, size=poignee.size))
    if entry.chelem is not None:
        lines.append(ValueLine(kind=LineKind.CHELEM, amount=rules.chelems[entry.chelem], chelem=entry.chelem))
    return tuple(lines)


def _share_lines(entry: DonneEntry, by_seat: tuple[int, ...]) -> tuple[ShareLine, ...]:
    def line(seat: int, mark: int) -> ShareLine:
        if seat == entry.taker:
            factor = entry.players - 1 if entry.partner is None else entry.players - 3
            return ShareLine(seat=seat, role=Role.TAKER, factor=factor, mark=mark)
        if seat == entry.partner:
            return ShareLine(seat=seat, role=Role.PARTNER, factor=1, mark=mark)
        return ShareLine(seat=seat, role=Role.DEFENDER, factor=-1, mark=mark)

    return tuple(line(seat, mark) for seat, mark in enumerate(by_seat))
