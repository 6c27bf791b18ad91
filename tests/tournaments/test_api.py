"""The JSON interface: the commands, locks and refusals of the pages, with preconditions and repeatable requests."""

import json
from typing import Any
from uuid import uuid4

import pytest
from django.db import OperationalError
from django.http import HttpResponse
from django.test import Client

from players.models import Role
from scoring import Contract
from tests import builders as b
from tournaments.errors import BusyError
from tournaments.models import Donne, Kind, Mark, Session, Stale, Standing, Table
from tournaments.services import donnes as donne_services
from tournaments.services.donnes import correct_donne

pytestmark = [pytest.mark.django_db, pytest.mark.embedded]

# UX, Three ways: donne 1 of the FFT's sheet, EG249bp: +318 for East, −106 for the others.
FFT_DONNE_1 = {
    "number": 1,
    "taker": "E",
    "contract": "garde",
    "bouts": 2,
    "half_points": 98,
    "petit_au_bout": "attack",
    "poignees": [{"size": "simple", "camp": "attack"}],
}


def signed_in(table: Table, role: Role = Role.ARBITER) -> Client:
    client = Client()
    client.force_login(b.a_user(club=table.round.session.tournament.club, role=role))
    return client


def send(client: Client, method: str, path: str, data: Any = None, **headers: str) -> HttpResponse:
    body = data if isinstance(data, str | bytes) else json.dumps(data if data is not None else {})
    names = {name.replace("_", "-"): value for name, value in headers.items()}
    return client.generic(method, path, body, content_type="application/json", headers=names)  # type: ignore[return-value]


def post(client: Client, table: Table, data: Any, **headers: str) -> HttpResponse:
    given = {"If_None_Match": "*", "Idempotency_Key": str(uuid4())} | headers
    return send(client, "POST", f"/api/tables/{table.pk}/donnes/", data, **given)


def put(client: Client, donne: Donne, data: Any, **headers: str) -> HttpResponse:
    given = {"If_Match": f'"{donne.pk}"', "Idempotency_Key": str(uuid4())} | headers
    return send(client, "PUT", f"/api/donnes/{donne.pk}/", data, **given)


def delete(client: Client, donne: Donne, data: Any, **headers: str) -> HttpResponse:
    given = {"If_Match": f'"{donne.pk}"', "Idempotency_Key": str(uuid4())} | headers
    return send(client, "DELETE", f"/api/donnes/{donne.pk}/", data, **given)


def codes(response: Any) -> set[str]:
    return {problem["code"] for problem in json.loads(response.content)["problems"]}


def _fft(reason: str) -> dict[str, Any]:
    return {name: value for name, value in FFT_DONNE_1.items() if name != "number"} | {"reason": reason}


def test_a_donne_is_recorded_with_its_marks_and_its_version() -> None:
    table = b.a_table()
    response = post(signed_in(table), table, FFT_DONNE_1)
    said = json.loads(response.content)
    assert (response.status_code, said["value"]) == (201, 106)
    assert said["marks"] == {"N": -106, "S": -106, "E": 318, "O": -106}
    assert response["ETag"] == f'"{said["id"]}"' == f'"{Donne.objects.get().pk}"'


def test_marks_as_written_are_recorded_by_place() -> None:
    table = b.a_table()
    marks = {"N": -106, "S": -106, "E": 318, "O": -106}
    response = post(signed_in(table), table, {"number": 2, "kind": "MARKS", "contract": "GARDE", "marks": marks})
    assert response.status_code == 201
    assert json.loads(response.content)["marks"] == marks


def test_points_are_read_as_on_paper() -> None:
    table = b.a_table(players=3)
    data = {"number": 1, "taker": "S", "contract": "garde", "bouts": 2, "points": "41,5"}
    assert post(signed_in(table), table, data).status_code == 201
    assert Donne.objects.get().half_points == 83


def test_five_players_name_the_partner_and_the_one_who_sits_out() -> None:
    called = b.a_table(players=5)
    data = {"number": 1, "taker": "S", "contract": "garde", "bouts": 2, "half_points": 82}
    said = json.loads(post(signed_in(called), called, {**data, "partner": "C"}).content)
    assert said["marks"] == {"N": -50, "S": 100, "E": -50, "O": -50, "C": 50}
    mort = b.a_drawn_session(players=5, rounds=1)
    table = b.table_of(mort)
    said = json.loads(post(signed_in(table), table, {**data, "sitting_out": "N"}).content)
    assert (said["places"], set(said["marks"])) == ("SEOC", set("SEOC"))


@pytest.mark.parametrize("kind", [Kind.NOT_PLAYED, Kind.REMOVED, Kind.CANCELLED])
def test_a_donne_that_was_not_played_has_no_marks(kind: Kind) -> None:
    table = b.a_table()
    response = post(signed_in(table), table, {"number": 4, "kind": kind.value, "reason": "DECISION"})
    assert (response.status_code, json.loads(response.content)["marks"]) == (201, {})


