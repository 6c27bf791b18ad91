"""Fast hands on a slow machine: no key falls between two pages, none is typed where it was not meant."""

import re

import pytest
from playwright.sync_api import Page, Route, expect

from tests import builders as b
from tests.browser import Watch
from tests.builders import FFT_MARKS, FFT_NETS
from tests.e2e.test_desk import (
    BILANS,
    MARKS,
    Hands,
    back_at_the_desk,
    evening,
    marks_of,
    open_sheet,
    sit_down,
)
from tournaments.models import Donne, Session, SheetNet

pytestmark = [pytest.mark.e2e, pytest.mark.django_db(transaction=True)]

SAVING = r"/tables/\d+/$"


class Held:
    """Holds requests back as a slow network does, until let go."""

    def __init__(self, page: Page, pattern: str) -> None:
        self.page = page
        self.routes: list[Route] = []
        self.is_open = False
        page.route(re.compile(pattern), self._hold)

    def _hold(self, route: Route) -> None:
        if self.is_open:
            route.continue_()
        else:
            self.routes.append(route)

    def wait(self) -> None:
        """Wait until something is held."""
        for _ in range(500):
            if self.routes:
                return
            self.page.wait_for_timeout(20)
        raise AssertionError("nothing was sent")

    def go(self) -> None:
        """Let all of it go, and what comes later too."""
        self.is_open = True
        for route in self.routes:
            route.continue_()


def nets_of(session: Session, number: int) -> tuple[int, ...]:
    nets = SheetNet.objects.filter(table=b.table_of(session, number=number), is_current=True)
    return tuple(nets.order_by("pk").values_list("net", flat=True))


def press_long(page: Page, key: str, repeats: int = 4) -> None:
    """Hold a key down: the system repeats it."""
    for _ in range(1 + repeats):
        page.keyboard.down(key)
    page.keyboard.up(key)


def seated(page: Page, way: str = "A", players: int = 12) -> tuple[Session, Hands]:
    session = evening(players)
    return session, sit_down(page, session, way)


def test_keys_struck_before_the_next_page_has_come_are_typed_there_mended_as_they_were(page: Page) -> None:
    session, hands = seated(page)
    held = Held(page, "table=3")
    hands.lines("3")
    held.wait()
    hands.type("-4467")
    hands.press("Backspace")
    hands.press("Tab")
    hands.lines("1346", "-390", "-510")
    held.go()
    back_at_the_desk(page, 3)
    assert nets_of(session, 3) == FFT_NETS


def test_a_slip_mended_while_a_sheet_is_being_saved_opens_the_right_table(page: Page) -> None:
    session, hands = seated(page, players=48)
    open_sheet(hands, 3, "net-N")
    held = Held(page, SAVING)
    hands.lines(*BILANS)
    held.wait()
    hands.type("1")
    hands.press("Backspace")
    hands.lines("2", "10", "20", "30", "-60")
    held.go()
    back_at_the_desk(page, 2)
    assert (nets_of(session, 3), nets_of(session, 2), nets_of(session, 12)) == (FFT_NETS, (10, 20, 30, -60), ())


def test_a_finger_that_stays_on_enter_moves_nothing_by_a_seat(page: Page) -> None:
    session, hands = seated(page)
    held = Held(page, "table=3")
    hands.type("3")
    press_long(page, "Enter")
    held.wait()
    held.go()
    expect(page.locator("[name='net-N']")).to_be_focused()
    hands.lines(*BILANS[:3])
    hands.type(BILANS[3])
    press_long(page, "Enter")
    hands.lines("2", "10", "20", "-10", "-20")
    back_at_the_desk(page, 2)
    assert (nets_of(session, 3), nets_of(session, 2)) == (FFT_NETS, (10, 20, -10, -20))


def test_another_way_and_the_nets_are_typed_into_without_waiting(page: Page) -> None:
    session, hands = seated(page)
    open_sheet(hands, 2, "net-N")
    held = Held(page, SAVING)
    hands.lines("+")
    held.wait()
    hands.lines(*MARKS[:4])
    hands.press("Enter")  # an empty row: on to the nets
    hands.type("-12")
    held.go()
    expect(page.locator("[name='row-4']")).to_have_value(MARKS[3])
    expect(page.locator("[name='net-N']")).to_have_value("-12")
    assert not Donne.objects.filter(table=b.table_of(session, number=2)).exists()


def test_a_whole_position_is_typed_at_once_on_a_slow_machine(page: Page) -> None:
    session, hands = seated(page, "B")
    devtools = page.context.new_cdp_session(page)
    devtools.send("Emulation.setCPUThrottlingRate", {"rate": 4})
    devtools.send("Network.enable")
    slow = {"offline": False, "latency": 200, "downloadThroughput": -1, "uploadThroughput": -1}
    devtools.send("Network.emulateNetworkConditions", slow)
    for table in (1, 2, 3):
        hands.lines(str(table), *MARKS)
    expect(page.locator(".last")).to_contain_text(re.compile(r"table 3, enregistrée"))
    assert [marks_of(session, table) for table in (1, 2, 3)] == [FFT_MARKS] * 3


def test_a_page_that_asks_takes_no_key_that_was_struck_before_it_was_there(page: Page, watch: Watch) -> None:
    watch.expect("status of 422")
    session, hands = seated(page)
    open_sheet(hands, 3, "net-N")
    held = Held(page, SAVING)
    hands.lines("-446", "1346", "-390", "-500")
    held.wait()
    hands.lines("2", "10")
    held.go()
    expect(page.locator("#untaken")).to_contain_text("2 ↵ 10 ↵")
    expect(page.locator("[name='net-O']")).to_have_value("-500")
    assert nets_of(session, 3) == ()


