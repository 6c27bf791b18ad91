"""The first page: one code, one club, one administrator; and the demonstration while there is no club."""

import html
import re
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from io import StringIO
from threading import Barrier

import pytest
from django.core.management import call_command
from django.db import connections
from django.test import Client
from django.utils import timezone

from players import first_code
from players.models import Club, Membership, Role, User
from players.services import AlreadyInstalledError, WrongCodeError, install_club
from tests import builders as b
from tournaments.services.demonstration import load_demonstration

GOOD = {
    "club_name": "Tarot Club de l'Île",
    "username": "arlette",
    "password": "petit-au-bout-21",
    "password_again": "petit-au-bout-21",
}


def _printed_code() -> str:
    out = StringIO()
    call_command("first_code", stdout=out)
    return out.getvalue().strip()


@pytest.mark.django_db
def test_without_a_club_the_first_page_asks_to_create_one(client: Client) -> None:
    page = client.get("/", follow=True)
    assert page.request["PATH_INFO"] == "/installation/"
    assert "Créer le club" in page.content.decode()
    assert "Voir la démonstration" in page.content.decode()


@pytest.mark.django_db
def test_the_code_makes_the_club_and_its_administrator_and_logs_in(client: Client) -> None:
    answer = client.post("/installation/", {**GOOD, "code": f" {_printed_code().lower()} "})
    assert answer.headers["Location"] == "/"
    user = User.objects.get()
    assert client.session["_auth_user_id"] == str(user.pk)
    assert (user.is_staff, user.is_superuser) == (True, True)
    membership = Membership.objects.get()
    assert (membership.user, membership.role, membership.club.name) == (user, Role.ADMIN, "Tarot Club de l'Île")


@pytest.mark.django_db
def test_a_wrong_code_is_said_at_its_field_and_keeps_what_was_typed(client: Client) -> None:
    _printed_code()
    page = client.post("/installation/", {**GOOD, "code": "ABCD-EFGH-JKLM-NPQR"})
    assert page.status_code == 400
    assert page.context["form"].errors.keys() == {"code"}
    assert "Tarot Club de l&#x27;Île" in page.content.decode()
    assert not Club.objects.exists()


@pytest.mark.django_db
def test_a_wrong_code_is_said_together_with_whatever_else_is_wrong(client: Client) -> None:
    _printed_code()
    bad = {"code": "ABCD-EFGH-JKLM-NPQR", "username": "two words", "password": "123", "password_again": "123"}
    page = client.post("/installation/", {**GOOD, **bad})
    assert page.context["form"].errors.keys() == {"code", "username", "password"}
    assert "Ce n'est pas le code" in html.unescape(page.content.decode())


@pytest.mark.django_db
def test_the_cursor_waits_in_the_first_field(client: Client) -> None:
    _printed_code()
    page = client.get("/installation/").content.decode()
    first = re.search(r"<input[^>]*type=\"text\"[^>]*>", page)
    assert first
    assert page.count("autofocus") == 1
    assert {'name="code"', "autofocus"} <= set(first[0].strip("<>").split())


@pytest.mark.django_db
def test_the_same_word_names_what_one_logs_in_with(client: Client) -> None:
    """Django's own sentences say "nom d’utilisateur" where our pages say "identifiant"."""
    bad = {"username": "two words", "password": "two words", "password_again": "two words"}
    said = client.post("/installation/", {**GOOD, **bad}).content.decode()
    said += client.post("/installation/", {**GOOD, "username": "petit-au-bout"}).content.decode()
    assert "trop semblable au champ « identifiant »" in " ".join(said.split())
    assert "utilisateur" not in said


