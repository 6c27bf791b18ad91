"""What a donne is worth: published examples first, then the properties every donne has."""

from dataclasses import fields, replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scoring import (
    FFT,
    Camp,
    Chelem,
    Contract,
    DonneEntry,
    InvalidDonneError,
    PoigneeSize,
    RuleSet,
    find_problems,
    score_donne,
)
from scoring.rules import PLAYER_COUNTS
from scoring.sheet import columns
from tests.scoring.builders import PUBLISHED, Published, a_donne, donnes, shown

NUMBERS = [field.name for field in fields(RuleSet) if field.name != "name"]


def figures(published: Published, rules: RuleSet = FFT) -> dict[str, int]:
    score = score_donne(published.entry, rules, lifted=rules is not FFT)
    return {
        "taker": score.by_seat[0],
        "partner": score.by_seat[1],
        "defender": score.by_seat[-1],
        "margin": score.margin,
    }


@pytest.mark.parametrize("published", PUBLISHED, ids=lambda published: published.id)
def test_a_published_donne_is_worth_what_its_source_says(published: Published) -> None:
    ours = figures(published)
    assert {name: ours[name] for name, _ in published.expected} == dict(published.expected)


def test_the_official_sheet_of_five_donnes_has_its_printed_totals_and_nets() -> None:
    """Règlement officiel du jeu de Tarot, FFT, 2012, p. 9 and 10; columns North, South, East, West."""
    takers = (2, 3, 1, 0, 1)
    official = [published for published in PUBLISHED if published.id.startswith("ro12-p9")]
    rows = [
        score_donne(replace(published.entry, taker=taker)).by_seat
        for published, taker in zip(official, takers, strict=True)
    ]
    feet = columns(rows, players=4)
    assert [(foot.plus, foot.minus) for foot in feet] == [(318, 764), (1746, 400), (360, 750), (270, 780)]
    assert [foot.net for foot in feet] == [-446, 1346, -390, -510]


POIGNEES = {3: (13, 15, 18), 4: (10, 13, 15), 5: (8, 10, 13)}


def test_a_poignee_shows_the_trumps_the_reglement_asks_for() -> None:
    """Règlement officiel du jeu de Tarot, FFT, 2012, p. 7, 11 and 12."""
    for players in PLAYER_COUNTS:
        assert tuple(FFT.trumps[players, size] for size in PoigneeSize) == POIGNEES[players]


def published_facts_hold(rules: RuleSet) -> bool:
    return all(
        {name: figures(published, rules)[name] for name, _ in published.expected} == dict(published.expected)
        for published in (*PUBLISHED, *SLAMS_AND_TRIPLES)
    ) and all(
        tuple(rules.trumps[players, size] for size in PoigneeSize) == POIGNEES[players] for players in PLAYER_COUNTS
    )


SLAMS_AND_TRIPLES = (
    Published(
        id="highest-at-four",
        entry=a_donne(
            contract=Contract.GARDE_CONTRE,
            bouts=3,
            half_points=176,
            petit_au_bout=Camp.ATTACK,
            poignees=(shown(PoigneeSize.TRIPLE),),
            chelem=Chelem.ANNOUNCED_MADE,
        ),
        expected=(("taker", 2886),),
        source="French encyclopedia article on the game: the highest mark of a donne at four",
    ),
    Published(
        id="slam-of-the-defence",
        entry=a_donne(contract=Contract.PRISE, bouts=0, half_points=6, chelem=Chelem.DEFENCE),
        expected=(("defender", 278), ("taker", -834)),
        source="ours: (25 + 53) for the contract lost and 200 to each defender, RO12 p. 6",
    ),
)


@pytest.mark.parametrize("published", SLAMS_AND_TRIPLES, ids=lambda published: published.id)
def test_slams_of_either_side_have_the_stated_value(published: Published) -> None:
    ours = figures(published)
    assert {name: ours[name] for name, _ in published.expected} == dict(published.expected)
    assert find_problems(published.entry) == ()


