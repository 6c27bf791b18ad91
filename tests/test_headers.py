"""What every answer carries: a policy without inline script, safe cookies, refusals in the design; and /sante."""

import json
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest
from django.conf import settings
from django.core.cache import cache
from django.db import DatabaseError, connection
from django.http import HttpRequest
from django.test import Client, RequestFactory

from players.models import Role
from tests import builders as b
from tests.test_access_matrix import TABLE, World
from tournaments.views import refusals

pytestmark = [pytest.mark.django_db, pytest.mark.embedded]


def test_every_page_forbids_inline_script_and_style_and_has_none() -> None:
    world = World()
    client = Client()
    client.cookies[settings.SESSION_COOKIE_NAME] = world.cookies["admin"]
    for name in TABLE:
        response = client.get(world.address(name))
        policy = response["Content-Security-Policy"] if name != "tournaments:job_file" else "default-src 'self'"
        if response.streaming:
            _ = b"".join(response)
        assert "default-src 'self'" in policy
        assert "unsafe-" not in policy
        assert (name, response["X-Content-Type-Options"]) == (name, "nosniff")
        assert (name, response["X-Frame-Options"]) == (name, "DENY")
        assert response["Referrer-Policy"] == "same-origin"
        if response["Content-Type"].startswith("text/html") and response.status_code == 200:
            page = response.content.decode()
            assert (name, re.findall(r"<script(?![^>]*\bsrc=)[^>]*>", page)) == (name, [])
            assert (name, re.findall(r"<style|\sstyle=|\son[a-z]+=|javascript:", page)) == (name, [])
            assert (name, re.findall(r"(?:src|href|action)=\"(?:https?:)?//", page)) == (name, [])


def test_the_policy_names_each_source_it_allows() -> None:
    policy = Client().get("/connexion/")["Content-Security-Policy"]
    assert set(policy.split("; ")) == {
        "default-src 'self'",
        "img-src 'self' data:",
        "object-src 'none'",
        "base-uri 'none'",
        "form-action 'self'",
        "frame-ancestors 'none'",
    }


def test_the_cookies_of_session_and_form_are_out_of_reach_of_scripts_and_of_other_sites() -> None:
    b.a_user(club=b.a_club(), username="arbitre", password="un-mot-de-passe")
    client = Client()
    client.get("/connexion/")
    client.post("/connexion/", {"username": "arbitre", "password": "un-mot-de-passe"})
    assert set(client.cookies) == {"tarot", "tarot-csrf"}
    for cookie in client.cookies.values():
        assert (cookie.key, cookie["httponly"], cookie["samesite"]) == (cookie.key, True, "Lax")


def test_signing_in_changes_the_session_and_signing_out_ends_it_on_the_server() -> None:
    b.a_user(club=b.a_club(), username="arbitre", password="un-mot-de-passe")
    client = Client()
    client.get("/connexion/")
    first_token = client.cookies["tarot-csrf"].value
    client.post("/connexion/", {"username": "arbitre", "password": "un-mot-de-passe"})
    kept = client.cookies["tarot"].value
    assert client.cookies["tarot-csrf"].value != first_token
    client.post("/deconnexion/")
    stolen = Client()
    stolen.cookies["tarot"] = kept
    assert stolen.get("/membres/").status_code == 302


def https_settings(**environment: str) -> dict[str, object]:
    """Return settings as a server behind https has them, read in a program of its own."""
    names = (
        "SESSION_COOKIE_NAME CSRF_COOKIE_NAME SESSION_COOKIE_SECURE CSRF_COOKIE_SECURE SECURE_SSL_REDIRECT"
        " SECURE_HSTS_SECONDS DEBUG"
    )
    program = (
        "import json, config.settings as s; "
        f"print(json.dumps({{name: getattr(s, name, None) for name in {names.split()!r}}}))"
    )
    done = subprocess.run(
        [sys.executable, "-c", program],
        cwd=Path(settings.BASE_DIR),
        env={**os.environ, **environment},
        capture_output=True,
        text=True,
        check=True,
    )
    found: dict[str, object] = json.loads(done.stdout)
    return found


def test_behind_https_cookies_are_secure_and_bound_to_the_host() -> None:
    found = https_settings(TAROT_HTTPS="1")
    assert found["SESSION_COOKIE_NAME"] == "__Host-tarot"
    assert str(found["CSRF_COOKIE_NAME"]).startswith("__Host-")
    assert found["SESSION_COOKIE_SECURE"] is found["CSRF_COOKIE_SECURE"] is found["SECURE_SSL_REDIRECT"] is True
    assert found["SECURE_HSTS_SECONDS"] == 31_536_000
    assert found["DEBUG"] is False


