"""The sheet as a page: where the cursor starts, what stands beside a name, which motives a cancelled donne has."""

import re
from html import unescape

import pytest

from tests import builders
from tournaments.models import Donne, Kind, Reason
from tournaments.printing.sheets import Fill, score_sheets

from .test_sheet import MARKS, Desk

pytestmark = pytest.mark.django_db


@pytest.fixture
def desk() -> Desk:
    return Desk(builders.a_table())


def _cursor(html: str) -> str:
    """Return the name of the field that holds the cursor, "" for none or many."""
    found = re.findall(r"<(?:input|select)\s[^>]*\bautofocus\b[^>]*>", html)
    names = [re.search(r'name="([^"]*)"', tag) for tag in found]
    return names[0][1] if len(names) == 1 and names[0] else ""


def test_a_fresh_sheet_has_its_cursor_in_the_first_empty_field(desk: Desk) -> None:
    assert _cursor(desk.get()) == "net-N"
    assert _cursor(desk.get("?way=B")) == "row-1"
    desk.rows(MARKS[:2], "B")
    assert _cursor(desk.get("?way=B")) == "row-3"


def test_a_sheet_put_aside_comes_back_with_its_cursor_on_the_first_empty_row(desk: Desk) -> None:
    desk.rows(("EX106", "OS76", "", "NG92"), "B", do="aside")
    assert _cursor(desk.get("?way=B")) == "row-3"


def test_a_full_sheet_put_aside_has_its_cursor_on_the_first_row_that_is_wrong(desk: Desk) -> None:
    desk.rows(("EG106", "OX76", "SP-42", "NG92", "SG582"), "B", do="aside")
    assert _cursor(desk.get("?way=B")) == "row-2"


def test_bilans_put_aside_have_their_cursor_on_the_first_that_is_missing(desk: Desk) -> None:
    desk.nets("-446", "", "-390", "-510", do="aside")
    assert _cursor(desk.get("?way=A")) == "net-S"


def test_a_refused_sheet_has_its_cursor_on_what_is_wrong(desk: Desk) -> None:
    assert _cursor(desk.rows(("EG106", "OX76"), "B").content.decode()) == "row-2"


def test_once_all_rows_are_typed_the_cursor_goes_to_the_control(desk: Desk) -> None:
    assert _cursor(desk.rows(MARKS, "B", do="control-1").content.decode()) == "net-N"


def test_labelled_fields_have_a_cursor_too(desk: Desk) -> None:
    assert _cursor(desk.get("?way=A&style=fields")) == "plus-N"
    desk.rows(MARKS[:2], "B", style="keys")
    assert _cursor(desk.get("?way=B&style=fields")) == "taker-3"


def _heads(html: str) -> list[str]:
    """Return the words over each player's column."""
    heads = re.findall(r'class="c-player">(.*?)</th>', html, re.DOTALL)
    shown = [re.sub(r'<span class="c-letter".*?</span>', "", head) for head in heads]
    return [" ".join(re.sub(r"<[^>]*>", " ", head).split()) for head in shown]


def test_a_column_bears_the_number_that_the_printed_sheet_bears(desk: Desk) -> None:
    names = [str(seat.entrant.person) for seat in desk.table.seats.order_by("pk")]
    drawn = [
        f"{place} {name}"
        for place, name in zip(("Nord n° 1", "Sud n° 2", "Est n° 3", "Ouest n° 4"), names, strict=True)
    ]
    assert _heads(desk.get()) == drawn
    desk.table.round.method = "FFT"
    desk.table.round.save()
    paper = score_sheets(desk.table.round, Fill.NAMES)[0].columns
    assert [column.identity for column in paper] == ["1"] * 4
    page = desk.get()
    assert _heads(page) == [f"{column.title} {column.identity} {column.name}" for column in paper]
    assert page.count('title="Première table"') == 4


def test_the_figures_of_the_columns_are_explained_where_keys_are_typed(desk: Desk) -> None:
    assert "N S E O = 1 2 3 4" in desk.get("?way=B")
    assert "N S E O = 1 2 3 4" not in desk.get("?way=A")
    assert "N S E O = 1 2 3 4" not in desk.get("?way=B&style=fields")


MOTIVES = {"1": "Fausse donne", "2": "Petit sec", "3": "Décision de l'arbitre", "4": "Faute de jeu"}


def _read(html: str) -> str:
    """Return the words of a page."""
    bare = re.sub(r"<[^>]*>", " ", re.sub(r"<(script|style).*?</\1>", "", html, flags=re.DOTALL))
    return " ".join(unescape(bare).replace("\u00a0", " ").split())


@pytest.mark.parametrize("key", MOTIVES)
def test_a_cancelled_donne_keeps_a_motive_that_makes_sense(desk: Desk, key: str) -> None:
    assert desk.rows((f"x{key}",), "B").status_code == 302
    donne = Donne.objects.get()
    assert (donne.kind, donne.reason) == (Kind.CANCELLED, Reason.DECISION if key == "3" else Reason.OTHER)
    story = _read(desk.client.get(f"{desk.url}historique/").content.decode())
    assert MOTIVES[key] in story
    assert "Faute de frappe" not in story


def test_the_motives_of_a_cancelled_donne_stand_beside_their_key_and_in_the_labelled_fields(desk: Desk) -> None:
    keys = _read(desk.get("?way=B"))
    assert "x 1 – 4 annulée, à rejouer : 1 fausse donne, 2 petit sec, 3 décision de l'arbitre, 4 faute de jeu" in keys
    fields = _read(desk.get("?way=B&style=fields"))
    for words in MOTIVES.values():
        assert f"Annulée, à rejouer ({words.lower()})" in fields
    assert "Faute de frappe" not in fields


def test_x_without_its_figure_says_which_there_are(desk: Desk) -> None:
    said = _read(desk.rows(("x",), "B").content.decode())
    assert "1 fausse donne, 2 petit sec, 3 décision de l'arbitre, 4 faute de jeu" in said
    assert "xs pour une donne supprimée par l'arbitre" in said


def test_a_donne_cancelled_by_a_correction_keeps_both_reasons(desk: Desk) -> None:
    desk.rows(MARKS, "B")
    kept = {f"id-{donne.number}": donne.pk for donne in Donne.objects.current()}
    answer = desk.rows(("x1", *MARKS[1:]), "B", reason="2", do="confirm", **kept)
    assert answer.status_code == 302
    story = _read(desk.client.get(f"{desk.url}historique/").content.decode())
    assert "Fausse donne ; Feuille rectifiée par la table" in story
