"""No word reaches a reader past the catalogue: in a pseudo-language every translated string stands in brackets.

What stands outside must be what people typed (names, places) or a word that is the same in each language.
"""

import re
from collections.abc import Callable, Iterator
from datetime import date
from functools import partial
from html.parser import HTMLParser
from types import SimpleNamespace

import pytest
from django.core.cache import cache
from django.db import transaction
from django.test import Client
from django.urls import reverse
from django.utils import translation

from jobs import files
from jobs.models import Job, JobState
from jobs.registry import Task
from players.models import Club, Person, Role, User
from scoring import ProblemCode
from tests import builders as b
from tests.addresses import names, parameters_of
from tests.tournaments.test_labels import PARAMS
from tournaments import labels
from tournaments.errors import EntryCode, EntryProblem
from tournaments.forms.compact import LineCode
from tournaments.models import Donne, RoomState, Round, Session, Table
from tournaments.printing import Fill, RankingOrder, typesetting
from tournaments.printing.jobs import print_ranking, print_sheets
from tournaments.services.actors import Actor, actor_of
from tournaments.services.demonstration import load_demonstration
from tournaments.services.entries import Played, Unplayed
from tournaments.services.sessions import close_session, reopen_session, start_verification

pytestmark = [pytest.mark.django_db]

OPEN, CLOSE = "⟦", "⟧"
BRACKETED = re.compile(rf"{OPEN}[^{OPEN}{CLOSE}]*{CLOSE}")
WORD = re.compile(r"[^\W\d_]{2,}")
# The same in each language: the program, the federation, languages by their own names, a format, a key.
CONSTANT = {"Petit", "au", "bout", "FFT", "Français", "English", "PDF", "Ctrl"}
EXAMPLE = {"DURAND Paul; 1234567 LE GALL Anne-Marie"}
SAID = {"title", "alt", "placeholder", "label", "aria-label", "aria-description", "data-one", "data-many"}


class Reader(HTMLParser):
    """Collects what a page says to its reader: text, and the attributes that are read or heard."""

    def __init__(self) -> None:
        super().__init__()
        self.texts: list[str] = []
        self.silent = 0

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag in {"script", "style"}:
            self.silent += 1
        found = dict(attrs)
        for name, value in found.items():
            if name in SAID:
                self.texts.append(value or "")
        if tag == "input" and found.get("type") in {"submit", "button"}:
            self.texts.append(found.get("value") or "")
        if tag == "meta" and found.get("name") == "description":
            self.texts.append(found.get("content") or "")

    def handle_endtag(self, tag: str) -> None:
        if tag in {"script", "style"}:
            self.silent -= 1

    def handle_data(self, data: str) -> None:
        if not self.silent:
            self.texts.append(data)


def said_by(html: str) -> str:
    """Return everything a page says, one text a line."""
    reader = Reader()
    reader.feed(html)
    reader.close()
    return "\n".join(" ".join(text.split()) for text in reader.texts if text.strip())


def unmarked(text: str, data: set[str]) -> set[str]:
    """Return the words outside every bracket that nobody typed."""
    while BRACKETED.search(text):
        text = BRACKETED.sub(" ", text)
    for typed in sorted(data, key=len, reverse=True):
        text = text.replace(typed, " ")
    return {line.strip() for line in text.splitlines() if set(WORD.findall(line)) - CONSTANT}


