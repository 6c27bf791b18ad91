"""The sheet of a table by its page: three ways, errors that keep what was typed, corrections, conflicts, undoing."""

import re
from collections.abc import Mapping
from itertools import cycle
from uuid import uuid4

import pytest
from django.http import HttpResponse
from django.test import Client
from django.urls import reverse

from players.models import Role
from tests import builders
from tests.builders import FFT_MARKS, FFT_NETS
from tournaments.models import (
    Basis,
    Donne,
    Game,
    Kind,
    Mark,
    Reason,
    Session,
    SessionState,
    SheetDraft,
    SheetNet,
    Table,
)

pytestmark = pytest.mark.django_db

MARKS = ("EG106", "OS76", "SP-42", "NG92", "SG582")
DETAIL = ("EG249bp", "OS245b-", "SP234bp", "NG252p-", "SG287bpc+")


class Desk:
    """Somebody at a table's sheet."""

    def __init__(self, table: Table, role: Role = Role.ARBITER) -> None:
        self.table = table
        self.client = Client()
        self.user = builders.a_user(club=table.round.session.tournament.club, role=role)
        self.client.force_login(self.user)
        session = table.round.session
        arguments = [session.pk, table.round.number, table.number]
        self.url = reverse("tournaments:sheet", args=arguments)
        self.preview_url = reverse("tournaments:preview", args=arguments)
        self.desk_url = reverse("tournaments:desk", args=arguments[:2])

    def get(self, query: str = "") -> str:
        return self.client.get(self.url + query).content.decode()

    def send(self, fields: Mapping[str, object] | None = None, /, **more: object) -> HttpResponse:
        data = {"key": str(uuid4()), "do": "save", **(fields or {}), **more}
        return self.client.post(self.url, data)  # type: ignore[return-value]  # the test client's own class

    def rows(self, lines: tuple[str, ...], way: str, **more: object) -> HttpResponse:
        return self.send({f"row-{number}": line for number, line in enumerate(lines, start=1)}, way=way, **more)

    def nets(self, *nets: object, places: str = "NSEO", **more: object) -> HttpResponse:
        return self.send({f"net-{place}": net for place, net in zip(places, nets, strict=True)}, way="A", **more)

    def marks(self) -> list[tuple[int, ...]]:
        return [
            tuple(Mark.objects.filter(donne=donne).order_by("pk").values_list("points", flat=True))
            for donne in Donne.objects.current().filter(table=self.table).order_by("number")
        ]


@pytest.fixture
def desk() -> Desk:
    return Desk(builders.a_table())


def test_four_bilans_that_add_up_to_zero_are_saved_and_lead_back_to_the_desk(desk: Desk) -> None:
    answer = desk.nets("-446", "1346", "−390", "-510")
    assert answer.status_code == 302
    assert answer["Location"] == desk.desk_url
    assert tuple(SheetNet.objects.order_by("pk").values_list("net", flat=True)) == FFT_NETS
    desk.table.refresh_from_db()
    assert desk.table.basis == Basis.NETS


@pytest.mark.parametrize("lines", [MARKS, ("32106", "4376", "21-42", "1292", "22582")], ids=["letters", "digits"])
def test_the_ffts_own_sheet_by_its_marks(desk: Desk, lines: tuple[str, ...]) -> None:
    assert desk.rows(lines, "B").status_code == 302
    assert tuple(desk.marks()) == FFT_MARKS
    assert set(Donne.objects.values_list("kind", flat=True)) == {Kind.MARKS}


def test_the_ffts_own_sheet_in_detail_gives_the_same_marks(desk: Desk) -> None:
    assert desk.rows(DETAIL, "C").status_code == 302
    assert tuple(desk.marks()) == FFT_MARKS
    assert set(Donne.objects.values_list("kind", flat=True)) == {Kind.COMPUTED}


