"""Names: searched without accents or case, and shown to the public only as far as each person chose."""

import pytest
from django.contrib.auth.models import AnonymousUser

from players.models import Display, Person, Role
from players.names import fold, search_key_of, shown_name, tidy
from tests import builders as b


@pytest.mark.parametrize(
    ("text", "folded"),
    [
        ("Élise DURAND", "elise durand"),
        ("Le Bœuf", "le boeuf"),
        ("D'ARÇY <b>", "d arcy b"),
        ("  Anne-Marie\tLE  GALL ", "anne marie le gall"),
        ("Straße", "strasse"),
        ("Đặng Łukasz Ørsted", "dang lukasz orsted"),
        ("李小龙", "李小龙"),
        ("…", ""),
    ],
)
def test_folding_forgets_case_accents_and_marks(text: str, folded: str) -> None:
    assert fold(text) == folded


def test_a_search_key_begins_with_the_last_name_and_fits_its_column() -> None:
    key = search_key_of(last_name="Œuvrard" * 8, first_name="é" * 60, licence="12345", pseudonym="P" * 60)
    assert key.startswith("oeuvrard")
    assert len(key) <= 200


@pytest.mark.parametrize(
    ("display", "is_minor", "pseudonym", "name"),
    [
        (Display.FULL, False, "", "DURAND Élise"),
        (Display.SHORT, False, "", "Élise D."),
        (Display.PSEUDONYM, False, "Lulu", "Lulu"),
        (Display.PSEUDONYM, False, "", "Nom masqué"),
        (Display.HIDDEN, False, "Lulu", "Nom masqué"),
        (Display.FULL, True, "", "Élise D."),
        (Display.SHORT, True, "", "Élise D."),
        (Display.PSEUDONYM, True, "Lulu", "Lulu"),
        (Display.HIDDEN, True, "", "Nom masqué"),
    ],
)
@pytest.mark.parametrize("viewer", [None, AnonymousUser()])
def test_the_public_reads_what_the_person_chose(
    display: Display, is_minor: bool, pseudonym: str, name: str, viewer: object
) -> None:
    person = Person(
        last_name="DURAND", first_name="Élise", display=display, is_minor=is_minor, pseudonym=pseudonym, club_id=1
    )
    assert shown_name(person, viewer) == name


def test_without_a_first_name_only_the_initial_is_shown() -> None:
    assert shown_name(Person(last_name="DURAND", display=Display.SHORT, club_id=1), None) == "D."


@pytest.mark.django_db
def test_members_of_the_club_read_the_whole_name_and_others_do_not() -> None:
    person = b.a_person(last_name="DURAND", first_name="Élise", display=Display.HIDDEN)
    assert shown_name(person, b.a_user(club=person.club, role=Role.CLERK)) == "DURAND Élise"
    assert shown_name(person, b.a_user(club=b.a_club())) == "Nom masqué"


@pytest.mark.parametrize(
    ("typed", "kept"),
    [
        (" \ufeffDURAND\u202e  Paul\t", "DURAND Paul"),
        ("\u200b\u2066", ""),
        ("👩\u200d🚀", "👩\u200d🚀"),
        ("a\0b", "a\0b"),
    ],
)
def test_what_cannot_be_seen_is_dropped_from_a_name(typed: str, kept: str) -> None:
    assert tidy(typed) == kept
