"""The scoring desk: what is in, missing and to check, the checks in words, tables asked for, undoing."""

import re
from datetime import timedelta
from typing import Any
from uuid import uuid4
from zoneinfo import ZoneInfo

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse
from django.utils import timezone

from players.models import Club, Role
from tests import builders as b
from tournaments.errors import StaleVersionError
from tournaments.models import Donne, Kind, Reason, RoomState, Round, Session, Source, Table
from tournaments.selectors.desk import SheetState
from tournaments.selectors.desk import desk as read_desk
from tournaments.selectors.history import history
from tournaments.selectors.sheets import RowState, sheet
from tournaments.services.donnes import correct_donne, withdraw_donne
from tournaments.services.drafts import put_aside
from tournaments.services.nets import correct_nets
from tournaments.views import desk as desk_page

pytestmark = pytest.mark.django_db


def _signed_in(session: Session, role: Role = Role.ARBITER) -> Client:
    client = Client()
    client.force_login(b.a_user(club=session.tournament.club, role=role))
    return client


def _url(session: Session, number: int = 1, name: str = "desk") -> str:
    return reverse(f"tournaments:{name}", args=[session.pk, number])


def _page(client: Client, session: Session, query: str = "", number: int = 1) -> str:
    return client.get(_url(session, number) + query).content.decode().replace("\u00a0", " ")


def test_every_state_of_a_sheet_is_told_in_words() -> None:
    session = b.a_drawn_session(players=15)
    tables = [b.table_of(session, number=number) for number in (1, 2, 3)]
    b.fill_table(tables[0])
    b.a_donne(table=tables[1])
    put_aside(table=tables[2], rows=[], note="", by=b.an_actor())
    view = read_desk(session.rounds.get(number=1), by="")
    assert [table.state for table in view.tables] == [
        SheetState.COMPLETE,
        SheetState.INCOMPLETE,
        SheetState.TO_CHECK,
        SheetState.NOT_ENTERED,
    ]
    page = _page(_signed_in(session), session)
    assert "1 feuille saisie sur 4" in page
    assert "1 donne sur 5" in page
    assert "À vérifier" in page
    assert "Manque la table 4." in page
    assert "Sud : Joueur" in page  # a table of three has no North: South holds the sheet
    assert "Où sont-ils maintenant ?" in page


def test_the_checks_say_zero_and_the_position_is_closed_when_all_is_in() -> None:
    session = b.a_drawn_session(players=8)
    client = _signed_in(session)
    assert "position 0" in _page(client, session)
    for number in (1, 2):
        b.fill_table(b.table_of(session, number=number))
    Round.objects.filter(session=session, number=1).update(desk="ENTERED")
    page = _page(client, session)
    assert "feuilles 2 sur 2 à zéro" in page
    assert "Position 1 close : toutes les sommes sont à zéro." in page


def test_an_earlier_position_still_open_does_not_stop_the_room() -> None:
    session = b.a_drawn_session(players=8)
    b.fill_table(b.table_of(session, number=1))
    page = _page(_signed_in(session), session, number=2)
    assert "Position 1 encore ouverte (table 2). La position 2 peut commencer." in page


def test_a_table_asked_for_opens_its_sheet() -> None:
    session = b.a_drawn_session(players=8)
    answer = _signed_in(session).get(_url(session) + "?table=2")
    assert answer["Location"] == reverse("tournaments:sheet", args=[session.pk, 1, 2])


@pytest.mark.parametrize("typed", ["9", "0", "-1", "abc", "²", "1 2", "", "99999999999999999999999"])
def test_an_unknown_table_is_said_in_place_and_stays_typed(typed: str) -> None:
    session = b.a_drawn_session(players=8)
    answer = _signed_in(session).get(_url(session), {"table": typed})
    page = answer.content.decode().replace("\u00a0", " ")
    assert answer.status_code == 200
    assert "les tables vont de 1 à 2" in page
    assert f'value="{typed[:20]}"' in page


def test_a_sheet_of_the_position_before_is_asked_about() -> None:
    session = b.a_drawn_session(players=8)
    Round.objects.filter(session=session, number=1).update(room=RoomState.PLAYED)
    Round.objects.filter(session=session, number=2).update(room=RoomState.PLAYING)
    client = _signed_in(session)
    page = _page(client, session, "?table=2", number=2)
    assert "La table 2 joue encore la position 2. Est-ce la feuille de la position 1 ?" in page
    assert reverse("tournaments:sheet", args=[session.pk, 1, 2]) in page
    b.fill_table(b.table_of(session, number=2))
    assert client.get(_url(session, 2) + "?table=2").status_code == 302