def test_the_bilans_typed_after_the_donnes_are_compared_with_them(desk: Desk) -> None:
    nets = {"net-N": "-446", "net-S": "1346", "net-E": "-400", "net-O": "-500"}
    answer = desk.rows(MARKS, "B", control="1", **nets)
    said = answer.content.decode().replace("\u00a0", " ")
    assert answer.status_code == 422
    assert "Est : bilan calculé −390, bilan écrit −400." in said
    assert "Ouest : bilan calculé −510, bilan écrit −500." in said
    assert not Donne.objects.exists()
    assert desk.rows(MARKS, "B", control="1", **nets | {"net-E": "-390", "net-O": "-510"}).status_code == 302
    assert SheetNet.objects.count() == 4
    desk.table.refresh_from_db()
    assert desk.table.basis == Basis.DONNES


def test_bilans_that_do_not_add_up_say_so_and_stay_as_typed(desk: Desk) -> None:
    answer = desk.nets("-446", "1346", "-390", "-500")
    said = answer.content.decode()
    assert answer.status_code == 422
    assert "La somme des quatre bilans fait +10, elle doit faire 0." in said
    assert 'value="-500"' in said
    assert not SheetNet.objects.exists()


def test_zero_is_a_bilan_and_empty_is_not(desk: Desk) -> None:
    answer = desk.nets("0", "0", "", "0")
    assert "0 est un bilan, un champ vide n&#x27;en est pas un." in answer.content.decode()
    assert desk.nets("0", "0", "0", "0").status_code == 302


def test_every_error_is_said_at_once_beside_its_donne(desk: Desk) -> None:
    answer = desk.rows(("EX106", "OS76", "SG318", "", "N"), "B")
    said = answer.content.decode().replace("\u00a0", " ")
    assert answer.status_code == 422
    assert "Le contrat est Prise, Garde" in said
    assert "318 est la marque du preneur ? Alors 106 pour chaque défenseur." in said
    assert 'data-replace="SG106"' in said
    assert "Après la place vient le contrat" in said
    for typed in ("EX106", "OS76", "SG318"):
        assert f'value="{typed}"' in said
    assert not Donne.objects.exists()


def test_a_row_is_saved_on_its_own_and_the_sheet_stays_open(desk: Desk) -> None:
    answer = desk.rows(("EG106", "nonsense"), "B", do="row-1")
    assert answer.status_code == 302
    assert answer["Location"] == desk.url
    assert desk.marks() == [FFT_MARKS[0]]
    assert "Incomplète\u00a0: 1 donne sur 5" in desk.get()


def test_a_partial_sheet_is_completed_later(desk: Desk) -> None:
    desk.rows(MARKS[:2], "B")
    page = desk.get("?way=B")
    assert 'value="EG106"' in page
    kept = {f"id-{donne.number}": donne.pk for donne in Donne.objects.all()}
    answer = desk.rows(MARKS, "B", **kept)
    assert answer["Location"].startswith(desk.desk_url)
    assert tuple(desk.marks()) == FFT_MARKS
    assert Donne.objects.count() == 5


def test_the_same_sending_twice_saves_once(desk: Desk) -> None:
    key = str(uuid4())
    assert desk.rows(MARKS, "B", key=key).status_code == 302
    assert desk.rows(MARKS, "B", key=key).status_code == 302
    assert Donne.objects.count() == 5


def test_an_old_page_sent_again_with_another_content_is_told_to_be_read_again(desk: Desk) -> None:
    key = str(uuid4())
    desk.rows(("EG106",), "B", key=key)
    answer = desk.rows(
        ("", "OS76"), "B", key=key, **{"id-1": Donne.objects.get().pk, "was-1": "EG106", "row-1": "EG106"}
    )
    assert answer.status_code == 422
    assert "Cette page avait déjà été envoyée" in answer.content.decode()
    assert f'value="{key}"' not in answer.content.decode()


def test_the_bilans_of_a_lost_sheet_name_their_source(desk: Desk) -> None:
    assert desk.nets(*FFT_NETS, source="CARDS").status_code == 302
    assert set(SheetNet.objects.values_list("source", flat=True)) == {"CARDS"}


def test_the_rest_not_played_is_one_key(desk: Desk) -> None:
    assert desk.rows(("EG106", "/"), "B").status_code == 302
    kinds = list(Donne.objects.order_by("number").values_list("kind", flat=True))
    assert kinds == [Kind.MARKS, *[Kind.NOT_PLAYED] * 4]


