"""The public page: published sessions only, shown names only, cheap to follow, never another visitor's page."""

import re
from datetime import timedelta
from uuid import uuid4

import pytest
from django.core.cache import cache
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from players.models import Display, Person, Role
from tests import builders as b
from tournaments.models import Donne, Penalty, Session, Standing, Table, Tournament
from tournaments.services.donnes import correct_donne

pytestmark = [pytest.mark.django_db, pytest.mark.embedded]


@pytest.fixture(autouse=True)
def _empty_cache() -> None:
    cache.clear()


def an_evening(*, published: bool = True) -> Session:
    session = b.a_drawn_session(players=4, rounds=1, donnes=1, published=published)
    b.a_donne(table=b.table_of(session))
    return session


def page_of(session: Session, **headers: str) -> str:
    response = Client().get(f"/resultats/{session.pk}/", headers=headers)
    assert response.status_code == 200
    return response.content.decode()


def text_of(page: str) -> str:
    return " ".join(re.sub(r"<[^>]+>", " ", page).split())


def correct(session: Session) -> None:
    current = Donne.objects.current().get(table__round__session=session)
    entry = b.a_played(taker=1, half_points=102)
    correct_donne(current=current, entry=entry, reason="TYPING", by=b.an_actor(), key=uuid4())


def test_anybody_reads_ranks_names_and_points_of_a_published_session() -> None:
    session = an_evening()
    Person.objects.filter(entries__session=session, entries__number=1).update(last_name="GIRARD", first_name="Anne")
    text = text_of(page_of(session))
    assert "GIRARD Anne" in text
    assert "+198" in text
    assert "−66" in text
    assert "ex æquo" in text


def test_a_session_that_is_not_published_does_not_exist_even_for_its_own_arbiter() -> None:
    session = an_evening(published=False)
    client = Client()
    client.force_login(b.a_user(club=session.tournament.club))
    for visitor in (Client(), client):
        for path in (f"/resultats/{session.pk}/", f"/resultats/{session.pk}/tableau/"):
            assert visitor.get(path).status_code == 404
    assert Client().get("/resultats/999999/").status_code == 404


def test_withdrawing_publication_takes_effect_at_once() -> None:
    session = an_evening()
    page_of(session)
    Tournament.objects.update(published=False)
    assert Client().get(f"/resultats/{session.pk}/").status_code == 404


@pytest.mark.parametrize(
    ("display", "is_minor", "shown"),
    [
        (Display.FULL, False, "SECRET Prénom"),
        (Display.FULL, True, "Prénom S."),
        (Display.SHORT, False, "Prénom S."),
        (Display.PSEUDONYM, False, "Le Chat"),
        (Display.HIDDEN, False, "Nom masqué"),
    ],
)
@pytest.mark.parametrize("signed_in", [False, True])
def test_the_public_sees_of_a_name_what_the_person_chose(
    display: Display, is_minor: bool, shown: str, signed_in: bool
) -> None:
    session = an_evening()
    Person.objects.filter(entries__session=session, entries__number=1).update(
        last_name="SECRET",
        first_name="Prénom",
        pseudonym="Le Chat",
        display=display,
        is_minor=is_minor,
        licence="7654321",
    )
    client = Client()
    if signed_in:
        client.force_login(b.a_user(club=session.tournament.club))
    for path in (f"/resultats/{session.pk}/", f"/resultats/{session.pk}/tableau/"):
        page = client.get(path).content.decode()
        assert shown in text_of(page)
        assert ("SECRET" in page) == (shown == "SECRET Prénom")
        assert "7654321" not in page


def test_a_hostile_name_is_text() -> None:
    session = an_evening()
    Person.objects.filter(entries__session=session, entries__number=1).update(last_name="D'Arçy <b>", first_name='"&')
    page = page_of(session)
    assert "<b>" not in page
    assert "D&#x27;Arçy &lt;b&gt; &quot;&amp;" in page


def test_the_page_asks_not_to_be_indexed() -> None:
    session = an_evening()
    response = Client().get(f"/resultats/{session.pk}/")
    assert response["X-Robots-Tag"] == "noindex"
    assert '<meta name="robots" content="noindex">' in response.content.decode()


def test_before_any_sheet_is_complete_nobody_is_listed() -> None:
    session = b.a_drawn_session(players=4, rounds=1, donnes=2, published=True)
    b.a_donne(table=b.table_of(session))
    page = page_of(session)
    assert "Joueur" not in page
    assert "<table" not in page


def test_a_table_that_is_missing_is_named_with_the_time() -> None:
    session = b.a_drawn_session(players=8, rounds=1, donnes=1, published=True)
    b.a_donne(table=b.table_of(session))
    page_of(session)
    Standing.objects.update(built_at=timezone.now().replace(year=2026, month=10, day=3, hour=20, minute=41))
    cache.clear()
    # 20:41 in Greenwich is 22:41 in Paris in October.
    assert "Classement arrêté à 22:41, table 2 de la position 1 non comprise" in text_of(page_of(session))


def test_a_correction_reaches_the_public_within_two_seconds_without_any_worker() -> None:
    session = an_evening()
    assert "+198" in page_of(session)
    correct(session)
    Standing.objects.update(built_at=timezone.now() - timedelta(seconds=1.5))
    assert "+210" in page_of(session)


