"""Every address × role × method × own or other club, against one table; an address without a row fails.

A cell says `in` (the gate lets pass, whatever the form then says), `login` (sent to sign in), 403 (a right that lacks),
404 (does not exist for this visitor) or 405 (no such method).
"""

from collections.abc import Mapping
from dataclasses import dataclass

import pytest
from django.conf import settings
from django.db import transaction
from django.test import Client
from django.urls import reverse

from jobs import files
from jobs.models import Job, JobState
from players.models import Role, User
from tests import builders as b
from tests.addresses import names, parameters_of
from tournaments.models import Session

pytestmark = [pytest.mark.django_db, pytest.mark.embedded]

ROLES = ("anonymous", "clerk", "arbiter", "admin", "other club's admin")

# One row a gate: what the five roles meet, in the order of ROLES.
ANYBODY = ("in", "in", "in", "in", "in")
MEMBERS = ("login", "in", "in", "in", "in")  # pages of the visitor's own club, whichever it is
CLERKS = ("login", "in", "in", "in", "404")
ARBITERS = ("login", "403", "in", "in", "404")
ADMINS = ("login", "403", "403", "in", "404")
ANY_ARBITER = ("login", "403", "in", "in", "in")  # of the visitor's own club
ANY_ADMIN = ("login", "403", "403", "in", "in")
NOT_FOUND = ("404", "404", "404", "404", "404")
NO_METHOD = ("405", "405", "405", "405", "405")
NO_METHOD_LOGGED_IN = ("login", "405", "405", "405", "405")
API = ("403", "in", "in", "in", "404")
API_NO_METHOD = ("403", "405", "405", "405", "405")


@dataclass(frozen=True, slots=True, kw_only=True)
class Row:
    """What an address answers to GET and to POST."""

    get: tuple[str, ...]
    post: tuple[str, ...]


TABLE: Mapping[str, Row] = {
    "set_language": Row(get=ANYBODY, post=ANYBODY),  # a GET only goes back
    # The club's people
    "players:install": Row(get=ANYBODY, post=ANYBODY),
    "players:demo": Row(get=NO_METHOD, post=NOT_FOUND),
    "players:login": Row(get=ANYBODY, post=ANYBODY),
    "players:logout": Row(get=NO_METHOD, post=ANYBODY),
    "players:password": Row(get=MEMBERS, post=MEMBERS),
    "players:accounts": Row(get=ANY_ADMIN, post=NO_METHOD_LOGGED_IN),
    "players:add_account": Row(get=ANY_ADMIN, post=ANY_ADMIN),
    "players:account": Row(get=ADMINS, post=ADMINS),
    "players:account_password": Row(get=NO_METHOD_LOGGED_IN, post=ADMINS),
    "players:people": Row(get=MEMBERS, post=NO_METHOD_LOGGED_IN),
    "players:add_person": Row(get=ANY_ADMIN, post=ANY_ADMIN),
    "players:paste_people": Row(get=ANY_ADMIN, post=ANY_ADMIN),
    "players:person": Row(get=ADMINS, post=ADMINS),
    "players:archive_person": Row(get=NO_METHOD_LOGGED_IN, post=ADMINS),
    "players:delete_person": Row(get=NO_METHOD_LOGGED_IN, post=ADMINS),
    # Preparing and running an evening
    "tournaments:home": Row(get=ANYBODY, post=NO_METHOD),
    "tournaments:new_tournament": Row(get=ANY_ARBITER, post=ANY_ARBITER),
    "tournaments:edit_tournament": Row(get=ARBITERS, post=ARBITERS),
    "tournaments:session": Row(get=CLERKS, post=NO_METHOD_LOGGED_IN),
    "tournaments:registration": Row(get=CLERKS, post=NO_METHOD_LOGGED_IN),
    "tournaments:present": Row(get=CLERKS, post=NO_METHOD_LOGGED_IN),
    "tournaments:person_search": Row(get=CLERKS, post=NO_METHOD_LOGGED_IN),
    "tournaments:check_in": Row(get=NO_METHOD_LOGGED_IN, post=CLERKS),
    "tournaments:check_in_new": Row(get=NO_METHOD_LOGGED_IN, post=CLERKS),
    "tournaments:undo_check_in": Row(get=NO_METHOD_LOGGED_IN, post=CLERKS),
    "tournaments:seating": Row(get=CLERKS, post=ARBITERS),
    "tournaments:room": Row(get=CLERKS, post=NO_METHOD_LOGGED_IN),
    "tournaments:next_round": Row(get=NO_METHOD_LOGGED_IN, post=ARBITERS),
    # The desk
    "tournaments:desk": Row(get=CLERKS, post=NO_METHOD_LOGGED_IN),
    "tournaments:undo_entry": Row(get=NO_METHOD_LOGGED_IN, post=CLERKS),
    "tournaments:sheet": Row(get=CLERKS, post=CLERKS),
    "tournaments:preview": Row(get=NO_METHOD_LOGGED_IN, post=CLERKS),
    "tournaments:history": Row(get=CLERKS, post=NO_METHOD_LOGGED_IN),
    # Rankings, the public, closing
    "tournaments:ranking": Row(get=CLERKS, post=NO_METHOD_LOGGED_IN),
    "tournaments:round_ranking": Row(get=CLERKS, post=NO_METHOD_LOGGED_IN),
    "tournaments:closing": Row(get=CLERKS, post=ARBITERS),
    "tournaments:public": Row(get=ANYBODY, post=NO_METHOD),
    "tournaments:public_table": Row(get=ANYBODY, post=NO_METHOD),
    "tournaments:health": Row(get=ANYBODY, post=NO_METHOD),
    # Printing
    "tournaments:prints": Row(get=ARBITERS, post=NO_METHOD_LOGGED_IN),
    "tournaments:print_sheets": Row(get=NO_METHOD_LOGGED_IN, post=ARBITERS),
    "tournaments:print_ranking": Row(get=NO_METHOD_LOGGED_IN, post=ARBITERS),
    "tournaments:job": Row(get=ARBITERS, post=NO_METHOD_LOGGED_IN),
    "tournaments:cancel_job": Row(get=NO_METHOD_LOGGED_IN, post=ARBITERS),
    "tournaments:retry_job": Row(get=NO_METHOD_LOGGED_IN, post=ARBITERS),
    "tournaments:job_file": Row(get=ARBITERS, post=NO_METHOD_LOGGED_IN),
    # JSON
    "api:table": Row(get=API, post=API_NO_METHOD),
    "api:donnes": Row(get=API_NO_METHOD, post=API),
    "api:donne": Row(get=API, post=API_NO_METHOD),
    "api:standing": Row(get=API, post=API_NO_METHOD),
}