@pytest.mark.parametrize("number", NUMBERS)
@pytest.mark.parametrize("step", [-1, 1])
def test_no_number_of_the_rule_set_can_change_without_a_published_fact_failing(number: str, step: int) -> None:
    assert published_facts_hold(FFT)
    changed = replace(FFT, **{number: getattr(FFT, number) + step})
    assert not published_facts_hold(changed)


def test_three_players_share_out_an_official_half_point_example() -> None:
    """40½ with two bouts loses by 1, 41½ wins by 1: 26 points in a prise either way."""
    lost = score_donne(a_donne(players=3, contract=Contract.PRISE, half_points=81))
    won = score_donne(a_donne(players=3, contract=Contract.PRISE, half_points=83))
    assert (lost.value, lost.margin, lost.made, lost.by_seat) == (-26, -1, False, (-52, 26, 26))
    assert (won.value, won.margin, won.made, won.by_seat) == (26, 1, True, (52, -26, -26))


def test_the_half_point_goes_to_the_winner_at_four_when_an_arbiter_lets_it_count() -> None:
    assert score_donne(a_donne(half_points=81), lifted=True).margin == -1
    assert score_donne(a_donne(half_points=83), lifted=True).margin == 1
    with pytest.raises(InvalidDonneError):
        score_donne(a_donne(half_points=83))


def test_just_made_is_won_by_nothing() -> None:
    score = score_donne(a_donne(half_points=82))
    assert (score.made, score.margin, score.value) == (True, 0, 50)


# What other scorers got wrong


def test_a_simple_poignee_does_not_add_the_larger_ones() -> None:
    score = score_donne(a_donne(half_points=90, poignees=(shown(),)))
    assert score.by_seat == (234, -78, -78, -78)


def test_a_petit_au_bout_of_a_failing_attack_is_still_paid_to_it() -> None:
    entry = a_donne(players=5, half_points=80, partner=1, petit_au_bout=Camp.ATTACK)
    assert score_donne(entry).by_seat == (-64, -32, 32, 32, 32)


def test_a_petit_au_bout_of_the_defence_is_taken_from_a_made_contract() -> None:
    entry = a_donne(contract=Contract.GARDE_SANS, half_points=90, petit_au_bout=Camp.DEFENCE)
    assert score_donne(entry).by_seat == (228, -76, -76, -76)


def test_half_points_are_not_cut_off_at_five() -> None:
    assert score_donne(a_donne(players=5, half_points=83, partner=1)).by_seat == (104, 52, -52, -52, -52)
    assert score_donne(a_donne(players=5, half_points=81, partner=1)).value == -52


def test_a_slam_is_not_multiplied_by_the_contract() -> None:
    entry = a_donne(bouts=3, half_points=182, chelem=Chelem.ANNOUNCED_MADE)
    assert score_donne(entry).by_seat[0] == 1680


def test_poignees_go_to_the_winners_whoever_showed_them() -> None:
    assert score_donne(a_donne(half_points=70, poignees=(shown(),))).value == -82
    both = (shown(), shown(camp=Camp.DEFENCE))
    assert score_donne(a_donne(contract=Contract.PRISE, bouts=3, half_points=70, poignees=both)).value == -66


def test_a_taker_alone_at_five_is_paid_by_four() -> None:
    assert score_donne(a_donne(players=5, bouts=1, half_points=110)).by_seat == (232, -58, -58, -58, -58)


def test_a_slam_without_the_excuse_has_87_points_and_is_paid() -> None:
    assert score_donne(a_donne(half_points=174, chelem=Chelem.UNANNOUNCED_MADE)).by_seat[0] == 1026
    assert score_donne(a_donne(bouts=3, half_points=174)).value == 152


