"""The club's people: list, search, add, edit, archive; nobody is merged by name, nobody who played is deleted."""

import html
from concurrent.futures import ThreadPoolExecutor
from threading import Barrier

import pytest
from django.db import IntegrityError, connection, connections
from django.test import Client
from django.test.client import MULTIPART_CONTENT
from django.test.utils import CaptureQueriesContext

from players.models import Club, Display, Person, Role
from players.names import fold
from players.selectors import find_people, people_page
from players.services import (
    LicenceTakenError,
    PersonDetails,
    PersonKeptError,
    add_person,
    archive_person,
    delete_person,
    edit_person,
)
from tests import builders as b

pytestmark = pytest.mark.django_db

GOOD = {"last_name": "DURAND", "first_name": "Élise", "licence": "1234567", "display": "FULL", "pseudonym": ""}


def _organiser(client: Client, role: Role = Role.ADMIN) -> Club:
    club = b.a_club()
    client.force_login(b.a_user(club=club, role=role))
    return club


def _many(club: Club, number: int) -> None:
    Person.objects.bulk_create(
        Person(
            club=club,
            last_name=f"Nom{n:05}",
            first_name="Zoé",
            display=Display.FULL,
            search_key=fold(f"Nom{n:05} Zoé"),
        )
        for n in range(number)
    )


@pytest.mark.parametrize("text", ["elise", "ÉLISE", "dur", "rand eli", "durand élise", "123", "élise DURAND"])
def test_a_search_forgets_accents_case_and_order(text: str) -> None:
    club = b.a_club()
    wanted = add_person(club=club, details=PersonDetails(last_name="Durand", first_name="Élise", licence="1234567"))
    b.a_person(club=club, last_name="Autre", first_name="Paul")
    assert list(find_people(club, text)) == [wanted]


def test_those_whose_last_name_begins_so_come_first() -> None:
    club = b.a_club()
    for last_name, first_name in [("Adam", "Martine"), ("Martin", "Zoé"), ("Saint-Martin", "Abel")]:
        b.a_person(club=club, last_name=last_name, first_name=first_name)
    assert [person.last_name for person in find_people(club, "mart")] == ["Martin", "Adam", "Saint-Martin"]


def test_a_search_among_twenty_thousand_takes_two_queries(client: Client) -> None:
    club = _organiser(client)
    _many(club, 20_000)
    with CaptureQueriesContext(connection) as queries:
        page = people_page(club, text="nom19", number=1)
    assert len(queries) == 2
    assert (page.total, len(page.people), page.pages) == (1_000, 50, 20)


def test_the_list_asks_the_database_as_often_for_three_people_as_for_fifty(client: Client) -> None:
    club = _organiser(client)
    counts = []
    for number in (3, 50):
        _many(club, number)
        with CaptureQueriesContext(connection) as queries:
            assert client.get("/membres/").status_code == 200
        counts.append(len(queries))
    assert counts[0] == counts[1] <= 6


def test_the_page_says_how_many_and_turns(client: Client) -> None:
    club = _organiser(client)
    _many(club, 120)
    page = client.get("/membres/?page=3").content.decode()
    assert "120 personnes" in page
    assert "page 3 sur 3" in page
    assert "Nom00119" in page
    assert client.get("/membres/?page=99").status_code == 200
    assert all(client.get("/membres/", {"page": bad}).status_code == 200 for bad in ("²", "-1", "x", "9" * 5000))


def test_typing_swaps_the_list_alone(client: Client) -> None:
    club = _organiser(client)
    b.a_person(club=club, last_name="ÉTOILE")
    part = client.get("/membres/?q=etoi", headers={"HX-Request": "true", "HX-Target": "people-list"}).content.decode()
    assert part.lstrip().startswith('<div id="people-list"')
    assert "1 personne trouvée" in part


def test_an_empty_list_says_what_belongs_there(client: Client) -> None:
    _organiser(client)
    assert "trois lettres suffisent" in client.get("/membres/").content.decode()
    assert "Personne ne porte ce nom" in client.get("/membres/?q=zzz").content.decode()


def test_a_person_is_added_and_another_form_follows(client: Client) -> None:
    club = _organiser(client)
    answer = client.post("/membres/nouveau/", {**GOOD, "last_name": "  LE   GALL ", "licence": "12 345", "again": ""})
    assert answer.headers["Location"] == "/membres/nouveau/"
    person = Person.objects.get(club=club)
    assert (str(person), person.licence, person.search_key) == ("LE GALL Élise", "12345", "le gall elise 12345")


