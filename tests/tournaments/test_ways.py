"""Which way a row of a sheet is read in: the one that is lit, except where it shows what was saved in another."""

import re
from html import unescape

import pytest
from django.http import HttpResponse

from tests import builders
from tests.builders import FFT_MARKS
from tournaments.models import Donne, Kind

from .test_sheet import DETAIL, Desk

pytestmark = pytest.mark.django_db


@pytest.fixture
def desk() -> Desk:
    return Desk(builders.a_table())


def _opened(desk: Desk, query: str = "") -> HttpResponse:
    return desk.client.get(desk.url + query)  # type: ignore[return-value]  # the test client's own class


def _page(answer: HttpResponse) -> dict[str, str]:
    """Return the fields that the next sending of this page would hold, as a browser takes them."""
    html = answer.content.decode()
    inputs = [dict(re.findall(r'([\w-]+)="([^"]*)"', tag)) for tag in re.findall(r"<input[^>]*>", html, re.DOTALL)]
    fields = {each["name"]: unescape(each.get("value", "")) for each in inputs if "name" in each}
    for name, select in re.findall(r'<select name="([^"]+)"[^>]*>(.*?)</select>', html, re.DOTALL):
        chosen = re.search(r'value="([^"]*)"\s+selected|<option selected>([^<]*)', select)
        fields[name] = (chosen[1] or chosen[2]) if chosen else ""
    return fields


def test_rows_typed_in_the_wrong_way_are_read_in_the_one_that_is_chosen_then(desk: Desk) -> None:
    wrong = desk.rows(("EP-36", "NG70", "", "", ""), "C")
    assert "Après le contrat" in wrong.content.decode()
    chosen = desk.send(_page(wrong), do="way-B")
    said = chosen.content.decode().replace("\u00a0", " ")
    assert '"way-now">Saisir les marques<' in said
    assert "Après le contrat" not in said
    assert 'value="EP-36"' in said
    assert desk.send(_page(chosen)).status_code == 302
    assert desk.marks() == [(36, 36, -108, 36), (210, -70, -70, -70)]


@pytest.mark.parametrize("way", ["B", "C"])
def test_a_row_typed_again_is_read_in_the_way_that_is_lit_whatever_an_old_page_says(desk: Desk, way: str) -> None:
    line = {"B": "EG106", "C": "EG249bp"}[way]
    other = {"B": "C", "C": "B"}[way]
    assert desk.rows((line,), way, **{"way-1": other, "was-1": ""}).status_code == 302
    assert desk.marks() == [FFT_MARKS[0]]


def test_a_saved_row_stands_as_it_was_saved_until_it_is_typed_again(desk: Desk) -> None:
    desk.rows(DETAIL[:2], "C")
    answer = _opened(desk, "?way=B")
    said = answer.content.decode().replace("\u00a0", " ")
    assert 'value="EG249bp"' in said
    assert said.count("Enregistrée en détail ; retapée, lue comme des marques.") == 2
    fields = _page(answer)
    more = desk.send({**fields, "row-3": "SP-42"})
    assert (more.status_code, Donne.objects.count()) == (302, 3)
    fields = _page(_opened(desk))
    assert desk.send({**fields, "row-1": "EG108"}).status_code == 302
    kinds = list(Donne.objects.current().order_by("number").values_list("kind", flat=True))
    assert (desk.marks()[0], kinds) == ((-108, -108, 324, -108), [Kind.MARKS, Kind.COMPUTED, Kind.MARKS])


def test_going_round_the_ways_and_back_loses_nothing_typed(desk: Desk) -> None:
    typed = ("EG106", "nonsense", "", "/", "")
    answer = desk.rows(typed, "B")
    for way in ("C", "A", "B"):
        answer = desk.send(_page(answer), do=f"way-{way}")
        fields = _page(answer)
        assert tuple(fields[f"row-{number}"] for number in (1, 2, 4)) == ("EG106", "nonsense", "/")
    assert "318" in answer.content.decode()


def test_the_way_of_the_bilans_reads_rows_as_they_were_typed(desk: Desk) -> None:
    answer = desk.rows(DETAIL, "C", do="way-A")
    assert "Le contrat est" not in answer.content.decode()
    assert desk.send(_page(answer)).status_code == 302
    assert tuple(desk.marks()) == FFT_MARKS


def test_labelled_fields_of_one_way_wait_while_another_is_tried(desk: Desk) -> None:
    typed = {"taker-1": "E", "contract-1": "garde", "bouts-1": "2", "points-1": "49", "petit-1": "attack",
             "poignee1-1": "simple-attack"}  # fmt: skip
    answer = desk.send(typed, way="C", style="fields", do="way-B")
    said = answer.content.decode().replace("\u00a0", " ")
    assert "Nord : la marque manque" in said
    back = desk.send(_page(answer), do="way-C")
    assert desk.send(_page(back)).status_code == 302
    assert desk.marks() == [FFT_MARKS[0]]


def test_a_sheet_put_aside_comes_back_in_the_way_it_was_typed(desk: Desk) -> None:
    desk.rows(("EG249bp", "OS245b-", "nonsense"), "C", do="aside")
    desk.send(do="way-B")
    answer = _opened(desk)
    said = answer.content.decode()
    assert '"way-now">Saisir le détail des donnes<' in said
    assert "total 106" in said
    other = Desk(builders.a_table(club=desk.table.round.session.tournament.club))
    other.client = desk.client
    assert '"way-now">Saisir les marques<' in other.get()


def test_labelled_fields_put_aside_come_back_as_typed(desk: Desk) -> None:
    typed = {"taker-1": "E", "contract-1": "garde", "bouts-1": "2", "points-1": "quarante"}
    assert desk.send(typed, way="C", style="fields", do="aside").status_code == 302
    fields = _page(_opened(desk))
    assert {name: fields[name] for name in typed} == typed
