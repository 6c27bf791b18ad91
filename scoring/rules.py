"""The words and numbers of the game, transcribed from docs/rules.md; what a whole donne is worth stands in donne.py."""

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from functools import cached_property
from itertools import product
from typing import NamedTuple

HALF_POINTS_IN_DECK = 182
SHOWABLE_TRUMPS = 22  # twenty-one numbered trumps and the Excuse
PLAYER_COUNTS = (3, 4, 5)


class Contract(StrEnum):
    PRISE = "prise"
    GARDE = "garde"
    GARDE_SANS = "garde_sans"
    GARDE_CONTRE = "garde_contre"


class Camp(StrEnum):
    ATTACK = "attack"
    DEFENCE = "defence"


class PoigneeSize(StrEnum):
    SIMPLE = "simple"
    DOUBLE = "double"
    TRIPLE = "triple"


class Chelem(StrEnum):
    ANNOUNCED_MADE = "announced_made"
    UNANNOUNCED_MADE = "unannounced_made"
    ANNOUNCED_FAILED = "announced_failed"
    DEFENCE = "defence"
    ANNOUNCED_LOST_TO_DEFENCE = "announced_lost_to_defence"

    @property
    def winner(self) -> Camp | None:
        """The camp that took every trick; None when neither did."""
        return _SLAM_WINNERS[self]


_SLAM_WINNERS = {
    Chelem.ANNOUNCED_MADE: Camp.ATTACK,
    Chelem.UNANNOUNCED_MADE: Camp.ATTACK,
    Chelem.ANNOUNCED_FAILED: None,
    Chelem.DEFENCE: Camp.DEFENCE,
    Chelem.ANNOUNCED_LOST_TO_DEFENCE: Camp.DEFENCE,
}


class ContractScore(NamedTuple):
    """What the contract alone is worth, before any prime."""

    value: int
    margin: int
    made: bool


@dataclass(frozen=True, kw_only=True)
class RuleSet:
    """One integer per number of the règlement, so that a house scale is a row of integers.

    Not slotted: the lookup tables below are worked out once per rule set and kept on it.
    """

    name: str
    target_0_bouts: int
    target_1_bout: int
    target_2_bouts: int
    target_3_bouts: int
    base: int
    coefficient_prise: int
    coefficient_garde: int
    coefficient_garde_sans: int
    coefficient_garde_contre: int
    petit_au_bout: int
    poignee_simple: int
    poignee_double: int
    poignee_triple: int
    chelem_announced_made: int
    chelem_unannounced_made: int
    chelem_announced_failed: int  # deducted from the attack's value
    chelem_defence: int  # paid to each defender
    trumps_3_simple: int
    trumps_3_double: int
    trumps_3_triple: int
    trumps_4_simple: int
    trumps_4_double: int
    trumps_4_triple: int
    trumps_5_simple: int
    trumps_5_double: int
    trumps_5_triple: int

    @cached_property
    def targets(self) -> tuple[int, int, int, int]:
        """Points the attack needs, by its number of bouts."""
        return (self.target_0_bouts, self.target_1_bout, self.target_2_bouts, self.target_3_bouts)

    @cached_property
    def coefficients(self) -> Mapping[Contract, int]:
        return {
            Contract.PRISE: self.coefficient_prise,
            Contract.GARDE: self.coefficient_garde,
            Contract.GARDE_SANS: self.coefficient_garde_sans,
            Contract.GARDE_CONTRE: self.coefficient_garde_contre,
        }

    @cached_property
    def contract_scores(self) -> Mapping[tuple[Contract, int], tuple[ContractScore, ...]]:
        """By contract and bouts, then by half points; worked out once, for whole seasons are re-scored."""
        return {
            (contract, bouts): tuple(
                self._contract_score(contract, bouts, half_points) for half_points in range(HALF_POINTS_IN_DECK + 1)
            )
            for contract, bouts in product(Contract, range(4))
        }

    def _contract_score(self, contract: Contract, bouts: int, half_points: int) -> ContractScore:
        target = self.targets[bouts]
        made = half_points >= 2 * target
        # The last half point goes to the camp that wins without it.
        margin = (half_points + made) // 2 - target
        points = self.base + margin if made else margin - self.base
        return ContractScore(points * self.coefficients[contract], margin, made)

    @cached_property
    def poignees(self) -> Mapping[PoigneeSize, int]:
        """What the camp that wins the donne receives for each poignée shown."""
        return {
            PoigneeSize.SIMPLE: self.poignee_simple,
            PoigneeSize.DOUBLE: self.poignee_double,
            PoigneeSize.TRIPLE: self.poignee_triple,
        }

    @cached_property
    def chelems(self) -> Mapping[Chelem, int]:
        """What a slam adds to the attack's value, signed."""
        return {
            Chelem.ANNOUNCED_MADE: self.chelem_announced_made,
            Chelem.UNANNOUNCED_MADE: self.chelem_unannounced_made,
            Chelem.ANNOUNCED_FAILED: -self.chelem_announced_failed,
            Chelem.DEFENCE: -self.chelem_defence,
            Chelem.ANNOUNCED_LOST_TO_DEFENCE: -self.chelem_announced_failed - self.chelem_defence,
        }

    @cached_property
    def trumps(self) -> Mapping[tuple[int, PoigneeSize], int]:
        """How many trumps a poignée shows, by number of players and size."""
        return {
            (3, PoigneeSize.SIMPLE): self.trumps_3_simple,
            (3, PoigneeSize.DOUBLE): self.trumps_3_double,
            (3, PoigneeSize.TRIPLE): self.trumps_3_triple,
            (4, PoigneeSize.SIMPLE): self.trumps_4_simple,
            (4, PoigneeSize.DOUBLE): self.trumps_4_double,
            (4, PoigneeSize.TRIPLE): self.trumps_4_triple,
            (5, PoigneeSize.SIMPLE): self.trumps_5_simple,
            (5, PoigneeSize.DOUBLE): self.trumps_5_double,
            (5, PoigneeSize.TRIPLE): self.trumps_5_triple,
        }


FFT = RuleSet(
    name="FFT",
    target_0_bouts=56,
    target_1_bout=51,
    target_2_bouts=41,
    target_3_bouts=36,
    base=25,
    coefficient_prise=1,
    coefficient_garde=2,
    coefficient_garde_sans=4,
    coefficient_garde_contre=6,
    petit_au_bout=10,
    poignee_simple=20,
    poignee_double=30,
    poignee_triple=40,
    chelem_announced_made=400,
    chelem_unannounced_made=200,
    chelem_announced_failed=200,
    chelem_defence=200,
    trumps_3_simple=13,
    trumps_3_double=15,
    trumps_3_triple=18,
    trumps_4_simple=10,
    trumps_4_double=13,
    trumps_4_triple=15,
    trumps_5_simple=8,
    trumps_5_double=10,
    trumps_5_triple=13,
)
