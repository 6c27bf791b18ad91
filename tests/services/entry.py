"""Fifty people send donnes for twenty tables, each donne twice at the same instant: what came back, what stands."""

import random
import threading
import time
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from functools import partial
from itertools import chain
from typing import Any
from uuid import UUID

from django.db.models import Count, Sum

from players.models import Role
from scoring import Contract
from tests import builders as b
from tests.servers import Server
from tournaments.models import Donne, IdempotencyKey, Session, Table
from tournaments.selectors.audit import findings

from .visitor import Answer, Visitor, at_once, signed_in, twin, until_served

CLIENTS = 50
TABLES = 20
PATIENCE = 120


@dataclass(frozen=True, slots=True, kw_only=True)
class Size:
    """How much is entered."""

    rounds: int
    donnes: int


SMALL = Size(rounds=1, donnes=2)
FULL = Size(rounds=10, donnes=12)


class Twice(StrEnum):
    """In what way a donne is sent twice."""

    SAME = "the very same request"
    OTHER_KEY = "the same donne under another key"
    OTHER_DONNE = "another donne under the same key"
    OTHER = "another donne under another key"


@dataclass(slots=True, kw_only=True)
class Slot:
    """One donne to enter, its two requests, and their answers."""

    table_id: int
    twice: Twice
    bodies: tuple[dict[str, Any], dict[str, Any]]
    keys: tuple[UUID, UUID]
    answers: dict[int, Answer] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True)
class Report:
    """What one run gave."""

    slots: int
    posts: int
    seconds: float
    busy: int  # answered 503, and sent again
    longest: float  # seconds for one answer
    doubled: int  # slots with more than one version
    missing: int
    unbalanced: int
    keys_doubled: int
    not_replayed: int  # the same request, answered twice in different words
    unexpected: tuple[str, ...]  # any other answer that should not be
    ledger: tuple[str, ...]  # what check_ledger would say

    @property
    def figures(self) -> str:
        """Return one line for the page of proofs."""
        rate = self.posts / self.seconds
        return (
            f"{CLIENTS} clients, {self.posts} requests for {self.slots} donnes of {TABLES} tables a position, "
            f"{rate:.0f}/s: doubled {self.doubled}, missing {self.missing}, not zero {self.unbalanced}, "
            f"replays not identical {self.not_replayed}, other answers {len(self.unexpected)}; "
            f"busy and sent again {self.busy}, longest answer {self.longest:.2f} s"
        )


def enter(server: Server, size: Size, *, seed: int = 1) -> Report:
    """Build an evening, enter all of it twice through the server, and look at what stands."""
    session = b.a_drawn_session(players=4 * TABLES, rounds=size.rounds, donnes=size.donnes)
    slots = _slots(session, random.Random(seed))
    pairs = [_pair(server, session) for _ in range(CLIENTS // 2)]
    busy: list[Answer] = []
    started = time.monotonic()
    at_once(chain.from_iterable(_senders(pair, slots[n :: len(pairs)], busy) for n, pair in enumerate(pairs)))
    seconds = time.monotonic() - started
    return _report(session, slots, busy, seconds)


def _slots(session: Session, chance: random.Random) -> list[Slot]:
    tables = Table.objects.filter(round__session=session).order_by("pk").values_list("pk", flat=True)
    ways = [Twice.SAME, Twice.SAME, Twice.OTHER_KEY, Twice.OTHER_DONNE, Twice.OTHER]
    found: list[Slot] = []
    for number in range(1, session.donnes_per_round + 1):
        for table_id in tables:
            twice = ways[len(found) % len(ways)]
            first, second = _body(number, chance, "NS"), _body(number, chance, "EO")
            key, other = UUID(int=chance.getrandbits(128)), UUID(int=chance.getrandbits(128))
            bodies = (first, second if twice in (Twice.OTHER_DONNE, Twice.OTHER) else first)
            keys = (key, other if twice in (Twice.OTHER_KEY, Twice.OTHER) else key)
            found.append(Slot(table_id=table_id, twice=twice, bodies=bodies, keys=keys))
    return found


def _body(number: int, chance: random.Random, takers: str) -> dict[str, Any]:
    return {
        "number": number,
        "taker": chance.choice(takers),
        "contract": chance.choice([contract.value for contract in Contract]),
        "bouts": chance.randrange(4),
        "half_points": 2 * chance.randint(30, 60),
    }


def _pair(server: Server, session: Session) -> tuple[Visitor, Visitor]:
    """Return one clerk in two windows."""
    clerk = signed_in(server, b.a_user(club=session.tournament.club, role=Role.CLERK).username)
    return clerk, twin(clerk)


def _senders(pair: tuple[Visitor, Visitor], slots: Sequence[Slot], busy: list[Answer]) -> list[partial[None]]:
    together = threading.Barrier(2)

    def send_all(who: int) -> None:
        for slot in slots:
            together.wait(PATIENCE)
            send = partial(
                pair[who].send,
                "POST",
                f"/api/tables/{slot.table_id}/donnes/",
                slot.bodies[who],
                key=slot.keys[who],
                If_None_Match="*",
            )
            slot.answers[who] = until_served(send, busy)

    return [partial(send_all, who) for who in range(2)]


def _report(session: Session, slots: Sequence[Slot], busy: Sequence[Answer], seconds: float) -> Report:
    donnes = Donne.objects.filter(table__round__session=session)
    versions = Counter(donnes.values_list("table", "number"))
    wanted = [(slot.table_id, slot.bodies[0]["number"]) for slot in slots]
    sums = donnes.annotate(total=Sum("marks__points"), count=Count("marks")).values_list("total", "count")
    keys = IdempotencyKey.objects.values("actor", "key").annotate(rows=Count("pk")).filter(rows__gt=1)
    return Report(
        slots=len(slots),
        posts=2 * len(slots) + len(busy),
        seconds=seconds,
        busy=len(busy),
        longest=max(answer.seconds for answer in chain(busy, *(slot.answers.values() for slot in slots))),
        doubled=sum(versions[slot] > 1 for slot in wanted),
        missing=sum(versions[slot] == 0 for slot in wanted),
        unbalanced=sum(total != 0 or count != 4 for total, count in sums),
        keys_doubled=keys.count(),
        not_replayed=sum(not _is_replayed(slot) for slot in slots if slot.twice == Twice.SAME),
        unexpected=tuple(
            f"{slot.twice}: {[(answer.status, answer.body[:200]) for answer in slot.answers.values()]}"
            for slot in slots
            if slot.twice != Twice.SAME and not _is_right(slot)
        ),
        ledger=tuple(str(finding) for finding in findings(session.pk)),
    )


def _is_replayed(slot: Slot) -> bool:
    """Say whether one answer is the other's, to the byte, and says so."""
    one, two = slot.answers[0], slot.answers[1]
    said = [answer.headers.get("Idempotent-Replayed") == "true" for answer in (one, two)]
    return one.status == two.status == 201 and one.body == two.body and one.etag == two.etag and sum(said) == 1


def _is_right(slot: Slot) -> bool:
    """Say whether exactly one donne was taken, and the other answer names it or refuses for the right reason."""
    first, second = sorted(slot.answers.values(), key=lambda answer: answer.status)
    if slot.twice == Twice.OTHER_KEY:
        return {first.status, second.status} <= {200, 201} and first.body == second.body
    if slot.twice == Twice.OTHER_DONNE:
        return (first.status, second.status) == (201, 422) and _code(second) == "KEY_REUSED"
    return (first.status, second.status) == (201, 409) and second.data["current"] == first.data


def _code(answer: Answer) -> str:
    return str(answer.data["problems"][0]["code"])