def test_a_donne_after_the_end_is_refused(desk: Desk) -> None:
    answer = desk.rows(("EG106", "/", "OS76"), "B")
    assert answer.status_code == 422
    assert "Le temps était fini avant cette donne" in answer.content.decode()


def test_a_cancelled_donne_keeps_its_reason_and_its_slot_open(desk: Desk) -> None:
    assert desk.rows(("x3", "xs"), "B").status_code == 302
    first, second = Donne.objects.order_by("number")
    assert (first.kind, first.reason) == (Kind.CANCELLED, Reason.DECISION)
    assert second.kind == Kind.REMOVED
    assert "Annulée, à rejouer" in desk.get("?way=B")
    kept = {"id-1": first.pk, "id-2": second.pk}
    assert desk.rows(("EG106", "xs"), "B", **kept).status_code == 302
    assert desk.marks()[0] == FFT_MARKS[0]


@pytest.mark.parametrize(("way", "fields"), [
    ("B", {"taker": "E", "contract": "garde", "mark_n": "-106", "mark_s": "−106", "mark_e": "318", "mark_o": "-106"}),
    ("C", {"taker": "E", "contract": "garde", "bouts": "2", "points": "49", "petit": "attack",
           "poignee1": "simple-attack"}),
])  # fmt: skip
def test_labelled_fields_do_what_the_keys_do(desk: Desk, way: str, fields: dict[str, str]) -> None:
    typed = {f"{name}-1": value for name, value in fields.items()}
    assert desk.send(typed, way=way, style="fields").status_code == 302
    assert desk.marks() == [FFT_MARKS[0]]
    assert "<fieldset" in desk.get(f"?way={way}&style=fields")


def test_labelled_bilans_take_the_two_half_columns(desk: Desk) -> None:
    typed = {"minus-N": "446", "plus-S": "1746", "minus-S": "400", "minus-E": "390", "minus-O": "510"}
    assert desk.send(typed, way="A", style="fields").status_code == 302
    assert tuple(SheetNet.objects.order_by("pk").values_list("net", flat=True)) == FFT_NETS


def test_going_over_to_another_way_or_style_keeps_what_was_typed(desk: Desk) -> None:
    answer = desk.rows(("EG106", "+"), "B")
    page = answer.content.decode()
    assert "Saisir le détail des donnes" in page
    assert 'value="EG106"' in page
    assert answer.cookies["tarot-desk"].value == "C.keys.0"
    fields = desk.rows(("EG249bp",), "C", do="style-fields").content.decode()
    assert re.search(r'value="garde"\s+selected', fields)
    assert not Donne.objects.exists()


def test_the_way_in_use_is_kept_from_sheet_to_sheet(desk: Desk) -> None:
    assert "Saisir les bilans" in desk.get()
    desk.send(do="way-B")
    assert "Saisir les marques" in desk.get()


def test_a_bilan_not_reached_yet_is_missed_only_when_the_sheet_is_sent(desk: Desk) -> None:
    fields = {"way": "A", "net-N": "-446", "net-S": "", "net-E": "", "net-O": ""}
    assert "le bilan manque" not in desk.client.post(f"{desk.url}apercu/", fields).content.decode()
    assert "le bilan manque" in desk.client.post(desk.url, {**fields, "key": str(uuid4())}).content.decode()


def test_the_preview_says_the_marks_and_saves_nothing(desk: Desk) -> None:
    answer = desk.client.post(desk.preview_url, {"way": "C", "row-1": "EG249bp", "row-2": "EG2"})
    said = answer.content.decode().replace("\u00a0", " ")
    assert "318" in said
    assert "total 106" in said
    assert "Après les bouts" in said
    assert not Donne.objects.exists()


def test_a_table_of_three_has_three_bilans_and_an_empty_north() -> None:
    desk = Desk(builders.a_table(players=3))
    assert "Personne ne joue cette donne en Nord." in desk.rows(("NG106",), "B").content.decode()
    assert desk.rows(("EG106",), "B").status_code == 302
    assert desk.marks() == [(-106, 212, -106)]
    desk = Desk(builders.a_table(players=3))
    assert desk.nets("10", "-4", "-6", places="SEO").status_code == 302


@pytest.fixture
def mort() -> Desk:
    return Desk(builders.a_table(players=5, game_of_five=Game.MORT))


