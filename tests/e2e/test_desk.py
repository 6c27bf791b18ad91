"""The desk by keyboard in a real browser: the FFT's own sheet in three ways, errors, the page left half typed."""

import re
from collections.abc import Sequence
from dataclasses import dataclass

import pytest
from playwright.sync_api import Page, expect

from tests import builders as b
from tests.browser import Browsing, Watch
from tests.builders import FFT_MARKS, FFT_NETS
from tests.servers import Server
from tournaments.models import Donne, Mark, Session, SheetDraft, SheetNet

pytestmark = [pytest.mark.e2e, pytest.mark.django_db(transaction=True)]

BILANS = ("-446", "1346", "-390", "-510")
MARKS = ("EG106", "OS76", "SP-42", "NG92", "SG582")
DIGITS = ("32106", "4376", "21-42", "1292", "22582")
DETAIL = ("EG249bp", "OS245b-", "SP234bp", "NG252p-", "SG287bpc+")


@dataclass
class Hands:
    """Somebody who types, and counts."""

    page: Page
    keys: int = 0

    def type(self, text: str) -> None:
        self.page.keyboard.type(text)
        self.keys += len(text)

    def press(self, key: str) -> None:
        self.page.keyboard.press(key)
        self.keys += 1

    def lines(self, *lines: str) -> None:
        for line in lines:
            self.type(line)
            self.press("Enter")


def evening(players: int = 12) -> Session:
    session = b.a_drawn_session(players=players)
    b.a_user(club=session.tournament.club, username="arlette", password="secret")
    return session


def sit_down(page: Page, session: Session, way: str = "A") -> Hands:
    """Log in, take up a way as this desk would have kept it, and be at the desk."""
    page.goto(f"/seances/{session.pk}/positions/1/saisie/")
    expect(page.locator("[name='username']")).to_be_focused()
    page.keyboard.type("arlette")
    page.keyboard.press("Tab")
    page.keyboard.type("secret")
    page.keyboard.press("Enter")
    expect(page.get_by_label("Table n°")).to_be_focused()
    if way != "A":
        page.goto(f"/seances/{session.pk}/positions/1/tables/1/?way={way}")
        page.goto(f"/seances/{session.pk}/positions/1/saisie/")
        expect(page.get_by_label("Table n°")).to_be_focused()
    return Hands(page)


def open_sheet(hands: Hands, table: int, first: str) -> None:
    hands.type(str(table))
    hands.press("Enter")
    expect(hands.page.locator(f"[name='{first}']")).to_be_focused()


def marks_of(session: Session, table: int) -> tuple[tuple[int, ...], ...]:
    donnes = Donne.objects.current().filter(table=b.table_of(session, number=table)).order_by("number")
    return tuple(
        tuple(Mark.objects.filter(donne=donne).order_by("pk").values_list("points", flat=True)) for donne in donnes
    )


def back_at_the_desk(page: Page, table: int) -> None:
    """Expect the cursor in the empty field, and that the sheet was saved."""
    expect(page.get_by_label("Table n°")).to_be_focused()
    expect(page.get_by_label("Table n°")).to_have_value("")
    expect(page.locator(".last")).to_contain_text(re.compile(rf"table {table}, enregistrée à \d\d:\d\d:\d\d"))


def test_the_ffts_sheet_by_its_bilans_takes_22_keys(page: Page) -> None:
    session = evening()
    hands = sit_down(page, session)
    open_sheet(hands, 3, "net-N")
    hands.lines(*BILANS)
    back_at_the_desk(page, 3)
    assert hands.keys == 22
    table = b.table_of(session, number=3)
    assert tuple(SheetNet.objects.filter(table=table).order_by("pk").values_list("net", flat=True)) == FFT_NETS


@pytest.mark.parametrize("lines", [MARKS, DIGITS], ids=["letters", "digits"])
def test_the_ffts_sheet_by_its_marks_takes_30_keys(page: Page, lines: Sequence[str]) -> None:
    session = evening()
    hands = sit_down(page, session, "B")
    open_sheet(hands, 3, "row-1")
    hands.lines(*lines)
    back_at_the_desk(page, 3)
    assert hands.keys == 30
    assert marks_of(session, 3) == FFT_MARKS


