"""The first page: the evening in progress with its one next action, and what anybody may see."""

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.utils import translation

from players.models import Club, Role
from tests import builders as b
from tournaments.models import DeskState, RoomState, Round, Session, SessionState

pytestmark = pytest.mark.django_db


def _arbiter(client: Client, role: Role = Role.ARBITER) -> Club:
    club = b.a_club()
    client.force_login(b.a_user(club=club, role=role))
    return club


def test_an_empty_home_teaches_and_offers_one_button(client: Client) -> None:
    _arbiter(client)
    page = client.get("/").content.decode()
    assert "Il faut d'abord un tournoi" in page
    assert page.count("button-primary") == 1


def test_a_clerk_is_offered_no_new_tournament(client: Client) -> None:
    _arbiter(client, Role.CLERK)
    assert "/tournois/nouveau/" not in client.get("/").content.decode()


@pytest.mark.parametrize(
    ("state", "entered", "action"),
    [
        (SessionState.REGISTRATION, 0, "inscriptions/"),
        (SessionState.RUNNING, 0, "positions/1/saisie/"),
        (SessionState.RUNNING, 1, "positions/2/saisie/"),
        (SessionState.RUNNING, 2, "verification/"),
        (SessionState.PROVISIONAL, 2, "verification/"),
        (SessionState.PROVISIONAL, 1, "verification/"),
    ],
)
def test_the_evening_offers_its_next_action(client: Client, state: SessionState, entered: int, action: str) -> None:
    session = b.a_drawn_session(club=_arbiter(client), rounds=2)
    Session.objects.filter(pk=session.pk).update(state=state)
    Round.objects.filter(session=session, number__lte=entered).update(desk=DeskState.ENTERED, room=RoomState.PLAYED)
    assert f"/seances/{session.pk}/{action}" in client.get("/").content.decode()
    assert client.get(f"/seances/{session.pk}/").headers["Location"] == f"/seances/{session.pk}/{action}"


def test_a_final_evening_leads_to_its_ranking_and_is_no_longer_tonight(client: Client) -> None:
    session = b.a_drawn_session(club=_arbiter(client))
    Session.objects.filter(pk=session.pk).update(state=SessionState.FINAL)
    assert "Aucune soirée n" in client.get("/").content.decode()
    assert client.get(f"/seances/{session.pk}/").headers["Location"] == f"/seances/{session.pk}/classement/"


def test_an_evening_in_progress_comes_before_one_being_prepared(client: Client) -> None:
    club = _arbiter(client)
    running = b.a_drawn_session(club=club)
    b.a_session(club=club)
    page = client.get("/").content.decode()
    assert f"/seances/{running.pk}/positions/1/saisie/" in page
    assert "Autres soirées" in page


def test_the_home_asks_the_database_as_often_for_one_evening_as_for_many(client: Client) -> None:
    club = _arbiter(client)
    counts = []
    for more in (1, 9):
        for _ in range(more):
            b.a_drawn_session(club=club, players=4)
        with CaptureQueriesContext(connection) as queries:
            client.get("/")
        counts.append(len(queries))
    assert counts[0] == counts[1] <= 9


def test_evenings_of_years_ago_are_still_reached(client: Client) -> None:
    club = _arbiter(client)
    sessions = [b.a_session(club=club, players=0, state=SessionState.FINAL) for _ in range(32)]
    assert f'"/seances/{sessions[0].pk}/"' not in client.get("/").content.decode()
    assert "?page=2" in client.get("/").content.decode()
    assert f'"/seances/{sessions[0].pk}/"' in client.get("/?page=2").content.decode()
    assert client.get("/?page=99").status_code == client.get("/?page=x").status_code == 200


def test_a_visitor_sees_published_evenings_only(client: Client) -> None:
    shown = b.a_drawn_session(published=True)
    hidden = b.a_drawn_session()
    page = client.get("/").content.decode()
    assert f"/resultats/{shown.pk}/" in page
    assert f"/{hidden.pk}/" not in page
    assert "/connexion/" in page


def test_nothing_published_is_said(client: Client) -> None:
    b.a_club()
    assert "Il n'y en a pas encore" in client.get("/").content.decode()


def test_another_clubs_evening_does_not_exist(client: Client) -> None:
    _arbiter(client)
    assert client.get(f"/seances/{b.a_session().pk}/").status_code == 404


def test_the_language_is_chosen_at_the_foot_of_each_page(client: Client) -> None:
    _arbiter(client)
    client.post("/langue/setlang/", {"language": "en", "next": "/"})
    with translation.override("fr"):  # a request leaves its language to whatever runs next
        assert "Tonight" in client.get("/").content.decode()


def test_a_page_further_on_than_any_database_counts_is_empty(client: Client) -> None:
    session = b.a_session()
    client.force_login(b.a_user(club=session.tournament.club))
    assert client.get(f"/?page={'9' * 18}").status_code == 200
