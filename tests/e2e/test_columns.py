"""The heads of the paper's columns on a real screen: long names and numbers stand beside each other."""

import pytest
from playwright.sync_api import Page

from tests import builders as b
from tests.browser import Browsing
from tests.servers import Server
from tournaments.models import Method, Round, Session

pytestmark = [pytest.mark.e2e, pytest.mark.django_db(transaction=True)]

NAMES = (
    ("DUPUIS", "Jean-Claude"),
    ("WOLFESCHLEGELSTEINHAUSEN", "Marie-Antoinette"),
    ("LE GOFF DE LA TOUR", "Yvonne"),
    ("LÔ", "Élodie"),
)
# What leaves its box, and pairs of head parts of which one covers the other.
CLASHES = """() => [...document.querySelectorAll(".paper .c-player")].flatMap((head) => {
  const box = head.getBoundingClientRect();
  const texts = [...head.querySelectorAll(".c-word, .c-letter, .c-start, .c-name")].flatMap((part) => {
    const range = document.createRange();
    range.selectNodeContents(part);
    return [...range.getClientRects()].map((rect) => ({ text: part.textContent, rect }));
  });
  const outside = texts.filter(({ rect }) => rect.width &&
    (rect.left < box.left - 1 || rect.right > box.right + 1 || rect.bottom > box.bottom + 1));
  const covers = (one, other) => one.text !== other.text &&
    one.rect.left < other.rect.right - 1 && other.rect.left < one.rect.right - 1 &&
    one.rect.top < other.rect.bottom - 4 && other.rect.top < one.rect.bottom - 4;
  const covered = texts.flatMap((one, at) => texts.slice(at + 1).filter((other) => covers(one, other))
    .map((other) => `${one.text} / ${other.text}`));
  return [...outside.map(({ text }) => `${text} is outside`), ...covered];
})"""


def _evening(*, players: int) -> Session:
    session = b.a_drawn_session(players=players)
    people = enumerate(zip(session.entrants.order_by("number"), NAMES, strict=False), start=121)
    for number, (entrant, (last_name, first_name)) in people:
        entrant.person.last_name, entrant.person.first_name = last_name, first_name
        entrant.person.save()
        entrant.number = number
        entrant.save()
    b.a_user(club=session.tournament.club, username="arlette", password="secret")
    return session


def _log_in(page: Page) -> None:
    page.goto("/connexion/")
    page.get_by_label("Identifiant").fill("arlette")
    page.get_by_label("Mot de passe").fill("secret")
    page.keyboard.press("Enter")
    page.wait_for_url(lambda url: "connexion" not in url)


@pytest.mark.parametrize("width", [390, 768, 1280])
@pytest.mark.parametrize("players", [4, 5])
def test_no_name_and_no_number_covers_another(site: Server, browsing: Browsing, width: int, players: int) -> None:
    session = _evening(players=players)
    page = browsing.page(base_url=site.url, width=width)
    _log_in(page)
    for method in (Method.RANDOM, Method.FFT):
        Round.objects.update(method=method)
        for way in "ABC":
            page.goto(f"/seances/{session.pk}/positions/1/tables/1/?way={way}")
            assert page.locator(".paper .c-player").count() == players
            assert page.evaluate("document.documentElement.scrollWidth") <= width
            assert page.evaluate(CLASHES) == []
