"""Several at once through the JSON interface: one correction wins, and a request sent five times is one donne."""

import json
import threading
from collections import Counter
from collections.abc import Callable, Sequence
from typing import Any
from uuid import uuid4

import pytest
from django.conf import settings
from django.db import connection, connections
from django.test import Client

from tests import builders as b
from tournaments.models import Donne, Table
from tournaments.services import donnes, open_sheet

pytestmark = pytest.mark.django_db(transaction=True)

PAIRS = 30
CONTROLS = 8
SENDINGS = 5
TABLES = 3


def some_tables() -> tuple[str, list[Table]]:
    """Return the cookie of an arbiter and tables of ten donnes."""
    session = b.a_drawn_session(players=4 * TABLES, rounds=1, donnes=10)
    client = Client()
    client.force_login(b.a_user(club=session.tournament.club))
    return client.cookies[settings.SESSION_COOKIE_NAME].value, [
        b.table_of(session, number=number) for number in range(1, TABLES + 1)
    ]


def at_once(cookie: str, requests: Sequence[Callable[[Client], Any]]) -> list[Any]:
    """Send requests at the same instant, each from a thread with a connection of its own."""
    together = threading.Barrier(len(requests))
    answers: list[Any] = []

    def send(request: Callable[[Client], Any]) -> None:
        client = Client(raise_request_exception=False)
        client.cookies[settings.SESSION_COOKIE_NAME] = cookie
        try:
            together.wait(timeout=30)
            answers.append(request(client))
        finally:
            connections.close_all()

    threads = [threading.Thread(target=send, args=(request,)) for request in requests]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return answers


def entry(bouts: int = 2, **more: Any) -> str:
    return json.dumps({"taker": "E", "contract": "garde", "bouts": bouts, "half_points": 98, **more})


def correction(donne: Donne, bouts: int) -> Callable[[Client], Any]:
    headers = {"If-Match": f'"{donne.pk}"', "Idempotency-Key": str(uuid4())}
    body = entry(bouts, reason="TYPING")
    return lambda client: client.put(f"/api/donnes/{donne.pk}/", body, content_type="application/json", headers=headers)


def recording(table: Table, number: int) -> Callable[[Client], Any]:
    headers = {"If-None-Match": "*", "Idempotency-Key": str(uuid4())}
    path, body = f"/api/tables/{table.pk}/donnes/", entry(number=number)
    return lambda client: client.post(path, body, content_type="application/json", headers=headers)


def corrections_in_pairs(pairs: int = PAIRS) -> Counter[tuple[int, ...]]:
    """Correct donnes, each by two arbiters at once; return how often which statuses came."""
    cookie, tables = some_tables()
    outcomes: Counter[tuple[int, ...]] = Counter()
    for pair in range(pairs):
        first = b.a_donne(table=tables[pair % TABLES], number=pair // TABLES + 1, entry=b.a_played(taker=0))
        answers = at_once(cookie, [correction(first, bouts) for bouts in (1, 3)])
        outcomes[tuple(sorted(answer.status_code for answer in answers))] += 1
    return outcomes


def sendings_of_one_request(cases: int = PAIRS) -> tuple[Counter[int], set[int], int]:
    """Record donnes, each sent five times at once; return statuses, how many answers differ, and replays."""
    cookie, tables = some_tables()
    statuses: Counter[int] = Counter()
    different: set[int] = set()
    replayed = 0
    for case in range(cases):
        answers = at_once(cookie, [recording(tables[case % TABLES], case // TABLES + 1)] * SENDINGS)
        statuses.update(answer.status_code for answer in answers)
        different.add(len({answer.content for answer in answers}))
        replayed += sum("Idempotent-Replayed" in answer for answer in answers)
    return statuses, different, replayed


def test_of_two_simultaneous_corrections_exactly_one_wins_and_the_other_sees_it() -> None:
    assert corrections_in_pairs() == {(200, 412): PAIRS}
    assert Donne.objects.current().count() == PAIRS
    assert Donne.objects.filter(version=2).count() == PAIRS


def test_without_the_tables_lock_some_losers_are_not_shown_the_winner(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(open_sheet, "lock_tables", lambda _ids: None)
    is_clean = corrections_in_pairs(CONTROLS) == {(200, 412): CONTROLS}
    assert is_clean == (connection.vendor == "sqlite")  # there the whole file's lock stands behind the table's


def test_a_request_sent_five_times_at_once_is_one_donne_and_five_equal_answers() -> None:
    statuses, different, replayed = sendings_of_one_request()
    assert statuses == {201: PAIRS * SENDINGS}
    assert different == {1}
    assert replayed == PAIRS * (SENDINGS - 1)
    assert Donne.objects.count() == PAIRS


def test_without_the_key_no_sending_is_known_again(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(donnes, "stored_answer", lambda **_: None)
    monkeypatch.setattr(donnes, "keep_answer", lambda **_: None)
    _statuses, _different, replayed = sendings_of_one_request(CONTROLS)
    assert replayed == 0