def test_a_table_of_five_takes_bilans(mort: Desk) -> None:
    assert mort.nets("10", "-4", "-6", "0", "0", places="NSEOC").status_code == 302


def test_a_table_of_five_with_a_mort_asks_who_sits_out(mort: Desk) -> None:
    answer = mort.rows(("EG106",), "B")
    assert answer.status_code == 422
    assert "dites qui est le mort" in answer.content.decode()
    assert mort.rows(("EG106",), "B", **{"mort-1": "C"}).status_code == 302
    fields = {"contract-2": "garde", "mark_s-2": "-106", "mark_e-2": "318", "mark_o-2": "-106", "mark_c-2": "-106"}
    ids = {"id-1": Donne.objects.get().pk, "row-1": "EG106", "style-1": "keys", "mort-1": "C"}
    answer = mort.send(fields | ids, way="B", style="fields", **{"mort-2": "N"})
    assert answer.status_code == 302
    assert Donne.objects.get(number=2).sitting_out == "N"


def test_a_called_king_is_entered_by_its_bilans() -> None:
    desk = Desk(builders.a_table(players=5, game_of_five=Game.CALLED_KING))
    assert "saisissez les bilans" in desk.rows(("EG106",), "B").content.decode()
    assert desk.nets("10", "-4", "-6", "0", "0", places="NSEOC").status_code == 302


# Corrections


@pytest.fixture
def full(desk: Desk) -> Desk:
    assert desk.rows(MARKS, "B").status_code == 302
    return desk


def _ids() -> dict[str, object]:
    return {f"id-{donne.number}": donne.pk for donne in Donne.objects.current()}


def test_an_entered_sheet_asks_what_to_do(full: Desk) -> None:
    page = full.get().replace("\u00a0", " ")
    assert "Cette feuille est déjà saisie. Voir, corriger ou revenir ?" in page
    assert 'name="row-1"' not in page


def test_a_clerk_does_not_correct_an_entered_sheet(full: Desk) -> None:
    clerk = Desk(full.table, Role.CLERK)
    assert "corriger=1" not in clerk.get()
    answer = clerk.rows(("EG108", *MARKS[1:]), "B", **_ids())
    assert answer.status_code == 403
    assert "seul un arbitre la corrige" in answer.content.decode()
    assert tuple(full.marks()) == FFT_MARKS


def test_a_correction_needs_its_reason_shows_both_values_and_is_kept_in_the_history(full: Desk) -> None:
    lines = ("EG108", *MARKS[1:])
    without = full.rows(lines, "B", **_ids())
    assert without.status_code == 422
    assert "Une correction demande son motif" in without.content.decode()
    asked = full.rows(lines, "B", reason="2", **_ids()).content.decode()
    assert "Ancienne valeur" in asked
    assert "+318" in asked
    assert "+324" in asked
    assert tuple(full.marks()) == FFT_MARKS
    assert full.rows(lines, "B", reason="2", do="confirm", **_ids()).status_code == 302
    assert full.marks()[0] == (-108, -108, 324, -108)
    newest = Donne.objects.get(number=1, is_current=True)
    assert (newest.version, newest.reason) == (2, Reason.TABLE)
    story = full.client.get(f"{full.url}historique/").content.decode()
    assert "Feuille rectifiée par la table" in story
    assert "+324" in story
    assert full.user.username in story


def test_a_correction_takes_free_words_as_its_reason(full: Desk) -> None:
    answer = full.rows(("EG108", *MARKS[1:]), "B", reason="feuille relue", do="confirm", **_ids())
    assert answer.status_code == 302
    assert "feuille relue" in full.client.get(f"{full.url}historique/").content.decode()


def test_bilans_are_corrected_with_a_reason(desk: Desk) -> None:
    desk.nets(*FFT_NETS)
    answer = desk.nets("-446", "1346", "-391", "-509", nets_version="1", reason="1", do="confirm")
    assert answer.status_code == 302
    assert SheetNet.objects.get(place="E", is_current=True).net == -391


