"""Mise en place: a proposal with its reasons, confirmed once, and the room that follows."""

import time
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from itertools import combinations
from threading import Barrier
from uuid import uuid4

import pytest
from django.db import connection, connections
from django.test import Client
from django.test.utils import CaptureQueriesContext

from players.models import Role
from tests import builders as b
from tournaments.errors import KeyReusedError, NotAllowedError, RefusedError, SessionClosedError
from tournaments.models import Event, Game, Method, RoomState, Round, Seat, Session, SessionState, Table
from tournaments.selectors.rooms import Proposal, WhySeating, propose
from tournaments.services.registrations import check_in, undo_check_in
from tournaments.services.rounds import back_to_round, next_round
from tournaments.services.seating import confirm_draw, new_seed

pytestmark = pytest.mark.django_db


def _planned(players: int, *methods: str) -> Session:
    session = b.a_session(players=players, rounds=len(methods))
    session.planned_methods = list(methods)
    session.save()
    return session


def _draw(session: Session, *, seed: int = 7, seen: str = "") -> tuple[Round, ...]:
    return confirm_draw(session=session, seed=seed, by=b.an_actor(), key=uuid4(), seen=seen)


def _pairs(session: Session) -> list[frozenset[int]]:
    met = []
    for table in Table.objects.filter(round__session=session).prefetch_related("seats"):
        people = [seat.entrant_id for seat in table.seats.all()]
        met += [frozenset(pair) for pair in combinations(people, 2)]
    return met


@pytest.mark.parametrize(
    ("players", "why"),
    [
        (20, WhySeating.FFT_REPEATS_NOBODY),
        (28, WhySeating.FFT_REPEATS_NOBODY),
        (44, WhySeating.FFT_REPEATS_NOBODY),
        (52, WhySeating.FFT_REPEATS_NOBODY),
        (68, WhySeating.FFT_REPEATS_NOBODY),
        (22, WhySeating.FFT_WOULD_REPEAT_AT),
        (24, WhySeating.FFT_WOULD_REPEAT_AT),
        (16, WhySeating.TOO_FEW_TABLES),
        (5, WhySeating.TOO_FEW_TABLES),
    ],
)
def test_the_fft_movement_is_proposed_where_it_makes_nobody_meet_again(players: int, why: WhySeating) -> None:
    proposal = propose(_planned(players, *["FFT"] * 5), 1)
    assert proposal.why == why
    expected = Method.FFT if why == WhySeating.FFT_REPEATS_NOBODY else Method.RANDOM
    assert {planned.method for planned in proposal.rounds} == {expected}
    if expected == Method.FFT:
        assert proposal.meetings == ()


def test_the_same_seed_gives_the_same_seating_and_another_seed_another() -> None:
    session = _planned(22, *["RANDOM"] * 5)

    def seats(proposal: Proposal) -> list[tuple[int, ...]]:
        return [
            tuple(entrant.pk for _, entrant in table.seats) for planned in proposal.rounds for table in planned.tables
        ]

    assert seats(propose(session, 5)) == seats(propose(session, 5))
    assert seats(propose(session, 5)) != seats(propose(session, 6))


def test_random_positions_after_the_fft_movement_know_who_has_met() -> None:
    session = _planned(20, "FFT", "FFT", "FFT", "RANDOM")
    _draw(session)
    assert [position.method for position in session.rounds.all()] == ["FFT", "FFT", "FFT", "RANDOM"]
    met = _pairs(session)
    assert len(set(met)) == len(met)


def test_the_proposal_counts_who_sits_at_three() -> None:
    proposal = propose(_planned(22, *["RANDOM"] * 5), 3)
    assert {group.times: group.people for group in proposal.at_three} == {1: 14, 2: 8}


@pytest.mark.parametrize("players", [0, 1, 2])
def test_fewer_than_three_are_refused_in_words(client: Client, players: int) -> None:
    session = _planned(players, "FFT")
    with pytest.raises(RefusedError, match="TOO_FEW_PLAYERS"):
        propose(session, 1)
    client.force_login(b.a_user(club=session.tournament.club))
    assert (
        "Il faut au moins 3 joueurs."
        in client.get(f"/seances/{session.pk}/mise-en-place/", follow=True).content.decode()
    )


@pytest.mark.parametrize(
    ("players", "sizes"),
    [
        (3, [3]),
        (4, [4]),
        (5, [5]),
        (6, [3, 3]),
        (7, [3, 4]),
        (9, [3, 3, 3]),
        (17, [3, 3, 3, 4, 4]),
        (18, [3, 3, 4, 4, 4]),
        (19, [3, 4, 4, 4, 4]),
    ],
)
def test_everybody_sits_once_in_each_position(players: int, sizes: list[int]) -> None:
    session = _planned(players, "RANDOM", "RANDOM")
    _draw(session)
    for position in session.rounds.all():
        assert Seat.objects.filter(round=position).values("entrant").distinct().count() == players
        assert sorted(table.seats.count() for table in position.tables.all()) == sizes


