"""The door: three letters and Enter, namesakes asked about, newcomers, undo, two machines at once."""

from concurrent.futures import ThreadPoolExecutor
from threading import Barrier

import pytest
from django.db import connection, connections
from django.test import Client
from django.test.utils import CaptureQueriesContext

from players.models import Person, Role
from players.services import LicenceTakenError, SameNameError
from tests import builders as b
from tournaments.errors import BusyError, NotAllowedError, RefusedError
from tournaments.models import Entrant, Event, Session, SessionState
from tournaments.services import registrations
from tournaments.services.actors import Actor
from tournaments.services.registrations import check_in, check_in_new, undo_check_in

pytestmark = pytest.mark.django_db

HTMX = {"HX-Request": "true"}


def _door(client: Client, *, players: int = 0) -> Session:
    session = b.a_session(players=players)
    client.force_login(b.a_user(club=session.tournament.club, role=Role.CLERK))
    return session


def _post(client: Client, session: Session, what: str, **sent: str) -> str:
    return client.post(f"/seances/{session.pk}/inscriptions/{what}/", sent, headers=HTMX).content.decode()


def test_three_letters_and_enter_write_somebody_down(client: Client) -> None:
    session = _door(client)
    person = b.a_person(club=session.tournament.club, last_name="DURAND", first_name="Élise")
    b.a_person(club=session.tournament.club, last_name="AUTRE")
    answer = _post(client, session, "pointer", q="dur")
    assert "DURAND Élise\u00a0: présence notée." in answer
    assert 'hx-swap-oob="true"' in answer
    assert session.entrants.get().person == person


def test_an_fft_number_says_which_of_two_namesakes_it_is(client: Client) -> None:
    session = _door(client)
    pair = [b.a_person(club=session.tournament.club, last_name="MARTIN", first_name="Jean") for _ in range(2)]
    Person.objects.filter(pk=pair[1].pk).update(licence="5550012", search_key="martin jean 5550012")
    assert "présence notée" in _post(client, session, "pointer", q="555 0012")
    assert session.entrants.get().person == pair[1]


def test_enter_takes_the_first_who_is_not_present_yet(client: Client) -> None:
    session = _door(client)
    club = session.tournament.club
    first, second = (b.a_person(club=club, last_name="DURAND", first_name=name) for name in ("Anne", "Zoé"))
    b.an_entrant(session, person=first)
    _post(client, session, "pointer", q="durand")
    assert session.entrants.filter(person=second).exists()


def test_the_letters_list_who_is_meant_and_who_is_present(client: Client) -> None:
    session = _door(client)
    b.an_entrant(session, person=b.a_person(club=session.tournament.club, last_name="DURAND"))
    part = client.get(f"/seances/{session.pk}/inscriptions/recherche/?q=dur", headers=HTMX).content.decode()
    assert "DURAND" in part
    assert "présent" in part
    assert "Nouvelle personne\u00a0: dur" in part
    same = client.get(f"/seances/{session.pk}/inscriptions/recherche/?q=dur%20", headers=HTMX).content.decode()
    assert 'data-q="dur"' in same


def test_somebody_chosen_is_taken_whatever_the_letters(client: Client) -> None:
    session = _door(client)
    person = b.a_person(club=session.tournament.club, last_name="DURAND")
    _post(client, session, "pointer", q="xyz", person=str(person.pk), chosen="1")
    assert session.entrants.get().person == person


def test_namesakes_are_asked_about_until_one_is_chosen(client: Client) -> None:
    session = _door(client)
    club = session.tournament.club
    two = [b.a_person(club=club, last_name=name, first_name="Paul") for name in ("Martin", "MARTIN")]
    answer = _post(client, session, "pointer", q="mart", person=str(two[0].pk))
    assert "Deux personnes portent ce nom. Laquelle\u00a0?" in answer
    assert not session.entrants.exists()
    _post(client, session, "pointer", q="mart", person=str(two[1].pk), chosen="1")
    assert session.entrants.get().person == two[1]


