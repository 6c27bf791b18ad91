"""Logging in and out, changing a password, and making accounts in the back office."""

from datetime import UTC, date, datetime

import pytest
from django.core.exceptions import ValidationError
from django.test import Client
from django.utils import timezone

from players.models import Club, Membership, Person, Role, User
from tests import builders as b

pytestmark = pytest.mark.django_db


def test_a_wrong_password_is_said_in_words_and_keeps_the_name(client: Client) -> None:
    b.a_user(username="arlette", password="right")
    page = client.post("/connexion/", {"username": "arlette", "password": "wrong"}).content.decode()
    assert "ne vont pas ensemble" in page
    assert 'value="arlette"' in page


def test_login_returns_to_the_page_that_asked_for_it(client: Client) -> None:
    b.a_user(username="arlette", password="right", club=b.a_club())
    asked = client.get("/membres/")
    assert asked.headers["Location"] == "/connexion/?next=/membres/"
    answer = client.post(
        "/connexion/?next=/membres/", {"username": "arlette", "password": "right", "next": "/membres/"}
    )
    assert answer.headers["Location"] == "/membres/"


def test_login_never_leads_to_a_foreign_site(client: Client) -> None:
    b.a_user(username="arlette", password="right")
    answer = client.post(
        "/connexion/", {"username": "arlette", "password": "right", "next": "https://elsewhere.example/"}
    )
    assert answer.headers["Location"] == "/"


def test_logging_out_takes_a_button(client: Client) -> None:
    client.force_login(b.a_user())
    assert client.get("/deconnexion/").status_code == 405
    client.post("/deconnexion/")
    assert "_auth_user_id" not in client.session


def test_a_password_is_changed_with_the_old_one(client: Client) -> None:
    user = b.a_user(password="old")
    client.force_login(user)
    new = "petit-au-bout-21"
    bad = client.post("/mot-de-passe/", {"old_password": "x", "new_password1": new, "new_password2": new})
    assert "old_password" in bad.context["form"].errors
    client.post("/mot-de-passe/", {"old_password": "old", "new_password1": new, "new_password2": new})
    user.refresh_from_db()
    assert user.check_password(new)


def test_an_account_without_a_role_is_told_whom_to_ask(client: Client) -> None:
    b.a_club()
    client.force_login(b.a_user())
    assert "pas encore de rôle" in client.get("/").content.decode()
    assert client.get("/membres/").status_code == 404


def test_the_first_administrator_makes_accounts_with_roles(client: Client) -> None:
    club = b.a_club()
    client.force_login(User.objects.create_superuser(username="boss", password="x"))
    user = b.a_user()
    page = client.get(f"/admin/players/user/{user.pk}/change/")
    form = page.context["adminform"].form
    sent = {name: value for name, value in form.initial.items() if isinstance(value, str)}
    sent |= {
        "date_joined_0": "2026-01-01",
        "date_joined_1": "00:00:00",
        "memberships-TOTAL_FORMS": "1",
        "memberships-INITIAL_FORMS": "0",
        "memberships-0-user": str(user.pk),
        "memberships-0-club": str(club.pk),
        "memberships-0-role": "CLERK",
    }
    assert client.post(f"/admin/players/user/{user.pk}/change/", sent).status_code == 302
    assert Membership.objects.get().role == Role.CLERK


def test_the_back_office_keeps_the_search_in_step_and_deletes_nobody(client: Client) -> None:
    person = b.a_person(last_name="Avant")
    client.force_login(User.objects.create_superuser(username="boss", password="x"))
    sent = {"club": person.club_id, "last_name": "Après", "first_name": "", "display": "FULL"}
    assert client.post(f"/admin/players/person/{person.pk}/change/", sent).status_code == 302
    assert Person.objects.get().search_key == "apres"
    assert client.get(f"/admin/players/person/{person.pk}/delete/").status_code == 403
    assert client.get(f"/admin/players/club/{person.club_id}/delete/").status_code == 403
    assert client.get(f"/admin/players/user/{b.a_user().pk}/delete/").status_code == 403
    assert client.get("/admin/players/person/?q=apr").status_code == 200


@pytest.mark.parametrize("name", ["Paris", "", "../etc/passwd", "Europe"])
def test_a_time_zone_nobody_knows_is_refused(name: str) -> None:
    club = b.a_club()
    club.timezone = name
    with pytest.raises(ValidationError):
        club.full_clean()


def test_a_club_overseas_has_its_own_date(monkeypatch: pytest.MonkeyPatch) -> None:
    """Half past two in Paris is still the evening before in Guadeloupe."""
    moment = datetime(2026, 10, 4, 0, 30, tzinfo=UTC)
    monkeypatch.setattr(timezone, "now", lambda: moment)
    assert Club(timezone="America/Guadeloupe").today() == date(2026, 10, 3)
    assert Club(timezone="Europe/Paris").today() == date(2026, 10, 4)


def test_where_the_sign_in_ran_out_a_part_of_a_page_leads_to_the_sign_in_and_back_to_the_page(client: Client) -> None:
    session = b.a_session(players=1)
    part = f"/seances/{session.pk}/inscriptions/presents/?v=1"
    headers = {"HX-Request": "true", "HX-Current-URL": f"http://testserver/seances/{session.pk}/inscriptions/"}
    answer = client.get(part, headers=headers)
    assert answer.headers["HX-Redirect"] == f"/connexion/?next=%2Fseances%2F{session.pk}%2Finscriptions%2F"
    stranger = {**headers, "HX-Current-URL": "https://elsewhere.example/"}
    assert client.get(part, headers=stranger).headers["HX-Redirect"] == "/connexion/"
    client.force_login(b.a_user(club=session.tournament.club, role=Role.CLERK))
    assert "HX-Redirect" not in client.get(part, headers=headers).headers
