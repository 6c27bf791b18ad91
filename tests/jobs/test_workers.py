"""Real workers: a Celery worker over Redis and `run_jobs`, killed, stopped, robbed of their queue; no job is lost."""

import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest
import redis

from config.celery import app
from jobs import dispatch, files, queue, tasks
from jobs.models import Job, JobState
from players.models import Club
from tests.builders import a_drawn_session, fill_table, table_of
from tests.conftest import StartCommand
from tests.pdf import read_pdf
from tests.servers import ROOT, Process, environment, free_port, wait_until
from tournaments import backups
from tournaments.models import Session, Standing

pytestmark = [pytest.mark.services, pytest.mark.django_db(transaction=True)]

StartWorker = Callable[[], Process]


@pytest.fixture
def _queue(redis_url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Let this process put jobs on the test's queue, as a web process with REDIS_URL does."""
    monkeypatch.setattr(dispatch, "_senders", [tasks.send])
    app.conf.update(broker_url=redis_url)
    app.set_current()


def ask_for_sheets(session: Session) -> Job:
    """Ask for the first position's sheets."""
    position = session.rounds.get(number=1)
    params = {"session": session.pk, "round": position.pk, "number": 1, "fill": "NAMES", "language": "fr"}
    return queue.enqueue("print_sheets", club=session.tournament.club, by="user:1", params=params)


def state_of(job: Job) -> str:
    """Return the state of a job as it stands now."""
    job.refresh_from_db()
    return job.state


def wait_for(job: Job, state: JobState, seconds: float = 150) -> None:
    """Wait until a job is in a state."""
    wait_until(lambda: state_of(job) == state, seconds, f"{job.kind} {state}")


def pages_of(job: Job) -> int:
    """Return how many pages the file of a printing has."""
    path = files.path_of(job)
    assert path is not None
    return len(read_pdf(path))


def kill_in_the_middle(job: Job, worker: Process) -> None:
    """Kill a worker, with all it started, as soon as it has begun a job."""
    wait_for(job, JobState.RUNNING)
    worker.kill()
    assert state_of(job) == JobState.RUNNING
    assert files.path_of(job) is None


@pytest.mark.usefixtures("_queue")
def test_a_celery_worker_prints_publishes_and_backs_up(celery_worker: StartWorker) -> None:
    session = a_drawn_session(players=8, rounds=1, published=True)
    fill_table(table_of(session))
    worker = celery_worker()
    club = session.tournament.club

    printing = ask_for_sheets(session)
    publishing = queue.enqueue("publish_standing", club=club, by="desk", params={"session": session.pk})
    backup = queue.enqueue("backup", club=club, by="desk", params={"session": session.pk, "round": 1})

    for job in (printing, publishing, backup):
        wait_for(job, JobState.DONE)
        assert job.attempts == 1
    assert pages_of(printing) == 1
    assert Standing.objects.get(session=session).version == 1
    assert len(backups.backups()) == 1
    assert worker.log().count("Task jobs.run_job") >= 3


@pytest.mark.usefixtures("_queue")
def test_a_job_whose_celery_worker_was_killed_is_taken_over_by_another(celery_worker: StartWorker) -> None:
    job = ask_for_sheets(a_drawn_session(players=44, rounds=1))
    kill_in_the_middle(job, celery_worker())
    celery_worker()
    wait_for(job, JobState.DONE)
    assert (job.attempts, pages_of(job)) == (2, 6)


@pytest.mark.usefixtures("_queue")
def test_jobs_the_queue_lost_are_done_within_thirty_seconds(celery_worker: StartWorker, redis_url: str) -> None:
    session = a_drawn_session(players=4, rounds=1)
    club = session.tournament.club
    jobs = [queue.enqueue("publish_standing", club=club, by="desk", params={"session": session.pk}) for _ in range(5)]
    with redis.Redis.from_url(redis_url) as client:
        assert client.llen("tarot") == 5
        client.flushdb()
    celery_worker()
    asked = time.monotonic()
    for job in jobs:
        wait_for(job, JobState.DONE, 30)
    assert time.monotonic() - asked < 30


def test_with_redis_away_asking_neither_fails_nor_waits_and_the_sweeper_does_the_job(
    start_command: StartCommand, tmp_path: Path
) -> None:
    session = a_drawn_session(players=4, rounds=1)
    ask = (
        "import time; from jobs.queue import enqueue; from players.models import Club; begun = time.monotonic();"
        f"enqueue('publish_standing', club=Club.objects.get(), by='desk', params={{'session': {session.pk}}});"
        "print(time.monotonic() - begun)"
    )
    asked = subprocess.run(
        [sys.executable, "manage.py", "shell", "-c", ask],
        cwd=ROOT,
        env=environment({"REDIS_URL": f"redis://127.0.0.1:{free_port()}/0"}),
        capture_output=True,
        text=True,
        check=True,
    )
    assert float(asked.stdout.split()[-1]) < 5
    assert "waits for the sweeper" in asked.stderr
    job = Job.objects.get()
    assert job.state == JobState.QUEUED

    start_command("manage.py", "run_jobs", "--after", "1")

    wait_for(job, JobState.DONE)


def test_run_jobs_does_jobs_in_order_and_stops_when_told(start_command: StartCommand) -> None:
    session = a_drawn_session(players=8, rounds=1)
    first = ask_for_sheets(session)
    second = queue.enqueue("publish_standing", club=session.tournament.club, by="desk", params={"session": session.pk})
    runner = start_command("manage.py", "run_jobs")
    wait_for(second, JobState.DONE)
    assert state_of(first) == JobState.DONE
    assert runner.stop() == 0


def test_a_job_whose_run_jobs_was_killed_is_taken_over_after_fifteen_silent_seconds(
    start_command: StartCommand,
) -> None:
    job = ask_for_sheets(a_drawn_session(players=44, rounds=1))
    kill_in_the_middle(job, start_command("manage.py", "run_jobs"))
    start_command("manage.py", "run_jobs")
    wait_for(job, JobState.DONE)
    assert (job.attempts, pages_of(job)) == (2, 6)


def test_run_jobs_told_to_stop_in_the_middle_puts_its_job_back_in_line(start_command: StartCommand) -> None:
    job = ask_for_sheets(a_drawn_session(players=44, rounds=1))
    runner = start_command("manage.py", "run_jobs")
    wait_for(job, JobState.RUNNING)
    begun = time.monotonic()
    assert runner.stop(15) == 0
    assert time.monotonic() - begun < 12
    assert (state_of(job), job.attempts) == (JobState.QUEUED, 0)


def test_a_child_that_dies_takes_nothing_down_with_it(start_command: StartCommand) -> None:
    job = ask_for_sheets(a_drawn_session(players=44, rounds=1))
    runner = start_command("manage.py", "run_jobs")
    wait_for(job, JobState.RUNNING)
    (child,) = children_of(runner.pid)
    os.kill(child, signal.SIGKILL)
    wait_for(job, JobState.DONE)
    assert runner.runs
    assert job.attempts == 2


def children_of(pid: int) -> list[int]:
    """Return the ids of the processes a process has started and not yet lost."""
    return [int(child) for child in Path(f"/proc/{pid}/task/{pid}/children").read_text().split()]


def test_a_running_job_is_cancelled_from_outside(start_command: StartCommand) -> None:
    job = ask_for_sheets(a_drawn_session(players=44, rounds=1))
    start_command("manage.py", "run_jobs")
    wait_for(job, JobState.RUNNING)
    assert queue.cancel(job)
    club: Club = job.club
    after = queue.enqueue("publish_standing", club=club, by="desk", params={"session": job.params["session"]})
    wait_for(after, JobState.DONE)
    assert (state_of(job), files.path_of(job)) == (JobState.CANCELLED, None)
