"""The door by keyboard in a real browser: letters, Enter, arrows, namesakes, newcomers, undo."""

import re

import pytest
from django.conf import settings
from playwright.sync_api import Locator, Page, Route, expect

from players.models import Club, Person, Role, User
from tests import builders as b
from tests.browser import Browsing, Watch
from tests.servers import Server
from tournaments.models import Session

pytestmark = [pytest.mark.e2e, pytest.mark.django_db(transaction=True)]

BOUNCE = 350  # milliseconds after which an Enter on a card is meant; the page asks for 300
NAMES = ("ABEL", "BERGER", "COLLIN", "DUPRÉ", "ÉVRARD", "FABRE")


def _door(page: Page, *, role: Role = Role.ARBITER) -> Session:
    session = b.a_session(players=0)
    club = session.tournament.club
    b.a_user(club=club, role=role, username="arlette", password="secret")
    for name in NAMES:
        b.a_person(club=club, last_name=name, first_name="Zoé")
    _log_in(page, session)
    return session


def _log_in(page: Page, session: Session) -> None:
    page.goto(f"/seances/{session.pk}/inscriptions/")
    page.keyboard.type("arlette")
    page.keyboard.press("Tab")
    page.keyboard.type("secret")
    page.keyboard.press("Enter")
    expect(page.get_by_label("Qui est là")).to_be_focused()


def _present(session: Session) -> list[str]:
    return list(session.entrants.order_by("pk").values_list("person__last_name", flat=True))


def _martins(session: Session, *first_names: str) -> list[Person]:
    return [b.a_person(club=session.tournament.club, last_name="MARTIN", first_name=name) for name in first_names]


def _who(session: Session) -> list[str]:
    return [str(entrant.person) for entrant in session.entrants.order_by("pk").select_related("person")]


def _lines(page: Page, *lines: str) -> None:
    for line in lines:
        page.keyboard.type(line)
        page.keyboard.press("Enter")


def _open_first_card(page: Page) -> None:
    """Go to the first card; an Enter struck at once would count as a finger that bounced."""
    page.keyboard.press("Enter")
    expect(_cards(page).locator(":focus")).to_be_visible()
    page.wait_for_timeout(BOUNCE)


def _cards(page: Page) -> Locator:
    return page.locator("#to-settle > li:not([data-waiting])")


class Held:
    """Requests whose address matches wait until they are let go."""

    def __init__(self, page: Page, pattern: str) -> None:
        self.page, self.pattern = page, re.compile(pattern)
        self.routes: list[Route] = []
        page.route(self.pattern, self._hold)

    def _hold(self, route: Route) -> None:
        self.routes.append(route)

    def come(self) -> None:
        """Wait until one is held."""
        while not self.routes:
            self.page.wait_for_timeout(10)

    def go(self) -> None:
        """Let go what is held and what comes."""
        for route in self.routes:
            route.continue_()
        self.page.unroute(self.pattern)


def test_the_door_is_kept_by_the_keyboard_alone(page: Page) -> None:
    session = _door(page)
    field, answer = page.get_by_label("Qui est là"), page.locator("#answer")
    for name in NAMES:  # nobody waits for an answer before typing on
        _lines(page, name[:3].lower())
    expect(page.locator(".counter")).to_have_text("6 présents\u00a0: 2 tables de 3.")
    assert _present(session) == list(NAMES)

    page.keyboard.press("Control+z")
    expect(answer).to_contain_text("FABRE Zoé\u00a0: retiré de la liste.")
    page.keyboard.type("zoe")
    expect(page.locator(".match")).to_have_count(7)
    page.keyboard.press("ArrowUp")
    page.keyboard.press("ArrowDown")
    page.keyboard.press("Enter")
    expect(answer).to_contain_text("FABRE Zoé\u00a0: présence notée.")

    two = _martins(session, "Paul", "Paul")
    _lines(page, "mar")
    expect(_cards(page)).to_contain_text("Deux personnes portent ce nom. Laquelle")
    expect(field).to_be_focused()
    _open_first_card(page)
    page.keyboard.press("ArrowDown")
    page.keyboard.press("Enter")
    expect(answer).to_contain_text("MARTIN Paul\u00a0: présence notée.")
    assert session.entrants.filter(person=two[1]).exists()

    _lines(page, "personne", "zorro jean")
    expect(_cards(page)).to_have_count(2)
    page.keyboard.press("Enter")
    expect(_cards(page).first.get_by_role("button", name="Ajouter")).to_be_focused()
    page.keyboard.press("Escape")
    expect(field).to_be_focused()
    _open_first_card(page)
    page.keyboard.press("Tab")
    page.keyboard.press("Enter")
    expect(_cards(page)).to_have_count(1)
    _open_first_card(page)
    page.keyboard.press("Enter")
    expect(answer).to_contain_text("ZORRO Jean\u00a0: présence notée.")
    expect(_cards(page)).to_have_count(0)
    expect(field).to_be_focused()
    assert _present(session) == [*NAMES, "MARTIN", "ZORRO"]


