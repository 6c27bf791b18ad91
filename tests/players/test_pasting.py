"""Pasted lists: each line has its verdict before anything is written, and the same name is never merged by itself."""

from concurrent.futures import ThreadPoolExecutor
from threading import Barrier

import pytest
from django.db import connections
from django.test import Client

from players.models import Club, Display, Person, Role
from players.pasting import LineProblem, Verdict, judge, read_line, read_lines, split_name
from players.services import LicenceTakenError, PersonDetails, add_pasted, add_person, archive_person
from tests import builders as b


@pytest.mark.parametrize(
    ("raw", "last_name", "first_name", "licence"),
    [
        ("DURAND Paul; 1234567", "DURAND", "Paul", "1234567"),
        ("LE GALL Anne-Marie", "LE GALL", "Anne-Marie", ""),
        ("DE LA TOUR D'AUVERGNE Jean-Paul;12 345", "DE LA TOUR D'AUVERGNE", "Jean-Paul", "12345"),
        ("Durand Paul Émile", "Durand", "Paul Émile", ""),
        ("DURAND", "DURAND", "", ""),
        ("DUPONT\tMarie\t42", "DUPONT", "Marie", "42"),
        ("Dupont Durand; Marie; 42; a@b.fr", "Dupont Durand", "Marie", "42"),
        ("DURAND P.;", "DURAND", "P.", ""),
        ("; 99", "", "", "99"),
        ("DUPONT\tMarie", "DUPONT", "Marie", ""),
        ("DE LA TOUR; Jean-Paul", "DE LA TOUR", "Jean-Paul", ""),
        ("DURAND, Paul, 1234567", "DURAND", "Paul", "1234567"),
        ("DURAND Paul, 12 345", "DURAND", "Paul", "12345"),
        ("DURAND, Paul", "DURAND", "Paul", ""),
        (",,,", "", "", ""),
        ('"DURAND";"Paul ""Polo""";"12"', "DURAND", 'Paul "Polo"', "12"),
        ("\ufeffDURAND Paul", "DURAND", "Paul", ""),
        ("DU\u202eRAND Paul", "DURAND", "Paul", ""),
    ],
)
def test_a_line_is_read_as_people_write_it(raw: str, last_name: str, first_name: str, licence: str) -> None:
    line = read_line(1, raw)
    assert (line.last_name, line.first_name, line.licence) == (last_name, first_name, licence)


def test_empty_lines_and_a_heading_are_passed_over_and_numbers_stay() -> None:
    lines = read_lines("Nom\tPrénom\tLicence\n\nDURAND Paul\r\n  \nMARTIN Zoé; 2")
    assert [(line.number, line.name) for line in lines] == [(3, "DURAND Paul"), (5, "MARTIN Zoé")]


@pytest.mark.parametrize(
    ("name", "last_name", "first_name", "is_guess"),
    [
        ("durand paul", "durand", "paul", False),
        ("Le Goff Yvonne", "Le Goff", "Yvonne", True),
        ("De La Tour Jean-Paul", "De La Tour", "Jean-Paul", True),
        ("Ben El Amrani Saïd", "Ben El Amrani", "Saïd", True),
        ("Saint Martin Luc", "Saint Martin", "Luc", True),
        ("Van Den Berg Jan", "Van Den Berg", "Jan", True),
        ("Le Goff", "Le Goff", "", True),
        ("El", "El", "", False),
        ("Durand Paul Émile", "Durand", "Paul Émile", True),
        ("Martin Delatour Anne", "Martin", "Delatour Anne", True),
        ("de GAULLE Charles", "de GAULLE", "Charles", False),
        ("de La TOUR D'AUVERGNE Jean Paul", "de La TOUR D'AUVERGNE", "Jean Paul", False),
        ("LE GALL Anne Marie", "LE GALL", "Anne Marie", False),
        ("LE Thi Hoa", "LE", "Thi Hoa", False),
    ],
)
def test_where_no_capitals_tell_the_last_name_it_is_guessed_and_said_so(
    name: str, last_name: str, first_name: str, is_guess: bool
) -> None:
    line = read_line(1, f"{name}; 42")
    assert (line.last_name, line.first_name, line.is_guess) == (last_name, first_name, is_guess)
    assert split_name(name) == (last_name, first_name)
    assert not read_line(1, f"{last_name}; {first_name or 'X'}; 42").is_guess


@pytest.fixture
def club(db: None) -> Club:
    """Return a club that knows MARTIN Paul with a number, and two DURAND Élise of whom one has none."""
    club = b.a_club()
    add_person(club=club, details=PersonDetails(last_name="MARTIN", first_name="Paul", licence="11"))
    add_person(club=club, details=PersonDetails(last_name="DURAND", first_name="Élise", licence="12"))
    add_person(club=club, details=PersonDetails(last_name="Durand", first_name="Elise"))
    return club