# Refusals


@pytest.mark.parametrize("address", ["/rien/", "/resultats/999/", "/seances/999/classement/"])
def test_nothing_there_is_a_page_in_the_design_with_a_way_back(address: str) -> None:
    client = Client()
    client.force_login(b.a_user(club=b.a_club()))
    response = client.get(address)
    page = response.content.decode()
    assert response.status_code == 404
    assert "Il n’y a rien à cette adresse" in page
    assert "css/site.css" in page
    assert 'href="/"' in page


def test_a_right_that_lacks_is_a_page_that_says_who_can() -> None:
    session = b.a_drawn_session()
    client = Client()
    client.force_login(b.a_user(club=session.tournament.club, role=Role.CLERK))
    response = client.post(f"/seances/{session.pk}/verification/", {"step": "verify"})
    assert response.status_code == 403
    assert "Votre rôle ne comprend pas cette action" in response.content.decode()


def test_an_old_form_is_told_that_nothing_was_saved() -> None:
    response = Client(enforce_csrf_checks=True).post("/connexion/", {"username": "x"})
    assert response.status_code == 403
    assert "Rien n’a été enregistré" in response.content.decode()


def test_our_own_failure_is_a_page_that_asks_nothing_of_the_database_and_tells_no_secret(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    session = b.a_drawn_session(published=True)

    def fail(*_: object, **__: object) -> None:
        raise RuntimeError("secret-in-the-trace")

    monkeypatch.setattr("tournaments.views.public.read_standing", fail)
    client = Client(raise_request_exception=False)
    response = client.get(f"/resultats/{session.pk}/")
    page = response.content.decode()
    assert response.status_code == 500
    assert "Un incident s’est produit de notre côté." in page
    assert "secret-in-the-trace" not in page
    assert "Traceback" not in page


@pytest.mark.parametrize(
    ("answer", "status", "code"),
    [
        (lambda request: refusals.bad_request(request, ValueError()), 400, "BAD_REQUEST"),
        (lambda request: refusals.permission_denied(request, ValueError()), 403, "NOT_ALLOWED"),
        (refusals.csrf_failure, 403, "CSRF"),
        (lambda request: refusals.not_found(request, ValueError()), 404, "NOT_FOUND"),
        (refusals.server_error, 500, "SERVER_ERROR"),
    ],
)
def test_programs_get_the_same_refusals_as_json(answer: object, status: int, code: str) -> None:
    request: HttpRequest = RequestFactory().get("/api/tables/1/")
    assert callable(answer)
    response = answer(request)
    assert response.status_code == status
    assert json.loads(response.content)["problems"][0]["code"] == code


def test_an_unknown_host_is_refused_in_the_design() -> None:
    response = Client().get("/", headers={"host": "ailleurs.example"})
    assert response.status_code == 400
    assert "Le serveur n’a pas pu lire cette demande." in response.content.decode()


# /sante


def test_the_health_check_says_ok_and_nothing_else() -> None:
    response = Client().get("/sante")
    assert (response.status_code, json.loads(response.content)) == (200, {"status": "ok"})
    assert "no-store" in response["Cache-Control"]


def test_the_health_check_answers_503_when_the_database_is_down(monkeypatch: pytest.MonkeyPatch) -> None:
    def down(*_: object, **__: object) -> None:
        raise DatabaseError("password=secret host=db")

    monkeypatch.setattr(connection, "cursor", down)
    response = Client().get("/sante")
    assert response.status_code == 503
    assert "secret" not in response.content.decode()


def test_pages_of_several_visitors_are_never_mixed_up() -> None:
    world = World()
    cache.clear()
    visitors = {role: Client() for role in ("clerk", "arbiter", "admin", "other club's admin")}
    for role, client in visitors.items():
        client.cookies[settings.SESSION_COOKIE_NAME] = world.cookies[role]
    names = {
        role: re.findall(r">(user\d+)<", client.get("/membres/").content.decode()) for role, client in visitors.items()
    }
    assert len({tuple(found) for found in names.values()}) == 4
    for _ in range(5):
        for role, client in visitors.items():
            page = client.get(world.address("tournaments:public")).content.decode()
            assert re.findall(r">(user\d+)<", page) == names[role]
        assert "user" not in re.sub(r"<[^>]*>", "", Client().get(world.address("tournaments:public")).content.decode())
