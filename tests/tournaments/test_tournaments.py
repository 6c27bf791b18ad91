"""Making a tournament: every problem at once beside its field, and what the draw fixes for good."""

import re
from datetime import date

import pytest
from django.test import Client

from players.models import Club, Role
from tests import builders as b
from tournaments.errors import NotAllowedError, RefusedError
from tournaments.models import Event, Method, Session
from tournaments.services.tournaments import create_tournament, edit_tournament

pytestmark = pytest.mark.django_db

GOOD = {"name": "Tournoi d'automne", "date": "2026-10-03", "place": "Salle", "rounds": "5", "donnes": "5"}


def _arbiter(client: Client, role: Role = Role.ARBITER) -> Club:
    club = b.a_club()
    client.force_login(b.a_user(club=club, role=role))
    return club


def test_the_form_begins_with_five_positions_of_five_deals_by_the_fft_movement_unpublished(client: Client) -> None:
    _arbiter(client)
    form = client.get("/tournois/nouveau/").context["form"]
    assert [form[name].value() for name in ("rounds", "donnes", "published")] == [5, 5, None]
    assert {field.value() for field in form.method_fields()} == {"FFT"}


def test_a_tournament_is_made_and_its_registration_opens(client: Client) -> None:
    club = _arbiter(client)
    answer = client.post("/tournois/nouveau/", {**GOOD, "method_5": "RANDOM"})
    session = Session.objects.get(tournament__club=club)
    assert answer.headers["Location"] == f"/seances/{session.pk}/inscriptions/"
    assert (session.tournament.name, session.tournament.published) == ("Tournoi d'automne", False)
    assert (session.date, session.rounds_planned, session.donnes_per_round) == (date(2026, 10, 3), 5, 5)
    assert session.planned_methods == ["FFT", "FFT", "FFT", "FFT", "RANDOM"]
    assert Event.objects.get(session=session).code == "SESSION_CREATED"


@pytest.mark.parametrize(
    ("bad", "fields"),
    [
        ({"name": " "}, {"name"}),
        ({"name": "x" * 121}, {"name"}),
        ({"date": "31/02/2026"}, {"date"}),
        ({"date": ""}, {"date"}),
        ({"place": "x" * 121}, {"place"}),
        ({"rounds": "0"}, {"rounds"}),
        ({"rounds": "11"}, {"rounds"}),
        ({"rounds": "2.5"}, {"rounds"}),
        ({"donnes": "0"}, {"donnes"}),
        ({"donnes": "13"}, {"donnes"}),
        ({"donnes": "cinq"}, {"donnes"}),
        ({"method_2": "BEST"}, {"method_2"}),
        ({"method_1": "RANDOM", "method_2": "FFT"}, {"method_2"}),
        ({"method_3": "RANDOM", "method_5": "FFT"}, {"method_5"}),
        ({"name": "", "date": "x", "rounds": "99", "donnes": "-1"}, {"name", "date", "rounds", "donnes"}),
    ],
)
def test_every_problem_is_said_at_once_beside_its_field(client: Client, bad: dict[str, str], fields: set[str]) -> None:
    _arbiter(client)
    page = client.post("/tournois/nouveau/", {**GOOD, **bad})
    assert page.status_code == 400
    assert set(page.context["form"].errors) == fields
    assert "Salle" in page.content.decode() or "place" in bad
    assert not Session.objects.exists()


def test_the_fft_movement_cannot_resume_and_the_sentence_says_so(client: Client) -> None:
    _arbiter(client)
    page = client.post("/tournois/nouveau/", {**GOOD, "method_1": "RANDOM", "method_2": "FFT"})
    assert "le mouvement FFT ne peut pas être repris" in page.content.decode()


def test_a_method_beyond_the_last_position_is_no_matter(client: Client) -> None:
    _arbiter(client)
    client.post("/tournois/nouveau/", {**GOOD, "rounds": "2", "method_3": "RANDOM", "method_4": "FFT"})
    assert Session.objects.get().planned_methods == ["FFT", "FFT"]


def test_before_the_draw_everything_can_be_changed(client: Client) -> None:
    session = b.a_session(club=_arbiter(client))
    sent = {**GOOD, "rounds": "3", "donnes": "4", "published": "on"}
    assert client.post(f"/tournois/{session.pk}/reglages/", sent).status_code == 302
    session.refresh_from_db()
    assert (session.rounds_planned, session.donnes_per_round, session.tournament.published) == (3, 4, True)
    assert session.planned_methods == ["FFT", "FFT", "FFT"]


def test_after_the_draw_only_what_no_seat_rests_on(client: Client) -> None:
    session = b.a_drawn_session(club=_arbiter(client), rounds=2)
    page = client.get(f"/tournois/{session.pk}/reglages/").content.decode()
    assert "La mise en place est faite" in page
    client.post(f"/tournois/{session.pk}/reglages/", {**GOOD, "name": "Autre nom", "rounds": "7", "donnes": "1"})
    session = Session.objects.get(pk=session.pk)
    assert session.tournament.name == "Autre nom"
    assert (session.rounds_planned, session.donnes_per_round) == (2, 5)


def test_after_the_draw_the_settings_show_what_was_drawn(client: Client) -> None:
    session = b.a_drawn_session(club=_arbiter(client), rounds=3)
    Session.objects.filter(pk=session.pk).update(planned_methods=["FFT", "FFT", "FFT"])
    page = client.get(f"/tournois/{session.pk}/reglages/").content.decode()
    shown = re.findall(r'<option value="(\w+)" selected>', page)
    assert shown[:3] == ["RANDOM", "RANDOM", "RANDOM"]
    session.rounds.filter(number=2).update(method=Method.BEST)
    page = client.get(f"/tournois/{session.pk}/reglages/").content.decode()
    assert re.findall(r'<option value="(\w+)" selected>', page)[:3] == ["RANDOM", "BEST", "RANDOM"]


def test_the_service_refuses_to_change_positions_after_the_draw() -> None:
    session = b.a_drawn_session(rounds=2)
    with pytest.raises(RefusedError, match="ALREADY_DRAWN"):
        edit_tournament(
            session=session,
            name="A",
            place="",
            date=date(2026, 1, 1),
            rounds=3,
            donnes_per_round=5,
            methods=[Method.RANDOM] * 3,
            published=False,
            by=b.an_actor(),
        )


def test_a_clerk_makes_no_tournament(client: Client) -> None:
    club = _arbiter(client, Role.CLERK)
    assert client.post("/tournois/nouveau/", GOOD).status_code == 403
    with pytest.raises(NotAllowedError):
        create_tournament(
            club=club,
            name="A",
            place="",
            date=date(2026, 1, 1),
            rounds=1,
            donnes_per_round=1,
            methods=["FFT"],
            published=False,
            by=b.an_actor(role=Role.CLERK),
        )


def test_another_clubs_settings_do_not_exist(client: Client) -> None:
    _arbiter(client)
    assert client.get(f"/tournois/{b.a_session().pk}/reglages/").status_code == 404