def test_the_ffts_sheet_in_detail_takes_44_keys_and_shows_its_marks_before_they_are_saved(page: Page) -> None:
    session = evening()
    hands = sit_down(page, session, "C")
    open_sheet(hands, 3, "row-1")
    hands.lines(*DETAIL[:4])
    hands.type(DETAIL[4])
    expect(page.locator("[data-live='plus-5-S']")).to_have_text("1\u00a0746")
    expect(page.locator("[data-live='said-1']")).to_contain_text("(25 + 8) × 2 = 66")
    expect(page.locator("[data-live='net-minus-N']")).to_have_text("−446")
    expect(page.locator("[name='row-5']")).to_be_focused()
    assert not Donne.objects.exists()
    hands.press("Enter")
    back_at_the_desk(page, 3)
    assert hands.keys == 44
    assert marks_of(session, 3) == FFT_MARKS


def test_the_bilans_as_control_take_twenty_keys_more(page: Page) -> None:
    session = evening()
    hands = sit_down(page, session, "B")
    page.goto(f"/seances/{session.pk}/positions/1/tables/3/?control=1")
    page.goto(f"/seances/{session.pk}/positions/1/saisie/")
    expect(page.get_by_label("Table n°")).to_be_focused()
    open_sheet(hands, 3, "row-1")
    hands.lines(*MARKS)
    expect(page.locator("[name='net-N']")).to_be_focused()
    hands.lines(*BILANS)
    back_at_the_desk(page, 3)
    assert hands.keys == 50
    assert SheetNet.objects.count() == 4


def test_plus_alone_goes_to_the_next_way_and_what_was_typed_goes_along(page: Page) -> None:
    session = evening()
    hands = sit_down(page, session)
    open_sheet(hands, 2, "net-N")
    hands.lines("+")
    expect(page.get_by_text("Saisir les marques")).to_be_visible()
    expect(page.locator("[name='row-1']")).to_be_focused()
    hands.lines("EG249bp", "+", "OS245b-", "/")  # without waiting for the page of the details
    back_at_the_desk(page, 2)
    assert marks_of(session, 2)[:2] == FFT_MARKS[:2]


def test_errors_are_said_beside_their_rows_and_never_take_the_cursor(page: Page, watch: Watch) -> None:
    watch.expect("status of 422")
    session = evening()
    hands = sit_down(page, session, "B")
    open_sheet(hands, 1, "row-1")
    hands.lines("EG318", "OX76")
    expect(page.locator("[data-live='said-1']")).to_contain_text("Alors 106 pour chaque défenseur.")
    expect(page.locator("[data-live='said-2']")).to_contain_text("Le contrat est Prise, Garde")
    expect(page.locator("[name='row-3']")).to_be_focused()
    hands.lines("SP-42", "NG92", "SG582")
    expect(page.locator("[name='row-1']")).to_be_focused()
    assert not Donne.objects.exists()
    expect(page.locator("[name='row-2']")).to_have_value("OX76")
    page.get_by_role("button", name="EG106").click()
    page.keyboard.press("ArrowDown")
    hands.lines("OS76")  # the last one missing: the sheet is saved
    back_at_the_desk(page, 1)
    assert marks_of(session, 1) == FFT_MARKS


def test_arrows_and_undo_stay_in_the_sheet(page: Page) -> None:
    session = evening()
    hands = sit_down(page, session, "B")
    open_sheet(hands, 1, "row-1")
    hands.lines("EG106", "OS76")
    page.keyboard.press("Control+z")
    expect(page.locator("[name='row-2']")).to_be_focused()
    expect(page.locator("[name='row-2']")).to_have_value("")
    page.keyboard.press("ArrowUp")
    expect(page.locator("[name='row-1']")).to_be_focused()
    page.keyboard.press("?")
    expect(page.get_by_text("la donne d'avant")).to_be_visible()
    expect(page.locator("[name='row-1']")).to_have_value("EG106")