@pytest.fixture
def pseudo(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Bracket every string the catalogue is asked for; no page kept from another test is shown."""
    cache.clear()
    catalogue = translation._trans  # type: ignore[attr-defined]  # behind every public function, also the lazy ones
    for name in ("gettext", "ngettext", "pgettext", "npgettext"):
        real = getattr(catalogue, name)

        def bracket(*asked: object, real: object = real) -> str:
            return f"{OPEN}{real(*asked)}{CLOSE}"  # type: ignore[operator]

        monkeypatch.setattr(catalogue, name, bracket)
    yield
    cache.clear()


def typed_by_people() -> set[str]:
    """Return what stands in the database as people typed it."""
    found = set(EXAMPLE)
    for person in Person.objects.all():
        found |= {person.last_name, person.first_name, person.last_name.upper(), person.first_name.title()}
    for session in Session.objects.select_related("tournament"):
        found |= {session.tournament.name, session.tournament.place}
    found |= set(Club.objects.values_list("name", flat=True))
    for user in User.objects.all():
        found |= {user.username, user.get_full_name(), user.first_name, user.last_name}
    return found - {""}


class World:
    """One evening as its organiser sees it: every address, and what each page says outside the brackets."""

    def __init__(self, session: Session) -> None:
        self.session = session
        self.club = session.tournament.club
        self.client = Client()
        self.client.force_login(organiser_of(session))
        self.user = b.a_user(club=self.club, role=Role.CLERK)
        self.job = Job.objects.create(
            kind="print_ranking",
            club=self.club,
            by="user:1",
            state=JobState.DONE,
            file="ranking.pdf",
            params={"session": session.pk, "only": None, "order": "RANK", "language": "fr"},
        )
        (files.folder() / self.job.file).write_bytes(b"%PDF-1.7")
        self.found: dict[str, set[str]] = {}
        self.pages = 0

    def addresses(self, name: str) -> Iterator[str]:
        """Yield a named address at the first position and at the one being played."""
        wanted = parameters_of(name)
        playing = Round.objects.filter(session=self.session, room=RoomState.PLAYING).values_list("number", flat=True)
        for number in sorted({1, *playing}) if "number" in wanted else (1,):
            table = Table.objects.filter(round__session=self.session, round__number=number, number=1).first()
            donne = Donne.objects.order_by("pk").first()
            known = {
                "session_id": self.session.pk,
                "number": number,
                "table_number": 1,
                "table_id": table.pk if table else 0,
                "donne_id": donne.pk if donne else 0,
                "person_id": Person.objects.order_by("pk")[0].pk,
                "job_id": self.job.pk,
                "user_id": self.user.pk,
            }
            yield reverse(name, kwargs={parameter: known[parameter] for parameter in wanted})

    def visit(self, method: str, address: str, **data: str) -> None:
        """Send one request, read the page that comes, and undo what it did."""
        with transaction.atomic():
            send = self.client.get if method == "get" else self.client.post
            response = send(address, data, follow=True)
            if response.streaming:
                _ = b"".join(response)
            elif response["Content-Type"].startswith("text/html"):
                self.pages += 1
                if strange := unmarked(said_by(response.content.decode()), typed_by_people()):
                    self.found[f"{method} {address} {data or ''}"] = strange
            transaction.set_rollback(True)

    def visit_all(self) -> None:
        """Ask for every address, and send an empty form to each."""
        for name in names():
            if name not in {"players:logout", "set_language"}:
                for address in self.addresses(name):
                    self.visit("get", address)
                    self.visit("post", address)


def organiser_of(session: Session) -> User:
    """Return the organiser of the evening's club, who has a name, so that no page has to fall back on a code."""
    club = session.tournament.club
    known = User.objects.filter(memberships__club=club, memberships__role=Role.ADMIN).first()
    return known or b.a_user(club=club, role=Role.ADMIN)


def actor(session: Session) -> Actor:
    return actor_of(organiser_of(session), session.tournament.club)


def a_registration() -> Session:
    return b.a_session(players=7)


def an_evening_at_three_and_four() -> Session:
    session = b.a_drawn_session(players=7, rounds=2, published=True)
    entries: tuple[Played | Unplayed, ...] = (b.a_written(), b.cancelled(), b.removed())
    for number, entry in enumerate(entries, start=1):
        b.a_donne(table=b.table_of(session), number=number, entry=entry, by=actor(session))
    return session


def an_evening_at_five() -> Session:
    session = b.a_drawn_session(players=5, rounds=2)
    b.a_donne(table=b.table_of(session), entry=b.a_played(places="NSEO", sitting_out="C"), by=actor(session))
    return session


def an_ended_evening(*, final: bool = False, reopened: bool = False) -> Session:
    session = b.a_drawn_session(players=4, rounds=1, published=True)
    b.fill_table(b.table_of(session), by=actor(session))
    start_verification(session=session, by=actor(session))
    if final:
        close_session(session=session, by=actor(session))
    if reopened:
        reopen_session(session=session, reason="Donne 3", by=actor(session))
    session.refresh_from_db()
    return session


EVENINGS: dict[str, Callable[[], Session]] = {
    "registration": a_registration,
    "tables of three and four": an_evening_at_three_and_four,
    "table of five": an_evening_at_five,
    "verification": an_ended_evening,
    "final": partial(an_ended_evening, final=True),
    "reopened": partial(an_ended_evening, final=True, reopened=True),
}


def test_a_bare_word_is_seen_wherever_it_is_said() -> None:
    page = "<p title='Bare'>⟦Marked⟧ Zoé</p><input type='submit' value='Sent'><b aria-label='Heard'>⟦a ⟦nested⟧ b⟧</b>"
    assert unmarked(said_by(page), {"Zoé"}) == {"Bare", "Sent", "Heard"}
    assert unmarked(said_by("<p>⟦Marked⟧ loose</p><script>quiet</script>"), set()) == {"loose"}


def test_every_page_of_the_demonstration_says_only_what_the_catalogue_or_people_said(pseudo: None) -> None:
    club = load_demonstration(today=date(2026, 10, 3))
    world = World(Session.objects.get(tournament__club=club))
    world.visit_all()
    for address in ("/nowhere/", "/membres/?q=zzz", f"/seances/{world.session.pk}/positions/3/saisie/?table=99"):
        world.visit("get", address)
    assert world.pages > 80
    assert world.found == {}


@pytest.mark.parametrize("evening", EVENINGS)
def test_every_page_of_every_stage_does_so_too(pseudo: None, evening: str) -> None:
    world = World(EVENINGS[evening]())
    world.visit_all()
    assert world.pages > 60
    assert world.found == {}


def test_the_pages_before_there_is_a_club_do_so_too(pseudo: None) -> None:
    for address in (reverse("players:install"), reverse("players:login"), reverse("tournaments:home")):
        for send in (Client().get, Client().post):
            assert unmarked(said_by(send(address, follow=True).content.decode()), set()) == set()


def test_every_sentence_of_a_problem_or_refusal_comes_from_the_catalogue(pseudo: None) -> None:
    for code in (*ProblemCode, *EntryCode, *LineCode):
        problem = EntryProblem(field="marks", code=code, params=PARAMS)
        assert unmarked(labels.problem_sentence(problem, number=3, contract="garde"), set()) == set(), code


@pytest.mark.parametrize("evening", ["tables of three and four", "table of five", "final"])
def test_every_paper_says_only_what_the_catalogue_or_people_said(
    pseudo: None, evening: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    session = EVENINGS[evening]()
    printed: list[str] = []

    def report(done: int, total: int) -> None:
        pass

    press = SimpleNamespace(pdf=lambda html, css: printed.append(html), joined=lambda parts, title: b"")
    monkeypatch.setattr(typesetting, "_press", lambda: press)
    position = Round.objects.get(session=session, number=1)
    sheets: list[dict[str, object]] = [{"round": position.pk, "number": 1, "fill": fill} for fill in Fill]
    rankings = [{"session": session.pk, "only": only, "order": order} for only in (None, 1) for order in RankingOrder]
    kinds = [(print_sheets, asked) for asked in sheets] + [(print_ranking, asked) for asked in rankings]
    for print_it, asked in kinds:
        params = {**asked, "language": "fr"}
        print_it(Task(job_id=1, club_id=session.tournament.club_id, by="", params=params, attempt=1, report=report))
    assert len(printed) == len(kinds)
    assert [found for html in printed if (found := unmarked(said_by(html), typed_by_people()))] == []