def test_a_first_name_may_be_missing(client: Client) -> None:
    _organiser(client)
    assert client.post("/membres/nouveau/", {**GOOD, "first_name": ""}).status_code == 302
    assert str(Person.objects.get()) == "DURAND"


@pytest.mark.parametrize(
    ("bad", "fields"),
    [
        ({"last_name": ""}, {"last_name"}),
        ({"last_name": "…"}, {"last_name"}),
        ({"last_name": "x" * 61}, {"last_name"}),
        ({"first_name": "x" * 61}, {"first_name"}),
        ({"licence": "12/34"}, {"licence"}),
        ({"licence": "1" * 21}, {"licence"}),
        ({"display": "SECRET"}, {"display"}),
        ({"display": ""}, {"display"}),
        ({"display": "PSEUDONYM"}, {"pseudonym"}),
        ({"last_name": "\0", "licence": "a b/c", "display": "X"}, {"last_name", "licence", "display"}),
    ],
)
def test_each_bad_field_is_named_and_nothing_is_saved(client: Client, bad: dict[str, str], fields: set[str]) -> None:
    _organiser(client)
    page = client.post("/membres/nouveau/", {**GOOD, **bad})
    assert page.status_code == 400
    assert set(page.context["form"].errors) == fields
    assert not Person.objects.exists()
    assert GOOD["first_name"] in page.content.decode() or "first_name" in bad


def test_a_licence_has_one_holder(client: Client) -> None:
    club = _organiser(client)
    add_person(club=club, details=PersonDetails(last_name="MARTIN", first_name="Paul", licence="1234567"))
    page = client.post("/membres/nouveau/", GOOD)
    assert page.context["form"].errors["licence"] == ["N° FFT déjà inscrit\u00a0: MARTIN Paul."]
    assert Person.objects.count() == 1


def test_the_same_licence_in_another_club_is_no_matter(client: Client) -> None:
    _organiser(client)
    add_person(club=b.a_club(), details=PersonDetails(last_name="MARTIN", licence="1234567"))
    assert client.post("/membres/nouveau/", GOOD).status_code == 302


@pytest.mark.django_db(transaction=True)
def test_of_two_who_give_one_licence_at_once_one_is_told_whose_it_is() -> None:
    club = b.a_club()
    start = Barrier(2)

    def add(name: str) -> str:
        start.wait()
        try:
            return str(add_person(club=club, details=PersonDetails(last_name=name, licence="1")))
        except LicenceTakenError as error:
            return f"taken by {error.holder}"
        finally:
            connections.close_all()

    with ThreadPoolExecutor(2) as pool:
        outcomes = sorted(pool.map(add, ["A", "B"]))
    assert outcomes in (["A", "taken by A"], ["B", "taken by B"])


def test_two_people_of_one_name_stay_two(client: Client) -> None:
    durands = Person.objects.filter(club=_organiser(client), last_name="DURAND")
    client.post("/membres/nouveau/", {**GOOD, "licence": "1"})
    asked = client.post("/membres/nouveau/", {**GOOD, "licence": "", "again": "1"}).content.decode()
    assert "Quelqu'un du club porte déjà ce nom." in html.unescape(asked)
    assert 'name="again" value="1"' in asked
    assert durands.count() == 1
    client.post("/membres/nouveau/", {**GOOD, "licence": "", "apart": "1"})
    assert durands.count() == 2


def test_a_minor_is_never_kept_as_shown_in_full(client: Client) -> None:
    _organiser(client)
    client.post("/membres/nouveau/", {**GOOD, "is_minor": "on"})
    assert Person.objects.get().display == Display.SHORT


def test_the_form_begins_with_what_the_club_chose(client: Client) -> None:
    club = _organiser(client)
    Club.objects.filter(pk=club.pk).update(display_default=Display.HIDDEN)
    assert client.get("/membres/nouveau/").context["form"]["display"].value() == Display.HIDDEN


def test_an_edit_follows_into_the_search(client: Client) -> None:
    club = _organiser(client)
    person = b.a_person(club=club, last_name="Dupond")
    client.post(f"/membres/{person.pk}/", {**GOOD, "last_name": "Dupont"})
    assert [str(found) for found in find_people(club, "dupont")] == ["Dupont Élise"]
    assert not find_people(club, "dupond")


def test_an_edit_keeps_its_own_licence_and_refuses_anothers(client: Client) -> None:
    club = _organiser(client)
    first = add_person(club=club, details=PersonDetails(last_name="A", licence="1"))
    add_person(club=club, details=PersonDetails(last_name="B", licence="2"))
    assert client.post(f"/membres/{first.pk}/", {**GOOD, "licence": "1"}).status_code == 302
    assert client.post(f"/membres/{first.pk}/", {**GOOD, "licence": "2"}).status_code == 400
    first.refresh_from_db()
    assert first.licence == "1"


