"""The public copy of a ranking: fresh within two seconds without a worker, built once, never at the cost of truth."""

import threading
import time
import urllib.request
from collections.abc import Callable
from datetime import timedelta
from uuid import uuid4

import pytest
from django.db import OperationalError, connection, connections
from django.utils import timezone

from tests import builders as b
from tests.servers import Server
from tournaments import standings
from tournaments.models import Donne, Session, Stale, Standing
from tournaments.selectors.ranking import Ranking
from tournaments.selectors.ranking import ranking as read_ranking
from tournaments.services.donnes import correct_donne
from tournaments.standings import publish_standing, read_standing


def an_evening() -> Session:
    """Return a session of one table whose sheet of one donne is complete: +198 −66 −66 −66."""
    session = b.a_drawn_session(players=4, rounds=1, donnes=1, published=True)
    b.a_donne(table=b.table_of(session))
    return session


def totals_of(found: Ranking) -> list[int]:
    return [row.entrant.total for row in found.rows]


def correct(session: Session) -> None:
    current = Donne.objects.current().get(table__round__session=session)
    correct_donne(
        current=current,
        entry=b.a_played(taker=1, half_points=102),
        reason="TYPING",
        by=b.an_actor(),
        key=uuid4(),
    )


def age(session: Session, seconds: float) -> None:
    Standing.objects.filter(session=session).update(built_at=timezone.now() - timedelta(seconds=seconds))


@pytest.mark.embedded
@pytest.mark.django_db
def test_the_first_reader_builds_the_standing_and_forgets_what_made_it_stale() -> None:
    session = an_evening()
    found = read_standing(session)
    assert (found.version, totals_of(found.ranking)) == (1, [198, -66, -66, -66])
    assert not Stale.objects.exists()


@pytest.mark.embedded
@pytest.mark.django_db
def test_nothing_new_is_served_without_being_built_again() -> None:
    session = an_evening()
    read_standing(session)
    age(session, 60)
    assert read_standing(session).version == 1


@pytest.mark.embedded
@pytest.mark.django_db
def test_after_a_correction_the_old_standing_is_served_for_a_second_then_the_new_one() -> None:
    session = an_evening()
    read_standing(session)
    correct(session)
    young = read_standing(session)
    assert (young.version, totals_of(young.ranking)) == (1, [198, -66, -66, -66])
    age(session, 1.1)
    fresh = read_standing(session)
    # (25 + 10) × 2 = 70 each
    assert (fresh.version, totals_of(fresh.ranking)) == (2, [210, -70, -70, -70])


@pytest.mark.embedded
@pytest.mark.django_db
def test_the_desks_own_total_is_right_at_the_very_next_reading() -> None:
    session = an_evening()
    read_standing(session)
    correct(session)
    assert totals_of(read_ranking(session)) == [210, -70, -70, -70]


@pytest.mark.embedded
@pytest.mark.django_db
def test_publishing_does_not_wait_for_the_second_to_pass() -> None:
    session = an_evening()
    read_standing(session)
    correct(session)
    assert publish_standing(session).version == 2


@pytest.mark.embedded
@pytest.mark.django_db
def test_the_stored_standing_is_the_ranking_without_any_name() -> None:
    session = an_evening()
    found = read_standing(session)
    assert [row.entrant.name for row in found.ranking.rows] == ["", "", "", ""]
    assert "Joueur" not in str(Standing.objects.get().rows)
    whole = read_ranking(session)
    assert [(row.rank, row.tied, row.entrant.by_round) for row in found.ranking.rows] == [
        (row.rank, row.tied, row.entrant.by_round) for row in whole.rows
    ]


@pytest.mark.embedded
@pytest.mark.django_db
def test_whoever_lacks_the_claim_is_served_the_old_standing() -> None:
    session = an_evening()
    read_standing(session)
    correct(session)
    Standing.objects.update(
        built_at=timezone.now() - timedelta(seconds=9), claimed_until=timezone.now() + timedelta(seconds=4)
    )
    assert read_standing(session).version == 1


@pytest.mark.embedded
@pytest.mark.django_db
def test_a_claim_whose_holder_died_is_taken_over() -> None:
    session = an_evening()
    read_standing(session)
    correct(session)
    past = timezone.now() - timedelta(seconds=9)
    Standing.objects.update(built_at=past, claimed_until=past)
    assert read_standing(session).version == 2