def test_five_people_are_one_table_of_five_with_a_mort(client: Client) -> None:
    session = _planned(5, *["FFT"] * 2)
    client.force_login(b.a_user(club=session.tournament.club))
    page = client.get(f"/seances/{session.pk}/mise-en-place/", follow=True).content.decode()
    assert "une seule table de 5 avec un mort" in page
    _draw(session)
    assert {table.game for table in Table.objects.filter(round__session=session)} == {Game.MORT}
    assert "Le mort donne et ne joue pas." in client.get(f"/seances/{session.pk}/positions/1/salle/").content.decode()


def test_the_draw_numbers_people_by_name_and_starts_position_1() -> None:
    session = b.a_session(players=0, rounds=2)
    for name in ("Émile", "Zoé", "Abel", "œuf"):
        b.an_entrant(session, person=b.a_person(club=session.tournament.club, last_name=name))
    rounds = _draw(session, seed=42)
    names = session.entrants.order_by("number").values_list("number", "person__last_name")
    assert list(names) == [(1, "Abel"), (2, "Émile"), (3, "œuf"), (4, "Zoé")]
    assert [position.room for position in rounds] == [RoomState.PLAYING, RoomState.DRAWN]
    session.refresh_from_db()
    assert (session.state, session.seed) == (SessionState.RUNNING, 42)
    assert Event.objects.get(session=session).refs == {"seed": 42, "players": 4, "methods": "RANDOM RANDOM"}


def test_a_second_confirmation_returns_the_draw_that_stands() -> None:
    session = _planned(8, "RANDOM")
    first = _draw(session, seed=1)
    second = _draw(Session.objects.get(pk=session.pk), seed=2)
    assert second == first
    assert Round.objects.count() == 1
    assert Session.objects.get().seed == 1


def test_a_key_serves_one_seed() -> None:
    session = _planned(8, "RANDOM")
    by, key = b.an_actor(), uuid4()
    confirm_draw(session=session, seed=1, by=by, key=key)
    assert confirm_draw(session=session, seed=1, by=by, key=key) == tuple(session.rounds.all())
    with pytest.raises(KeyReusedError):
        confirm_draw(session=session, seed=2, by=by, key=key)


def test_a_proposal_that_no_longer_holds_is_not_drawn() -> None:
    session = _planned(8, "RANDOM")
    seen = propose(session, 1).fingerprint
    undo_check_in(entrant=session.entrants.order_by("pk")[0], by=b.an_actor())
    with pytest.raises(RefusedError, match="PLAN_CHANGED"):
        _draw(session, seed=1, seen=seen)
    assert not Round.objects.exists()


def test_a_clerk_draws_nothing(client: Client) -> None:
    session = _planned(8, "RANDOM")
    with pytest.raises(NotAllowedError):
        confirm_draw(session=session, seed=1, by=b.an_actor(role=Role.CLERK), key=uuid4())
    client.force_login(b.a_user(club=session.tournament.club, role=Role.CLERK))
    page = client.get(f"/seances/{session.pk}/mise-en-place/").content.decode()
    assert "un arbitre qui fait le tirage" in page
    assert client.post(f"/seances/{session.pk}/mise-en-place/").status_code == 403


@pytest.mark.embedded
@pytest.mark.django_db(transaction=True)
def test_two_machines_and_a_double_click_draw_once() -> None:
    session = _planned(8, "RANDOM", "RANDOM")
    by = b.an_actor()
    key = uuid4()
    start = Barrier(4)

    def run(number: int) -> list[int]:
        mine = Session.objects.get(pk=session.pk)
        start.wait()
        try:
            drawn = confirm_draw(session=mine, seed=5, by=by, key=key if number < 2 else uuid4())
            return [position.pk for position in drawn]
        finally:
            connections.close_all()

    with ThreadPoolExecutor(4) as pool:
        outcomes = list(pool.map(run, range(4)))
    assert outcomes == [outcomes[0]] * 4
    assert (Round.objects.count(), Seat.objects.count()) == (2, 16)
    assert Event.objects.filter(code="DRAWN").count() == 1


def _arbiter(client: Client, session: Session) -> str:
    client.force_login(b.a_user(club=session.tournament.club))
    return f"/seances/{session.pk}/mise-en-place/"