def test_nobody_is_taken_among_several_when_the_first_may_not_be_meant(client: Client) -> None:
    session = _door(client)
    for name in ("Anne", "Paul"):
        b.a_person(club=session.tournament.club, last_name="MARTIN", first_name=name)
    answer = _post(client, session, "pointer", q="mar", ask="1")
    assert "Plusieurs personnes répondent à cela. Laquelle\u00a0?" in answer
    assert ("MARTIN Anne" in answer, "MARTIN Paul" in answer, session.entrants.count()) == (True, True, 0)
    assert "MARTIN Paul\u00a0: présence notée." in _post(client, session, "pointer", q="paul", ask="1")


def test_each_question_is_a_card_of_its_own(client: Client) -> None:
    session = _door(client)
    answer = _post(client, session, "pointer", q="zorro", card="ask-1-a")
    assert ('id="ask-1-a"' in answer, 'id="ask-1-a-last_name"' in answer, 'for="ask-1-a-last_name"' in answer) == (
        True,
    ) * 3
    assert "<h3>zorro</h3>" in answer
    wrong = _post(client, session, "nouveau", q="zorro", last_name="", card="ask-1-a")
    assert ('id="ask-1-a"' in wrong, "<h3>zorro</h3>" in wrong) == (True, True)
    done = _post(client, session, "nouveau", q="zorro", last_name="ZORRO", card="ask-1-a")
    assert ('id="ask-1-a"' in done, 'data-of="ask-1-a"' in done) == (False, True)
    known = _post(client, session, "pointer", q="zor", card="ask-2-b")
    assert ('id="ask-2-b"' in known, "ZORRO\u00a0: déjà présent." in known) == (True, True)
    assert 'id="ask"' in _post(client, session, "pointer", q="nobody", card='"><script>')


def test_the_same_person_twice_is_one_entrant_and_one_event(client: Client) -> None:
    session = _door(client)
    person = b.a_person(club=session.tournament.club, last_name="DURAND")
    _post(client, session, "pointer", person=str(person.pk), chosen="1")
    answer = _post(client, session, "pointer", person=str(person.pk), chosen="1")
    assert "déjà présent" in answer
    assert session.entrants.count() == 1
    assert Event.objects.filter(session=session, code="CHECKED_IN").count() == 1


def test_nobody_found_asks_for_the_newcomer_with_the_letters_as_names(client: Client) -> None:
    session = _door(client)
    answer = _post(client, session, "pointer", q="zorro jean-paul")
    assert 'value="ZORRO"' in answer
    assert 'value="Jean-Paul"' in answer
    assert not Person.objects.exists()


def test_a_newcomer_is_added_and_present_in_one_go(client: Client) -> None:
    session = _door(client)
    _post(client, session, "nouveau", last_name="ZORRO", first_name="Jean", licence="12 34")
    person = session.entrants.get().person
    assert (str(person), person.licence, person.club) == ("ZORRO Jean", "1234", session.tournament.club)


@pytest.mark.parametrize(
    ("bad", "sentence"),
    [
        ({"last_name": ""}, "obligatoire"),
        ({"last_name": "…"}, "lettres"),
        ({"last_name": "x" * 61}, "60"),
        ({"licence": "1/2"}, "chiffres"),
        ({"licence": "77"}, "N° FFT déjà inscrit\u00a0: TITULAIRE Camille."),
    ],
)
def test_a_newcomers_bad_field_is_said_and_the_rest_is_kept(client: Client, bad: dict[str, str], sentence: str) -> None:
    session = _door(client)
    holder = b.a_person(club=session.tournament.club, last_name="TITULAIRE")
    Person.objects.filter(pk=holder.pk).update(licence="77")
    answer = _post(client, session, "nouveau", **{"last_name": "ZORRO", "first_name": "Jean", "licence": "", **bad})
    assert sentence in answer
    assert 'value="Jean"' in answer
    assert not session.entrants.exists()
    assert Person.objects.count() == 1


def test_a_newcomer_whose_name_is_known_is_asked_about(client: Client) -> None:
    session = _door(client)
    known = b.a_person(club=session.tournament.club, last_name="Zorro", first_name="Jéan")
    sent = {"last_name": "ZORRO", "first_name": "Jean", "licence": "12"}
    answer = _post(client, session, "nouveau", **sent)
    assert "Quelqu'un porte déjà ce nom. Qui est-ce" in answer.replace("&#x27;", "'")
    assert f'value="{known.pk}"' in answer
    assert not session.entrants.exists()
    _post(client, session, "nouveau", **sent, apart="1")
    newcomer = session.entrants.get().person
    assert (newcomer == known, newcomer.licence) == (False, "12")


