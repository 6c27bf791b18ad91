"""kill -9 in the middle of a PDF: the job is taken over once its heart is silent, and every PDF arrives whole."""

import os
import random
import signal
import time
from datetime import timedelta
from io import BytesIO
from itertools import product

import pytest
from django.db.models import QuerySet
from django.utils import timezone
from pypdf import PdfReader

from jobs import files
from jobs.models import Job, JobState
from jobs.running import SILENCE
from tests import builders as b
from tests.conftest import StartCommand, StartGunicorn
from tests.servers import wait_until

from .conftest import IS_FULL, Record
from .killing import WHOLE, children_of
from .visitor import signed_in

pytestmark = [pytest.mark.services, pytest.mark.embedded]

HELD = timedelta(hours=1)
KILLS = 30 if IS_FULL else 5
SESSIONS = 4 if IS_FULL else 1
ROUNDS = 4  # with their two papers each, a few more than kills
PLAYERS = 24
SHEETS_A_PAGE = 2
FILLS = ("BLANK", "NAMES")
USUAL_SECONDS = 1.0  # for one PDF
ARRIVE_SECONDS = 240
# The suite keeps the processors busy, and a job of low priority would hardly get on.
AT_ORDINARY_PRIORITY = """
import django; django.setup()
from jobs import runner
runner.NICENESS = 0
runner.Runner().run()
"""
RUN_JOBS = ("manage.py", "run_jobs") if IS_FULL else ("-c", AT_ORDINARY_PRIORITY)
# A runner that never takes over a job whose worker went silent.
WITHOUT_TAKEOVER = """
import django; django.setup()
from django.db.models import Q
from jobs import runner, running
running._silent = lambda: Q(pk__isnull=True)
runner.NICENESS = 0
runner.Runner().run()
"""


def _attempts() -> int:
    return sum(Job.objects.values_list("attempts", flat=True))


def _working(jobs: QuerySet[Job]) -> bool:
    """Say whether a job is under way, those killed before apart."""
    return jobs.filter(state=JobState.RUNNING, heartbeat_at__lt=timezone.now() + HELD / 2).exists()


def _hold_back(jobs: QuerySet[Job]) -> None:
    """Keep killed jobs from being taken over before the last kill: three attempts are all a job gets."""
    jobs.filter(state=JobState.RUNNING).update(heartbeat_at=timezone.now() + HELD)


def _let_time_pass() -> None:
    """Let every killed worker have been silent for too long: the full proof waits, the small one sets hearts back."""
    Job.objects.filter(state=JobState.RUNNING).update(
        heartbeat_at=timezone.now() - (timedelta(0) if IS_FULL else SILENCE)
    )
    time.sleep(SILENCE.total_seconds() if IS_FULL else 0)


def test_every_pdf_arrives_whole_though_its_worker_is_killed(
    gunicorn: StartGunicorn, start_command: StartCommand, record: Record
) -> None:
    club = b.a_club()
    arbiter = signed_in(gunicorn(), b.a_user(club=club).username)
    sessions = [b.a_drawn_session(club=club, players=PLAYERS, rounds=ROUNDS) for _ in range(SESSIONS)]
    papers = list(product(sessions, range(1, ROUNDS + 1), FILLS))
    for session, number, fill in papers:
        fields = {"position": str(number), "fill": fill}
        assert arbiter.post(f"/seances/{session.pk}/impressions/feuilles/", fields).status == 302
    jobs = Job.objects.filter(kind="print_sheets")
    assert jobs.count() == len(papers)
    chance = random.Random(6)
    runner = start_command(*RUN_JOBS)
    kills = 0
    while kills < KILLS:
        wait_until(lambda: _working(jobs) or not jobs.filter(state=JobState.QUEUED).exists(), 60, "a job begun")
        if not _working(jobs):
            break  # some were done before their kill came
        kills += 1
        time.sleep(chance.uniform(0, USUAL_SECONDS))
        if kills % WHOLE == 0:
            runner.kill()
            runner = start_command(*RUN_JOBS)
        else:
            for child in children_of(runner):
                os.kill(child, signal.SIGKILL)
        _hold_back(jobs)
        assert not jobs.filter(state=JobState.FAILED).exists()
    in_the_middle = jobs.filter(state=JobState.RUNNING).count()
    _let_time_pass()
    started = time.monotonic()
    wait_until(
        lambda: not jobs.filter(state__in=(JobState.QUEUED, JobState.RUNNING)).exists(), ARRIVE_SECONDS, "an end"
    )
    assert set(jobs.values_list("state", "error_code")) == {(JobState.DONE, "")}
    record(
        "kill, a PDF",
        f"{kills} kills, {in_the_middle} in the middle of a PDF: {jobs.count()} of {jobs.count()} PDFs arrived whole, "
        f"{max(jobs.values_list('attempts', flat=True))} attempts at most, the last after "
        f"{time.monotonic() - started:.0f} s",
    )
    assert in_the_middle > KILLS // 4
    assert kills > KILLS // 2
    for job in jobs:
        path = files.path_of(job)
        assert path is not None
        assert len(PdfReader(BytesIO(path.read_bytes())).pages) == PLAYERS // 4 // SHEETS_A_PAGE


def test_control_without_the_takeover_a_killed_pdf_never_arrives(
    gunicorn: StartGunicorn, start_command: StartCommand
) -> None:
    session = b.a_drawn_session(players=PLAYERS, rounds=1, donnes=5)
    arbiter = signed_in(gunicorn(), b.a_user(club=session.tournament.club).username)
    arbiter.post(f"/seances/{session.pk}/impressions/feuilles/", {"position": "1", "fill": "BLANK"})
    runner = start_command("-c", WITHOUT_TAKEOVER)
    wait_until(lambda: _attempts() == 1, 60, "the job begun")
    runner.kill()
    _let_time_pass()
    runner = start_command("-c", WITHOUT_TAKEOVER)
    arbiter.post(f"/seances/{session.pk}/impressions/feuilles/", {"position": "1", "fill": "NAMES"})
    wait_until(lambda: Job.objects.filter(state=JobState.DONE).count() == 1, 60, "the job asked for later")
    time.sleep(2)
    assert list(Job.objects.order_by("pk").values_list("state", "attempts")) == [
        (JobState.RUNNING, 1),
        (JobState.DONE, 1),
    ]