def test_the_page_proposes_says_why_and_draws_what_was_seen(client: Client) -> None:
    session = _planned(22, *["FFT"] * 5)
    address = _arbiter(client, session)
    page = client.get(address, follow=True)
    text = page.content.decode()
    assert "Avec 6 tables, le mouvement FFT ferait se retrouver des joueurs à la position 3" in text
    assert "22 présents\u00a0: 4 tables de 4 et 2 tables de 3." in text
    assert "Personne ne se rencontre deux fois." in text
    assert "8 joueurs passent 2 fois à une table de 3." in text
    proposal = page.context["proposal"]
    sent = {"draw": page.context["draw"], "seen": proposal.fingerprint, "key": str(page.context["key"])}
    answer = client.post(address, sent)
    assert answer.headers["Location"] == f"/seances/{session.pk}/positions/1/salle/"
    drawn = Seat.objects.filter(round__number=1, table__number=1).order_by("place").values_list("place", "entrant")
    assert sorted(drawn) == sorted((place, entrant.pk) for place, entrant in proposal.rounds[0].tables[0].seats)
    assert client.post(address, sent).headers["Location"] == answer.headers["Location"]


def test_reloading_shows_the_same_draw_and_drawing_again_another(client: Client) -> None:
    session = _planned(22, *["RANDOM"] * 2)
    address = _arbiter(client, session)
    first, second = client.get(address).headers["Location"], client.get(address).headers["Location"]
    assert first != second
    assert client.get(first).context["proposal"].seed == client.get(first).context["proposal"].seed


def test_pairs_who_meet_again_are_named(client: Client) -> None:
    session = _planned(8, *["RANDOM"] * 4)
    page = client.get(_arbiter(client, session), follow=True)
    assert page.context["proposal"].meetings
    assert "se rencontrent de nouveau" in page.content.decode()


def test_where_fft_is_only_unfair_at_tables_of_three_the_arbiter_may_take_it(client: Client) -> None:
    session = _planned(18, *["FFT"] * 5)
    address = _arbiter(client, session)
    page = client.get(address, follow=True)
    assert page.context["proposal"].why == WhySeating.FFT_UNFAIR_TABLES_OF_THREE
    assert "La mise en place aléatoire en laisse" in page.content.decode()
    page = client.get(f"{address}?fft", follow=True)
    assert page.context["proposal"].why == WhySeating.FFT_ALL_THE_SAME
    sent = {
        "draw": page.context["draw"],
        "seen": page.context["proposal"].fingerprint,
        "key": str(page.context["key"]),
        "fft": "on",
    }
    client.post(address, sent)
    assert {position.method for position in session.rounds.all()} == {Method.FFT}


@pytest.mark.parametrize(
    "bad",
    [
        {},
        {"draw": "12", "seen": "x", "key": str(uuid4())},
        {"draw": "12:abc", "seen": "", "key": "not a key"},
        {"draw": "é" * 500, "seen": "x" * 500, "key": ""},
    ],
)
def test_a_draw_nobody_signed_is_not_taken(client: Client, bad: dict[str, str]) -> None:
    session = _planned(8, "RANDOM")
    address = _arbiter(client, session)
    page = client.post(address, bad, follow=True).content.decode()
    assert "pas pu être lu" in page
    assert client.get(f"{address}?tirage=12").status_code == 302
    assert not Round.objects.exists()


def test_somebody_who_left_meanwhile_brings_a_new_proposal(client: Client) -> None:
    session = _planned(8, "RANDOM")
    address = _arbiter(client, session)
    page = client.get(address, follow=True)
    sent = {"draw": page.context["draw"], "seen": page.context["proposal"].fingerprint, "key": str(uuid4())}
    b.an_entrant(session)
    answer = client.post(address, sent, follow=True).content.decode()
    assert "Les présents ou les réglages ont changé depuis cette proposition" in answer
    assert not Round.objects.exists()


def test_who_confirms_second_is_shown_the_draw_that_stands(client: Client) -> None:
    session = _planned(8, "RANDOM")
    address = _arbiter(client, session)
    page = client.get(address, follow=True)
    _draw(session, seed=new_seed())
    sent = {"draw": page.context["draw"], "seen": page.context["proposal"].fingerprint, "key": str(uuid4())}
    assert "sur une autre machine" in client.post(address, sent, follow=True).content.decode()
    assert "La mise en place est faite" in client.get(address).content.decode()


def test_the_room_shows_tables_names_and_who_keeps_the_sheet(client: Client) -> None:
    session = _planned(7, "RANDOM", "RANDOM")
    _draw(session)
    _arbiter(client, session)
    page = client.get(f"/seances/{session.pk}/positions/1/salle/").content.decode()
    for entrant in session.entrants.select_related("person"):
        assert page.count(str(entrant.person)) == 2
    assert page.count("Sud tient la marque à cette table.") == 1
    assert client.get(f"/seances/{session.pk}/positions/3/salle/").status_code == 404


