"""The prints page and the page of a job: asked in one click, followed in words, fetched by its own club only."""

import re

import pytest
from django.test import Client
from django.urls import reverse

from jobs import files, queue, running
from jobs.models import Job, JobState
from players.models import Role
from tests.builders import a_club, a_drawn_session, a_session, a_user, fill_table
from tournaments.models import Session, Table

pytestmark = pytest.mark.django_db


def signed_in(session: Session, role: Role = Role.ARBITER) -> Client:
    """Return the browser of a member of the session's club."""
    client = Client()
    client.force_login(a_user(club=session.tournament.club, role=role))
    return client


def url(name: str, number: int) -> str:
    """Return an address of these pages."""
    return reverse(f"tournaments:{name}", args=[number])


def ask(client: Client, session: Session, name: str = "print_sheets", **fields: str) -> Job:
    """Send a button of the prints page and return the job it leads to."""
    answer = client.post(url(name, session.pk), fields or {"position": "1", "fill": "NAMES"})
    job = Job.objects.latest("pk")
    assert answer.status_code == 302
    assert answer["Location"] == url("job", job.pk)
    return job


@pytest.fixture(autouse=True)
def _no_heart(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(running, "BEAT_SECONDS", 600)  # the test's transaction holds what a heart would write


def test_one_click_asks_for_the_sheets_and_leads_to_the_jobs_page() -> None:
    session = a_drawn_session()
    client = signed_in(session)
    job = ask(client, session)
    assert job.kind == "print_sheets"
    page = client.get(url("job", job.pk)).content.decode()
    assert "Feuilles de marque avec les noms, position 1" in page
    assert "En attente" in page
    assert 'hx-trigger="every 1s"' in page


def test_a_finished_job_offers_its_pdf_under_a_name_that_names_nobody() -> None:
    session = a_drawn_session(players=4)
    client = signed_in(session)
    job = ask(client, session)
    running.run_job(job.pk)

    page = client.get(url("job", job.pk)).content.decode()
    answer = client.get(url("job_file", job.pk))

    assert "Prêt" in page
    assert "hx-trigger" not in page
    assert answer["Content-Type"] == "application/pdf"
    assert answer["Content-Disposition"] == 'inline; filename="feuilles-de-marque-avec-les-noms-position-1.pdf"'
    assert b"".join(answer).startswith(b"%PDF")
    words = f"{job.key} {job.params} {Job.objects.get(pk=job.pk).file} {answer['Content-Disposition']}"
    assert not any(entrant.person.last_name in words for entrant in session.entrants.all())
    assert url("job", job.pk) in client.get(url("prints", session.pk)).content.decode()


def test_the_evenings_steps_stay_at_hand_while_printing() -> None:
    session = a_drawn_session(players=4)
    client = signed_in(session)
    job = ask(client, session)
    for address in (url("prints", session.pk), url("job", job.pk)):
        page = client.get(address).content.decode()
        assert 'aria-label="Fil de la soirée"' in page
        assert reverse("tournaments:desk", args=[session.pk, 1]) in page
        assert f'"{url("prints", session.pk)}"\n           aria-current="page"' in page


def test_progress_is_told_in_words_and_asked_for_by_the_page_in_a_small_piece() -> None:
    session = a_drawn_session()
    client = signed_in(session)
    job = ask(client, session)
    Job.objects.filter(pk=job.pk).update(state=JobState.RUNNING, done=10, total=17)
    piece = client.get(url("job", job.pk), headers={"HX-Request": "true"}).content.decode()
    assert re.search(r"En cours\xa0:\s+10 sur 17", piece)
    assert '<progress class="progress"' in piece
    assert "<html" not in piece


def test_a_job_is_cancelled_and_started_again_by_a_button() -> None:
    session = a_drawn_session()
    client = signed_in(session)
    job = ask(client, session)
    assert "Annulé" in client.post(url("cancel_job", job.pk), follow=True).content.decode()
    assert "déjà terminé" in client.post(url("cancel_job", job.pk), follow=True).content.decode()
    assert "En attente" in client.post(url("retry_job", job.pk), follow=True).content.decode()
    assert "déjà en cours" in client.post(url("retry_job", job.pk), follow=True).content.decode()


def test_a_failure_is_said_in_words_with_a_way_on() -> None:
    session = a_drawn_session()
    client = signed_in(session)
    job = ask(client, session)
    Job.objects.filter(pk=job.pk).update(state=JobState.FAILED, error_code="NO_PANGO")
    page = client.get(url("job", job.pk)).content.decode()
    assert "libpangoft2-1.0-0" in page
    assert "Recommencer" in page


def test_a_job_nobody_takes_says_what_may_be_wrong(monkeypatch: pytest.MonkeyPatch) -> None:
    session = a_drawn_session()
    client = signed_in(session)
    job = ask(client, session)
    assert "bin/run" not in client.get(url("job", job.pk)).content.decode()
    Job.objects.filter(pk=job.pk).update(created_at="2026-01-01T00:00:00Z")
    assert "bin/run" in client.get(url("job", job.pk)).content.decode()


def test_a_file_cleared_away_is_not_offered_and_can_be_made_again() -> None:
    session = a_drawn_session(players=4)
    client = signed_in(session)
    job = ask(client, session)
    running.run_job(job.pk)
    path = files.path_of(Job.objects.get(pk=job.pk))
    assert path is not None
    path.unlink()
    page = client.get(url("job", job.pk)).content.decode()
    assert "effacé" in page
    assert url("job_file", job.pk) not in page
    assert client.get(url("job_file", job.pk)).status_code == 404
    assert queue.retry(Job.objects.get(pk=job.pk))


@pytest.mark.parametrize(
    ("name", "fields"),
    [
        ("print_sheets", {}),
        ("print_sheets", {"position": "99", "fill": "NAMES"}),
        ("print_sheets", {"position": "1", "fill": "EVERYTHING"}),
        ("print_sheets", {"position": "1 OR 1=1", "fill": "NAMES"}),
        ("print_ranking", {"position": "1", "order": "SIDEWAYS"}),
        ("print_ranking", {"position": "99", "order": "RANK"}),
    ],
)
def test_what_cannot_be_printed_is_refused_in_words_and_asks_for_nothing(name: str, fields: dict[str, str]) -> None:
    session = a_drawn_session()
    answer = signed_in(session).post(url(name, session.pk), fields)
    assert answer.status_code == 400
    assert "Choisissez" in answer.content.decode()
    assert not Job.objects.exists()


@pytest.mark.parametrize("fields", [{"order": "RANK"}, {"order": "NAME", "position": "2"}])
def test_a_ranking_is_asked_for_overall_or_by_position(fields: dict[str, str]) -> None:
    session = a_drawn_session()
    job = ask(signed_in(session), session, "print_ranking", **fields)
    assert (job.params["only"], job.params["order"]) == (2 if "position" in fields else None, fields["order"])


def test_before_the_draw_the_page_says_what_will_be_there_and_where_to_go() -> None:
    session = a_session()
    page = signed_in(session).get(url("prints", session.pk)).content.decode()
    assert "Rien à imprimer" in page
    assert url("seating", session.pk) in page


def test_a_job_of_another_club_does_not_exist_and_a_clerk_does_not_print() -> None:
    session = a_drawn_session(players=4)
    job = ask(signed_in(session), session)
    running.run_job(job.pk)
    stranger = Client()
    stranger.force_login(a_user(club=a_club(), role=Role.ADMIN))
    for name in ("job", "job_file"):
        assert stranger.get(url(name, job.pk)).status_code == 404
        assert signed_in(session, Role.CLERK).get(url(name, job.pk)).status_code == 403
        assert Client().get(url(name, job.pk)).status_code == 302
    for name in ("cancel_job", "retry_job"):
        assert stranger.post(url(name, job.pk)).status_code == 404


def test_a_ranking_leads_to_its_printing_once_there_is_something_to_print() -> None:
    session = a_drawn_session()
    client = signed_in(session)
    link = f'href="{url("prints", session.pk)}#'
    assert link not in client.get(url("ranking", session.pk)).content.decode()
    for table in Table.objects.filter(round__session=session, round__number=1):
        fill_table(table)
    prints = client.get(url("prints", session.pk)).content.decode()
    position = reverse("tournaments:round_ranking", args=[session.pk, 1])
    for address, anchor in ((url("ranking", session.pk), "rankings"), (position, "position-1")):
        page = client.get(address).content.decode()
        assert f'{link}{anchor}">Imprimer<' in " ".join(page.split())
        assert f'id="{anchor}"' in prints
    assert link not in signed_in(session, Role.CLERK).get(url("ranking", session.pk)).content.decode()
