"""What an entry is refused for, all at once and never with a crash."""

import sys
from dataclasses import fields, replace
from typing import Any

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
    Poignee,
    PoigneeSize,
    ProblemCode,
    Severity,
    find_problems,
    score_donne,
)
from tests.scoring.builders import a_donne, donnes, shown


def codes(entry: DonneEntry, severity: Severity | None = None) -> list[str]:
    return [problem.code for problem in find_problems(entry) if severity in (None, problem.severity)]


def test_an_ordinary_donne_has_no_problem() -> None:
    assert find_problems(a_donne()) == ()


SHAPE: list[tuple[str, dict[str, Any], ProblemCode]] = [
    ("players", {"players": 2}, ProblemCode.PLAYERS_RANGE),
    ("players", {"players": 6}, ProblemCode.PLAYERS_RANGE),
    ("players", {"players": 4.0}, ProblemCode.PLAYERS_RANGE),
    ("players", {"players": None}, ProblemCode.PLAYERS_RANGE),
    ("taker", {"taker": 4}, ProblemCode.TAKER_RANGE),
    ("taker", {"taker": -1}, ProblemCode.TAKER_RANGE),
    ("taker", {"taker": True}, ProblemCode.TAKER_RANGE),
    ("taker", {"taker": None}, ProblemCode.TAKER_RANGE),
    ("partner", {"partner": 1}, ProblemCode.PARTNER_ONLY_AT_FIVE),
    ("partner", {"players": 3, "partner": 1}, ProblemCode.PARTNER_ONLY_AT_FIVE),
    ("partner", {"players": 5, "partner": 0}, ProblemCode.PARTNER_IS_TAKER),
    ("partner", {"players": 5, "partner": 5}, ProblemCode.PARTNER_RANGE),
    ("partner", {"players": 5, "partner": "1"}, ProblemCode.PARTNER_RANGE),
    ("contract", {"contract": "garde"}, ProblemCode.CONTRACT_UNKNOWN),
    ("contract", {"contract": None}, ProblemCode.CONTRACT_UNKNOWN),
    ("contract", {"contract": 2}, ProblemCode.CONTRACT_UNKNOWN),
    ("bouts", {"bouts": -1}, ProblemCode.BOUTS_RANGE),
    ("bouts", {"bouts": 4}, ProblemCode.BOUTS_RANGE),
    ("bouts", {"bouts": "2"}, ProblemCode.BOUTS_RANGE),
    ("bouts", {"bouts": None}, ProblemCode.BOUTS_RANGE),
    ("half_points", {"half_points": -1}, ProblemCode.HALF_POINTS_RANGE),
    ("half_points", {"half_points": 183}, ProblemCode.HALF_POINTS_RANGE),
    ("half_points", {"half_points": 98.0}, ProblemCode.HALF_POINTS_RANGE),
    ("half_points", {"half_points": "45,5"}, ProblemCode.HALF_POINTS_RANGE),
    ("half_points", {"half_points": None}, ProblemCode.HALF_POINTS_RANGE),
    ("petit_au_bout", {"petit_au_bout": "attack"}, ProblemCode.PETIT_AU_BOUT_UNKNOWN),
    ("petit_au_bout", {"petit_au_bout": True}, ProblemCode.PETIT_AU_BOUT_UNKNOWN),
    ("poignees", {"poignees": None}, ProblemCode.POIGNEES_UNKNOWN),
    ("poignees", {"poignees": "simple"}, ProblemCode.POIGNEES_UNKNOWN),
    ("poignees", {"poignees": (PoigneeSize.SIMPLE,)}, ProblemCode.POIGNEES_UNKNOWN),
    ("poignees", {"poignees": (Poignee("simple", Camp.ATTACK),)}, ProblemCode.POIGNEES_UNKNOWN),  # type: ignore[arg-type]
    ("chelem", {"chelem": "announced_made"}, ProblemCode.CHELEM_UNKNOWN),
    ("chelem", {"chelem": 0}, ProblemCode.CHELEM_UNKNOWN),
]


@pytest.mark.parametrize(("field", "changes", "code"), SHAPE)
def test_an_error_of_shape_is_named_and_never_lifted(field: str, changes: dict[str, Any], code: ProblemCode) -> None:
    entry = a_donne(**changes)
    assert (field, code, Severity.ERROR) in {
        (found.field, found.code, found.severity) for found in find_problems(entry)
    }
    with pytest.raises(InvalidDonneError) as refused:
        score_donne(entry, lifted=True)
    assert refused.value.problems == find_problems(entry)
    assert code in str(refused.value)


ATTACK_SLAM, LOST = Chelem.UNANNOUNCED_MADE, Chelem.ANNOUNCED_FAILED
SIMPLE, DOUBLE, TRIPLE = (shown(size, Camp.DEFENCE) for size in PoigneeSize)

