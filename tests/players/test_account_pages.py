"""The pages where an organiser makes the accounts of the others, changes them and sets a forgotten password anew."""

import html
import re
import threading

import pytest
from django.core.exceptions import PermissionDenied
from django.db import connection
from django.test import Client

from players.accounts import AccountCode, AccountError, accounts_of, edit_account
from players.models import Club, Membership, Role, User
from tests import builders as b

pytestmark = pytest.mark.django_db

GOOD = "petit-au-bout-21"


@pytest.fixture
def club() -> Club:
    return b.a_club()


@pytest.fixture
def organiser(club: Club) -> User:
    return b.a_user(club=club, role=Role.ADMIN, username="odette")


@pytest.fixture
def desk(organiser: User) -> Client:
    client = Client()
    client.force_login(organiser)
    return client


def new(**changed: str) -> dict[str, str]:
    """Return what the form for a new account sends."""
    sent = {"name": "Firmin Baladin", "username": "firmin", "role": "CLERK", "password": GOOD, "password_again": GOOD}
    return {**sent, **changed}


def roles_of(user: User) -> list[str]:
    return sorted(Membership.objects.filter(user=user).values_list("role", flat=True))


def test_a_new_account_logs_in_with_its_role(desk: Client, club: Club) -> None:
    assert desk.post("/comptes/nouveau/", new()).status_code == 302
    assert "Firmin Baladin peut se connecter." in desk.get("/comptes/").content.decode()
    firmin = Client()
    assert firmin.login(username="firmin", password=GOOD)
    assert firmin.get("/membres/").status_code == 200
    assert firmin.get("/comptes/").status_code == 403
    assert [(account.name, account.role) for account in accounts_of(club)] == [
        ("Firmin Baladin", Role.CLERK),
        ("odette", Role.ADMIN),
    ]


@pytest.mark.parametrize(
    ("changed", "field"),
    [
        ({"username": "ODETTE"}, "username"),
        ({"username": "deux mots"}, "username"),
        ({"name": " "}, "name"),
        ({"role": "EMPEROR"}, "role"),
        ({"password": "12345678", "password_again": "12345678"}, "password"),
        ({"password": "firmin-firmin", "password_again": "firmin-firmin", "username": "firmin-firmi"}, "password"),
        ({"password_again": "other"}, "password_again"),
    ],
)
def test_a_bad_account_is_refused_beside_its_field_and_kept_as_typed(
    desk: Client, changed: dict[str, str], field: str
) -> None:
    answer = desk.post("/comptes/nouveau/", new(**changed))
    assert answer.status_code == 400
    assert list(answer.context["form"].errors) == [field]
    assert answer.context["form"]["username"].value() == new(**changed)["username"]
    assert User.objects.count() == 1


def test_a_role_is_changed_and_the_mark_of_an_arbiter_stays_on_its_row(desk: Client, club: Club) -> None:
    firmin = b.a_user(club=club, role=Role.CLERK)
    row = Membership.objects.get(user=firmin)
    sent = {"name": "Firmin", "role": "ARBITER", "is_active": "on"}
    assert desk.post(f"/comptes/{firmin.pk}/", sent).status_code == 302
    assert (roles_of(firmin), Membership.objects.get(user=firmin).pk) == (["ARBITER"], row.pk)


def test_of_several_roles_the_chosen_one_is_left(desk: Client, club: Club) -> None:
    firmin = b.a_user(club=club, role=Role.ADMIN)
    Membership.objects.create(user=firmin, club=club, role=Role.CLERK)
    assert [account.role for account in accounts_of(club) if account.user == firmin] == [Role.ADMIN]
    desk.post(f"/comptes/{firmin.pk}/", {"name": "Firmin", "role": "CLERK", "is_active": "on"})
    assert roles_of(firmin) == ["CLERK"]


def test_a_shut_account_is_out_at_once_and_comes_back_when_opened(desk: Client, club: Club) -> None:
    firmin = b.a_user(club=club, role=Role.CLERK, username="firmin", password=GOOD)
    his = Client()
    his.force_login(firmin)
    desk.post(f"/comptes/{firmin.pk}/", {"name": "Firmin", "role": "CLERK"})
    assert his.get("/membres/").headers["Location"].startswith("/connexion/")
    assert not his.login(username="firmin", password=GOOD)
    desk.post(f"/comptes/{firmin.pk}/", {"name": "Firmin", "role": "CLERK", "is_active": "on"})
    assert his.login(username="firmin", password=GOOD)


