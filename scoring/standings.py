"""From totals to ranks: equal players share a rank and the next is skipped; where totals come from is not known."""

from collections.abc import Iterable
from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class PlayerTotal:
    id: int  # settles the printed order of equals, never a rank
    points: int  # marks and nets, added up
    penalty: int = 0  # zero or negative: an arbiter's ledger of its own
    in_ranking: bool = True  # False: printed after the others, without a rank

    @property
    def total(self) -> int:
        return self.points + self.penalty


@dataclass(frozen=True, slots=True, kw_only=True)
class RankedTotal:
    rank: int | None  # None: not ranked
    tied: bool  # shares its rank with somebody
    player: PlayerTotal


def rank(totals: Iterable[PlayerTotal]) -> tuple[RankedTotal, ...]:
    """Rank by decreasing total, in printed order: 1, 2, 2, 4, and the unranked last."""
    printed = sorted(totals, key=lambda player: (not player.in_ranking, -player.total, player.id))
    ranked = [player for player in printed if player.in_ranking]
    first_place: dict[int, int] = {}
    holders: dict[int, int] = {}
    for place, player in enumerate(ranked, start=1):
        first_place.setdefault(player.total, place)
        holders[player.total] = holders.get(player.total, 0) + 1
    return tuple(
        RankedTotal(rank=first_place[player.total], tied=holders[player.total] > 1, player=player)
        if player.in_ranking
        else RankedTotal(rank=None, tied=False, player=player)
        for player in printed
    )
