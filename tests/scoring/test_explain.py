"""A score taken apart adds up again."""

import pytest
from hypothesis import given

from scoring import (
    Camp,
    Chelem,
    Contract,
    DonneEntry,
    InvalidDonneError,
    LineKind,
    PoigneeSize,
    Role,
    ShareLine,
    ValueLine,
    explain,
    score_donne,
)
from tests.scoring.builders import a_donne, donnes, shown


def test_the_first_official_example_is_explained_line_by_line() -> None:
    """Règlement officiel du jeu de Tarot, FFT, 2012, p. 9: (25 + 8) × 2 = 66, poignée 20, petit au bout 20."""
    told = explain(a_donne(petit_au_bout=Camp.ATTACK, poignees=(shown(),)))
    assert (told.target, told.counted, told.margin, told.made) == (41, 49, 8, True)
    assert (told.base, told.coefficient, told.value) == (25, 2, 106)
    assert told.lines == (
        ValueLine(kind=LineKind.CONTRACT, amount=66),
        ValueLine(kind=LineKind.PETIT_AU_BOUT, amount=20, camp=Camp.ATTACK),
        ValueLine(kind=LineKind.POIGNEE, amount=20, camp=Camp.ATTACK, size=PoigneeSize.SIMPLE),
    )
    assert [share.mark for share in told.shares] == [318, -106, -106, -106]


def test_a_lost_donne_shows_its_signs_for_the_attack() -> None:
    entry = a_donne(
        contract=Contract.PRISE,
        half_points=68,
        petit_au_bout=Camp.DEFENCE,
        poignees=(shown(),),
        chelem=Chelem.ANNOUNCED_FAILED,
    )
    assert [line.amount for line in explain(entry).lines] == [-32, -10, -20, -200]


def test_a_half_point_is_told_apart_from_what_it_counts() -> None:
    told = explain(a_donne(players=3, half_points=83))
    assert (told.half_points, told.counted, told.margin) == (83, 42, 1)


def test_shares_at_five_name_the_taker_the_partner_and_the_defenders() -> None:
    told = explain(a_donne(players=5, taker=2, partner=4))
    assert told.shares[2] == ShareLine(seat=2, role=Role.TAKER, factor=2, mark=132)
    assert told.shares[4] == ShareLine(seat=4, role=Role.PARTNER, factor=1, mark=66)
    assert told.shares[0] == ShareLine(seat=0, role=Role.DEFENDER, factor=-1, mark=-66)
    alone = explain(a_donne(players=5, taker=2))
    assert [(share.role, share.factor) for share in alone.shares].count((Role.DEFENDER, -1)) == 4
    assert alone.shares[2].factor == 4


@given(donnes())
def test_the_lines_add_up_to_the_value_and_the_shares_to_zero(entry: DonneEntry) -> None:
    told, score = explain(entry, lifted=True), score_donne(entry, lifted=True)
    assert sum(line.amount for line in told.lines) == told.value == score.value
    assert tuple(share.mark for share in told.shares) == score.by_seat
    assert all(share.mark == share.factor * told.value for share in told.shares)
    assert (told.margin, told.made) == (score.margin, score.made)


def test_what_cannot_be_scored_cannot_be_explained() -> None:
    with pytest.raises(InvalidDonneError):
        explain(a_donne(half_points=83))