def test_a_filled_slot_answers_409_with_what_it_holds() -> None:
    table = b.a_table()
    theirs = b.a_donne(table=table, number=1)
    response = post(signed_in(table), table, FFT_DONNE_1)
    assert response.status_code == 409
    assert codes(response) == {"ALREADY_RECORDED"}
    assert json.loads(response.content)["current"]["id"] == theirs.pk
    assert response["ETag"] == f'"{theirs.pk}"'


def test_the_same_donne_from_another_desk_is_no_conflict_and_writes_nothing() -> None:
    table = b.a_table()
    assert post(signed_in(table), table, FFT_DONNE_1).status_code == 201
    response = post(signed_in(table), table, FFT_DONNE_1)
    assert response.status_code == 200
    assert Donne.objects.count() == 1


def test_a_correction_names_the_version_it_replaces() -> None:
    table = b.a_table()
    first = b.a_donne(table=table)
    response = put(signed_in(table), first, _fft("TYPING"))
    assert response.status_code == 200
    said = json.loads(response.content)
    assert (said["version"], said["replaces"], said["reason"]) == (2, first.pk, "TYPING")


def test_a_stale_correction_answers_412_with_the_current_version() -> None:
    table = b.a_table()
    first = b.a_donne(table=table)
    theirs = correct_donne(current=first, entry=b.a_played(taker=3), reason="TABLE", by=b.an_actor(), key=uuid4())
    response = put(signed_in(table), first, _fft("TYPING"))
    assert response.status_code == 412
    assert json.loads(response.content)["current"]["id"] == theirs.pk
    assert response["ETag"] == f'"{theirs.pk}"'


def test_a_match_that_is_not_the_address_answers_412() -> None:
    table = b.a_table()
    first, other = b.a_donne(table=table), b.a_donne(table=table, number=2)
    assert put(signed_in(table), first, _fft("TYPING"), If_Match=f'"{other.pk}"').status_code == 412
    assert put(signed_in(table), first, _fft("TYPING"), If_Match=f'W/"{first.pk}"').status_code == 412


def test_of_two_corrections_of_the_same_version_one_gets_200_and_the_other_412() -> None:
    table = b.a_table()
    first = b.a_donne(table=table)
    answers = [
        put(signed_in(table), first, {**_fft("TYPING"), "half_points": half_points}).status_code
        for half_points in (98, 100)
    ]
    assert answers == [200, 412]


def test_withdrawing_empties_the_slot_and_keeps_the_row() -> None:
    table = b.a_table()
    first = b.a_donne(table=table)
    response = delete(signed_in(table), first, {"reason": "TYPING"})
    assert (response.status_code, json.loads(response.content)["kind"]) == (200, "WITHDRAWN")
    assert Donne.objects.count() == 2
    assert post(signed_in(table), table, FFT_DONNE_1).status_code == 201


@pytest.mark.parametrize("missing", ["If-None-Match", "Idempotency-Key"])
def test_a_write_without_its_headers_answers_428(missing: str) -> None:
    table = b.a_table()
    headers = {"If-None-Match": "*", "Idempotency-Key": str(uuid4())}
    del headers[missing]
    path = f"/api/tables/{table.pk}/donnes/"
    response = signed_in(table).generic(
        "POST", path, json.dumps(FFT_DONNE_1), content_type="application/json", headers=headers
    )
    assert response.status_code == 428
    assert not Donne.objects.exists()


@pytest.mark.parametrize("match", ["", "*"])
def test_a_correction_that_names_no_version_answers_428(match: str) -> None:
    table = b.a_table()
    assert put(signed_in(table), b.a_donne(table=table), _fft("TYPING"), If_Match=match).status_code == 428


def test_a_key_that_is_no_uuid_is_refused() -> None:
    table = b.a_table()
    response = post(signed_in(table), table, FFT_DONNE_1, Idempotency_Key="once")
    assert (response.status_code, codes(response)) == (400, {"KEY_UNREADABLE"})


def test_the_same_request_twice_gets_the_same_answer_and_says_so() -> None:
    table = b.a_table()
    client, key = signed_in(table), str(uuid4())
    first = post(client, table, FFT_DONNE_1, Idempotency_Key=key)
    second = post(client, table, FFT_DONNE_1, Idempotency_Key=key)
    assert (first.status_code, second.status_code) == (201, 201)
    assert first.content == second.content
    assert "Idempotent-Replayed" not in first
    assert second["Idempotent-Replayed"] == "true"
    assert Donne.objects.count() == 1