IMPOSSIBLE: list[tuple[ProblemCode, dict[str, Any]]] = [
    (ProblemCode.HALF_POINT_AT_FOUR, {"half_points": 83}),
    (ProblemCode.TOTAL_IMPOSSIBLE, {"half_points": 24}),
    (ProblemCode.TOTAL_IMPOSSIBLE, {"half_points": 172}),
    (ProblemCode.TOTAL_IMPOSSIBLE, {"half_points": 180}),
    (ProblemCode.TOTAL_IMPOSSIBLE, {"bouts": 3, "half_points": 180}),
    (ProblemCode.TOTAL_IMPOSSIBLE, {"contract": Contract.GARDE_CONTRE, "bouts": 3, "half_points": 182}),
    (ProblemCode.PETIT_ATTACK_NO_BOUT, {"bouts": 0, "petit_au_bout": Camp.ATTACK}),
    (ProblemCode.PETIT_DEFENCE_THREE_BOUTS, {"bouts": 3, "petit_au_bout": Camp.DEFENCE}),
    (ProblemCode.PETIT_TOTAL, {"bouts": 1, "half_points": 16, "petit_au_bout": Camp.ATTACK}),
    (ProblemCode.PETIT_TOTAL, {"bouts": 2, "half_points": 174, "petit_au_bout": Camp.DEFENCE, "chelem": ATTACK_SLAM}),
    (ProblemCode.SLAM_PETIT, {"half_points": 174, "petit_au_bout": Camp.DEFENCE, "chelem": ATTACK_SLAM}),
    (ProblemCode.SLAM_PETIT, {"bouts": 1, "half_points": 16, "petit_au_bout": Camp.ATTACK, "chelem": Chelem.DEFENCE}),
    (ProblemCode.SLAM_TOTAL, {"bouts": 3, "half_points": 174, "chelem": ATTACK_SLAM}),
    (ProblemCode.SLAM_TOTAL, {"bouts": 1, "half_points": 160, "chelem": Chelem.ANNOUNCED_MADE}),
    (ProblemCode.DEFENCE_SLAM_TOTAL, {"bouts": 0, "half_points": 40, "chelem": Chelem.DEFENCE}),
    (ProblemCode.DEFENCE_SLAM_TOTAL, {"half_points": 40, "chelem": Chelem.ANNOUNCED_LOST_TO_DEFENCE}),
    (ProblemCode.FAILED_SLAM_TOTAL, {"half_points": 174, "chelem": LOST}),
    (ProblemCode.SLAM_MISSING, {"bouts": 3, "half_points": 182}),
    (ProblemCode.SLAM_MISSING, {"half_points": 174}),
    (ProblemCode.DEFENCE_SLAM_MISSING, {"bouts": 0, "half_points": 6}),
    (ProblemCode.DEFENCE_SLAM_MISSING, {"bouts": 0, "half_points": 8}),
    (ProblemCode.DEFENCE_SLAM_MISSING, {"bouts": 1, "half_points": 16, "chelem": LOST}),
    (ProblemCode.POIGNEE_TRUMPS, {"poignees": (shown(), shown(PoigneeSize.DOUBLE, Camp.DEFENCE))}),
    (ProblemCode.POIGNEE_TRUMPS, {"players": 3, "poignees": (shown(), SIMPLE)}),
    (ProblemCode.POIGNEE_TRUMPS, {"players": 5, "partner": 1, "poignees": (DOUBLE, TRIPLE)}),
    (ProblemCode.POIGNEE_TRUMPS, {"players": 5, "partner": 1, "poignees": (SIMPLE, SIMPLE, SIMPLE)}),
    (ProblemCode.POIGNEE_PLAYERS, {"poignees": (shown(), shown())}),
    (ProblemCode.POIGNEE_SLAM, {"half_points": 174, "chelem": ATTACK_SLAM, "poignees": (DOUBLE,)}),
    (ProblemCode.POIGNEE_SLAM, {"players": 3, "half_points": 174, "chelem": ATTACK_SLAM, "poignees": (SIMPLE,)}),
    (ProblemCode.POIGNEE_SLAM, {"players": 5, "half_points": 174, "chelem": ATTACK_SLAM, "poignees": (TRIPLE,)}),
]


@pytest.mark.parametrize(("code", "changes"), IMPOSSIBLE)
def test_what_a_pack_cannot_give_is_refused_until_an_arbiter_lifts_it(
    code: ProblemCode, changes: dict[str, Any]
) -> None:
    entry = a_donne(**changes)
    assert code in codes(entry, Severity.LIMIT)
    assert codes(entry, Severity.ERROR) == []
    with pytest.raises(InvalidDonneError):
        score_donne(entry)
    assert sum(score_donne(entry, lifted=True).by_seat) == 0


