"""What the desk says in words everybody knows: ways, keys, ranges of points, checks, positions still open."""

import re
from html import unescape
from itertools import product

import pytest

from scoring import Camp, Chelem, Contract, DonneEntry
from tests import builders as b
from tournaments import labels
from tournaments.models import Game, RoomState, Round, rule_set
from tournaments.selectors.desk import desk
from tournaments.services.entries import Played, read_entry

from .test_sheet import Desk

pytestmark = pytest.mark.django_db


def _read(html: str) -> str:
    """Return the words of a page."""
    return " ".join(unescape(re.sub(r"<[^>]*>", " ", html)).replace("\u00a0", " ").split())


def test_no_range_of_points_goes_from_a_number_to_itself() -> None:
    table = b.a_table()
    rules = rule_set(table.round.session.tournament.rules)
    said = set()
    choices = product(Contract, range(4), range(0, 183, 2), (None, *Chelem), (None, *Camp))
    for contract, bouts, half_points, chelem, petit in choices:
        entry = DonneEntry(
            players=4, taker=0, contract=contract, bouts=bouts, half_points=half_points, chelem=chelem,
            petit_au_bout=petit,
        )  # fmt: skip
        reading = read_entry(Played(entry, places="NSEO"), seated="NSEO", game=Game.PLAIN, rules=rules)
        said |= {labels.problem_sentence(problem, contract=contract.value) for problem in reading.problems}
    assert "Avec ce chelem, le preneur a 87 points." in said
    assert [sentence for sentence in said if re.search(r"de (\S+) à \1 points", sentence)] == []


def test_the_keys_are_told_as_they_are_pressed() -> None:
    page = _read(Desk(b.a_table()).get("?way=C"))
    assert "* ↵ mettre la feuille de côté" in page
    assert "+ ↵ saisir autrement" in page
    assert "voie suivante" not in page
    assert "Cases à remplir" in page
    assert "Un demi-point : une virgule après les points. EG241, se lit 41½." in page


def test_a_position_may_start_only_while_it_has_not_begun() -> None:
    session = b.a_drawn_session(rounds=3)
    first, second = Round.objects.filter(session=session, number__lte=2).order_by("number")
    before = desk(second, by="")
    assert [each.sentence for each in before.open_rounds] == [
        "Position 1 encore ouverte (tables 1, 2). La position 2 peut commencer."
    ]
    assert desk(first, by="").next_waits
    Round.objects.filter(pk=second.pk).update(room=RoomState.PLAYING)
    second.refresh_from_db()
    assert [each.sentence for each in desk(second, by="").open_rounds] == ["Position 1 encore ouverte (tables 1, 2)."]
    assert not desk(first, by="").next_waits
    last = Round.objects.get(session=session, number=3)
    assert not desk(last, by="").next_waits