def test_a_repeated_correction_gets_its_first_answer_even_after_a_later_one() -> None:
    table = b.a_table()
    client, key, first = signed_in(table), str(uuid4()), b.a_donne(table=table)
    answer = put(client, first, _fft("TYPING"), Idempotency_Key=key)
    second = Donne.objects.current().get()
    correct_donne(current=second, entry=b.a_played(taker=3), reason="TABLE", by=b.an_actor(), key=uuid4())
    again = put(client, first, _fft("TYPING"), Idempotency_Key=key)
    assert (again.status_code, again.content) == (200, answer.content)
    assert again["Idempotent-Replayed"] == "true"


def test_the_same_key_with_another_body_answers_422() -> None:
    table = b.a_table()
    client, key = signed_in(table), str(uuid4())
    post(client, table, FFT_DONNE_1, Idempotency_Key=key)
    response = post(client, table, {**FFT_DONNE_1, "bouts": 3}, Idempotency_Key=key)
    assert (response.status_code, codes(response)) == (422, {"KEY_REUSED"})


def test_a_key_belongs_to_one_person() -> None:
    table = b.a_table()
    key = str(uuid4())
    post(signed_in(table), table, FFT_DONNE_1, Idempotency_Key=key)
    response = post(signed_in(table), table, {**FFT_DONNE_1, "number": 2}, Idempotency_Key=key)
    assert response.status_code == 201
    assert "Idempotent-Replayed" not in response


def test_a_busy_table_answers_503_and_when_to_try_again(monkeypatch: pytest.MonkeyPatch) -> None:
    table = b.a_table()

    def busy(*_: object, **__: object) -> None:
        raise BusyError

    monkeypatch.setattr(donne_services, "open_sheet", busy)
    response = post(signed_in(table), table, FFT_DONNE_1)
    assert (response.status_code, response["Retry-After"]) == (503, "2")


@pytest.mark.parametrize(
    ("words", "status", "code"), [("database is locked", 503, "BUSY"), ("no such column: takr", 500, "SERVER_ERROR")]
)
def test_only_a_database_that_may_answer_soon_is_called_busy(
    monkeypatch: pytest.MonkeyPatch, words: str, status: int, code: str
) -> None:
    table = b.a_table()

    def broken(*_: object, **__: object) -> None:
        raise OperationalError(words)

    monkeypatch.setattr(donne_services, "open_sheet", broken)
    client = signed_in(table)
    client.raise_request_exception = False
    response = post(client, table, FFT_DONNE_1)
    assert (response.status_code, codes(response)) == (status, {code})


def test_a_clerk_enters_but_does_not_correct_a_complete_sheet_of_others() -> None:
    table = b.a_table(donnes=1)
    clerk = signed_in(table, Role.CLERK)
    assert post(clerk, table, FFT_DONNE_1).status_code == 201
    response = put(signed_in(table, Role.CLERK), Donne.objects.get(), {**_fft("TYPING"), "bouts": 3})
    assert response.status_code == 403
    assert put(signed_in(table), Donne.objects.get(), {**_fft("TYPING"), "bouts": 3}).status_code == 200


def test_another_clubs_tables_and_donnes_do_not_exist() -> None:
    table = b.a_table()
    donne = b.a_donne(table=table)
    stranger = Client()
    stranger.force_login(b.a_user(club=b.a_club(), role=Role.ADMIN))
    session = table.round.session
    assert post(stranger, table, {**FFT_DONNE_1, "number": 2}).status_code == 404
    assert put(stranger, donne, _fft("TYPING")).status_code == 404
    assert delete(stranger, donne, {"reason": "TYPING"}).status_code == 404
    for path in (
        f"/api/tables/{table.pk}/",
        f"/api/donnes/{donne.pk}/",
        f"/api/sessions/{session.pk}/standing/",
    ):
        assert stranger.get(path).status_code == 404
    assert Donne.objects.count() == 1


def test_a_visitor_is_refused_in_json() -> None:
    table = b.a_table()
    response = post(Client(), table, FFT_DONNE_1)
    assert (response.status_code, codes(response)) == (403, {"NOT_SIGNED_IN"})


def test_a_write_without_the_csrf_token_is_refused() -> None:
    table = b.a_table()
    client = Client(enforce_csrf_checks=True)
    client.force_login(b.a_user(club=table.round.session.tournament.club))
    assert post(client, table, FFT_DONNE_1).status_code == 403
    assert not Donne.objects.exists()


