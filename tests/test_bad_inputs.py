"""Every bad input, by every road that can say it: refused with the same code, in words, and nothing is written."""

import json
from collections.abc import Callable, Iterable, Mapping
from uuid import uuid4

import pytest
from django.test import Client

from players.models import Role
from tests import builders as b
from tests.bad_inputs import BAD_INPUTS, BadInput, detail
from tournaments.labels import has_sentence
from tournaments.models import Donne, Game, Stale, Table

pytestmark = [pytest.mark.django_db, pytest.mark.embedded]


BY_JSON = [case for case in BAD_INPUTS if case.json is not None]
BY_FIELDS = [case for case in BAD_INPUTS if case.fields is not None]
BY_KEYS = [case for case in BAD_INPUTS if case.keys]


class Desk:
    """An arbiter signed in, with one empty table of each kind; a refusal leaves a table as it was."""

    def __init__(self) -> None:
        self.client = Client()
        self.club = b.a_club()
        self.client.force_login(b.a_user(club=self.club, role=Role.ARBITER))
        self.tables: dict[tuple[int, bool], Table] = {}

    def table(self, case: BadInput) -> Table:
        kind = (case.players, case.mort)
        if kind not in self.tables:
            game = Game.MORT if case.mort else Game.CALLED_KING
            self.tables[kind] = b.a_table(players=case.players, game_of_five=game, club=self.club)
        return self.tables[kind]

    def send_json(self, case: BadInput) -> set[str]:
        """Return the codes of the refusal, or what else came."""
        response = self.client.post(
            f"/api/tables/{self.table(case).pk}/donnes/",
            json.dumps({"number": 1, **(case.json or {})}),
            content_type="application/json",
            headers={"If-None-Match": "*", "Idempotency-Key": str(uuid4())},
        )
        problems = json.loads(response.content).get("problems", [])
        if response.status_code != 400 or not all(problem["message"] and problem["field"] for problem in problems):
            return {f"{response.status_code} {problems}"}
        return {problem["code"] for problem in problems}

    def send_page(self, case: BadInput, data: Mapping[str, str]) -> set[str]:
        """Return the codes beside the rows of the sheet's page, or what else came."""
        position = self.table(case).round
        path = f"/seances/{position.session_id}/positions/{position.number}/tables/1/"
        response = self.client.post(path, {"key": str(uuid4()), "do": "save", "way": case.way, **data})
        if response.status_code != 422 or response.context is None:
            return {str(response.status_code)}
        return {str(problem.code) for row in response.context["typed"].rows for problem in row.problems}


def astray(cases: Iterable[BadInput], send: Callable[[BadInput], set[str]]) -> dict[str, str]:
    """Send every case and return those whose code did not come, by name."""
    came = ((case, send(case)) for case in cases)
    return {case.name: f"{case.code} expected, {sorted(codes)}" for case, codes in came if case.code not in codes}


def test_there_are_at_least_sixty_and_most_go_by_more_than_one_road() -> None:
    assert len(BAD_INPUTS) >= 60
    assert len({case.name for case in BAD_INPUTS}) == len(BAD_INPUTS)
    assert min(len(BY_JSON), len(BY_FIELDS), len(BY_KEYS)) >= 30


def test_every_one_is_refused_as_json_and_writes_nothing() -> None:
    assert astray(BY_JSON, Desk().send_json) == {}
    assert not Donne.objects.exists()
    assert not Stale.objects.exists()


def test_every_one_is_refused_in_labelled_fields_and_writes_nothing() -> None:
    desk = Desk()

    def send(case: BadInput) -> set[str]:
        fields = {f"{name}-1": value for name, value in (case.fields or {}).items()}
        return desk.send_page(case, {"style": "fields", **fields})

    assert astray(BY_FIELDS, send) == {}
    assert not Donne.objects.exists()


def test_every_one_is_refused_as_compact_keys_and_writes_nothing() -> None:
    desk = Desk()
    assert astray(BY_KEYS, lambda case: desk.send_page(case, {"style": "keys", "row-1": case.keys})) == {}
    assert not Donne.objects.exists()


def test_the_entry_they_spoil_is_accepted_by_each_road() -> None:
    desk = Desk()
    plain = detail("plain", "", keys="EG249")
    assert desk.send_json(plain) == {"201 []"}
    assert desk.send_page(plain, {"style": "keys", "row-2": plain.keys}) == {"302"}
    fields = {f"{name}-3": value for name, value in (plain.fields or {}).items()}
    assert desk.send_page(plain, {"style": "fields", **fields}) == {"302"}
    assert list(Donne.objects.order_by("number").values_list("number", "value")) == [(1, 66), (2, 66), (3, 66)]


def test_each_refusal_has_its_sentence() -> None:
    assert [case.code for case in BAD_INPUTS if not has_sentence(case.code)] == []