def test_a_donne_is_withdrawn_after_both_values_were_seen(full: Desk) -> None:
    asked = full.send(do="withdraw-1", reason="3", way="B").content.decode()
    assert "withdraw-1-confirm" in asked
    assert Donne.objects.count() == 5
    assert full.send(do="withdraw-1-confirm", reason="3", way="B").status_code == 302
    assert Donne.objects.get(number=1, is_current=True).kind == Kind.WITHDRAWN


def test_emptying_a_saved_row_is_no_correction(full: Desk) -> None:
    answer = full.rows(("", *MARKS[1:]), "B", reason="1", **_ids())
    assert answer.status_code == 422
    assert "employez «" in answer.content.decode()


# Two people at one sheet


def test_the_second_of_two_sees_both_versions_and_chooses(desk: Desk) -> None:
    other = Desk(desk.table)
    desk.rows(("EG106",), "B")
    answer = other.rows(("EG108",), "B", **{"id-1": ""})
    page = answer.content.decode()
    assert answer.status_code == 409
    assert desk.user.username in page
    assert "+318" in page
    assert "+324" in page
    theirs = other.rows(("EG108", "OS76"), "B", do="theirs-1", **{"id-1": ""}).content.decode()
    assert 'value="EG106"' in theirs
    assert 'value="OS76"' in theirs
    nothing_left = other.rows(("EG108",), "B", do="theirs-1", **{"id-1": ""})
    assert (nothing_left.status_code, nothing_left["Location"]) == (302, other.url)
    mine = other.rows(("EG108",), "B", do="mine-1", reason="1", **{"id-1": ""})
    assert mine.status_code == 302
    assert desk.marks() == [(-108, -108, 324, -108)]


def test_a_stale_correction_shows_both_versions(full: Desk) -> None:
    before = _ids()
    full.rows(("EG108", *MARKS[1:]), "B", reason="1", do="confirm", **before)
    answer = full.rows(("EG110", *MARKS[1:]), "B", reason="1", do="confirm", **before)
    page = answer.content.decode().replace("\u00a0", " ")
    assert answer.status_code == 412
    assert "Une autre personne vient de modifier la donne 1. Voici les deux versions." in page
    assert "+324" in page
    assert "+330" in page


def test_the_second_of_two_corrections_sees_both_versions_before_any_question(full: Desk) -> None:
    before = _ids()
    full.rows(("EG108", *MARKS[1:]), "B", reason="1", do="confirm", **before)
    answer = full.rows(("EG110", *MARKS[1:]), "B", **before)
    assert answer.status_code == 412
    assert "+324" in answer.content.decode()


def test_a_sheet_of_bilans_is_corrected_as_bilans_whatever_the_desk_prefers(desk: Desk) -> None:
    desk.nets("-446", "1346", "-390", "-510")
    desk.get("?way=B")
    page = desk.get("?corriger=1")
    assert 'value="-446"' in page
    assert 'name="row-1"' not in page


def test_seeing_the_bilans_once_is_no_preference(desk: Desk) -> None:
    desk.get("?way=B")
    assert 'name="net-N"' in desk.rows(("EG106",), "B", do="see-nets").content.decode()
    assert 'name="net-N"' not in desk.get()


def test_a_final_sheet_is_shown_and_offers_no_correction(full: Desk) -> None:
    Session.objects.update(state=SessionState.FINAL)
    page = full.client.get(full.url, {"corriger": "1"}).content.decode()
    assert "Classement définitif." in page
    assert "Corriger" not in page
    assert 'name="row-1"' not in page


def test_a_slot_filled_by_somebody_else_meanwhile_is_no_conflict_when_untouched(desk: Desk) -> None:
    other = Desk(desk.table)
    desk.rows(("EG106",), "B")
    assert other.rows(("", "OS76"), "B", **{"id-1": "", "id-2": ""}).status_code == 302
    assert desk.marks() == [FFT_MARKS[0], FFT_MARKS[1]]


def test_bilans_typed_by_two_people_are_shown_side_by_side(desk: Desk) -> None:
    desk.nets(*FFT_NETS)
    answer = desk.nets("-446", "1346", "-391", "-509", nets_version="0", reason="1", do="confirm")
    assert answer.status_code == 409
    assert "mine-0" in answer.content.decode()


# Put aside


