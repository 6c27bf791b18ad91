"""Job kinds that only tests know, and a club to own the jobs."""

import pytest

from jobs import registry
from jobs.errors import JobError
from jobs.registry import Product, Task
from players.models import Club
from tests.builders import a_club


def _count(task: Task) -> Product:
    for done in range(3):
        task.report(done, 3)
    task.report(3, 3)
    return Product(content=b"counted", suffix=".txt")


def _refuse(task: Task) -> None:
    raise JobError("REFUSED_BY_TEST")


def _crash(task: Task) -> None:
    message = "crash on purpose"
    raise RuntimeError(message)


@pytest.fixture(autouse=True)
def _kinds(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(registry, "_kinds", dict(registry._kinds))
    for kind, work in (("count", _count), ("refuse", _refuse), ("crash", _crash)):
        registry.register(kind, work)


@pytest.fixture
def club(db: None) -> Club:
    """Return a club."""
    return a_club()