@pytest.mark.parametrize(
    ("text", "verdicts"),
    [
        ("NOUVEAU Jean; 99", [(Verdict.NEW, None)]),
        ("MARTIN Paul; 11", [(Verdict.KNOWN, None)]),
        ("martin PAUL; 1 1", [(Verdict.KNOWN, None)]),
        ("MARTIN Paul", [(Verdict.SAME_NAME, None)]),
        ("MARTIN Paul; 99", [(Verdict.SAME_NAME, None)]),
        ("DURAND Élise", [(Verdict.SAME_NAME, None)]),
        ("AUTRE Jean; 11", [(Verdict.ERROR, LineProblem.LICENCE_OF_ANOTHER)]),
        (";11", [(Verdict.ERROR, LineProblem.NO_NAME)]),
        ("…; 4", [(Verdict.ERROR, LineProblem.NO_NAME)]),
        (f"{'X' * 61} Jean", [(Verdict.ERROR, LineProblem.NAME_TOO_LONG)]),
        ("NOUVEAU Jean; n/a", [(Verdict.ERROR, LineProblem.BAD_LICENCE)]),
        ("A Jean; 7\nB Paul; 7", [(Verdict.NEW, None), (Verdict.ERROR, LineProblem.LICENCE_TWICE)]),
        ("AB Jean\nAB Jean", [(Verdict.NEW, None), (Verdict.SAME_NAME, None)]),
    ],
)
def test_each_line_has_its_verdict(club: Club, text: str, verdicts: list[tuple[Verdict, LineProblem | None]]) -> None:
    assert [(judged.verdict, judged.problem) for judged in judge(club, read_lines(text), {})] == verdicts


def test_an_archived_holder_is_known_all_the_same(club: Club) -> None:
    archive_person(person=Person.objects.get(licence="11"))
    judged = judge(club, read_lines("MARTIN Paul; 11"), {})[0]
    assert (judged.verdict, judged.holders[0].is_archived) == (Verdict.KNOWN, True)


def test_nobody_gets_two_numbers_from_one_list(club: Club) -> None:
    bare = str(Person.objects.get(licence="").pk)
    lines = read_lines("DURAND Élise; 77\nDURAND Élise; 78\nDURAND Élise")
    first, second, third = judge(club, lines, {1: bare, 2: bare, 3: bare})
    assert (first.choice, third.choice) == (bare, bare)
    assert (second.is_waiting, second.problem, second.earlier) == (True, LineProblem.PERSON_TWICE, 1)


def test_only_an_offered_choice_counts(club: Club) -> None:
    stranger = b.a_person(last_name="MARTIN", first_name="Paul")
    for choice in ("yes", str(stranger.pk), "²"):
        assert judge(club, read_lines("MARTIN Paul"), {1: choice})[0].is_waiting


def test_too_many_lines_are_said_line_by_line(club: Club) -> None:
    judged = judge(club, read_lines("\n".join(f"N{n} P" for n in range(2_001))), {})
    assert [line.problem for line in judged if line.problem] == [LineProblem.TOO_MANY_LINES]


def _paste(client: Client, club: Club, text: str, **choices: str) -> str:
    client.force_login(b.a_user(club=club, role=Role.ADMIN))
    sent = {"text": text, **{name.replace("_", "-"): value for name, value in choices.items()}}
    return client.post("/membres/coller/", sent, follow=True).content.decode()


def test_checking_writes_nothing(client: Client, club: Club) -> None:
    page = _paste(client, club, "NOUVEAU Jean; 99", check="1")
    assert "1 nouvelle" in page
    assert "Rien n'est encore écrit" in page
    assert Person.objects.filter(club=club).count() == 3


def test_confirming_adds_the_new_ones(client: Client, club: Club) -> None:
    page = _paste(client, club, "NOUVEAU Jean; 99\nMARTIN Paul; 11", confirm="1")
    assert "Personnes ajoutées" in page
    assert Person.objects.get(licence="99").search_key == "nouveau jean 99"
    assert Person.objects.filter(club=club).count() == 4


def test_pasted_people_are_shown_to_the_public_as_their_club_wishes(client: Client, club: Club) -> None:
    Club.objects.filter(pk=club.pk).update(display_default=Display.SHORT)
    _paste(client, club, "NOUVEAU Jean; 99", confirm="1")
    assert Person.objects.get(licence="99").display == Display.SHORT


def test_one_bad_line_holds_back_all(client: Client, club: Club) -> None:
    page = _paste(client, club, "NOUVEAU Jean; 99\n; 5", confirm="1")
    assert "Il manque le nom." in page
    assert Person.objects.filter(club=club).count() == 3