def test_the_movement_is_announced_in_words(client: Client) -> None:
    session = _planned(20, "FFT", "FFT", "RANDOM")
    _draw(session)
    _arbiter(client, session)
    pages = [client.get(f"/seances/{session.pk}/positions/{n}/salle/").content.decode() for n in (1, 2, 3)]
    assert "Nord ne change jamais de table" in pages[0]
    assert "Sud monte d'une table, Est monte de deux tables" in pages[1]
    assert "gagnez votre place pour la position 3" in pages[2]


def test_the_room_asks_the_database_as_often_for_one_table_as_for_ten(client: Client) -> None:
    counts = []
    for players in (4, 40):
        session = _planned(players, "RANDOM")
        _draw(session)
        _arbiter(client, session)
        with CaptureQueriesContext(connection) as queries:
            client.get(f"/seances/{session.pk}/positions/1/salle/")
        counts.append(len(queries))
    assert counts[0] == counts[1] <= 12


def test_the_room_moves_on_without_waiting_for_the_desk_and_once_a_click(client: Client) -> None:
    session = b.a_drawn_session(rounds=3)
    _arbiter(client, session)
    address = f"/seances/{session.pk}/position-suivante/"
    for _ in range(2):
        answer = client.post(address, {"leaving": "1"})
        assert answer.headers["Location"] == f"/seances/{session.pk}/positions/2/salle/"
    assert list(session.rounds.values_list("room", flat=True)) == ["PLAYED", "PLAYING", "DRAWN"]
    assert set(session.rounds.values_list("desk", flat=True)) == {"OPEN"}


def test_a_slip_is_taken_back(client: Client) -> None:
    session = b.a_drawn_session(rounds=3)
    _arbiter(client, session)
    address = f"/seances/{session.pk}/position-suivante/"
    client.post(address, {"leaving": "1"})
    client.post(address, {"leaving": "1", "back": "1"})
    assert list(session.rounds.values_list("room", flat=True)) == ["PLAYING", "DRAWN", "DRAWN"]


def test_after_the_last_position_the_room_is_empty() -> None:
    session = b.a_drawn_session(rounds=2)
    by = b.an_actor()
    assert next_round(session=session, by=by).number == 2
    assert next_round(session=session, by=by).number == 2
    assert set(session.rounds.values_list("room", flat=True)) == {"PLAYED"}
    with pytest.raises(RefusedError, match="NO_POSITION_PLAYING"):
        next_round(session=session, by=by)
    assert next_round(session=session, by=by, leaving=2).number == 2


@pytest.mark.parametrize("number", [0, 3, 99])
def test_the_room_goes_back_only_to_a_position_that_was_played(number: int) -> None:
    session = b.a_drawn_session(rounds=3)
    with pytest.raises(RefusedError):
        back_to_round(session=session, number=number, by=b.an_actor())


@pytest.mark.parametrize("leaving", ["", "x", "0", "99", "²"])
def test_a_nonsense_position_moves_nothing(client: Client, leaving: str) -> None:
    session = b.a_drawn_session(rounds=2)
    _arbiter(client, session)
    assert client.post(f"/seances/{session.pk}/position-suivante/", {"leaving": leaving}).status_code == 302
    assert list(session.rounds.values_list("room", flat=True)) == ["PLAYING", "DRAWN"]


def test_a_session_not_running_has_no_next_position() -> None:
    session = b.a_session()
    with pytest.raises(SessionClosedError):
        next_round(session=session, by=b.an_actor())


@pytest.mark.embedded
@pytest.mark.django_db(transaction=True)
def test_nobody_is_checked_in_behind_the_back_of_a_draw() -> None:
    session = _planned(8, "RANDOM", "RANDOM")
    late = [b.a_person(club=session.tournament.club) for _ in range(6)]
    by = b.an_actor()
    start = Barrier(7)

    def run(number: int) -> None:
        mine = Session.objects.select_related("tournament__club").get(pk=session.pk)
        start.wait()
        try:
            if number == 0:
                confirm_draw(session=mine, seed=5, by=by, key=uuid4())
                return
            time.sleep(number * 0.004)
            with suppress(RefusedError):
                check_in(session=mine, person=late[number - 1], by=by)
        finally:
            connections.close_all()

    with ThreadPoolExecutor(7) as pool:
        list(pool.map(run, range(7)))
    seated = set(Seat.objects.filter(round__number=1).values_list("entrant", flat=True))
    assert set(session.entrants.values_list("pk", flat=True)) == seated
