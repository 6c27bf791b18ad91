"""From the checks to the final ranking: said in words, taken once, and then every road to the results is locked."""

import re
from uuid import uuid4

import pytest
from django.db import DatabaseError, IntegrityError, connection, transaction
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from players.models import Role, User
from tests import builders as b
from tournaments.models import DeskState, Donne, Event, Mark, Session, SessionState, SheetNet, Source, Stale, Table
from tournaments.selectors.milestones import milestones
from tournaments.services.actors import actor_of
from tournaments.services.donnes import correct_donne
from tournaments.services.drafts import put_aside
from tournaments.services.sessions import close_session, reopen_session, start_verification

pytestmark = [pytest.mark.django_db, pytest.mark.embedded]


def an_evening(*, complete: bool = True, state: SessionState = SessionState.RUNNING) -> Session:
    """Return a session of one position of one donne at two tables; `complete` enters both."""
    session = b.a_drawn_session(players=8, rounds=1, donnes=1)
    b.a_donne(table=b.table_of(session))
    if complete:
        b.a_donne(table=b.table_of(session, number=2))
    if state != SessionState.RUNNING:
        Session.objects.filter(pk=session.pk).update(state=state)
        session.refresh_from_db()
    return session


def signed_in(session: Session, role: Role = Role.ARBITER) -> Client:
    client = Client()
    client.force_login(b.a_user(club=session.tournament.club, role=role))
    return client


def take(client: Client, session: Session, step: str, **more: str) -> int:
    return client.post(f"/seances/{session.pk}/verification/", {"step": step, **more}).status_code


def shown(client: Client, session: Session) -> str:
    page = client.get(f"/seances/{session.pk}/verification/").content.decode()
    return " ".join(re.sub(r"<[^>]+>", " ", page).split())


def state_of(session: Session) -> str:
    return Session.objects.get(pk=session.pk).state


def test_each_check_has_its_sentence() -> None:
    session = an_evening(complete=False)
    text = shown(signed_in(session), session)
    assert "Manque la table 2." in text
    assert "Somme de la position : 0." in text
    assert "Somme des cumuls : 0." in text


def test_a_sheet_put_aside_and_one_begun_are_named() -> None:
    session = b.a_drawn_session(players=12, rounds=1, donnes=2)
    put_aside(table=b.table_of(session, number=1), rows=[], note="", by=b.an_actor())
    b.a_donne(table=b.table_of(session, number=2))
    text = shown(signed_in(session), session)
    assert "La table 1 est mise de côté, à vérifier." in text
    assert "Aucune feuille n’est encore complète." in text
    for number in (1, 2):
        b.a_donne(table=b.table_of(session, number=3), number=number)
    text = shown(signed_in(session), session)
    assert "Manquent les tables 1 et 2." in text
    assert "La table 1 est mise de côté, à vérifier." in text


def test_verification_waits_for_the_last_sheet() -> None:
    session = an_evening(complete=False)
    arbiter = signed_in(session)
    assert "Commencer la vérification" not in shown(arbiter, session)
    assert take(arbiter, session, "verify") == 409
    assert state_of(session) == SessionState.RUNNING


def test_a_position_the_desk_never_settled_does_not_hold_the_evening_up() -> None:
    """The server may have died between the last sheet and what follows it: the step itself settles the position."""
    session = an_evening()
    assert session.rounds.get().desk == DeskState.OPEN
    arbiter = signed_in(session)
    assert "Commencer la vérification" in shown(arbiter, session)
    assert take(arbiter, session, "verify") == 302
    assert session.rounds.get().desk == DeskState.ENTERED


def test_from_the_last_sheet_to_the_final_ranking_and_back() -> None:
    session = an_evening()
    arbiter, admin = signed_in(session), signed_in(session, Role.ADMIN)
    assert take(arbiter, session, "verify") == 302
    assert state_of(session) == SessionState.PROVISIONAL
    assert take(arbiter, session, "close") == 302
    assert state_of(session) == SessionState.FINAL
    final = shown(arbiter, session)
    assert "Classement définitif. Pour corriger : rouvrez d'abord la séance ici, avec un motif." in final
    assert take(admin, session, "reopen", reason="Feuille de la table 2 retrouvée") == 302
    assert state_of(session) == SessionState.PROVISIONAL