def test_a_server_that_is_gone_leaves_the_sheet_and_says_so(page: Page, watch: Watch) -> None:
    watch.expect("ERR_FAILED")
    watch.expect("failed request")
    session, hands = seated(page)
    open_sheet(hands, 3, "net-N")
    page.route(re.compile(SAVING), lambda route: route.abort())
    hands.lines(*BILANS)
    expect(page.locator("#offline")).to_be_visible()
    expect(page.locator("[name='net-N']")).to_have_value("-446")
    page.unroute_all()
    hands.press("Enter")
    back_at_the_desk(page, 3)
    assert nets_of(session, 3) == FFT_NETS


def test_saving_one_deal_keeps_the_others_that_were_typed_also_over_a_reload(page: Page) -> None:
    session, hands = seated(page, "B")
    open_sheet(hands, 1, "row-1")
    hands.lines("EG106", "OS76")
    expect(page.locator("[data-live='plus-2-O']")).to_have_text("228")
    page.locator("button[value='row-1']").click()
    expect(page.get_by_text("Incomplète")).to_be_visible()
    expect(page.locator("[name='row-2']")).to_have_value("OS76")
    page.reload()
    expect(page.locator("[name='row-2']")).to_have_value("OS76")
    assert marks_of(session, 1) == FFT_MARKS[:1]


def test_a_deal_saved_elsewhere_is_told_and_the_other_rows_come_back(page: Page) -> None:
    session, hands = seated(page, "B")
    open_sheet(hands, 1, "row-1")
    hands.lines("EG106", "OS76")
    page.get_by_role("link", name="Revenir").click()
    expect(page.get_by_label("Table n°")).to_be_focused()
    b.a_donne(table=b.table_of(session), entry=b.a_written(-108, -108, 324, -108, taker=2))
    page.get_by_role("link", name="Ouvrir la table 1").click()
    expect(page.locator("[name='row-1']")).to_have_value("EG108")
    expect(page.locator("[name='row-2']")).to_have_value("OS76")
    expect(page.locator("[data-elsewhere]")).to_contain_text("EG106")


def test_what_was_typed_and_cleared_is_not_unsaved_and_a_slash_in_a_control_net_touches_no_deal(page: Page) -> None:
    session, hands = seated(page)
    open_sheet(hands, 1, "net-N")
    hands.type("1")
    hands.press("Backspace")
    page.get_by_role("link", name="Revenir").click()
    expect(page.get_by_label("Table n°")).to_be_focused()
    expect(page.locator("[data-unsaved]")).to_be_hidden()
    page.goto(f"/seances/{session.pk}/positions/1/tables/2/?way=B&control=1")
    page.locator("[name='net-N']").fill("/")
    page.locator("[name='net-N']").press("Enter")
    expect(page.locator("[name='row-5']")).to_have_value("")


def leave(page: Page) -> None:
    page.get_by_role("link", name="Revenir").click()
    expect(page.get_by_label("Table n°")).to_be_focused()


@pytest.mark.parametrize("how", ["kept here", "saved in part", "put aside"])
def test_a_sheet_that_was_begun_takes_no_line_that_was_struck_before_it_was_there(page: Page, how: str) -> None:
    session, hands = seated(page, "B")
    if how == "saved in part":
        b.a_donne(table=b.table_of(session, number=3), entry=b.a_written(-106, -106, 318, -106, taker=2))
    else:
        open_sheet(hands, 3, "row-1")
        hands.lines("EG106", "OS76")
        if how == "put aside":
            hands.lines("*")
            expect(page.get_by_label("Table n°")).to_be_focused()
        else:
            leave(page)
    held = Held(page, "table=3")
    hands.lines("3")
    held.wait()
    hands.lines(*MARKS)
    held.go()
    expect(page.locator("#untaken")).to_contain_text("SG582")
    assert marks_of(session, 3) in ((), FFT_MARKS[:1])


def test_what_was_typed_in_another_way_comes_back_in_that_way(page: Page) -> None:
    _session, hands = seated(page, "B")
    open_sheet(hands, 1, "row-1")
    hands.lines("EG106", "OS76")
    leave(page)
    open_sheet(hands, 2, "row-1")
    page.locator("button[value='way-A']").click()
    expect(page.locator("[name='net-N']")).to_be_focused()
    leave(page)
    page.get_by_role("link", name="Ouvrir la table 1").click()
    expect(page.locator("[name='row-2']")).to_have_value("OS76")


def test_withdrawing_a_deal_keeps_the_others_that_were_typed(page: Page, watch: Watch) -> None:
    watch.expect("status of 422")
    session, hands = seated(page, "B")
    b.a_donne(table=b.table_of(session), entry=b.a_written(-108, -108, 324, -108, taker=2))
    open_sheet(hands, 1, "row-2")
    hands.lines("OS76", "NG92")
    page.locator("button[value='withdraw-1']").click()
    page.locator("#reason").or_(page.locator("[name='row-1'][value='']")).first.wait_for()
    if page.locator("#reason").count():
        page.locator("#reason").fill("1")
        page.locator("button[value='withdraw-1']").click()
    expect(page.locator("[name='row-1']")).to_have_value("")
    expect(page.locator("[name='row-2']")).to_have_value("OS76")
    expect(page.locator("[name='row-3']")).to_have_value("NG92")