@pytest.mark.embedded
@pytest.mark.django_db
def test_a_clock_set_back_an_hour_does_not_stop_the_standing_for_an_hour() -> None:
    session = an_evening()
    read_standing(session)
    correct(session)
    later = timezone.now() + timedelta(hours=1)
    Standing.objects.update(built_at=later, claimed_until=later)
    assert read_standing(session).version == 2


@pytest.mark.embedded
@pytest.mark.django_db
def test_a_write_that_comes_while_the_standing_is_built_survives_it(monkeypatch: pytest.MonkeyPatch) -> None:
    session = an_evening()
    reading = read_ranking

    def read_then_write(of: Session) -> Ranking:
        found = reading(of)
        Stale.objects.create(session=of)
        return found

    monkeypatch.setattr(standings, "ranking", read_then_write)
    assert read_standing(session).version == 1
    assert Stale.objects.filter(session=session).count() == 1


@pytest.mark.embedded
@pytest.mark.django_db
def test_a_database_that_refuses_the_copy_does_not_fail_the_reader(monkeypatch: pytest.MonkeyPatch) -> None:
    session = an_evening()
    read_standing(session)
    correct(session)
    age(session, 9)

    def refuse(*_: object, **__: object) -> None:
        raise OperationalError("read-only")

    monkeypatch.setattr(standings, "_rebuild", refuse)
    assert read_standing(session).version == 1


@pytest.mark.embedded
@pytest.mark.django_db
def test_a_builder_whose_claim_went_to_another_writes_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    session = an_evening()
    reading = read_ranking

    def read_while_another_claims(of: Session) -> Ranking:
        Standing.objects.filter(session=of).update(claimed_until=timezone.now() + timedelta(seconds=3))
        return reading(of)

    monkeypatch.setattr(standings, "ranking", read_while_another_claims)
    found = read_standing(session)
    assert (found.version, totals_of(found.ranking)) == (0, [198, -66, -66, -66])
    assert Stale.objects.exists()


def builds_of(session: Session, monkeypatch: pytest.MonkeyPatch, claim: Callable[..., object] | None = None) -> int:
    """Let eight readers come at once to a stale standing; return how many built it."""
    if claim is not None:
        monkeypatch.setattr(standings, "_claim", claim)
    built = []
    reading = read_ranking

    def counted(of: Session) -> Ranking:
        built.append(of.pk)
        return reading(of)

    monkeypatch.setattr(standings, "ranking", counted)
    together = threading.Barrier(8)

    def read() -> None:
        try:
            together.wait(timeout=20)
            read_standing(session)
        finally:
            connections.close_all()

    readers = [threading.Thread(target=read) for _ in range(8)]
    for reader in readers:
        reader.start()
    for reader in readers:
        reader.join()
    return len(built)


@pytest.mark.django_db(transaction=True)
def test_eight_readers_at_once_build_a_stale_standing_once(monkeypatch: pytest.MonkeyPatch) -> None:
    session = an_evening()
    read_standing(session)
    correct(session)
    age(session, 9)
    assert builds_of(session, monkeypatch) == 1
    assert Standing.objects.get().version == 2
    assert not Stale.objects.exists()


@pytest.mark.django_db(transaction=True)
def test_without_the_claim_several_readers_would_build_it(monkeypatch: pytest.MonkeyPatch) -> None:
    session = an_evening()
    read_standing(session)
    correct(session)
    age(session, 9)
    assert builds_of(session, monkeypatch, lambda *_, **__: timezone.now()) > 1


@pytest.mark.django_db(transaction=True)
def test_the_standing_is_read_at_one_moment_of_the_ledger(monkeypatch: pytest.MonkeyPatch) -> None:
    if connection.vendor != "postgresql":
        return
    session = an_evening()
    reading = read_ranking
    levels = []

    def look(of: Session) -> Ranking:
        with connection.cursor() as cursor:
            cursor.execute("SHOW transaction_isolation")
            levels.append(cursor.fetchone()[0])
        return reading(of)

    monkeypatch.setattr(standings, "ranking", look)
    read_standing(session)
    assert levels == ["repeatable read"]


@pytest.mark.services
def test_through_a_real_server_the_public_sees_a_correction_within_two_seconds_with_no_worker(site: Server) -> None:
    session = an_evening()
    address = f"{site.url}/resultats/{session.pk}/"

    def page() -> str:
        with urllib.request.urlopen(address, timeout=10) as answer:
            return str(answer.read().decode())

    for _ in range(4):  # both workers have it in their own memory
        assert "+198" in page()
    correct(session)
    corrected = time.monotonic()
    while "+210" not in page():
        assert time.monotonic() - corrected < 2
        time.sleep(0.05)