def test_without_scripts_the_question_about_a_known_name_is_a_whole_page(client: Client) -> None:
    session = _door(client)
    for _ in range(2):
        answer = client.post(f"/seances/{session.pk}/inscriptions/nouveau/", {"last_name": "ZORRO"}, follow=True)
    assert "Quelqu'un porte déjà ce nom" in answer.content.decode().replace("&#x27;", "'")
    assert Person.objects.count() == session.entrants.count() == 1


@pytest.mark.embedded
@pytest.mark.django_db(transaction=True)
def test_a_newcomer_written_down_on_two_machines_at_once_is_one_person() -> None:
    session = b.a_session(players=0)
    by = b.an_actor()
    start = Barrier(3)

    def run(_number: int) -> str:
        start.wait()
        try:
            check_in_new(session=session, last_name="ZORRO", first_name="", licence="", by=by)
        except SameNameError:
            return "asked"
        finally:
            connections.close_all()
        return "added"

    with ThreadPoolExecutor(3) as pool:
        assert sorted(pool.map(run, range(3))) == ["added", "asked", "asked"]
    assert Person.objects.count() == session.entrants.count() == 1


def test_undo_takes_somebody_off_and_twice_is_once(client: Client) -> None:
    session = _door(client, players=1)
    entrant = session.entrants.get()
    assert "retiré de la liste" in _post(client, session, "annuler", entrant=str(entrant.pk))
    assert "déjà annulé" in _post(client, session, "annuler", entrant=str(entrant.pk))
    assert not session.entrants.exists()
    assert Person.objects.filter(pk=entrant.person_id).exists()


@pytest.mark.parametrize("wanted", ["", "²", "x", "-1", "9" * 21, "9" * 5000])
def test_nonsense_is_no_failure(client: Client, wanted: str) -> None:
    session = _door(client)
    for what, name in (("pointer", "person"), ("annuler", "entrant")):
        answer = client.post(f"/seances/{session.pk}/inscriptions/{what}/", {name: wanted, "q": "\0"}, headers=HTMX)
        assert answer.status_code in {200, 404}


@pytest.mark.parametrize(
    ("players", "sentence"),
    [
        (0, "0 présent. Il faut au moins 3 joueurs."),
        (2, "2 présents. Il faut au moins 3 joueurs."),
        (3, "3 présents\u00a0: 1 table de 3."),
        (5, "5 présents\u00a0: une table de 5."),
        (8, "8 présents\u00a0: 2 tables de 4."),
        (9, "9 présents\u00a0: 3 tables de 3."),
        (22, "22 présents\u00a0: 4 tables de 4 et 2 tables de 3."),
    ],
)
def test_the_counter_says_how_many_tables(client: Client, players: int, sentence: str) -> None:
    session = _door(client, players=players)
    assert sentence in client.get(f"/seances/{session.pk}/inscriptions/").content.decode()


def test_the_list_is_sent_anew_only_when_it_changed(client: Client) -> None:
    session = _door(client, players=3)
    version = client.get(f"/seances/{session.pk}/inscriptions/").context["registration"].version
    address = f"/seances/{session.pk}/inscriptions/presents/?v={version}"
    assert client.get(address).status_code == 204
    b.an_entrant(session)
    assert "4 présents" in client.get(address).content.decode()


def test_the_page_asks_the_database_as_often_for_three_people_as_for_forty(client: Client) -> None:
    session = _door(client)
    counts = []
    for more in (3, 37):
        for _ in range(more):
            b.an_entrant(session)
        with CaptureQueriesContext(connection) as queries:
            client.get(f"/seances/{session.pk}/inscriptions/")
        counts.append(len(queries))
    assert counts[0] == counts[1] <= 7


def test_once_drawn_registration_is_closed_in_words(client: Client) -> None:
    session = _door(client, players=4)
    Session.objects.filter(pk=session.pk).update(state=SessionState.RUNNING)
    person = b.a_person(club=session.tournament.club, last_name="TARD")
    page = client.get(f"/seances/{session.pk}/inscriptions/").content.decode()
    assert "Les inscriptions sont closes" in page
    assert 'id="person-search"' not in page
    assert "Les inscriptions sont closes" in _post(client, session, "pointer", q="tard", person=str(person.pk))
    entrant = session.entrants.order_by("pk")[0]
    assert "Les inscriptions sont closes" in _post(client, session, "annuler", entrant=str(entrant.pk))
    assert "Les inscriptions sont closes" in _post(client, session, "nouveau", last_name="NEUF")
    assert session.entrants.count() == 4
    assert not Person.objects.filter(last_name="NEUF").exists()