def test_a_slam_with_the_excuse_last_may_have_its_petit_au_bout() -> None:
    entry = a_donne(half_points=174, petit_au_bout=Camp.ATTACK, poignees=(shown(),), chelem=Chelem.ANNOUNCED_MADE)
    assert (score_donne(entry).value, score_donne(entry).by_seat[0]) == (582, 1746)


def test_a_petit_au_bout_counts_ten_times_the_coefficient() -> None:
    for contract, gain in zip(Contract, (10, 20, 40, 60), strict=True):
        plain = score_donne(a_donne(contract=contract)).value
        assert score_donne(a_donne(contract=contract, petit_au_bout=Camp.ATTACK)).value == plain + gain


def test_the_taker_is_paid_at_whichever_seat() -> None:
    for taker in range(4):
        by_seat = score_donne(a_donne(taker=taker)).by_seat
        assert by_seat[taker] == 198
        assert by_seat.count(-66) == 3


def test_an_announced_slam_lost_to_the_defence_costs_both_primes() -> None:
    """Ours: the text foresees each prime, not both in one donne."""
    entry = a_donne(bouts=0, half_points=6, chelem=Chelem.ANNOUNCED_LOST_TO_DEFENCE)
    assert score_donne(entry).value == -(25 + 53) * 2 - 400


def test_a_garde_sans_made_by_25_with_its_announced_slam_failed_is_worth_nothing() -> None:
    entry = a_donne(contract=Contract.GARDE_SANS, half_points=132, chelem=Chelem.ANNOUNCED_FAILED)
    assert score_donne(entry).by_seat == (0, 0, 0, 0)


# What holds for every donne


@given(donnes())
def test_the_marks_of_a_donne_add_up_to_zero(entry: DonneEntry) -> None:
    score = score_donne(entry, lifted=True)
    assert sum(score.by_seat) == 0
    assert len(score.by_seat) == entry.players
    assert score.by_seat.count(-score.value) >= 2


@given(donnes())
def test_a_point_more_never_costs_the_attack_anything(entry: DonneEntry) -> None:
    if entry.half_points < 182:
        better = replace(entry, half_points=entry.half_points + 1)
        assert score_donne(better, lifted=True).value >= score_donne(entry, lifted=True).value


@given(donnes())
def test_the_total_with_its_half_point_awarded_scores_as_the_total_counted(entry: DonneEntry) -> None:
    score = score_donne(entry, lifted=True)
    awarded = replace(entry, half_points=2 * (FFT.targets[entry.bouts] + score.margin))
    assert score_donne(awarded, lifted=True) == score


@given(donnes())
def test_every_mark_is_even_from_the_garde_up_and_the_takers_a_multiple(entry: DonneEntry) -> None:
    score = score_donne(entry, lifted=True)
    if entry.contract is not Contract.PRISE:
        assert all(mark % 2 == 0 for mark in score.by_seat)
    multiple = 2 if entry.partner is not None else entry.players - 1
    assert score.by_seat[entry.taker] == multiple * score.value


@given(donnes())
def test_a_contract_without_slam_never_falls_into_the_gap_between_minus_16_and_15(entry: DonneEntry) -> None:
    score = score_donne(replace(entry, chelem=None), lifted=True)
    assert score.value >= 15 if score.made else score.value <= -16


@given(donnes())
def test_values_of_possible_donnes_stay_within_the_extremes(entry: DonneEntry) -> None:
    if find_problems(entry) == ():
        low, high = (-806, 994) if entry.players == 5 else (-786, 962)
        assert low <= score_donne(entry).value <= high


@given(donnes(), st.integers(0, 4))
def test_who_took_moves_the_marks_and_changes_no_value(entry: DonneEntry, seat: int) -> None:
    if seat < entry.players and entry.partner is None:
        moved = score_donne(replace(entry, taker=seat), lifted=True)
        assert sorted(moved.by_seat) == sorted(score_donne(entry, lifted=True).by_seat)
