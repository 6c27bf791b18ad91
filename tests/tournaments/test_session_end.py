"""From the last sheet to the final ranking: when a position is entered, who closes, and what a reopening needs."""

from collections.abc import Callable
from typing import Any
from uuid import uuid4

import pytest

from jobs.models import Job
from players.models import Membership, Role
from tests import builders as b
from tournaments.errors import NotAllowedError, RefusedError
from tournaments.models import (
    DeskState,
    Donne,
    Event,
    IdempotencyKey,
    Round,
    Session,
    SessionState,
    Table,
    TournamentArbiter,
)
from tournaments.services.actors import actor_of
from tournaments.services.desk import check_sheets, settle_desk
from tournaments.services.donnes import correct_donne, withdraw_donne
from tournaments.services.drafts import put_aside, take_back
from tournaments.services.keys import KEPT, prune_keys
from tournaments.services.sessions import close_session, reopen_session, start_verification

pytestmark = [pytest.mark.django_db, pytest.mark.embedded]

Commits = Callable[..., Any]


def desk_of(session: Session, number: int = 1) -> str:
    return Round.objects.get(session=session, number=number).desk


def an_entered_session() -> Session:
    session = b.a_drawn_session(players=7, rounds=1, donnes=2)
    for table in Table.objects.filter(round__session=session).order_by("number"):
        b.fill_table(table)
    settle_desk(session.rounds.get().pk)
    return session


def test_a_position_is_entered_by_its_last_sheet_and_backed_up(django_capture_on_commit_callbacks: Commits) -> None:
    session = b.a_drawn_session(players=8, rounds=1, donnes=1)
    with django_capture_on_commit_callbacks(execute=True):
        b.a_donne(table=b.table_of(session, number=1))
    assert desk_of(session) == DeskState.OPEN
    with django_capture_on_commit_callbacks(execute=True):
        b.some_nets(table=b.table_of(session, number=2))
    assert desk_of(session) == DeskState.ENTERED
    assert Job.objects.filter(kind="backup").count() == 1


def test_a_withdrawn_donne_reopens_its_position(django_capture_on_commit_callbacks: Commits) -> None:
    session = an_entered_session()
    with django_capture_on_commit_callbacks(execute=True):
        withdraw_donne(current=Donne.objects.first() or b.a_donne(), reason="TABLE", by=b.an_actor(), key=uuid4())
    assert desk_of(session) == DeskState.OPEN


def test_a_corrected_donne_leaves_its_position_entered(django_capture_on_commit_callbacks: Commits) -> None:
    session = an_entered_session()
    current = Donne.objects.current().filter(table__number=1)[0]
    with django_capture_on_commit_callbacks(execute=True):
        correct_donne(current=current, entry=b.a_played(taker=1), reason="CLAIM", by=b.an_actor(), key=uuid4())
    assert desk_of(session) == DeskState.ENTERED


def test_the_next_write_settles_what_a_dead_server_left_open(django_capture_on_commit_callbacks: Commits) -> None:
    session = an_entered_session()
    Round.objects.update(desk=DeskState.OPEN)
    current = Donne.objects.current().filter(table__number=1)[0]
    with django_capture_on_commit_callbacks(execute=True):
        correct_donne(current=current, entry=b.a_played(taker=1), reason="CLAIM", by=b.an_actor(), key=uuid4())
    assert desk_of(session) == DeskState.ENTERED


def test_a_sheet_put_aside_keeps_its_position_open(django_capture_on_commit_callbacks: Commits) -> None:
    session = an_entered_session()
    with django_capture_on_commit_callbacks(execute=True):
        draft = put_aside(table=b.table_of(session), rows=[], note="doute", by=b.an_actor(role=Role.CLERK))
    assert desk_of(session) == DeskState.OPEN
    with django_capture_on_commit_callbacks(execute=True):
        take_back(draft=draft, by=b.an_actor())
    assert desk_of(session) == DeskState.ENTERED