def test_a_forgotten_password_is_given_anew_and_the_old_one_is_out(desk: Client, club: Club) -> None:
    firmin = b.a_user(club=club, role=Role.CLERK, username="firmin", password="old-password-9")
    his = Client()
    his.force_login(firmin)
    sent = {"password": GOOD, "password_again": GOOD}
    assert desk.post(f"/comptes/{firmin.pk}/mot-de-passe/", sent).status_code == 302
    assert his.get("/membres/").headers["Location"].startswith("/connexion/")
    assert his.login(username="firmin", password=GOOD)
    weak = desk.post(f"/comptes/{firmin.pk}/mot-de-passe/", {"password": "firmin", "password_again": "firmin"})
    assert (weak.status_code, list(weak.context["password_form"].errors)) == (400, ["password"])


def test_an_organiser_cannot_shut_themselves_out(desk: Client, organiser: User) -> None:
    for sent in ({"name": "Odette", "role": "ADMIN"}, {"name": "Odette", "role": "CLERK", "is_active": "on"}):
        answer = desk.post(f"/comptes/{organiser.pk}/", sent)
        assert answer.status_code == 400
        assert "vos propres droits" in answer.content.decode()
    assert roles_of(organiser) == ["ADMIN"]


@pytest.mark.parametrize("how", ["superuser", "another club"])
def test_an_account_that_opens_more_keeps_its_password(desk: Client, club: Club, how: str) -> None:
    chief = b.a_user(club=club, role=Role.ADMIN, username="chief", password="old-password-9")
    if how == "superuser":
        User.objects.filter(pk=chief.pk).update(is_superuser=True)
    else:
        Membership.objects.create(user=chief, club=b.a_club(), role=Role.CLERK)
    assert "password" not in desk.get(f"/comptes/{chief.pk}/").content.decode()
    sent = {"password": GOOD, "password_again": GOOD}
    assert desk.post(f"/comptes/{chief.pk}/mot-de-passe/", sent).status_code == 400
    assert desk.post(f"/comptes/{chief.pk}/", {"name": "Chief", "role": "CLERK"}).status_code == 400
    chief.refresh_from_db()
    assert (chief.check_password("old-password-9"), chief.is_active, roles_of(chief)[0]) == (True, True, "ADMIN")


def test_an_account_of_another_club_does_not_exist_here(desk: Client) -> None:
    stranger = b.a_user(club=b.a_club(), role=Role.CLERK)
    assert desk.get(f"/comptes/{stranger.pk}/").status_code == 404
    assert desk.post(f"/comptes/{stranger.pk}/mot-de-passe/", {}).status_code == 404


def test_the_list_costs_the_same_queries_for_three_and_thirty_accounts(
    desk: Client, club: Club, django_assert_max_num_queries: pytest.FixtureRequest
) -> None:
    for _ in range(30):
        b.a_user(club=club, role=Role.CLERK)
    with django_assert_max_num_queries(5):  # type: ignore[operator]
        desk.get("/comptes/")


@pytest.mark.django_db(transaction=True)
def test_two_organisers_who_take_each_others_role_leave_one() -> None:
    club = b.a_club()
    pair = [b.a_user(club=club, role=Role.ADMIN) for _ in range(2)]
    said: list[str] = []
    start = threading.Barrier(2)

    def demote(writer: User, other: User) -> None:
        start.wait(10)
        try:
            edit_account(user=other, club=club, name="X", role=Role.CLERK, is_active=True, by=writer.pk)
            said.append("done")
        except PermissionDenied:
            said.append("refused")
        finally:
            connection.close()

    threads = [threading.Thread(target=demote, args=(pair[i], pair[1 - i])) for i in range(2)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(20)
    assert sorted(said) == ["done", "refused"]
    assert Membership.objects.filter(club=club, role=Role.ADMIN).count() == 1


def test_the_codes_are_all_said() -> None:
    from players.views import ACCOUNT_SENTENCES

    assert set(ACCOUNT_SENTENCES) == set(AccountCode)
    assert str(AccountError(AccountCode.OWN_RIGHTS)) == "OWN_RIGHTS"


def test_the_sign_in_page_says_itself_what_to_do_about_a_lost_password(client: Client) -> None:
    said = " ".join(html.unescape(re.sub(r"<[^>]+>", " ", client.get("/connexion/").content.decode())).split())
    assert "Un organisateur en donne un nouveau, dans Comptes." in said
    assert ".venv/bin/python manage.py changepassword IDENTIFIANT" in said
