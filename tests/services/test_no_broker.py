"""No worker and no queue: after a correction the desk reads the new totals at once, the public within two seconds."""

import re
import time
from functools import partial
from uuid import uuid4

import pytest
from django.utils.html import strip_tags

from tests import builders as b
from tests.conftest import StartGunicorn
from tests.servers import Server, wait_until
from tournaments.labels import signed
from tournaments.models import Donne, Session

from .conftest import IS_FULL, Record, StartHampered
from .visitor import Answer, Visitor, signed_in

pytestmark = [pytest.mark.services, pytest.mark.embedded]

CORRECTIONS = 100 if IS_FULL else 8  # each with four totals on each of the two pages
MOST_SECONDS = 2.0
_TOTAL = re.compile(r'<td class="num total">(.*?)</td>')


class Evening:
    """A published session of one table whose sheet is entered, a correcting arbiter, and the public."""

    def __init__(self, server: Server) -> None:
        table = b.a_table(donnes=1)
        self.session: Session = table.round.session
        type(self.session.tournament).objects.filter(pk=self.session.tournament_id).update(published=True)
        self.donne = b.a_donne(table=table)
        self.arbiter = signed_in(server, b.a_user(club=self.session.tournament.club).username)
        self.public = Visitor(port=server.port)

    def correct(self, turn: int) -> list[str]:
        """Correct the one donne; return the totals it makes, the best first."""
        body = {"taker": "NSEO"[turn % 4], "contract": "garde", "bouts": 2, "reason": "TYPING"}
        made_by = turn % 40
        answer = self.arbiter.send(
            "PUT",
            f"/api/donnes/{self.donne.pk}/",
            body | {"half_points": 82 + 2 * made_by},
            key=uuid4(),
            If_Match=f'"{self.donne.pk}"',
        )
        assert answer.status == 200, answer.text
        self.donne = Donne.objects.get(pk=answer.data["id"])
        share = 2 * (25 + made_by)
        return [signed(3 * share), *[signed(-share)] * 3]

    def desk_totals(self) -> list[str]:
        """Return the totals of the desk's own ranking page."""
        return _totals(self.arbiter.get(f"/seances/{self.session.pk}/classement/"))

    def public_totals(self) -> list[str]:
        """Return the totals of the public page."""
        return _totals(self.public.get(f"/resultats/{self.session.pk}/"))


def _totals(page: Answer) -> list[str]:
    assert page.status == 200, page.text
    return [strip_tags(cell).strip() for cell in _TOTAL.findall(page.text)]


def test_the_desk_is_right_on_the_next_page_and_the_public_within_two_seconds(
    gunicorn: StartGunicorn, record: Record
) -> None:
    evening = Evening(gunicorn(workers=2, threads=2, env={"REDIS_URL": ""}))
    waits = []
    for turn in range(CORRECTIONS):
        expected = evening.correct(turn)
        corrected = time.monotonic()
        assert evening.desk_totals() == expected
        wait_until(partial(_shows, evening, expected), 10, "the public page right")
        waits.append(time.monotonic() - corrected)
    record(
        "no broker",
        f"{CORRECTIONS} corrections, no worker, no queue: desk right on the next page {CORRECTIONS} times, "
        f"public page right after {sorted(waits)[len(waits) // 2]:.2f} s (median), {max(waits):.2f} s at most",
    )
    assert max(waits) <= MOST_SECONDS


def _shows(evening: Evening, expected: list[str]) -> bool:
    return evening.public_totals() == expected


def test_control_without_the_note_that_it_is_stale_the_public_page_stays_old(hampered: StartHampered) -> None:
    evening = Evening(hampered("stale", threads=2))
    old = evening.public_totals()
    expected = evening.correct(1)
    time.sleep(MOST_SECONDS + 0.5)
    assert evening.desk_totals() == expected
    assert evening.public_totals() == old != expected