def test_the_page_tells_who_closed_and_reopened_when_and_why() -> None:
    session = an_evening()
    admin = b.a_user(club=session.tournament.club, role=Role.ADMIN)
    User.objects.filter(pk=admin.pk).update(first_name="Arlette", last_name="Brun")
    client = Client()
    client.force_login(admin)
    assert "Journal" not in shown(client, session)
    for step in ("verify", "close", "reopen"):
        take(client, session, step, reason="Feuille de la table 2 retrouvée")
    journal = shown(client, session).partition("Journal de la clôture")[2]
    reopened, closed, begun = (
        journal.index(f"{words} Arlette Brun")
        for words in (
            "Séance rouverte : Feuille de la table 2 retrouvée",
            "Classement rendu définitif",
            "Vérification commencée",
        )
    )
    assert reopened < closed < begun
    at = timezone.localtime(Event.objects.get(session=session, code="SESSION_REOPENED").at)
    assert f"{at.year}, {at:%H:%M} Séance rouverte" in journal


def test_a_journal_of_many_lines_is_read_in_one_query() -> None:
    session = an_evening()
    club = session.tournament.club
    by = actor_of(b.a_user(username="nameless", club=club, role=Role.ADMIN), club)
    start_verification(session=session, by=by)
    for _ in range(3):
        close_session(session=session, by=by)
        reopen_session(session=session, reason="Réclamation", by=by)
    with CaptureQueriesContext(connection) as queries:
        told = milestones(session)
    assert len(queries) == 1
    assert [line.who for line in told] == ["nameless"] * 7


def test_a_second_tab_closes_nothing_twice() -> None:
    session = an_evening()
    arbiter = signed_in(session)
    take(arbiter, session, "verify")
    assert [take(arbiter, session, "close") for _ in range(2)] == [302, 302]
    assert Event.objects.filter(session=session, code="SESSION_CLOSED").count() == 1


def test_closing_before_the_score_check_is_refused_in_words() -> None:
    session = an_evening()
    assert take(signed_in(session), session, "close") == 409


def test_reopening_needs_its_reason_and_an_organiser() -> None:
    session = an_evening(state=SessionState.FINAL)
    assert take(signed_in(session, Role.ADMIN), session, "reopen", reason="  ") == 400
    assert take(signed_in(session), session, "reopen", reason="Réclamation") == 403
    assert state_of(session) == SessionState.FINAL


def test_a_clerk_reads_the_checks_and_takes_no_step() -> None:
    session = an_evening()
    clerk = signed_in(session, Role.CLERK)
    assert "Commencer la vérification" not in shown(clerk, session)
    for step in ("verify", "close", "reopen"):
        assert take(clerk, session, step, reason="x") == 403


def test_an_unknown_step_changes_nothing() -> None:
    session = an_evening()
    assert take(signed_in(session), session, "erase") == 302
    assert state_of(session) == SessionState.RUNNING


# After the close: the ledger does not change, whatever the road.


@pytest.fixture
def closed() -> Session:
    return an_evening(state=SessionState.FINAL)


def ledger() -> list[object]:
    return [
        *Donne.objects.order_by("pk").values_list("pk", "is_current", "digest"),
        *Mark.objects.order_by("pk").values_list("pk", "points"),
        *SheetNet.objects.order_by("pk").values_list("pk", "net"),
        Stale.objects.count(),
    ]


@pytest.mark.parametrize("button", ["save", "confirm", "row-1", "withdraw-1", "mine-1", "aside", "back"])
def test_the_sheets_page_saves_nothing_from_an_old_tab(closed: Session, button: str) -> None:
    before = ledger()
    admin = signed_in(closed, Role.ADMIN)
    current = Donne.objects.get(table__number=1)
    data = {
        "key": str(uuid4()),
        "way": "C",
        "way-1": "C",
        "style-1": "keys",
        "row-1": "SG252",
        "id-1": str(current.pk),
        "reason": "1",
        "do": button,
    }
    response = admin.post(f"/seances/{closed.pk}/positions/1/tables/1/", data)
    assert response.status_code < 500
    assert ledger() == before
    if button == "confirm":
        assert response.status_code == 409


