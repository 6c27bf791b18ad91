"""Which totals a 78-card deck can give the attack: bounds worked out from what a camp holds without a trick; no holes.

A camp that takes no trick still holds the chien where it belongs to it, and its Excuse, for which it has no card to
give back and which therefore counts 4. A camp that takes a trick holds one more card per player. Everything below
follows from that. Totals are in half points, as counted or with the last half point already awarded: people write both.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from itertools import product

from scoring.rules import HALF_POINTS_IN_DECK, PLAYER_COUNTS, Camp, Chelem, Contract

_CHIEN_CARDS = {3: 6, 4: 6, 5: 3}
_BOUT, _LOW_CARD, _LONE_EXCUSE = 9, 1, 8  # half points; an Excuse with no card to give back counts 4
_HEAD_CARDS = (9, 9, 9, 9, 7, 7, 7, 7, 5, 5, 5, 5, 3, 3, 3, 3)  # kings, queens, knights, jacks
_WITHOUT_KINGS = _HEAD_CARDS[4:]


@dataclass(frozen=True, slots=True)
class Span:
    least: int
    most: int

    def __contains__(self, half_points: int) -> bool:
        return self.least <= half_points <= self.most

    def mirrored(self) -> "Span":
        """The same bounds seen from the other camp."""
        return Span(HALF_POINTS_IN_DECK - self.most, HALF_POINTS_IN_DECK - self.least)

    def awarded(self, *, down: bool, up: bool) -> "Span":
        """Widened to the whole points people write once the half point has gone to the winning camp."""
        return Span(self.least - self.least % 2 * down, self.most + self.most % 2 * up)


@dataclass(frozen=True, slots=True, kw_only=True)
class Limits:
    """What the attack can have, for a number of players, a contract and its number of bouts."""

    ordinary: Span  # both camps have a trick
    slam: Span | None  # the attack has them all; None: not with these bouts
    defence_slam: Span | None  # the defence has them all
    regular: Mapping[Chelem | None, range]  # totals that call for no decision, by what was said of a slam

    @property
    def total(self) -> Span:
        spans = [span for span in (self.defence_slam, self.ordinary, self.slam) if span]
        return Span(min(span.least for span in spans), max(span.most for span in spans))


@dataclass(frozen=True, slots=True, kw_only=True)
class _Pile:
    """The cards a camp holds before any trick: nothing, an écart it chose, or a chien nobody touched."""

    cards: int
    chosen: bool

    def without_trick(self, bouts: int) -> Span | None:
        """Bounds for a camp that holds this pile, these bouts and no trick; None when it must have won one."""
        reach = 1 if self.chosen or not self.cards else 3
        if bouts > reach:
            return None
        if self.chosen:  # kings and bouts may not be put in the écart, the only bout is then a kept Excuse
            return Span(self.cards + _LONE_EXCUSE * bouts, sum(_WITHOUT_KINGS[: self.cards]) + _LONE_EXCUSE * bouts)
        excuse = min(bouts, 1)
        lying = bouts - excuse
        held = _LONE_EXCUSE * excuse + _BOUT * lying
        rest = max(self.cards - lying, 0)
        return Span(held + _LOW_CARD * rest, held + sum(_HEAD_CARDS[:rest]))

    def least_with_trick(self, bouts: int, players: int) -> int:
        """The poorest pile with at least one trick: as many low cards as a trick and the pile hold beside the bouts."""
        return _BOUT * bouts + _LOW_CARD * (self.cards + players - bouts)


def _piles(players: int, contract: Contract) -> tuple[_Pile, _Pile]:
    """The piles of the attack and of the defence before the first trick."""
    nothing = _Pile(cards=0, chosen=False)
    chien = _Pile(cards=_CHIEN_CARDS[players], chosen=contract in (Contract.PRISE, Contract.GARDE))
    return (nothing, chien) if contract is Contract.GARDE_CONTRE else (chien, nothing)


def _limits(players: int, contract: Contract, bouts: int) -> Limits:
    attack, defence = _piles(players, contract)
    attack_without, defence_without = attack.without_trick(bouts), defence.without_trick(3 - bouts)
    ordinary = Span(
        attack.least_with_trick(bouts, players),
        HALF_POINTS_IN_DECK - defence.least_with_trick(3 - bouts, players),
    )
    spans = {
        None: ordinary.awarded(down=True, up=True),
        Camp.ATTACK: defence_without.mirrored().awarded(down=False, up=True) if defence_without else None,
        Camp.DEFENCE: attack_without.awarded(down=True, up=False) if attack_without else None,
    }
    step = 2 if players == 4 else 1
    ranges = {winner: range(span.least, span.most + 1, step) if span else range(0) for winner, span in spans.items()}
    return Limits(
        ordinary=ordinary.awarded(down=True, up=True),
        slam=spans[Camp.ATTACK],
        defence_slam=spans[Camp.DEFENCE],
        regular={None: ranges[None]} | {chelem: ranges[chelem.winner] for chelem in Chelem},
    )


LIMITS = {
    (players, contract, bouts): _limits(players, contract, bouts)
    for players, contract, bouts in product(PLAYER_COUNTS, Contract, range(4))
}