def test_a_sheet_that_does_not_balance_is_put_aside_and_comes_back_as_typed(desk: Desk) -> None:
    answer = desk.nets("-446", "1346", "-390", "-500", do="aside", note="Nord revient")
    assert answer.status_code == 302
    draft = SheetDraft.objects.get()
    assert draft.note == "Nord revient"
    page = desk.client.get(desk.desk_url).content.decode()
    assert "La somme des quatre bilans fait +10, elle doit faire 0." in page
    assert "position +10" in page
    again = desk.get("?way=A")
    assert 'value="-500"' in again
    assert "Nord revient" in again
    assert desk.nets("-446", "1346", "-390", "-510").status_code == 302
    draft.refresh_from_db()
    assert draft.settled_at is not None


def test_the_star_alone_puts_the_sheet_aside(desk: Desk) -> None:
    assert desk.rows(("EG106", "*"), "B").status_code == 302
    assert 'value="EG106"' in desk.get("?way=B")


def test_what_was_put_aside_can_be_forgotten(desk: Desk) -> None:
    desk.nets("1", "2", "3", "4", do="aside")
    assert desk.send(do="back").status_code == 302
    assert not SheetDraft.objects.filter(settled_at__isnull=True).exists()


# An arbiter's decision


def test_a_limit_is_lifted_by_an_arbiter_with_a_reason(desk: Desk) -> None:
    refused = desk.rows(("EG241,5",), "C")
    assert "pas de demi-point" in refused.content.decode()
    assert desk.rows(("EG241,5",), "C", **{"decision-1": "irregular deal"}).status_code == 302
    assert Donne.objects.get().decision == "LIMITS_LIFTED"
    assert desk.rows(("EG241,", "OS76"), "B", **_ids()).status_code == 302


def test_a_clerk_does_not_lift_a_limit(desk: Desk) -> None:
    clerk = Desk(desk.table, Role.CLERK)
    answer = clerk.rows(("EG241,5",), "C", **{"decision-1": "because"})
    assert answer.status_code == 403
    assert not Donne.objects.exists()


# Anything may be sent

NONSENSE = ("", "\x00", "é" * 90, "-", "+", "9" * 400, "NaN", "'; --", "<script>", "EG249" * 20, "٣", "%s", "=")
NAMES = (
    "row-1", "way-1", "style-1", "id-1", "mort-1", "decision-1", "was-1", "net-N", "plus-N", "minus-N", "key", "way",
    "source", "style", "control", "nets_version", "reason", "note", "do", "taker-1", "contract-1", "bouts-1",
    "points-1", "petit-1", "poignee1-1", "chelem-1", "outcome-1", "mark_n-1",
)  # fmt: skip


@pytest.mark.parametrize("name", NAMES)
def test_no_field_whatever_is_sent_in_it_breaks_the_page(desk: Desk, name: str) -> None:
    others: dict[str, object] = {"row-2": "EG106", "way": "B"}
    for value, style, url in zip(
        NONSENSE, cycle(("keys", "fields")), cycle((desk.preview_url, desk.url)), strict=False
    ):
        answer = desk.client.post(url, {**others, "style": style, name: value})
        assert answer.status_code < 500


@pytest.mark.parametrize(
    "do",
    ["row-", "row-99", "row-x", "withdraw-", "withdraw-9", "withdraw-0", "mine-", "mine-9", "mine-0", "theirs-",
     "theirs-1", "theirs-0", "way-", "way-Z", "style-", "control-", "back", "aside", "confirm", "nothing"],
)  # fmt: skip
def test_no_button_breaks_an_empty_sheet(desk: Desk, do: str) -> None:
    assert desk.send(do=do).status_code < 500


def test_a_final_session_takes_nothing_from_an_old_page(full: Desk) -> None:
    session = full.table.round.session
    session.state = "FINAL"
    session.save()
    answer = full.rows(("EG108", *MARKS[1:]), "B", reason="1", do="confirm", **_ids())
    assert answer.status_code == 409
    assert "ne reçoit plus de résultats" in answer.content.decode()


def test_the_sheet_asks_a_fixed_number_of_questions(desk: Desk, django_assert_max_num_queries: object) -> None:
    with django_assert_max_num_queries(16):  # type: ignore[operator]  # the fixture is a context manager factory
        desk.get("?way=B")
