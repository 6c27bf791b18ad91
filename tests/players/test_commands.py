"""What whoever keeps the computer types for accounts: a forgotten password, the first code; all said in French."""

import getpass
from collections.abc import Callable
from io import StringIO

import pytest
from django.core.management import CommandError, call_command, get_commands, load_command_class
from django.db import connections

from players.models import User
from tests import builders as b

pytestmark = pytest.mark.django_db

GOOD = "petit-au-bout-21"
Typing = Callable[..., list[str]]


@pytest.fixture
def typing(monkeypatch: pytest.MonkeyPatch) -> Typing:
    """Return a function that types what it is given at the prompts, which it notes."""

    def typed(*words: str) -> list[str]:
        prompts: list[str] = []
        left = iter(words)

        def answer(prompt: str = "") -> str:
            prompts.append(prompt)
            return next(left)

        monkeypatch.setattr(getpass, "getpass", answer)
        return prompts

    return typed


def _change(username: str) -> str:
    out = StringIO()
    call_command("changepassword", username, stdout=out, stderr=out)
    return out.getvalue()


def test_a_forgotten_password_is_set_in_french(typing: Typing) -> None:
    b.a_user(username="arlette")
    prompts = typing(GOOD, GOOD)
    said = _change("arlette")
    assert "Nouveau mot de passe de arlette" in said
    assert "Le mot de passe de arlette est changé." in said
    assert prompts == ["Nouveau mot de passe\xa0: ", "Encore le même\xa0: "]
    assert User.objects.get().check_password(GOOD)


def test_two_that_differ_or_a_weak_one_are_asked_again(typing: Typing) -> None:
    b.a_user(username="arlette")
    typing(GOOD, "other", "12345678", "12345678", GOOD, GOOD)
    said = _change("arlette")
    assert "Les deux mots de passe diffèrent" in said
    assert "trop courant" in said
    assert User.objects.get().check_password(GOOD)


@pytest.mark.parametrize("words", [("",), ("x", "y") * 3])
def test_nothing_typed_or_three_failures_change_nothing(typing: Typing, words: tuple[str, ...]) -> None:
    before = b.a_user(username="arlette").password
    typing(*words)
    with pytest.raises(CommandError, match="Rien n’a été modifié"):
        _change("arlette")
    assert User.objects.get().password == before


@pytest.mark.parametrize("name", ["", "nobody"])
def test_without_a_known_name_those_there_are_are_named(name: str) -> None:
    b.a_user(username="zoé")
    b.a_user(username="arlette")
    with pytest.raises(CommandError, match="Écrivez un de ces identifiants\xa0: arlette, zoé"):
        _change(name)


def test_the_command_people_type_is_this_one() -> None:
    assert get_commands()["changepassword"] == "players"


def test_whoever_asks_for_the_code_too_late_is_told_why_and_a_script_reads_nothing(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    b.a_club()
    monkeypatch.setattr(connections, "close_all", lambda: None)  # what Django does at a command's end
    call_command("first_code")
    assert capsys.readouterr() == ("", "")
    load_command_class("players", "first_code").run_from_argv(["manage.py", "first_code"])
    said = capsys.readouterr()
    assert said.out == ""
    assert "Le club existe déjà" in said.err
