"""The demonstration club: one evening of 22 invented people, the same for everybody."""

from datetime import date

import pytest
from django.core.management import call_command
from django.db import IntegrityError

from players.demonstration import SLUG
from players.models import Club, Person
from tests import builders as b
from tests.guards import judge
from tournaments.models import DeskState, Mark, Round, Session
from tournaments.services import demonstration
from tournaments.services.demonstration import load_demonstration

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.embedded]


FIRST_DONNE = [
    (1, 1, 1, "E", "GIROFLÉE", -162),
    (1, 1, 1, "N", "HIRONDELLE", 486),
    (1, 1, 1, "O", "ABRICOT", -162),
    (1, 1, 1, "S", "ISLEMBERT", -162),
]


def load() -> Club:
    return load_demonstration(today=date(2026, 3, 14))


def marks() -> list[tuple[int, int, int, str, str, int]]:
    return list(
        Mark.objects.order_by(
            "donne__table__round__number", "donne__table__number", "donne__number", "place"
        ).values_list(
            "donne__table__round__number",
            "donne__table__number",
            "donne__number",
            "place",
            "entrant__person__last_name",
            "points",
        )
    )


def test_an_evening_of_22_runs_with_two_positions_entered_and_a_ledger_that_holds() -> None:
    load()
    session = Session.objects.get()
    desks = list(Round.objects.order_by("number").values_list("desk", flat=True))
    assert session.entrants.count() == 22
    assert desks == [DeskState.ENTERED] * 2 + [DeskState.OPEN] * 3
    judge()
    call_command("check_ledger")


def test_loading_it_twice_changes_nothing() -> None:
    first = load()
    before = marks()
    assert load() == first
    assert marks() == before
    assert Person.objects.count() == 22


def test_its_seed_gives_the_first_mark_everybody_sees() -> None:
    load()
    assert marks()[:4] == FIRST_DONNE


def test_of_two_who_load_it_at_once_both_see_the_same_club(monkeypatch: pytest.MonkeyPatch) -> None:
    def made_elsewhere(_today: date) -> Club:
        b.a_club(slug=SLUG)
        raise IntegrityError

    monkeypatch.setattr(demonstration, "_make", made_elsewhere)
    assert load() == Club.objects.get(slug=SLUG)
