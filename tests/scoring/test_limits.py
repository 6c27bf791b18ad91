"""The bounds of a total, against an exhaustive count over the piles a camp can hold (ours)."""

import pytest

from scoring import Contract
from scoring.limits import LIMITS, Span

CLASSES = {
    "ecart": (Contract.PRISE, Contract.GARDE),
    "sans": (Contract.GARDE_SANS,),
    "contre": (Contract.GARDE_CONTRE,),
}

# Players, class, bouts; then in half points as counted: total, slam of the attack, slam of the defence.
COUNTED: tuple[tuple[int, str, int, tuple[int, int], tuple[int, int] | None, tuple[int, int] | None], ...] = (
    (3, "ecart", 0, (6, 155), None, (6, 38)),
    (3, "ecart", 1, (14, 163), None, (14, 46)),
    (3, "ecart", 2, (25, 174), (174, 174), None),
    (3, "ecart", 3, (33, 182), (182, 182), None),
    (3, "sans", 0, (6, 155), None, (6, 50)),
    (3, "sans", 1, (14, 163), None, (14, 58)),
    (3, "sans", 2, (22, 174), (174, 174), (22, 60)),
    (3, "sans", 3, (30, 182), (182, 182), (30, 62)),
    (3, "contre", 0, (0, 152), (120, 152), (0, 0)),
    (3, "contre", 1, (8, 160), (122, 160), (8, 8)),
    (3, "contre", 2, (19, 168), (124, 168), None),
    (3, "contre", 3, (27, 176), (132, 176), None),
    (4, "ecart", 0, (6, 154), None, (6, 38)),
    (4, "ecart", 1, (14, 162), None, (14, 46)),
    (4, "ecart", 2, (26, 174), (174, 174), None),
    (4, "ecart", 3, (34, 182), (182, 182), None),
    (4, "sans", 0, (6, 154), None, (6, 50)),
    (4, "sans", 1, (14, 162), None, (14, 58)),
    (4, "sans", 2, (22, 174), (174, 174), (22, 60)),
    (4, "sans", 3, (30, 182), (182, 182), (30, 62)),
    (4, "contre", 0, (0, 152), (120, 152), (0, 0)),
    (4, "contre", 1, (8, 160), (122, 160), (8, 8)),
    (4, "contre", 2, (20, 168), (124, 168), None),
    (4, "contre", 3, (28, 176), (132, 176), None),
    (5, "ecart", 0, (3, 153), None, (3, 21)),
    (5, "ecart", 1, (11, 161), None, (11, 29)),
    (5, "ecart", 2, (24, 174), (174, 174), None),
    (5, "ecart", 3, (32, 182), (182, 182), None),
    (5, "sans", 0, (3, 153), None, (3, 27)),
    (5, "sans", 1, (11, 161), None, (11, 35)),
    (5, "sans", 2, (19, 174), (174, 174), (19, 35)),
    (5, "sans", 3, (27, 182), (182, 182), (27, 35)),
    (5, "contre", 0, (0, 155), (147, 155), (0, 0)),
    (5, "contre", 1, (8, 163), (147, 163), (8, 8)),
    (5, "contre", 2, (21, 171), (147, 171), None),
    (5, "contre", 3, (29, 179), (155, 179), None),
)


@pytest.mark.parametrize(("players", "kind", "bouts", "total", "slam", "defence_slam"), COUNTED)
def test_the_bounds_worked_out_are_those_of_the_exhaustive_count(
    players: int,
    kind: str,
    bouts: int,
    total: tuple[int, int],
    slam: tuple[int, int] | None,
    defence_slam: tuple[int, int] | None,
) -> None:
    for contract in CLASSES[kind]:
        limits = LIMITS[players, contract, bouts]
        assert limits.total == Span(*total).awarded(down=True, up=True)
        assert limits.slam == (Span(*slam).awarded(down=False, up=True) if slam else None)
        assert limits.defence_slam == (Span(*defence_slam).awarded(down=True, up=False) if defence_slam else None)


def test_every_table_contract_and_number_of_bouts_is_counted() -> None:
    assert len(COUNTED) == 36
    assert len(LIMITS) == 48


def test_a_half_point_awarded_widens_only_an_odd_bound() -> None:
    assert Span(33, 179).awarded(down=True, up=True) == Span(32, 180)
    assert Span(33, 179).awarded(down=False, up=False) == Span(33, 179)
    assert Span(34, 178).awarded(down=True, up=True) == Span(34, 178)