def test_what_must_be_asked_stands_until_it_is_settled_and_never_takes_the_cursor(page: Page) -> None:
    session = _door(page)
    _martins(session, "Paul", "Paul")
    _lines(page, "mar")
    expect(_cards(page)).to_have_count(1)
    _lines(page, "abe", "zorro jean")
    expect(_cards(page)).to_have_count(2)
    _lines(page, "", "ber")  # the empty line goes to a card; a name typed there is a name
    expect(page.locator("#present")).to_contain_text("BERGER")
    _lines(page, "abe")
    expect(_cards(page).nth(2)).to_contain_text("ABEL Zoé\u00a0: déjà présent.")
    expect(_cards(page).locator("h3")).to_have_text(["mar", "zorro jean", "abe"])
    expect(page.get_by_label("Qui est là")).to_be_focused()

    held = Held(page, "/pointer/")
    _lines(page, "col")
    held.come()
    last_name = page.get_by_label("Nom", exact=True)
    last_name.click()
    page.keyboard.press("End")
    page.keyboard.type("ADA")
    held.go()
    expect(page.locator("#present")).to_contain_text("COLLIN")
    expect(last_name).to_be_focused()
    expect(last_name).to_have_value("ZORROADA")
    assert _present(session) == ["ABEL", "BERGER", "COLLIN"]


def test_whom_the_arrows_chose_is_who_comes(page: Page) -> None:
    session = _door(page)
    _martins(session, "Anne", "Paul")
    active, notice = page.locator(".match.is-active"), page.locator("#answer")
    page.keyboard.type("martin ")
    expect(page.locator(".match")).to_have_count(3)
    page.keyboard.press("ArrowDown")
    page.keyboard.press("Enter")
    expect(notice).to_contain_text("MARTIN Paul\u00a0: présence notée.")
    page.keyboard.press("Control+z")
    expect(notice).to_contain_text("MARTIN Paul\u00a0: retiré de la liste.")

    for is_late in (True, False):  # the next list comes after Enter, or between the arrow and Enter
        page.keyboard.type("mar")
        expect(page.locator(".match")).to_have_count(3)
        held = Held(page, "q=mart")
        page.keyboard.type("t")
        held.come()
        page.keyboard.press("ArrowDown")
        expect(active).to_contain_text("MARTIN Paul")
        if not is_late:
            with page.expect_response(held.pattern):
                held.go()
        page.keyboard.press("Enter")
        if is_late:
            held.go()
        expect(notice).to_contain_text("MARTIN Paul\u00a0: présence notée.")
        page.keyboard.press("Control+z")
        expect(notice).to_contain_text("MARTIN Paul\u00a0: retiré de la liste.")

    held = Held(page, r"\?q=")
    page.keyboard.type("mar")  # an arrow before there is a list: nobody knows whom it chose
    page.keyboard.press("ArrowDown")
    page.keyboard.press("Enter")
    expect(_cards(page)).to_contain_text("Plusieurs personnes répondent à cela.")
    held.go()
    assert _who(session) == []