def test_the_orm_writes_nothing(closed: Session) -> None:
    before = ledger()
    table = b.table_of(closed)
    writes = (
        lambda: Donne.objects.create(
            table=table,
            number=1,
            version=2,
            replaces=Donne.objects.get(table=table),
            kind="NOT_PLAYED",
            by="user:1",
            recorded_at=timezone.now(),
            digest="x",
        ),
        lambda: Donne.objects.filter(table=table).update(is_current=False),
        lambda: Donne.objects.filter(table=table).delete(),
        lambda: SheetNet.objects.create(
            table=table,
            place="N",
            entrant=table.seats.get(place="N").entrant,
            net=0,
            source=Source.SHEET,
            version=1,
            by="user:1",
            recorded_at=timezone.now(),
            digest="x",
        ),
        lambda: Mark.objects.filter(donne__table=table).update(points=0),
    )
    for write in writes:
        with pytest.raises(DatabaseError), transaction.atomic():
            write()
    assert ledger() == before


def test_raw_sql_writes_nothing(closed: Session) -> None:
    before = ledger()
    statements = (
        "UPDATE tournaments_donne SET is_current = false",
        "UPDATE tournaments_mark SET points = 0",
        "DELETE FROM tournaments_mark",
        "DELETE FROM tournaments_donne",
    )
    for statement in statements:
        with pytest.raises((DatabaseError, IntegrityError)), transaction.atomic(), connection.cursor() as cursor:
            cursor.execute(statement)
    assert ledger() == before


def test_the_admin_shows_results_and_changes_none(closed: Session) -> None:
    admin = Client()
    admin.force_login(User.objects.create_superuser(username="first", password="secret"))
    donne = Donne.objects.first()
    assert donne
    before = ledger()
    for name, pk in (("donne", donne.pk), ("mark", Mark.objects.values_list("pk", flat=True)[0])):
        listing, change = f"/admin/tournaments/{name}/", f"/admin/tournaments/{name}/{pk}/change/"
        assert admin.get(listing).status_code == 200
        assert admin.get(change).status_code == 200
        assert admin.get(f"/admin/tournaments/{name}/add/").status_code == 403
        assert admin.post(change, {"number": 2, "points": 0}).status_code == 403
        assert admin.post(f"/admin/tournaments/{name}/{pk}/delete/", {"post": "yes"}).status_code == 403
        assert admin.post(
            listing, {"action": "delete_selected", "_selected_action": pk, "post": "yes"}
        ).status_code in (
            200,
            302,
            403,
        )
    assert ledger() == before


def test_reopened_a_session_takes_corrections_again(closed: Session) -> None:
    take(signed_in(closed, Role.ADMIN), closed, "reopen", reason="Réclamation")
    before = Donne.objects.count()
    table = Table.objects.get(pk=b.table_of(closed).pk)
    current = Donne.objects.current().get(table=table)
    correct_donne(current=current, entry=b.a_played(taker=2), reason="CLAIM", by=b.an_actor(), key=uuid4())
    assert Donne.objects.count() == before + 1


def test_an_evening_cut_short_ends_with_the_last_position_entered() -> None:
    session = b.a_drawn_session(players=8, rounds=3, donnes=1)
    for number in (1, 2):
        b.a_donne(table=b.table_of(session, number=number))
    arbiter = signed_in(session)
    assert "Terminer la soirée après la position 1" in shown(arbiter, session)
    for _ in range(2):
        assert take(arbiter, session, "end", number="1") == 302
    session.refresh_from_db()
    assert session.rounds_planned == session.rounds.count() == 1
    assert [take(arbiter, session, step) for step in ("verify", "close")] == [302, 302]
    assert state_of(session) == SessionState.FINAL
    assert Event.objects.filter(session=session, code="ENDED_AFTER").count() == 1


def test_a_position_with_anything_entered_is_never_taken_away() -> None:
    session = b.a_drawn_session(players=8, rounds=3, donnes=1)
    for number in (1, 2):
        b.a_donne(table=b.table_of(session, number=number))
    b.a_donne(table=b.table_of(session, position=3))
    arbiter = signed_in(session)
    assert "Terminer la soirée" not in shown(arbiter, session)
    assert take(arbiter, session, "end", number="1") == 409
    assert session.rounds.count() == 3
    assert take(arbiter, session, "end", number="9") == 409
    assert take(arbiter, session, "end", number="-1") == 409