@pytest.mark.django_db
@pytest.mark.parametrize("code", ["", "-", "é" * 16, "ABCD-EFGH-JKLM-NPQR", "\0"])
def test_no_code_at_all_opens_nothing_before_one_is_made(code: str) -> None:
    with pytest.raises(WrongCodeError):
        install_club(code=code, club_name="A", username="a", password="b")


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("bad", "field"),
    [
        ({"club_name": " "}, "club_name"),
        ({"club_name": "x" * 121}, "club_name"),
        ({"username": "two words"}, "username"),
        ({"username": ""}, "username"),
        ({"password": "123", "password_again": "123"}, "password"),
        ({"password_again": "petit-au-bout-22"}, "password_again"),
        ({"password": "Arlette1", "password_again": "Arlette1", "username": "arlette1"}, "password"),
        ({"code": ""}, "code"),
        ({"code": "x" * 50}, "code"),
    ],
)
def test_each_bad_field_is_named(client: Client, bad: dict[str, str], field: str) -> None:
    page = client.post("/installation/", {**GOOD, "code": _printed_code(), **bad})
    assert page.status_code == 400
    assert field in page.context["form"].errors
    assert not Club.objects.exists()
    assert first_code.code_path().exists()


@pytest.mark.django_db
def test_the_code_is_gone_once_it_has_served(client: Client) -> None:
    code = _printed_code()
    install_club(code=code, club_name="A", username="a", password="b")
    assert not list(first_code.code_path().parent.glob("first-code*"))
    assert _printed_code() == ""
    assert client.get("/installation/").headers["Location"] == "/"
    with pytest.raises(AlreadyInstalledError):
        install_club(code=code, club_name="B", username="b", password="b")


@pytest.mark.django_db
def test_a_failed_installation_gives_the_code_back() -> None:
    code = _printed_code()
    b.a_user(username="taken")
    with pytest.raises(Exception, match="username"):
        install_club(code=code, club_name="A", username="taken", password="b")
    assert first_code.is_code(code)


def test_the_code_is_long_private_and_stays_the_same_until_used() -> None:
    code = first_code.read_or_make_code()
    assert len(code.replace("-", "")) == 16
    assert first_code.read_or_make_code() == code
    assert first_code.code_path().stat().st_mode & 0o077 == 0


@pytest.mark.django_db(transaction=True)
def test_of_two_who_install_at_once_one_makes_the_club() -> None:
    code = first_code.read_or_make_code()
    start = Barrier(2)

    def run(name: str) -> Callable[[], str]:
        def install() -> str:
            start.wait()
            try:
                install_club(code=code, club_name=name, username=name, password="b")
            except (AlreadyInstalledError, WrongCodeError):
                return "refused"
            finally:
                connections.close_all()
            return "made"

        return install

    with ThreadPoolExecutor(2) as pool:
        outcomes = [task.result() for task in [pool.submit(run("one")), pool.submit(run("two"))]]
    assert sorted(outcomes) == ["made", "refused"]
    assert Club.objects.count() == 1
    assert User.objects.count() == 1


@pytest.mark.django_db(transaction=True)
def test_the_demonstration_opens_a_running_evening_as_its_organiser(client: Client) -> None:
    page = client.post("/demonstration/", follow=True)
    assert page.request["PATH_INFO"] == "/"
    assert "Ceci est la démonstration" in page.content.decode()
    assert "Saisir la position 3" in page.content.decode()
    assert not User.objects.get().is_superuser


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("address", ["/", "/installation/"])
def test_a_demonstration_made_at_the_start_is_offered_to_whoever_comes(client: Client, address: str) -> None:
    load_demonstration(today=timezone.localdate())
    assert "Voir la démonstration" in client.get(address).content.decode()
    assert "Saisir la position 3" in client.post("/demonstration/", follow=True).content.decode()


@pytest.mark.django_db
def test_a_club_can_still_be_installed_beside_the_demonstration(client: Client) -> None:
    client.post("/demonstration/")
    page = client.get("/installation/")
    assert "Voir la démonstration" not in page.content.decode()
    client.post("/installation/", {**GOOD, "code": _printed_code()})
    assert Club.objects.count() == 2
    assert "Ceci est la démonstration" not in client.get("/").content.decode()


@pytest.mark.django_db
def test_the_demonstration_is_not_offered_once_a_club_exists(client: Client) -> None:
    b.a_club()
    assert client.post("/demonstration/").status_code == 404
    assert "démonstration" not in client.get("/").content.decode()
