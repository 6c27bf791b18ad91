"""The door by keyboard in a real browser: letters, Enter, arrows, namesakes, newcomers, undo."""

import re

import pytest
from playwright.sync_api import Page, expect

from players.models import Club, Person, Role, User
from tests import builders as b
from tests.browser import Browsing, Watch
from tests.servers import Server
from tournaments.models import Session

pytestmark = [pytest.mark.e2e, pytest.mark.django_db(transaction=True)]

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


def test_the_door_is_kept_by_the_keyboard_alone(page: Page) -> None:
    session = _door(page)
    field, answer = page.get_by_label("Qui est là"), page.locator("#answer")
    for name in NAMES:  # nobody waits for an answer before typing on
        page.keyboard.type(name[:3].lower())
        page.keyboard.press("Enter")
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

    two = [b.a_person(club=session.tournament.club, last_name="MARTIN", first_name="Paul") for _ in range(2)]
    page.keyboard.type("mar")
    page.keyboard.press("Enter")
    expect(answer).to_contain_text("Deux personnes portent ce nom. Laquelle")
    page.keyboard.press("Tab")
    page.keyboard.press("Enter")
    expect(answer).to_contain_text("MARTIN Paul\u00a0: présence notée.")
    assert session.entrants.filter(person=two[1]).exists()

    page.keyboard.type("personne")
    page.keyboard.press("Enter")
    expect(page.get_by_label("Nom", exact=True)).to_be_focused()
    page.keyboard.press("Escape")
    expect(field).to_be_focused()
    page.keyboard.type("zorro jean")
    page.keyboard.press("Enter")
    expect(page.get_by_label("Nom", exact=True)).to_be_focused()
    page.keyboard.press("Enter")
    expect(answer).to_contain_text("ZORRO Jean\u00a0: présence notée.")
    expect(field).to_be_focused()
    assert _present(session) == [*NAMES, "MARTIN", "ZORRO"]


def test_a_form_is_ready_in_the_moment_it_appears(page: Page) -> None:
    session = _door(page)
    page.evaluate(
        """() => new MutationObserver((_, observer) => {
            const newcomer = document.getElementById("newcomer");
            if (newcomer) { observer.disconnect(); newcomer.requestSubmit(); }
        }).observe(document.getElementById("answer"), { childList: true, subtree: true })"""
    )
    page.keyboard.type("zorro jean")
    page.keyboard.press("Enter")
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


def test_what_the_server_did_not_do_is_said_and_the_name_is_put_back(page: Page, watch: Watch) -> None:
    session = _door(page)
    field, notice = page.get_by_label("Qui est là"), page.locator("#refused")
    watch.expect("status of 500")
    watch.expect("Error Code 500")
    page.route("**/pointer/", lambda route: route.fulfill(status=500, body="no"), times=1)
    page.keyboard.type("abe")
    page.keyboard.press("Enter")
    expect(notice).to_have_text("Le serveur n'a pas fait cela. Rechargez cette page, puis réessayez.")
    expect(field).to_have_value("abe")
    page.keyboard.press("Enter")
    expect(page.locator("#answer")).to_contain_text("ABEL Zoé\u00a0: présence notée.")
    expect(notice).to_be_hidden()
    assert _present(session) == ["ABEL"]


def test_a_newcomer_whose_name_is_known_is_chosen_by_the_keyboard(page: Page) -> None:
    session = _door(page)
    answer = page.locator("#answer")
    page.keyboard.type("abel zoe")
    expect(page.locator(".match")).to_have_count(2)
    page.keyboard.press("ArrowDown")
    page.keyboard.press("Enter")
    expect(page.get_by_label("Nom", exact=True)).to_be_focused()
    page.keyboard.press("Enter")
    expect(answer).to_contain_text("Quelqu'un porte déjà ce nom.")
    expect(answer.locator("button").first).to_be_focused()
    page.keyboard.press("Enter")
    expect(answer).to_contain_text("ABEL Zoé\u00a0: présence notée.")
    expect(page.get_by_label("Qui est là")).to_be_focused()
    assert Person.objects.count() == len(NAMES)
    assert _present(session) == ["ABEL"]


def test_a_sign_in_that_ran_out_shows_the_sign_in_page_and_comes_back(page: Page) -> None:
    session = _door(page)
    page.context.clear_cookies()
    expect(page.get_by_label("Identifiant")).to_be_visible(timeout=8_000)
    page.get_by_label("Identifiant").fill("arlette")
    page.get_by_label("Mot de passe").fill("secret")
    page.keyboard.press("Enter")
    expect(page).to_have_url(re.compile(rf"/seances/{session.pk}/inscriptions/$"))
    expect(page.get_by_label("Qui est là")).to_be_focused()


def test_a_phone_shows_the_door_without_scrolling_sideways(phone: Page) -> None:
    session = _door(phone)
    Club.objects.update(name="X" * 120)
    User.objects.update(first_name="Marie-Antoinette", last_name="DE LA TOUR D'AUVERGNE")
    for path in ("inscriptions/", "mise-en-place/"):
        phone.goto(f"/seances/{session.pk}/{path}")
        assert phone.evaluate("document.documentElement.scrollWidth <= window.innerWidth")
