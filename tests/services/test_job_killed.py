"""kill -9 in the middle of a PDF: the job is taken over once its heart is silent, and every PDF arrives whole."""

import random
import time
from datetime import timedelta
from io import BytesIO

import pytest
from django.utils import timezone
from pypdf import PdfReader

from jobs import files
from jobs.models import Job, JobState
from jobs.running import SILENCE
from tests import builders as b
from tests.conftest import StartCommand, StartGunicorn
from tests.servers import wait_until

from .conftest import IS_FULL, Record
from .visitor import signed_in

pytestmark = [pytest.mark.services, pytest.mark.embedded]

KILLS = 30 if IS_FULL else 10
PLAYERS = 24
SHEETS_A_PAGE = 2
FILLS = ("BLANK", "NAMES")
USUAL_SECONDS = 1.0  # for one PDF
ARRIVE_SECONDS = 240
# A runner that never takes over a job whose worker went silent.
WITHOUT_TAKEOVER = """
import django; django.setup()
from django.db.models import Q
from jobs import running
from jobs.runner import Runner
running._silent = lambda: Q(pk__isnull=True)
Runner().run()
"""


def _attempts() -> int:
    return sum(Job.objects.values_list("attempts", flat=True))


def _let_time_pass() -> None:
    """Let the silence of every killed worker be over: the full proof waits, the small one sets the hearts back."""
    if IS_FULL:
        time.sleep(SILENCE.total_seconds())
    else:
        Job.objects.filter(state=JobState.RUNNING).update(heartbeat_at=timezone.now() - SILENCE - timedelta(seconds=1))


def test_every_pdf_arrives_whole_though_its_worker_is_killed(
    gunicorn: StartGunicorn, start_command: StartCommand, record: Record
) -> None:
    rounds = -(-KILLS // len(FILLS))
    session = b.a_drawn_session(players=PLAYERS, rounds=rounds, donnes=5)
    arbiter = signed_in(gunicorn(), b.a_user(club=session.tournament.club).username)
    chance = random.Random(6)
    for number in range(1, rounds + 1):
        for fill in FILLS:
            answer = arbiter.post(
                f"/seances/{session.pk}/impressions/feuilles/", {"position": str(number), "fill": fill}
            )
            assert answer.status == 302, answer.text
    jobs = Job.objects.filter(kind="print_sheets")
    assert jobs.count() == len(FILLS) * rounds
    for _ in range(KILLS):
        before = _attempts()
        runner = start_command("manage.py", "run_jobs")
        wait_until(lambda before=before: _attempts() > before, 60, "a job begun")  # type: ignore[misc]
        time.sleep(chance.uniform(0, USUAL_SECONDS))
        runner.kill()
        # Only one kill a job: three attempts are all it gets.
        jobs.filter(state=JobState.RUNNING).update(heartbeat_at=timezone.now())
        assert not jobs.filter(state=JobState.FAILED).exists()
    in_the_middle = jobs.filter(state=JobState.RUNNING).count()
    _let_time_pass()
    started = time.monotonic()
    runner = start_command("manage.py", "run_jobs")
    wait_until(
        lambda: not jobs.filter(state__in=(JobState.QUEUED, JobState.RUNNING)).exists(), ARRIVE_SECONDS, "an end"
    )
    assert set(jobs.values_list("state", "error_code")) == {(JobState.DONE, "")}
    record(
        "kill, a PDF",
        f"{KILLS} kills, {in_the_middle} in the middle of a PDF: {jobs.count()} of {jobs.count()} PDFs arrived whole, "
        f"{max(jobs.values_list('attempts', flat=True))} attempts at most, the last after "
        f"{time.monotonic() - started:.0f} s",
    )
    assert in_the_middle > KILLS // 4
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