def test_two_numbers_for_one_person_are_said_and_nothing_is_written(client: Client, club: Club) -> None:
    bare = Person.objects.get(club=club, licence="")
    chosen = {"line_1": str(bare.pk), "line_2": str(bare.pk)}
    page = _paste(client, club, "DURAND Élise; 77\nDURAND Élise; 78", confirm="1", **chosen)
    assert "La ligne 1 donne à cette personne un autre n° FFT." in page.replace("\u00a0", " ")
    bare.refresh_from_db()
    assert bare.licence == ""


def test_a_line_keeps_its_number_after_empty_lines(client: Client, club: Club) -> None:
    client.force_login(b.a_user(club=club, role=Role.ADMIN))
    page = client.post("/membres/coller/", {"text": "\n\nNOUVEAU Jean"})
    assert [verdict.line.number for verdict in page.context["verdicts"]] == [3]


def test_as_many_decisions_can_be_sent_as_there_may_be_lines(client: Client, club: Club) -> None:
    text = "\n".join(["MARTIN Paul"] * 2_000)
    page = _paste(client, club, text, confirm="1", **{f"line_{number}": "skip" for number in range(1, 2_001)})
    assert "Personnes ajoutées" in page


@pytest.mark.embedded
@pytest.mark.django_db(transaction=True)
def test_the_same_list_sent_twice_at_once_is_added_once() -> None:
    club = b.a_club()
    lines = read_lines("NOUVEAU Jean\nAUTRE Zoé; 7")
    start = Barrier(2)

    def run(_number: int) -> int | None:
        start.wait()
        try:
            return add_pasted(club=club, lines=lines, choices={}).added
        finally:
            connections.close_all()

    with ThreadPoolExecutor(2) as pool:
        assert set(pool.map(run, range(2))) == {2, None}
    assert Person.objects.filter(club=club).count() == 2


def test_a_number_taken_in_the_same_moment_is_said(club: Club, monkeypatch: pytest.MonkeyPatch) -> None:
    lines = read_lines("NOUVEAU Jean; 11")
    before = judge(b.a_club(), lines, {})
    monkeypatch.setattr("players.services.judge", lambda *_seen: before)
    with pytest.raises(LicenceTakenError):
        add_pasted(club=club, lines=lines, choices={})
    assert Person.objects.filter(club=club).count() == 3


def test_a_same_name_without_a_decision_holds_back_all(client: Client, club: Club) -> None:
    page = _paste(client, club, "NOUVEAU Jean; 99\nMARTIN Paul", confirm="1")
    assert "Choisissez." in page
    assert Person.objects.filter(club=club).count() == 3


def test_a_guessed_name_is_shown_to_be_looked_at_and_can_be_added(client: Client, club: Club) -> None:
    page = " ".join(_paste(client, club, "Le Goff Yvonne\nDURAND Paul", check="1").split())
    assert page.count("À relire") == 1
    assert "Nom : Le Goff · Prénom : Yvonne ? Sinon, écrivez le NOM en capitales." in page
    assert "1 à relire" in page
    _paste(client, club, "Le Goff Yvonne", confirm="1")
    assert Person.objects.filter(last_name="Le Goff", first_name="Yvonne").exists()


def test_somebody_known_is_not_guessed_about(client: Client, club: Club) -> None:
    add_person(club=club, details=PersonDetails(last_name="Le Goff", first_name="Yvonne", licence="77"))
    assert "À relire" not in _paste(client, club, "Le Goff Yvonne; 77", check="1")


@pytest.mark.parametrize(("choice", "people"), [("new", 4), ("skip", 3)])
def test_a_same_name_is_what_the_user_says(client: Client, club: Club, choice: str, people: int) -> None:
    _paste(client, club, "MARTIN Paul", confirm="1", line_1=choice)
    assert Person.objects.filter(club=club).count() == people


def test_a_recognised_person_gets_the_number_they_lacked(client: Client, club: Club) -> None:
    bare = Person.objects.get(club=club, licence="")
    _paste(client, club, "DURAND Élise; 77", confirm="1", line_1=str(bare.pk))
    bare.refresh_from_db()
    assert (bare.licence, bare.search_key) == ("77", "durand elise 77")
    assert Person.objects.filter(club=club).count() == 3


@pytest.mark.parametrize(
    ("text", "sentence"), [("", "obligatoire"), ("\n \n", "obligatoire"), ("Nom;Prénom", "aucun nom")]
)
def test_a_text_without_names_is_said(client: Client, club: Club, text: str, sentence: str) -> None:
    assert sentence in _paste(client, club, text, check="1")
