"""The key of a request: a row of the write's own transaction, so that a second sending gets the first one's answer.

The caller already holds the lock the first sending held; the second therefore waits for it and finds its row.
"""

import hashlib
import json
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import asdict, dataclass, is_dataclass
from datetime import datetime, timedelta
from uuid import UUID

from django.utils import timezone

from tournaments.errors import KeyReusedError
from tournaments.models import IdempotencyKey

from .actors import Actor

KEPT = timedelta(hours=48)


def fingerprint(*parts: object) -> str:
    """Return a digest of what a request asks for; dataclasses and plain values, in a fixed order."""
    written = json.dumps(parts, sort_keys=True, default=_plain, separators=(",", ":"))
    return hashlib.sha256(written.encode()).hexdigest()


def _plain(value: object) -> object:
    if is_dataclass(value) and not isinstance(value, type):
        return {"type": type(value).__name__, **asdict(value)}
    return str(value)


@dataclass(frozen=True, slots=True, kw_only=True)
class Answer:
    """What a write answered with, as ids."""

    donnes: tuple[int, ...] = ()
    nets: tuple[int, ...] = ()
    rounds: tuple[int, ...] = ()


@dataclass(slots=True)
class Seen:
    """Whether a request had been answered before."""

    was_answered: bool = False


_seen: ContextVar[Seen | None] = ContextVar("seen", default=None)


@contextmanager
def watched() -> Iterator[Seen]:
    """Watch one write: afterwards `was_answered` tells whether its key had been answered before."""
    seen = Seen()
    token = _seen.set(seen)
    try:
        yield seen
    finally:
        _seen.reset(token)


def stored_answer(*, by: Actor, key: UUID, body: str) -> Answer | None:
    """Return what the first sending answered with, None when this is the first.

    Raises:
        KeyReusedError: the key came with another body; `body` is a fingerprint.
    """
    row = IdempotencyKey.objects.filter(actor=by.code, key=key).values_list("fingerprint", "body").first()
    if row is None:
        return None
    if row[0] != body:
        raise KeyReusedError
    seen = _seen.get()
    if seen is not None:
        seen.was_answered = True
    return Answer(**{name: tuple(ids) for name, ids in json.loads(row[1]).items()})


def is_answered(*, by: Actor, key: UUID) -> bool:
    """Say whether a request with this key was done, whatever it asked for."""
    return IdempotencyKey.objects.filter(actor=by.code, key=key).exists()


def keep_answer(*, by: Actor, key: UUID, body: str, answer: Answer, at: datetime) -> None:
    """Store what a write answers with."""
    written = json.dumps(asdict(answer))
    IdempotencyKey.objects.create(actor=by.code, key=key, fingerprint=body, status=201, body=written, at=at)


def prune_keys() -> int:
    """Forget the answers nobody will ask for again, and return how many."""
    return IdempotencyKey.objects.filter(at__lt=timezone.now() - KEPT).delete()[0]