def test_a_reader_who_has_this_version_gets_304_and_who_has_an_older_one_the_page() -> None:
    session = an_evening()
    path = f"/resultats/{session.pk}/"
    etag = Client().get(path)["ETag"]
    unchanged = Client().get(path, headers={"If-None-Match": etag})
    assert (unchanged.status_code, unchanged.content) == (304, b"")
    correct(session)
    Standing.objects.update(built_at=timezone.now() - timedelta(seconds=9))
    assert Client().get(path, headers={"If-None-Match": etag}).status_code == 200


def test_an_evening_that_was_renamed_is_a_new_page() -> None:
    session = b.a_drawn_session(players=4, published=True)
    path = f"/resultats/{session.pk}/"
    etag = Client().get(path)["ETag"]
    Tournament.objects.filter(pk=session.tournament_id).update(name="Tournoi du printemps")
    response = Client().get(path, headers={"If-None-Match": etag})
    assert response.status_code == 200
    assert "Tournoi du printemps" in response.content.decode()


def test_the_page_polls_for_nothing_new_with_204_and_gets_the_new_table() -> None:
    session = an_evening()
    found = re.search(r'hx-get="([^"]+)"', page_of(session))
    assert found
    assert Client().get(found[1]).status_code == 204
    correct(session)
    Standing.objects.update(built_at=timezone.now() - timedelta(seconds=9))
    renewed = Client().get(found[1])
    assert renewed.status_code == 200
    assert "+210" in renewed.content.decode()
    assert "<html" not in renewed.content.decode()


def test_polling_costs_three_queries_and_a_full_page_no_more_with_400_players() -> None:
    def queries(players: int, path: str) -> int:
        session = b.a_drawn_session(players=players, rounds=1, donnes=1, published=True)
        for table in Table.objects.filter(round__session=session):
            b.a_donne(table=table)
        page_of(session)
        cache.clear()
        with CaptureQueriesContext(connection) as captured:
            Client().get(path.format(session.pk))
        return len(captured)

    assert queries(40, "/resultats/{}/") == queries(400, "/resultats/{}/")
    session = an_evening()
    page_of(session)
    with CaptureQueriesContext(connection) as captured:
        Client().get(f"/resultats/{session.pk}/tableau/")
    assert len(captured) == 3


def test_hiding_a_name_empties_the_kept_page_within_half_a_minute() -> None:
    session = an_evening()
    path = f"/resultats/{session.pk}/"
    etag = Client().get(path)["ETag"]
    Person.objects.filter(entries__session=session).update(display=Display.HIDDEN)
    cache.clear()  # what thirty seconds do
    response = Client().get(path, headers={"If-None-Match": etag})
    assert response.status_code == 200
    assert "Joueur" not in response.content.decode()


def test_a_signed_in_visitors_page_is_stored_nowhere_and_shown_to_nobody_else() -> None:
    session = an_evening()
    member = Client()
    member.force_login(b.a_user(club=session.tournament.club, username="arbitre-du-soir"))
    path = f"/resultats/{session.pk}/"
    theirs = member.get(path)
    assert "no-store" in theirs["Cache-Control"]
    assert "ETag" not in theirs
    etag = Client().get(path)["ETag"]
    assert member.get(path, headers={"If-None-Match": etag}).status_code == 200
    for _ in range(20):
        assert "arbitre-du-soir" in member.get(path).content.decode()
        assert "arbitre-du-soir" not in page_of(session)
        assert "arbitre-du-soir" not in Client().get(path + "tableau/").content.decode()


def test_a_warning_is_between_the_arbiter_and_the_player() -> None:
    session = an_evening()
    entrant = session.entrants.get(number=1)
    Penalty.objects.create(
        session=session, entrant=entrant, points=0, code="LATE", by="user:1", at=timezone.now(), reason="Retard"
    )
    for path in (f"/resultats/{session.pk}/", f"/resultats/{session.pk}/tableau/"):
        page = Client().get(path).content.decode()
        assert "avertissement" not in page
        assert "Retard" not in page
    client = Client()
    client.force_login(b.a_user(club=session.tournament.club))
    assert "1 avertissement" in text_of(client.get(f"/seances/{session.pk}/classement/").content.decode())


def test_each_language_has_its_own_kept_table() -> None:
    session = an_evening()
    english = text_of(page_of(session, **{"Accept-Language": "en"}))
    french = text_of(page_of(session, **{"Accept-Language": "fr"}))
    assert "Overall ranking, provisional" in english
    assert "Classement général provisoire" in french


def test_a_final_session_says_so() -> None:
    session = an_evening()
    page_of(session)
    Session.objects.update(state="FINAL")
    assert "Classement définitif" in text_of(page_of(session))


def test_the_desks_page_reads_the_ledger_and_shows_whole_names() -> None:
    session = an_evening(published=False)
    Person.objects.filter(entries__session=session, entries__number=1).update(
        last_name="GIRARD", first_name="Anne", display=Display.HIDDEN
    )
    client = Client()
    client.force_login(b.a_user(club=session.tournament.club, role=Role.CLERK))
    path = f"/seances/{session.pk}/classement/"
    text = text_of(client.get(path).content.decode())
    assert "GIRARD Anne" in text
    correct(session)
    assert "+210" in text_of(client.get(path).content.decode())
    by_name = client.get(f"{path}?ordre=alphabetique").content.decode()
    assert by_name.index("GIRARD") < by_name.index("Joueur")
    position = client.get(f"/seances/{session.pk}/positions/1/classement/")
    assert position.status_code == 200
    assert client.get(f"/seances/{session.pk}/positions/2/classement/").status_code == 404