def test_undo_waits_for_the_name_sent_last(page: Page) -> None:
    session = _door(page)
    _martins(session, "Paul", "Paul")
    _lines(page, "abe")
    expect(page.locator("#answer")).to_contain_text("ABEL")
    held = Held(page, "/pointer/")
    _lines(page, "ber")
    page.keyboard.press("Control+z")
    held.come()
    held.go()
    expect(page.locator("#answer")).to_contain_text("BERGER Zoé\u00a0: retiré de la liste.")
    _lines(page, "mar")
    page.keyboard.press("Control+z")
    _lines(page, "col")
    expect(page.locator("#answer")).to_contain_text("COLLIN")
    expect(_cards(page)).to_have_count(0)
    assert _present(session) == ["ABEL", "COLLIN"]


def test_an_enter_that_is_held_or_bounces_and_a_double_click_count_once(page: Page) -> None:
    session = _door(page)
    _martins(session, "Paul", "Paul")
    posts: list[str] = []
    page.on("request", lambda request: posts.append(request.url) if request.method == "POST" else None)
    page.keyboard.type("mar")
    for _ in range(3):
        page.keyboard.down("Enter")
    expect(_cards(page)).to_have_count(1)
    page.keyboard.down("Enter")
    page.keyboard.up("Enter")
    expect(page.get_by_label("Qui est là")).to_be_focused()
    _lines(page, "", "")
    expect(_cards(page).locator(":focus")).to_contain_text("MARTIN Paul")
    assert len(posts) == 1

    page.keyboard.type("abe")
    page.get_by_role("button", name="Présent").dblclick()
    expect(page.locator("#present")).to_contain_text("ABEL")
    page.keyboard.type("ber")
    page.locator(".match", has_text="BERGER").dblclick()
    expect(page.locator("#present")).to_contain_text("BERGER")
    page.locator("#present").get_by_role("button", name="Retirer ABEL").dblclick()
    expect(page.locator("#answer")).to_contain_text("ABEL Zoé\u00a0: retiré de la liste.")
    assert len(posts) == 4
    assert _present(session) == ["BERGER"]


def test_names_typed_before_all_scripts_have_come_are_not_lost(page: Page) -> None:
    session = _door(page)
    own, htmx = Held(page, r"/registration[^/]*\.js"), Held(page, r"/htmx-2[^/]*\.js")
    page.reload(wait_until="commit")
    own.come()
    expect(page.get_by_label("Qui est là")).to_have_count(0)  # no field that would not listen
    own.go()
    expect(page.get_by_label("Qui est là")).to_be_focused()
    _lines(page, *(name[:3].lower() for name in NAMES[:3]))
    htmx.come()
    htmx.go()
    expect(page.locator(".counter")).to_contain_text("3 présents")
    assert _present(session) == list(NAMES[:3])


def test_a_card_answers_in_the_moment_it_appears(page: Page) -> None:
    session = _door(page)
    page.evaluate(
        """() => new MutationObserver((_, observer) => {
            const form = document.querySelector("#to-settle form");
            if (form) { observer.disconnect(); form.requestSubmit(); }
        }).observe(document.getElementById("to-settle"), { childList: true, subtree: true })"""
    )
    _lines(page, "zorro jean")
    expect(page.locator("#answer")).to_contain_text("ZORRO Jean\u00a0: présence notée.")
    assert page.url.endswith(f"/seances/{session.pk}/inscriptions/")
    assert _present(session) == ["ZORRO"]


def test_a_second_machine_shows_what_the_first_wrote_without_disturbing_what_is_typed(
    page: Page, browsing: Browsing, site: Server
) -> None:
    session = _door(page)
    other = browsing.page(base_url=site.url)
    _log_in(other, session)
    other.keyboard.type("fab")
    page.keyboard.type("abe")
    page.keyboard.press("Enter")
    expect(other.locator("#present")).to_contain_text("ABEL Zoé", timeout=8_000)
    expect(other.get_by_label("Qui est là")).to_have_value("fab")
    expect(other.get_by_label("Qui est là")).to_be_focused()