def test_archiving_somebody_with_results_keeps_all_and_comes_back(client: Client) -> None:
    club = _organiser(client)
    table = b.a_table(club=club)
    b.a_donne(table=table)
    person = table.seats.get(place="N").entrant.person
    client.post(f"/membres/{person.pk}/archiver/")
    assert person not in find_people(club, "")
    assert str(person) in client.get("/membres/?archives=1").content.decode()
    assert person.entries.get().marks.count() == 1
    client.post(f"/membres/{person.pk}/archiver/", {"back": ""})
    assert person in find_people(club, "")


def test_somebody_added_by_mistake_is_deleted_and_whoever_was_in_an_evening_is_not(client: Client) -> None:
    club = _organiser(client)
    entrant = b.a_session(club=club, players=3).entrants.all()[0]
    mistake = b.a_person(club=club, last_name="DURRAND")
    for person, is_offered, kept in ((mistake, True, 0), (entrant.person, False, 1)):
        assert ("Supprimer définitivement" in client.get(f"/membres/{person.pk}/").content.decode()) == is_offered
        answer = client.post(f"/membres/{person.pk}/supprimer/", follow=True).content.decode()
        assert Person.objects.filter(pk=person.pk).count() == kept
        assert ("a participé à une soirée et reste" in answer) == bool(kept)


def test_somebody_checked_in_in_the_same_moment_is_not_deleted(monkeypatch: pytest.MonkeyPatch) -> None:
    person = b.a_person(club=b.a_club())

    def delete(_person: Person) -> None:
        raise IntegrityError

    monkeypatch.setattr(Person, "delete", delete)
    with pytest.raises(PersonKeptError):
        delete_person(person=person)


def test_another_clubs_person_does_not_exist(client: Client) -> None:
    _organiser(client)
    stranger = b.a_person(last_name="Inconnu")
    assert client.get(f"/membres/{stranger.pk}/").status_code == 404
    assert client.post(f"/membres/{stranger.pk}/archiver/").status_code == 404
    assert "Inconnu" not in client.get("/membres/?q=inconnu").content.decode()


def test_a_clerk_reads_the_list_and_changes_nothing(client: Client) -> None:
    club = _organiser(client, Role.CLERK)
    person = b.a_person(club=club)
    assert "Ajouter une personne" not in client.get("/membres/").content.decode()
    assert client.get("/membres/nouveau/").status_code == 403
    assert client.post(f"/membres/{person.pk}/", GOOD).status_code == 403


def test_a_hostile_name_is_only_text(client: Client) -> None:
    club = _organiser(client)
    b.a_person(club=club, last_name="D'Arçy <b>", first_name='"><script>')
    page = client.get("/membres/").content.decode()
    assert "<script>" not in page.replace("<script src=", "")
    assert "D&#x27;Arçy &lt;b&gt;" in page


def test_a_form_without_a_field_says_all_that_is_missing(client: Client) -> None:
    client.force_login(b.a_user(club=b.a_club(), role=Role.ADMIN))
    for sent, content_type in (({}, MULTIPART_CONTENT), ("{}", "application/json")):
        page = client.post("/membres/nouveau/", sent, content_type=content_type)
        assert (page.status_code, page.context["form"].errors.keys()) == (400, {"last_name", "display"})


def test_a_name_that_cannot_be_seen_is_none_and_marks_of_direction_do_not_reach_a_page(client: Client) -> None:
    club = b.a_club()
    client.force_login(b.a_user(club=club, role=Role.ADMIN))
    sent = {"first_name": "\u202ePaul", "display": "PSEUDONYM", "pseudonym": "\u200b"}
    page = client.post("/membres/nouveau/", {**sent, "last_name": "\u2066"})
    assert page.context["form"].errors.keys() == {"last_name", "pseudonym"}
    client.post("/membres/nouveau/", {**sent, "last_name": "\ufeffDURAND", "display": "FULL"})
    assert str(Person.objects.get(club=club)) == "DURAND Paul"


def test_an_edit_does_not_bring_back_who_was_archived_in_the_same_moment() -> None:
    old = b.a_person()
    archive_person(person=Person.objects.get(pk=old.pk))
    edit_person(person=old, details=PersonDetails(last_name="NOUVEAU"))
    old.refresh_from_db()
    assert (old.last_name, old.archived_at is None) == ("NOUVEAU", False)