def test_the_sheet_shows_each_slot_with_its_version_and_zero_is_not_empty() -> None:
    table = b.a_table(donnes=3)
    b.a_donne(table=table, number=1)
    zeros = b.a_written(0, 0, 0, 0, contract=Contract.GARDE_SANS, taker=1)
    b.a_donne(table=table, number=2, entry=zeros)
    said = json.loads(signed_in(table).get(f"/api/tables/{table.pk}/").content)
    assert [row["state"] for row in said["donnes"]] == ["PLAYED", "PLAYED", "EMPTY"]
    assert said["donnes"][0]["current"]["marks"] == {"N": 198, "S": -66, "E": -66, "O": -66}
    assert said["donnes"][1]["current"]["marks"] == {"N": 0, "S": 0, "E": 0, "O": 0}
    assert said["donnes"][2]["current"] is None
    assert (said["is_complete"], said["nets"]) == (False, {})


def test_the_standing_carries_its_version_and_answers_304_to_who_has_it() -> None:
    table = b.a_table(donnes=1)
    b.a_donne(table=table)
    client, path = signed_in(table), f"/api/sessions/{table.round.session_id}/standing/"
    first = client.get(path)
    said = json.loads(first.content)
    assert [(row["rank"], row["total"]) for row in said["rows"]] == [(1, 198), (2, -66), (2, -66), (2, -66)]
    assert "no-cache" in first["Cache-Control"]
    assert client.get(path, headers={"If-None-Match": first["ETag"]}).status_code == 304
    Standing.objects.update(version=7)
    assert client.get(path, headers={"If-None-Match": first["ETag"]}).status_code == 200


def test_after_the_close_every_write_is_refused() -> None:
    table = b.a_table()
    donne = b.a_donne(table=table)
    Session.objects.filter(pk=table.round.session_id).update(state="FINAL")
    before = Donne.objects.count(), Mark.objects.count(), Stale.objects.count()
    client = signed_in(table, Role.ADMIN)
    answers = (
        post(client, table, {**FFT_DONNE_1, "number": 2}),
        put(client, donne, _fft("TYPING")),
        delete(client, donne, {"reason": "TYPING"}),
    )
    assert [(answer.status_code, codes(answer)) for answer in answers] == [(409, {"SESSION_CLOSED"})] * 3
    assert (Donne.objects.count(), Mark.objects.count(), Stale.objects.count()) == before


MALFORMED: tuple[bytes, ...] = (
    b"",
    b"{",
    b"[]",
    b"3",
    b'"x"',
    b"null",
    b'{"number": NaN}',
    b'{"number": Infinity}',
    b'{"number": 1e400}',
    b'{"number": 1, "number": 2}',
    b'{"number": ' + b"9" * 5000 + b"}",
    b'{"text": "\\u0000"}',
    b'{"text": "\\ud800"}',
    b'{"\\udfff": 1}',
    b'{"text": "\xff"}',
    b"\xef\xbb\xbf{}",
    b'{"poignees": ' + b"[" * 60 + b"]" * 60 + b"}",
    b'{"poignees": ' + b"[" * 90_000 + b"}",
    b'{"a":' * 40_000 + b"1" + b"}" * 40_000,
    b'{"text": "' + b"x" * 200_000 + b'"}',
)


@pytest.mark.parametrize("body", MALFORMED, ids=[body[:24].decode("latin-1") for body in MALFORMED])
def test_what_cannot_be_read_is_a_400_and_never_a_500(body: bytes) -> None:
    table = b.a_table()
    response = post(signed_in(table), table, body)
    assert response.status_code == 400
    assert not Donne.objects.exists()


@pytest.mark.parametrize("number", [0, -1, 13, 99, 10**30, 1.0, True, "1", None, [1], {"a": 1}])
def test_a_slot_that_is_none_is_refused_by_name(number: object) -> None:
    table = b.a_table()
    response = post(signed_in(table), table, {**FFT_DONNE_1, "number": number})
    assert (response.status_code, codes(response)) == (400, {"NUMBER_RANGE"})


@pytest.mark.parametrize("field", ["points_of_club", "version", "by", "is_current", "entrant", "chelm"])
def test_a_field_nobody_knows_is_refused_rather_than_lost(field: str) -> None:
    table = b.a_table()
    response = post(signed_in(table), table, {**FFT_DONNE_1, field: 1})
    assert (response.status_code, codes(response)) == (400, {"FIELD_UNKNOWN"})


def test_a_form_body_is_refused_with_its_type() -> None:
    table = b.a_table()
    response = signed_in(table).post(
        f"/api/tables/{table.pk}/donnes/",
        {"number": 1},
        headers={"If-None-Match": "*", "Idempotency-Key": str(uuid4())},
    )
    assert response.status_code == 415


@pytest.mark.parametrize("path", ["/api/tables/99999999999999999999/", "/api/donnes/0/", "/api/nothing/"])
def test_an_address_of_nothing_is_a_404_in_json(path: str) -> None:
    client = Client()
    client.force_login(b.a_user(club=b.a_club()))
    response = client.get(path)
    assert (response.status_code, codes(response)) == (404, {"NOT_FOUND"})