POSSIBLE: list[dict[str, Any]] = [
    {"half_points": 174, "chelem": ATTACK_SLAM},
    {"bouts": 3, "half_points": 174},
    {"bouts": 3, "half_points": 162, "chelem": LOST},
    {"bouts": 3, "half_points": 182, "chelem": ATTACK_SLAM, "poignees": (SIMPLE,)},
    {"bouts": 0, "half_points": 38, "chelem": Chelem.DEFENCE, "petit_au_bout": Camp.DEFENCE},
    {"contract": Contract.GARDE_CONTRE, "bouts": 0, "half_points": 120, "chelem": ATTACK_SLAM},
    {"contract": Contract.GARDE_CONTRE, "bouts": 0, "half_points": 120},
    {"contract": Contract.GARDE_SANS, "bouts": 3, "half_points": 62, "chelem": Chelem.DEFENCE},
    {"players": 3, "bouts": 3, "half_points": 180},
    {"players": 3, "bouts": 3, "half_points": 179},
    {"players": 5, "bouts": 3, "half_points": 174},
    {"players": 5, "bouts": 0, "half_points": 2, "chelem": Chelem.DEFENCE},
    {"players": 5, "half_points": 174, "chelem": ATTACK_SLAM, "poignees": (SIMPLE, DOUBLE)},
    {"players": 5, "partner": 1, "poignees": (SIMPLE, TRIPLE)},
    {"players": 5, "partner": 1, "poignees": (shown(), shown())},
    {"bouts": 1, "half_points": 18, "petit_au_bout": Camp.ATTACK},
    {"poignees": (shown(), SIMPLE)},
    {"half_points": 70, "petit_au_bout": Camp.ATTACK},
]


@pytest.mark.parametrize("changes", POSSIBLE)
def test_what_only_looks_impossible_is_accepted(changes: dict[str, Any]) -> None:
    assert find_problems(a_donne(**changes)) == ()


def test_the_figures_a_sentence_needs_come_with_the_problem() -> None:
    half, total, hands = (
        {problem.code: dict(problem.params) for problem in find_problems(a_donne(**changes))}
        for changes in (
            {"half_points": 83},
            {"half_points": 12},
            {"poignees": (shown(), shown(PoigneeSize.TRIPLE))},
        )
    )
    assert half[ProblemCode.HALF_POINT_AT_FOUR] == {"low": 41, "high": 42}
    assert total[ProblemCode.TOTAL_IMPOSSIBLE] == {"least": 26, "most": 170, "bouts": 2, "slam": 174}
    assert hands[ProblemCode.POIGNEE_TRUMPS] == {"trumps": 25, "most": 22}
    assert hands[ProblemCode.POIGNEE_PLAYERS] == {"camp": "attack", "players": 1}


def test_all_problems_come_at_once() -> None:
    entry = a_donne(taker=9, half_points=83, bouts=0, petit_au_bout=Camp.ATTACK, poignees=(shown(), shown()))
    assert set(codes(entry)) == {"TAKER_RANGE", "HALF_POINT_AT_FOUR", "PETIT_ATTACK_NO_BOUT", "POIGNEE_PLAYERS"}


def test_an_announced_slam_lost_to_the_defence_is_only_warned_of() -> None:
    entry = a_donne(bouts=0, half_points=6, chelem=Chelem.ANNOUNCED_LOST_TO_DEFENCE)
    assert codes(entry) == codes(entry, Severity.WARNING) == [ProblemCode.SLAM_LOST_AND_DEFENCE]
    assert score_donne(entry).made is False


def test_an_official_slam_has_no_problem_after_a_change_of_contract() -> None:
    slam = a_donne(half_points=174, chelem=Chelem.ANNOUNCED_MADE)
    assert find_problems(slam) == ()
    assert ProblemCode.SLAM_TOTAL in codes(replace(slam, bouts=3))


NONSENSE = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(-10, 200),
    st.just(sys.maxsize * 10),
    st.floats(),
    st.text("0123456789abc,.-−½", max_size=5),
    st.binary(max_size=3),
    st.lists(st.integers(), max_size=2),
    st.dictionaries(st.text("ab", max_size=1), st.integers(), max_size=1),
    st.sampled_from([*Contract, *Camp, *Chelem, *PoigneeSize]),
    st.tuples(st.builds(Poignee, st.one_of(st.none(), st.sampled_from(PoigneeSize)), st.sampled_from([*Camp, 3]))),
)


@given(donnes(), st.dictionaries(st.sampled_from([field.name for field in fields(DonneEntry)]), NONSENSE))
def test_nonsense_is_judged_and_never_crashes(entry: DonneEntry, nonsense: dict[str, Any]) -> None:
    typed = replace(entry, **nonsense)
    blocking = [problem for problem in find_problems(typed) if problem.severity is not Severity.WARNING]
    if blocking:
        with pytest.raises(InvalidDonneError):
            score_donne(typed)
    else:
        assert sum(score_donne(typed).by_seat) == 0
    if any(problem.severity is Severity.ERROR for problem in blocking):
        with pytest.raises(InvalidDonneError):
            score_donne(typed, lifted=True)
    else:
        assert sum(score_donne(typed, lifted=True).by_seat) == 0


def test_a_house_rule_set_brings_its_own_number_of_trumps() -> None:
    entry = a_donne(poignees=(shown(), SIMPLE))
    assert find_problems(entry, replace(FFT, trumps_4_simple=12))[0].code is ProblemCode.POIGNEE_TRUMPS