def test_checks_say_which_sheet_lacks_what() -> None:
    session = b.a_drawn_session(players=8, rounds=1, donnes=2)
    b.a_donne(table=b.table_of(session, number=1), number=1)
    b.fill_table(b.table_of(session, number=2))
    checks = check_sheets(session.rounds.get())
    assert [(check.number, check.is_complete, check.is_entered) for check in checks] == [
        (1, False, False),
        (2, True, True),
    ]


def test_an_evening_ends_step_by_step_and_each_step_twice_says_the_same() -> None:
    session, by = an_entered_session(), b.an_actor()
    with pytest.raises(RefusedError) as error:
        close_session(session=session, by=by)
    assert error.value.reason == "NOT_IN_VERIFICATION"
    for _ in range(2):
        assert start_verification(session=session, by=by).state == SessionState.PROVISIONAL
    for _ in range(2):
        assert close_session(session=session, by=by).state == SessionState.FINAL
    codes = list(Event.objects.filter(session=session).order_by("seq").values_list("code", flat=True))
    assert codes == ["VERIFICATION_STARTED", "SESSION_CLOSED"]


@pytest.mark.parametrize("step", [start_verification, close_session])
def test_a_missing_sheet_is_named_by_its_position(step: Callable[..., Session]) -> None:
    session = b.a_drawn_session(players=4, rounds=2, donnes=1)
    b.a_donne(table=b.table_of(session, position=1))
    if step is close_session:
        Session.objects.update(state=SessionState.PROVISIONAL)
    with pytest.raises(RefusedError) as error:
        step(session=session, by=b.an_actor())
    assert (error.value.reason, dict(error.value.params)) == ("POSITION_NOT_ENTERED", {"number": 2})


def test_a_close_does_not_trust_what_the_desk_wrote_down() -> None:
    session = b.a_drawn_session(players=4, rounds=1)
    Round.objects.filter(session=session).update(desk=DeskState.ENTERED)
    Session.objects.update(state=SessionState.PROVISIONAL)
    with pytest.raises(RefusedError):
        close_session(session=session, by=b.an_actor())


@pytest.mark.parametrize("step", [start_verification, close_session])
def test_a_clerk_ends_nothing(step: Callable[..., Session]) -> None:
    with pytest.raises(NotAllowedError):
        step(session=an_entered_session(), by=b.an_actor(role=Role.CLERK))


def a_final_session() -> Session:
    session = an_entered_session()
    start_verification(session=session, by=b.an_actor())
    return close_session(session=session, by=b.an_actor())


def test_an_organiser_reopens_with_words_of_why() -> None:
    session, organiser = a_final_session(), b.an_actor(role=Role.ADMIN)
    with pytest.raises(RefusedError) as error:
        reopen_session(session=session, reason="  ", by=organiser)
    assert error.value.reason == "REASON_NEEDED"
    assert reopen_session(session=session, reason="Réclamation", by=organiser).state == SessionState.PROVISIONAL
    assert Event.objects.get(code="SESSION_REOPENED").text == "Réclamation"
    with pytest.raises(RefusedError) as error:
        reopen_session(session=session, reason="encore", by=organiser)
    assert error.value.reason == "NOT_FINAL"


def test_among_arbiters_only_the_chief_reopens() -> None:
    session = a_final_session()
    club = session.tournament.club
    user = b.a_user(club=club, role=Role.ARBITER)
    with pytest.raises(NotAllowedError) as error:
        reopen_session(session=session, reason="Réclamation", by=actor_of(user, club))
    assert error.value.reason == "REOPENING_NEEDS_CHIEF"
    TournamentArbiter.objects.create(
        tournament=session.tournament, membership=Membership.objects.get(user=user), is_chief=True
    )
    assert reopen_session(session=session, reason="Réclamation", by=actor_of(user, club)).state == "PROVISIONAL"


def test_answers_are_forgotten_after_two_days() -> None:
    old = b.a_donne()
    IdempotencyKey.objects.update(at=old.recorded_at - KEPT)
    b.a_donne()
    assert prune_keys() == 1
    assert IdempotencyKey.objects.count() == 1