def test_a_sheet_put_aside_is_on_the_desk_already_and_not_asked_about() -> None:
    session = b.a_drawn_session(players=8, rounds=2)
    client = _signed_in(session)
    put_aside(table=b.table_of(session), rows=[], note="", by=b.an_actor())
    Round.objects.filter(session=session, number=1).update(room=RoomState.PLAYED)
    Round.objects.filter(session=session, number=2).update(room=RoomState.PLAYING)
    answer = client.get(reverse("tournaments:desk", args=[session.pk, 2]), {"table": "1"})
    assert answer["Location"] == reverse("tournaments:sheet", args=[session.pk, 2, 1])


def test_a_position_that_has_not_begun_has_no_sheets() -> None:
    session = b.a_drawn_session(players=8)
    assert "La position 2 n&#x27;a pas commencé" in _page(_signed_in(session), session, "?table=1", number=2)


def test_the_last_entry_is_named_and_undone_while_its_sheet_is_incomplete() -> None:
    session = b.a_drawn_session(players=8)
    client = _signed_in(session)
    sheet_url = reverse("tournaments:sheet", args=[session.pk, 1, 1])
    client.post(sheet_url, {"way": "B", "row-1": "EG106", "row-2": "OS76", "key": str(uuid4())})
    page = _page(client, session)
    assert "dernière : table 1, enregistrée à" in page
    assert "Annuler" in page
    donne = Donne.objects.order_by("pk")[0]
    undo = {"donne": donne.pk}
    assert client.post(_url(session, name="undo_entry"), undo)["Location"] == sheet_url
    assert set(Donne.objects.current().values_list("kind", flat=True)) == {Kind.WITHDRAWN}
    client.post(_url(session, name="undo_entry"), undo)
    assert Donne.objects.count() == 4


def test_undoing_a_mended_row_puts_back_what_it_said() -> None:
    session = b.a_drawn_session(players=8)
    client = _signed_in(session)
    sheet_url = reverse("tournaments:sheet", args=[session.pk, 1, 1])
    client.post(sheet_url, {"way": "B", "row-1": "EG106", "key": str(uuid4())})
    first = Donne.objects.get()
    client.post(sheet_url, {"way": "B", "row-1": "EG108", "id-1": first.pk, "key": str(uuid4())})
    second = Donne.objects.get(is_current=True)
    client.post(_url(session, name="undo_entry"), {"donne": second.pk})
    assert Donne.objects.get(is_current=True).value == 106


def test_an_entry_is_undone_whole_or_not_at_all(monkeypatch: pytest.MonkeyPatch) -> None:
    session = b.a_drawn_session(players=8)
    client = _signed_in(session)
    sheet_url = reverse("tournaments:sheet", args=[session.pk, 1, 1])
    client.post(sheet_url, {"way": "B", "row-1": "NG106", "row-2": "SG76", "key": str(uuid4())})
    first, second = Donne.objects.order_by("pk")
    assert first.recorded_at == second.recorded_at

    def overtaken(*, current: Donne, **given: Any) -> Donne:
        if current == second:
            raise StaleVersionError(current)
        return withdraw_donne(current=current, **given)

    monkeypatch.setattr(desk_page, "withdraw_donne", overtaken)
    client.post(_url(session, name="undo_entry"), {"donne": str(first.pk)})
    assert list(Donne.objects.current().order_by("pk")) == [first, second]


def test_a_complete_sheet_is_corrected_not_undone() -> None:
    session = b.a_drawn_session(players=8)
    client = _signed_in(session)
    url = reverse("tournaments:sheet", args=[session.pk, 1, 1])
    client.post(url, {"way": "A", "net-N": "1", "net-S": "-1", "net-E": "0", "net-O": "0", "key": str(uuid4())})
    page = _page(client, session)
    assert reverse("tournaments:undo_entry", args=[session.pk, 1]) not in page
    assert re.search(rf'data-undo\s+href="{re.escape(url)}\?corriger=1"', page)


def test_the_three_first_of_the_ranking_stand_at_the_foot() -> None:
    session = b.a_drawn_session(players=8)
    b.fill_table(b.table_of(session, number=1))
    assert "+990" in _page(_signed_in(session), session)