def test_every_address_has_its_row_and_every_row_its_address() -> None:
    assert set(TABLE) == set(names())


class World:
    """A published evening of one club with a result and a file, the people of both clubs, and who is signed in."""

    def __init__(self) -> None:
        self.session: Session = b.a_drawn_session(players=8, rounds=2, published=True)
        self.club = self.session.tournament.club
        self.table = b.table_of(self.session)
        self.donne = b.a_donne(table=self.table)
        self.job = Job.objects.create(
            kind="print_ranking",
            club=self.club,
            by="user:1",
            state=JobState.DONE,
            file="ranking.pdf",
            params={"session": self.session.pk, "only": None, "order": "RANK"},
        )
        (files.folder() / self.job.file).write_bytes(b"%PDF-1.7")
        users: dict[str, User] = {
            "clerk": b.a_user(club=self.club, role=Role.CLERK),
            "arbiter": b.a_user(club=self.club, role=Role.ARBITER),
            "admin": b.a_user(club=self.club, role=Role.ADMIN),
            "other club's admin": b.a_user(club=b.a_club(), role=Role.ADMIN),
        }
        self.user = users["clerk"]
        self.cookies = {role: self._sign_in(user) for role, user in users.items()}

    @staticmethod
    def _sign_in(user: User) -> str:
        client = Client()
        client.force_login(user)
        return client.cookies[settings.SESSION_COOKIE_NAME].value

    def address(self, name: str) -> str:
        """Return an address with the ids of this world; a position and a table are number 1."""
        known = {
            "session_id": self.session.pk,
            "number": 1,
            "table_number": 1,
            "table_id": self.table.pk,
            "donne_id": self.donne.pk,
            "person_id": self.session.entrants.all()[0].person_id,
            "job_id": self.job.pk,
            "user_id": self.user.pk,
        }
        return reverse(name, kwargs={parameter: known[parameter] for parameter in parameters_of(name)})

    def answer(self, role: str, method: str, address: str) -> str:
        """Send one empty request and undo what it did."""
        client = Client(raise_request_exception=True)
        if role in self.cookies:
            client.cookies[settings.SESSION_COOKIE_NAME] = self.cookies[role]
        with transaction.atomic():
            response = client.get(address) if method == "get" else client.post(address)
            if response.streaming:
                _ = b"".join(response)
            transaction.set_rollback(True)
        if response.status_code in (403, 404, 405):
            return str(response.status_code)
        if response.status_code == 302 and response["Location"].startswith(reverse(settings.LOGIN_URL) + "?"):
            return "login"
        assert response.status_code < 500
        return "in"


@pytest.mark.parametrize("method", ["get", "post"])
def test_every_cell_answers_as_the_table_says(method: str) -> None:
    world = World()
    astray = {
        f"{method} {name} as {role}": f"{expected} expected, {came}"
        for name, row in TABLE.items()
        for role, expected in zip(ROLES, getattr(row, method), strict=True)
        if (came := world.answer(role, method, world.address(name))) != expected
    }
    assert astray == {}


def test_the_back_office_is_for_staff_alone() -> None:
    world = World()
    for role in ROLES:
        client = Client()
        if role in world.cookies:
            client.cookies[settings.SESSION_COOKIE_NAME] = world.cookies[role]
        for address in ("/admin/", "/admin/tournaments/donne/", "/admin/players/user/", "/admin/players/person/"):
            response = client.get(address)
            assert response.status_code == 302
            assert response["Location"].startswith("/admin/login/")


def test_somebody_without_a_club_meets_nothing_of_any_club() -> None:
    world = World()
    world.cookies["nobody"] = world._sign_in(b.a_user(role=None))
    for name, row in TABLE.items():
        for method in ("get", "post"):
            gate = getattr(row, method)
            if gate in (CLERKS, ARBITERS, ADMINS, ANY_ARBITER, ANY_ADMIN, API):
                assert (name, method, world.answer("nobody", method, world.address(name))) == (name, method, "404")


def test_a_form_without_its_token_is_refused_at_every_address() -> None:
    world = World()
    for name in TABLE:
        client = Client(enforce_csrf_checks=True)
        client.cookies[settings.SESSION_COOKIE_NAME] = world.cookies["admin"]
        for method in ("post", "put", "patch", "delete"):
            response = getattr(client, method)(world.address(name))
            assert (name, method, response.status_code) in {(name, method, 403), (name, method, 405)}