def test_the_last_entry_is_undone_from_the_desk(page: Page) -> None:
    session = evening()
    hands = sit_down(page, session, "B")
    open_sheet(hands, 1, "row-1")
    hands.type("EG106")
    page.get_by_role("button", name="Enregistrer cette donne").first.click()
    expect(page.get_by_text("Incomplète")).to_be_visible()
    page.goto(f"/seances/{session.pk}/positions/1/saisie/")
    expect(page.locator("[data-undo]")).to_be_visible()
    page.keyboard.press("Control+z")
    expect(page.locator("[name='row-1']")).to_have_value("")
    assert marks_of(session, 1) == ((),)


def test_a_sheet_left_half_typed_comes_back_on_this_device(page: Page) -> None:
    session = evening()
    hands = sit_down(page, session, "B")
    open_sheet(hands, 1, "row-1")
    hands.lines("EG106")
    hands.type("OS7")
    page.goto(f"/seances/{session.pk}/positions/1/saisie/")
    expect(page.get_by_text("Non envoyé\u00a0: 1 feuille, gardée sur cet appareil")).to_be_visible()
    page.get_by_role("link", name="Ouvrir la table 1").press("Enter")
    expect(page.locator("[name='row-1']")).to_have_value("EG106")
    expect(page.locator("[name='row-2']")).to_have_value("OS7")
    expect(page.get_by_text("est de retour")).to_be_visible()
    page.locator("[name='row-2']").fill("OS76")
    page.locator("[name='row-2']").press("Enter")
    hands.lines("/")
    back_at_the_desk(page, 1)
    expect(page.locator("[data-unsaved]")).to_be_hidden()


def test_the_star_puts_a_sheet_aside(page: Page) -> None:
    session = evening()
    hands = sit_down(page, session)
    open_sheet(hands, 2, "net-N")
    hands.lines("-446", "1346", "-390", "*")
    expect(page.get_by_label("Table n°")).to_be_focused()
    expect(page.locator(".facts")).to_contain_text("À vérifier")
    assert SheetDraft.objects.count() == 1


def test_a_correction_is_made_by_the_keyboard(page: Page) -> None:
    session = evening()
    b.fill_table(b.table_of(session, number=1), entry=b.a_written(318, -106, -106, -106, taker=0))
    hands = sit_down(page, session, "B")
    hands.lines("1")
    expect(page.get_by_text("Cette feuille est déjà saisie.")).to_be_visible()
    expect(page.get_by_role("link", name="Revenir")).to_be_focused()
    page.keyboard.press("Tab")
    page.keyboard.press("Enter")
    page.locator("[name='row-2']").fill("NG108")
    page.get_by_label("Motif", exact=True).fill("1")
    page.get_by_label("Motif", exact=True).press("Enter")
    expect(page.get_by_role("button", name="Enregistrer la correction")).to_be_focused()
    expect(page.locator(".pair")).to_contain_text("+324")
    page.keyboard.press("Enter")
    back_at_the_desk(page, 1)
    assert marks_of(session, 1)[1] == (324, -108, -108, -108)


def test_the_sheet_works_without_script(browsing: Browsing, site: Server) -> None:
    session = evening()
    page = browsing.page(base_url=site.url, script=False)
    sit_down(page, session, "B")
    page.get_by_label("Table n°").fill("3")
    page.get_by_label("Table n°").press("Enter")
    for number, line in enumerate(MARKS, start=1):
        page.locator(f"[name='row-{number}']").fill(line)
    page.locator("[name='row-5']").press("Enter")
    expect(page.locator(".last")).to_contain_text("table 3")
    assert marks_of(session, 3) == FFT_MARKS


def test_a_phone_holds_the_whole_sheet_without_scrolling_sideways(phone: Page) -> None:
    session = evening()
    for way, first in (("A", "net-N"), ("B", "row-1"), ("C", "row-1")):
        hands = sit_down(phone, session, way) if way == "A" else Hands(phone)
        phone.goto(f"/seances/{session.pk}/positions/1/tables/1/?way={way}")
        expect(phone.locator(f"[name='{first}']")).to_be_focused()
        assert hands.page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    phone.goto(f"/seances/{session.pk}/positions/1/tables/1/?way=C&style=fields")
    assert phone.evaluate("document.documentElement.scrollWidth <= innerWidth")
