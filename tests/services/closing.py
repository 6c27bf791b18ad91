"""Fifty people correct donnes while somebody closes the session: nothing may be newer than the close."""

import random
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import partial
from itertools import chain
from typing import Any
from uuid import UUID

from players.models import Role
from tests import builders as b
from tests.servers import Server, wait_until
from tournaments.models import Donne, Event, Session
from tournaments.selectors.audit import findings
from tournaments.services.sessions import start_verification

from .visitor import Answer, Visitor, at_once, signed_in, twin, until_served

WRITERS = 50
TABLES = 10
DONNES = 5
PEOPLE = 10  # each in five windows
SMALL = 1
FULL = 20


@dataclass(slots=True, kw_only=True)
class Close:
    """What one close gave."""

    corrected: int = 0  # acknowledged
    refused: int = 0  # because the ranking is final
    caught: int = 0  # errors of the server: the database's guard refused what the site had let through
    unexpected: list[str] = field(default_factory=list)
    lost: int = 0  # acknowledged and not in the ledger
    newer: int = 0  # recorded after the close, by its own moment
    late: int = 0  # not among those the close had counted
    longest: float = 0.0
    ledger: tuple[str, ...] = ()


@dataclass(slots=True, kw_only=True)
class Evening:
    """A session whose positions are all entered, under verification, and everybody who works on it."""

    session: Session
    chief: Visitor
    writers: list[Visitor]
    chance: random.Random = field(default_factory=lambda: random.Random(2))

    @property
    def page(self) -> str:
        """Return the address of the page that closes."""
        return f"/seances/{self.session.pk}/verification/"


def an_evening(server: Server) -> Evening:
    """Build ten tables of five donnes, entered, and let everybody log in."""
    session = b.a_drawn_session(players=4 * TABLES, rounds=1, donnes=DONNES)
    for table in session.rounds.get().tables.select_related("round__session__tournament__club"):
        b.fill_table(table)
    start_verification(session=session, by=b.an_actor())
    club = session.tournament.club
    people = [signed_in(server, b.a_user(club=club).username) for _ in range(PEOPLE)]
    writers = [twin(people[n % PEOPLE]) for n in range(WRITERS)]
    chief = signed_in(server, b.a_user(club=club, role=Role.ADMIN).username)
    return Evening(session=session, chief=chief, writers=writers)


def close_while_all_write(evening: Evening) -> Close:
    """Let everybody correct until refused; close in the middle of it; look at what stands; reopen."""
    donnes = list(Donne.objects.current().filter(table__round__session=evening.session).order_by("pk"))
    found = Close()
    runs = [_Run(evening=evening, donne=donne, who=who) for who, donne in zip(evening.writers, donnes, strict=True)]
    closed = threading.Event()

    def close() -> None:
        wait_until(lambda: all(run.acknowledged for run in runs), 60, "a correction by everybody")
        answer = until_served(partial(evening.chief.post, evening.page, {"step": "close"}))
        closed.set()
        assert answer.status == 302, answer.text

    at_once(chain((partial(run.correct_until_refused, closed) for run in runs), [close]))
    for run in runs:
        _count(run, found)
    event = Event.objects.filter(session=evening.session, code="SESSION_CLOSED").latest("seq")
    standing = Donne.objects.filter(table__round__session=evening.session)
    ids = set(standing.values_list("pk", flat=True))
    found.lost = sum(pk not in ids for run in runs for pk in run.acknowledged)
    found.newer = standing.filter(recorded_at__gt=event.at).count()
    found.late = len(ids) - int(event.refs["donnes"])
    found.ledger = tuple(str(finding) for finding in findings(evening.session.pk))
    answer = evening.chief.post(evening.page, {"step": "reopen", "reason": "encore"})
    assert answer.status == 302, answer.text
    return found


def figures_of(closes: list[Close]) -> str:
    """Return one line for the page of proofs."""
    return (
        f"{WRITERS} writers, {len(closes)} closes, {sum(close.corrected for close in closes)} corrections: "
        f"newer than the close {sum(close.newer + close.late for close in closes)}, "
        f"acknowledged and lost {sum(close.lost for close in closes)}, "
        f"refused after it {sum(close.refused for close in closes)}, "
        f"other answers {sum(close.caught + len(close.unexpected) for close in closes)}; "
        f"longest answer {max(close.longest for close in closes):.2f} s"
    )


@dataclass(slots=True, kw_only=True)
class _Run:
    """One person correcting one donne again and again."""

    evening: Evening
    donne: Donne
    who: Visitor
    acknowledged: list[int] = field(default_factory=list)
    others: list[Answer] = field(default_factory=list)  # neither taken nor refused as closed
    refusals: list[Answer] = field(default_factory=list)
    longest: float = 0.0

    def correct_until_refused(self, closed: threading.Event) -> None:
        """Correct until the first refusal, and once more."""
        current = self.donne.pk
        end = time.monotonic() + 120
        while len(self.refusals) < 2 and len(self.others) < 5 and time.monotonic() < end:
            was_closed = closed.is_set()
            answer = until_served(self._sending(current, self._body(len(self.acknowledged))))
            self.longest = max(self.longest, answer.seconds)
            if answer.status == 200 and not was_closed:
                current = int(answer.data["id"])
                self.acknowledged.append(current)
            elif answer.status == 409 and answer.data["problems"][0]["code"] == "SESSION_CLOSED":
                self.refusals.append(answer)
            else:
                self.others.append(answer)

    def _sending(self, current: int, body: dict[str, Any]) -> Callable[[], Answer]:
        key = UUID(int=self.evening.chance.getrandbits(128))
        return partial(self.who.send, "PUT", f"/api/donnes/{current}/", body, key=key, If_Match=f'"{current}"')

    def _body(self, turn: int) -> dict[str, Any]:
        points = 84 if turn % 2 else 90
        return {"taker": "N", "contract": "garde", "bouts": 2, "half_points": points, "reason": "TYPING"}


def _count(run: _Run, found: Close) -> None:
    found.corrected += len(run.acknowledged)
    found.refused += len(run.refusals)
    found.longest = max(found.longest, run.longest)
    for answer in run.others:
        if answer.status == 500:
            found.caught += 1
        else:
            found.unexpected.append(f"{answer.status} {answer.body[:200]!r}")
