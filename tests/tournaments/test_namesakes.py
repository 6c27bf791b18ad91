"""Two entrants of the same name are told apart wherever a session shows names, by the number that is printed."""

from collections.abc import Iterator

import pytest
from django.core.cache import cache
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse
from django.utils import timezone

from players.models import Display
from tests import builders as b
from tournaments.models import Session, Table
from tournaments.printing.rankings import RankingOrder, ranking_paper
from tournaments.printing.sheets import Fill, score_sheets
from tournaments.selectors.names import entrant_names, tell_apart
from tournaments.services.drafts import put_aside

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def _no_kept_page() -> Iterator[None]:
    cache.clear()
    yield
    cache.clear()


@pytest.fixture
def session() -> Session:
    """Give entrants 2 and 7 one name but for an accent; 2 sits at table 1, 7 at table 2."""
    session = b.a_drawn_session(published=True)
    for number, last_name, first_name in ((2, "DURAND", "André"), (7, "Durand", "Andre"), (3, "DURAND", "Zoé")):
        person = session.entrants.get(number=number).person
        person.last_name, person.first_name, person.licence = last_name, first_name, f"123450{number}"
        person.save()
    return session


@pytest.fixture
def client(session: Session, client: Client) -> Client:
    client.force_login(b.a_user(club=session.tournament.club))
    return client


def _said(client: Client, name: str, *arguments: int, query: str = "") -> str:
    answer = client.get(reverse(f"tournaments:{name}", args=arguments) + query)
    return " ".join(answer.content.decode().replace("\u00a0", " ").split())


def test_only_those_who_share_a_name_get_a_number() -> None:
    named = [(1, "DURAND Paul", 5), (2, "Durand  Paul", None), (3, "DURAND Paule", 7), (4, "Dúrand Paul", 12)]
    assert tell_apart(named) == {
        1: "DURAND Paul (n°\u00a05)", 2: "Durand  Paul", 3: "DURAND Paule", 4: "Dúrand Paul (n°\u00a012)",
    }  # fmt: skip


def test_the_names_of_a_session_take_one_question(session: Session) -> None:
    with CaptureQueriesContext(connection) as asked:
        names = entrant_names(session.pk)
    assert len(asked) == 1
    told = {entrant.number: names[entrant.pk] for entrant in session.entrants.all()}
    assert (told[2], told[7], told[3]) == ("DURAND André (n°\u00a02)", "Durand Andre (n°\u00a07)", "DURAND Zoé")


def test_the_room_tells_them_apart(session: Session, client: Client) -> None:
    said = _said(client, "room", session.pk, 1)
    assert '<dt>Sud</dt> <dd> DURAND André <span class="quiet">n° 2</span> </dd>' in said
    assert '<span>DURAND André (n° 2) <span class="quiet">N° FFT 1234502</span></span>' in said
    assert '<span>Durand Andre (n° 7) <span class="quiet">N° FFT 1234507</span></span>' in said
    assert "<span>DURAND Zoé</span>" in said


def test_the_proposal_tells_them_apart_by_the_numbers_they_will_have(client: Client, session: Session) -> None:
    drawn = b.a_session(club=session.tournament.club, players=6)
    for _ in range(2):
        b.an_entrant(drawn, person=b.a_person(club=drawn.tournament.club, last_name="AAA", first_name="Paul"))
    said = " ".join(client.get(reverse("tournaments:seating", args=[drawn.pk]), follow=True).content.decode().split())
    assert "AAA Paul (n° 1)" in said
    assert "AAA Paul (n° 2)" in said


def test_the_sheet_and_the_desk_tell_them_apart(session: Session, client: Client) -> None:
    table = b.table_of(session, number=1)
    put_aside(table=table, rows=[], note="", by=b.an_actor())
    assert "S DURAND André (n° 2)" in _said(client, "desk", session.pk, 1)
    table.round.method = "FFT"
    table.round.save()
    sheet = _said(client, "sheet", session.pk, 1, 1)
    assert '<span class="c-name">DURAND André (n° 2)</span>' in sheet
    assert '<span class="c-name">DURAND Zoé</span>' in sheet


def test_the_number_is_not_said_twice_where_the_sheet_bears_it(session: Session, client: Client) -> None:
    sheet = _said(client, "sheet", session.pk, 1, 1)
    assert '>n° 2</span> </span> <span class="c-name">DURAND André</span>' in sheet


def test_rankings_tell_them_apart(session: Session, client: Client) -> None:
    for table in Table.objects.filter(round__session=session, round__number=1):
        b.fill_table(table)
    for query in ("", "?ordre=alphabetique"):
        said = _said(client, "ranking", session.pk, query=query)
        assert '<span class="name">DURAND André (n° 2)</span>' in said
        assert '<span class="name">DURAND Zoé</span>' in said
    public = _said(Client(), "public", session.pk)
    assert '<span class="name">DURAND André (n° 2)</span>' in public


def test_the_public_page_tells_apart_what_it_shows_and_no_more(session: Session) -> None:
    for table in Table.objects.filter(round__session=session, round__number=1):
        b.fill_table(table)
    for number in (2, 3, 7):
        person = session.entrants.get(number=number).person
        person.display = Display.SHORT if number != 3 else Display.HIDDEN
        person.save()
    public = _said(Client(), "public", session.pk)
    assert "André D. (n° 2)" in public
    assert "Andre D. (n° 7)" in public
    assert "123450" not in public


def test_paper_tells_them_apart(session: Session) -> None:
    table = b.table_of(session)
    table.round.method = "FFT"
    table.round.save()
    sheets = score_sheets(table.round, Fill.NAMES)
    assert "DURAND André (n°\u00a02)" in [column.name for column in sheets[0].columns]
    assert "DURAND Zoé" in [column.name for column in sheets[0].columns]
    b.fill_table(table)
    paper = ranking_paper(session, only=None, order=RankingOrder.NAME, moment=timezone.now())
    assert "DURAND André (n°\u00a02)" in [line.name for page in paper.pages for line in page.lines]