@pytest.mark.parametrize("name", ["desk", "undo_entry"])
def test_another_clubs_desk_does_not_exist(name: str) -> None:
    session = b.a_drawn_session(players=8)
    stranger = Client()
    stranger.force_login(b.a_user(club=b.a_club(), role=Role.ADMIN))
    send = stranger.post if name == "undo_entry" else stranger.get
    assert send(_url(session, name=name)).status_code == 404


def _queries(players: int) -> int:
    session = b.a_drawn_session(players=players)
    for table in Table.objects.filter(round__session=session, round__number=1).select_related("round__session"):
        b.a_donne(table=table, entry=b.a_played(players=table.seats.count()))
    client = _signed_in(session)
    with CaptureQueriesContext(
        connection,
    ) as captured:
        client.get(_url(session))
    return len(captured)


def test_the_desk_asks_as_much_for_five_tables_as_for_seventeen() -> None:
    assert _queries(20) == _queries(68)


def test_times_are_those_of_the_clubs_place() -> None:
    table = b.a_table(club=a_club_overseas())
    b.fill_table(table)
    saved = timezone.localtime(Donne.objects.latest("pk").recorded_at, ZoneInfo("Indian/Reunion"))
    url = reverse("tournaments:sheet", args=[table.round.session_id, 1, 1])
    assert f"Enregistré à {saved:%H:%M:%S}" in _signed_in(table.round.session).get(url).content.decode()


def a_club_overseas() -> Club:
    club = b.a_club()
    Club.objects.filter(pk=club.pk).update(timezone="Indian/Reunion")
    return club


# The sheet and its history, as read


def test_a_sheet_is_read_with_its_columns_and_feet() -> None:
    table = b.a_table()
    for number, marks in enumerate(b.FFT_MARKS, start=1):
        b.a_donne(table=table, number=number, entry=b.a_written(*marks))
    found = sheet(table)
    assert [(total.positive, total.negative) for total in found.totals] == [
        (318, 764), (1746, 400), (360, 750), (270, 780),
    ]  # fmt: skip
    assert tuple(total.net for total in found.totals) == b.FFT_NETS
    assert found.is_complete
    assert [seat.identity for seat in found.seats] == [f"n°\u00a0{number}" for number in (1, 2, 3, 4)]


def test_a_withdrawn_and_a_cancelled_donne_leave_their_slots_open() -> None:
    table = b.a_table()
    by = b.an_actor()
    withdraw_donne(current=b.a_donne(table=table, by=by), reason=Reason.TYPING, by=by, key=uuid4())
    b.a_donne(table=table, number=2, entry=b.cancelled(), by=by)
    b.a_donne(table=table, number=3, entry=b.not_played(), by=by)
    found = sheet(table)
    states = [row.state for row in found.rows]
    assert states == [RowState.EMPTY, RowState.CANCELLED, RowState.CLOSED, RowState.EMPTY, RowState.EMPTY]
    assert found.entered == 1


def test_a_history_tells_who_when_and_why_newest_first() -> None:
    table = b.a_table()
    user = b.a_user(club=table.round.session.tournament.club, username="claire")
    by = b.an_actor(code=f"user:{user.pk}")
    first = b.a_donne(table=table, by=by)
    correct_donne(
        current=first, entry=b.a_played(half_points=100), reason=Reason.OTHER, text="relue", by=by, key=uuid4()
    )
    newest, oldest = history(table).donnes
    assert (newest.who, newest.text, newest.new.version) == ("claire", "relue", 2)
    assert newest.old is not None
    assert newest.old.id == oldest.new.id == first.pk
    assert newest.new.recorded_at - oldest.new.recorded_at < timedelta(minutes=1)
    assert oldest.new.recorded_at <= timezone.now()


def test_a_history_tells_why_bilans_were_replaced_in_the_words_given() -> None:
    table = b.a_table()
    b.some_nets(table=table)
    correct_nets(
        table=table,
        version=1,
        nets=b.net_lines(30, -10, -10, -10),
        source=Source.SHEET,
        reason=Reason.OTHER,
        text="colonne lue de travers",
        by=b.an_actor(),
        key=uuid4(),
    )
    newest, oldest = history(table).nets
    assert (newest.text, oldest.text) == ("colonne lue de travers", "")
    url = reverse("tournaments:history", args=[table.round.session_id, 1, 1])
    assert "colonne lue de travers" in _signed_in(table.round.session).get(url).content.decode()
