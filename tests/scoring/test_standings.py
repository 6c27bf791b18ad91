"""Ranks: equal players share one and the next is skipped."""

from hypothesis import given
from hypothesis import strategies as st

from scoring.standings import PlayerTotal, rank


def ranks(*totals: PlayerTotal) -> list[tuple[int, int | None, bool]]:
    return [(ranked.player.id, ranked.rank, ranked.tied) for ranked in rank(totals)]


def player(identity: int, points: int, *, penalty: int = 0, in_ranking: bool = True) -> PlayerTotal:
    return PlayerTotal(id=identity, points=points, penalty=penalty, in_ranking=in_ranking)


def test_two_equal_players_are_both_second_and_nobody_is_third() -> None:
    totals = [player(4, -90), player(3, 10), player(2, 10), player(1, 70)]
    assert ranks(*totals) == [(1, 1, False), (2, 2, True), (3, 2, True), (4, 4, False)]


def test_four_equal_players_share_one_rank_and_the_next_is_the_fifth() -> None:
    totals = [player(identity, 5) for identity in (9, 3, 7, 1)]
    assert [rank for _, rank, _ in ranks(*totals, player(2, 4))] == [1, 1, 1, 1, 5]


def test_an_id_settles_the_printed_order_and_never_a_rank() -> None:
    assert ranks(player(8, 0), player(2, 0)) == [(2, 1, True), (8, 1, True)]


def test_a_penalty_counts_in_the_rank_and_stays_apart_from_the_points() -> None:
    first, second = rank([player(1, 120, penalty=-100), player(2, 30)])
    assert (first.player.id, second.player.id) == (2, 1)
    assert (second.player.points, second.player.penalty, second.player.total) == (120, -100, 20)


def test_a_player_outside_the_ranking_takes_no_rank_from_anybody() -> None:
    assert ranks(player(1, 500, in_ranking=False), player(2, 10), player(3, -10)) == [
        (2, 1, False),
        (3, 2, False),
        (1, None, False),
    ]


def test_a_total_of_zero_ranks_between_the_positive_and_the_negative() -> None:
    assert ranks(player(1, -1), player(2, 0), player(3, 1)) == [(3, 1, False), (2, 2, False), (1, 3, False)]


def test_nobody_gives_an_empty_ranking() -> None:
    assert rank([]) == ()


@given(st.lists(st.tuples(st.integers(-50, 50), st.booleans()), max_size=30))
def test_a_rank_is_one_more_than_the_number_of_better_players(rows: list[tuple[int, bool]]) -> None:
    totals = [player(identity, points, in_ranking=counts) for identity, (points, counts) in enumerate(rows)]
    for ranked in rank(totals):
        better = sum(other.in_ranking and other.total > ranked.player.total for other in totals)
        assert ranked.rank == (better + 1 if ranked.player.in_ranking else None)