def test_a_name_the_server_did_not_take_is_kept_until_it_is_sent_again(page: Page, watch: Watch) -> None:
    session = _door(page)
    for part in ("status of 500", "Error Code 500", "net::ERR", "htmx:"):
        watch.expect(part)
    notice = page.locator("#refused")
    page.route("**/pointer/", lambda route: route.fulfill(status=500, body="no"), times=1)
    _lines(page, "ber")
    expect(notice).to_have_text("Le serveur n'a pas fait cela. Rechargez cette page, puis réessayez.")
    page.route("**/pointer/", lambda route: route.abort(), times=1)
    _lines(page, "col", "abe")
    expect(page.locator("#answer")).to_contain_text("ABEL Zoé\u00a0: présence notée.")
    expect(notice).to_be_hidden()
    for _ in range(2):
        expect(_cards(page).locator("h3")).to_have_text(["ber", "col"])
        page.reload()
    _open_first_card(page)
    page.keyboard.press("Enter")
    expect(page.locator("#answer")).to_contain_text("BERGER Zoé\u00a0: présence notée.")
    expect(_cards(page).locator("h3")).to_have_text(["col"])
    assert _present(session) == ["ABEL", "BERGER"]


def test_a_newcomer_whose_name_is_known_is_chosen_by_the_keyboard(page: Page) -> None:
    session = _door(page)
    page.keyboard.type("abel zoe")
    expect(page.locator(".match")).to_have_count(2)
    page.keyboard.press("ArrowDown")
    page.keyboard.press("Enter")
    expect(_cards(page)).to_contain_text("Ajouter")
    _open_first_card(page)
    page.keyboard.press("Enter")
    expect(_cards(page)).to_contain_text("Quelqu'un porte déjà ce nom.")
    _open_first_card(page)
    page.keyboard.press("Enter")
    expect(page.locator("#answer")).to_contain_text("ABEL Zoé\u00a0: présence notée.")
    expect(page.get_by_label("Qui est là")).to_be_focused()
    assert Person.objects.count() == len(NAMES)
    assert _present(session) == ["ABEL"]


def test_names_left_unsaid_by_a_sign_in_that_ran_out_come_back_with_it(page: Page) -> None:
    session = _door(page)
    page.context.clear_cookies(name=settings.SESSION_COOKIE_NAME)
    _lines(page, "abe")
    expect(page.get_by_label("Identifiant")).to_be_visible(timeout=8_000)
    page.get_by_label("Identifiant").fill("arlette")
    page.get_by_label("Mot de passe").fill("secret")
    page.keyboard.press("Enter")
    expect(page).to_have_url(re.compile(rf"/seances/{session.pk}/inscriptions/$"))
    expect(page.get_by_label("Qui est là")).to_be_focused()
    expect(_cards(page)).to_contain_text("abe")


def test_a_phone_shows_the_door_without_scrolling_sideways(phone: Page) -> None:
    session = _door(phone)
    Club.objects.update(name="X" * 120)
    User.objects.update(first_name="Marie-Antoinette", last_name="DE LA TOUR D'AUVERGNE")
    for path in ("inscriptions/", "mise-en-place/"):
        phone.goto(f"/seances/{session.pk}/{path}")
        assert phone.evaluate("document.documentElement.scrollWidth <= window.innerWidth")


def test_nobody_waiting_for_an_answer_is_left_out_of_the_seating_unsaid(page: Page) -> None:
    session = _door(page)
    _martins(session, "Paul", "Paul")
    _lines(page, *(name[:3].lower() for name in NAMES), "mar")
    cards = page.locator("#to-settle > li")
    expect(cards).to_have_count(1)
    expect(cards).to_contain_text("MARTIN Paul")
    page.get_by_role("link", name="Passer à la mise en place").click()
    expect(page.locator("#left-out")).to_be_visible()
    expect(cards.locator("button").first).to_be_focused()
    cards.get_by_role("link", name="Écarter").click()
    expect(cards).to_have_count(0)
    page.get_by_role("link", name="Passer à la mise en place").click()
    expect(page).to_have_url(re.compile("mise-en-place"))


def test_other_letters_mean_somebody_else_than_the_arrows_chose(page: Page) -> None:
    session = _door(page)
    page.keyboard.type("ber")
    expect(page.locator("#matches .match")).to_have_count(2)
    for key in ("ArrowUp", "ArrowDown", "Shift+Home"):
        page.keyboard.press(key)
    _lines(page, "abe")
    expect(page.locator("#answer")).to_contain_text("présence notée")
    assert _who(session) == ["ABEL Zoé"]