def test_without_scripts_the_form_still_works(client: Client) -> None:
    session = _door(client)
    b.a_person(club=session.tournament.club, last_name="DURAND")
    answer = client.post(f"/seances/{session.pk}/inscriptions/pointer/", {"q": "dur"})
    assert answer.headers["Location"] == f"/seances/{session.pk}/inscriptions/"
    page = client.post(f"/seances/{session.pk}/inscriptions/pointer/", {"q": "inconnu"}).content.decode()
    assert "Nouvelle personne" in page
    assert page.lstrip().startswith("<!DOCTYPE html>")


def test_a_person_of_another_club_cannot_come(client: Client) -> None:
    session = _door(client)
    stranger = b.a_person(last_name="DURAND")
    answer = client.post(f"/seances/{session.pk}/inscriptions/pointer/", {"person": str(stranger.pk)}, headers=HTMX)
    assert answer.status_code == 404
    with pytest.raises(RefusedError, match="ANOTHER_CLUB"):
        check_in(session=session, person=stranger, by=b.an_actor())


def test_another_club_reads_and_writes_nothing(client: Client) -> None:
    session = b.a_session(players=1)
    client.force_login(b.a_user(club=b.a_club(), role=Role.ADMIN))
    for part in ("", "presents/", "recherche/?q=a"):
        assert client.get(f"/seances/{session.pk}/inscriptions/{part}").status_code == 404
    for part in ("pointer/", "annuler/", "nouveau/"):
        assert client.post(f"/seances/{session.pk}/inscriptions/{part}").status_code == 404


def test_an_actor_without_a_role_registers_nobody() -> None:
    session = b.a_session(players=1)
    nobody = Actor(code="user:1", roles=frozenset())
    for write in (
        lambda: check_in(session=session, person=b.a_person(club=session.tournament.club), by=nobody),
        lambda: check_in_new(session=session, last_name="A", first_name="", licence="", by=nobody),
        lambda: undo_check_in(entrant=session.entrants.get(), by=nobody),
    ):
        with pytest.raises(NotAllowedError):
            write()


def test_a_newcomer_with_a_taken_number_is_not_half_added() -> None:
    session = b.a_session(players=0)
    check_in_new(session=session, last_name="A", first_name="", licence="1", by=b.an_actor())
    with pytest.raises(LicenceTakenError):
        check_in_new(session=session, last_name="B", first_name="", licence="1", by=b.an_actor())
    assert Entrant.objects.count() == Person.objects.count() == 1


@pytest.mark.embedded
@pytest.mark.django_db(transaction=True)
def test_two_machines_at_once_make_one_entrant() -> None:
    session = b.a_session(players=0)
    person = b.a_person(club=session.tournament.club)
    by = b.an_actor()
    start = Barrier(4)

    def run(_number: int) -> int:
        start.wait()
        try:
            return check_in(session=session, person=person, by=by).pk
        finally:
            connections.close_all()

    with ThreadPoolExecutor(4) as pool:
        assert len(set(pool.map(run, range(4)))) == 1
    assert Entrant.objects.count() == 1
    assert Event.objects.filter(code="CHECKED_IN").count() == 1


def test_a_lock_not_had_in_time_is_said_in_words(client: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    session = _door(client, players=1)
    entrant = session.entrants.get()
    person = b.a_person(club=session.tournament.club)

    def busy(_session_id: int) -> None:
        raise BusyError

    monkeypatch.setattr(registrations, "lock_session", busy)
    for what, sent in (
        ("pointer", {"person": str(person.pk)}),
        ("nouveau", {"last_name": "NEUF"}),
        ("annuler", {"entrant": str(entrant.pk)}),
    ):
        answer = _post(client, session, what, **sent)
        assert "Rien n'est perdu" in answer.replace("&#x27;", "'")
        assert "Réessayer" in answer
        assert all(f'name="{name}" value="{value}"' in answer for name, value in sent.items())
