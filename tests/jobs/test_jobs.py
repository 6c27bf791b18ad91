"""A job's life in one process: asked for once, done once, cancelled, taken over, given up after three attempts."""

import threading
from datetime import timedelta
from pathlib import Path

import pytest
from django.db import connection, transaction
from django.utils import timezone
from pytest_django import DjangoCaptureOnCommitCallbacks

from jobs import dispatch, files, queue, registry, running
from jobs.models import Job, JobState
from jobs.registry import Task
from jobs.selectors import job_view
from players.models import Club

pytestmark = pytest.mark.django_db


def ask(club: Club, kind: str = "count", key: str | None = None) -> Job:
    """Ask for a job."""
    return queue.enqueue(kind, club=club, by="user:1", params={}, key=key)


def silent_for(job: Job, seconds: float, *, attempts: int = 1) -> None:
    """Make a job look held by a worker that went silent."""
    Job.objects.filter(pk=job.pk).update(
        state=JobState.RUNNING, attempts=attempts, heartbeat_at=timezone.now() - timedelta(seconds=seconds)
    )


def test_a_job_is_done_and_leaves_its_file_named_by_kind_and_number(club: Club, data_dir: Path) -> None:
    job = ask(club)

    running.run_job(job.pk)

    job.refresh_from_db()
    assert (job.state, job.done, job.total, job.attempts) == (JobState.DONE, 3, 3, 1)
    assert job.file == f"count-{job.pk}.txt"
    assert (data_dir / "jobs" / job.file).read_bytes() == b"counted"


def test_a_job_run_a_second_time_does_nothing(club: Club) -> None:
    job = ask(club)
    running.run_job(job.pk)
    running.run_job(job.pk)
    job.refresh_from_db()
    assert (job.state, job.attempts) == (JobState.DONE, 1)


def test_a_job_that_is_gone_is_no_error(db: None) -> None:
    running.run_job(4_000_000)


def test_the_same_key_is_the_same_job_while_it_waits_and_when_it_is_done(club: Club) -> None:
    job = ask(club, key="sheets-1")
    assert ask(club, key="sheets-1") == job
    running.run_job(job.pk)
    assert ask(club, key="sheets-1") == job
    assert Job.objects.count() == 1


@pytest.mark.parametrize("state", [JobState.FAILED, JobState.CANCELLED])
def test_the_same_key_starts_a_job_again_that_was_given_up(club: Club, state: JobState) -> None:
    job = ask(club, key="sheets-1")
    Job.objects.filter(pk=job.pk).update(state=state, attempts=3, error_code="CRASHED")

    again = ask(club, key="sheets-1")

    assert again == job
    assert (again.state, again.attempts, again.error_code) == (JobState.QUEUED, 0, "")


def test_the_same_key_starts_a_job_again_whose_file_is_gone(club: Club) -> None:
    job = ask(club, key="sheets-1")
    running.run_job(job.pk)
    (files.folder() / f"count-{job.pk}.txt").unlink()
    assert ask(club, key="sheets-1").state == JobState.QUEUED


def test_an_unknown_kind_is_refused_when_it_is_asked_for(club: Club) -> None:
    with pytest.raises(LookupError):
        ask(club, "no-such-kind")


def test_a_worker_is_woken_only_once_the_transaction_holds(
    club: Club, monkeypatch: pytest.MonkeyPatch, django_capture_on_commit_callbacks: DjangoCaptureOnCommitCallbacks
) -> None:
    woken: list[int] = []
    monkeypatch.setattr(dispatch, "_senders", [woken.append])
    with django_capture_on_commit_callbacks(execute=True), transaction.atomic():
        job = ask(club)
        assert woken == []
    assert woken == [job.pk]


def test_a_job_of_a_transaction_that_failed_never_was(club: Club, monkeypatch: pytest.MonkeyPatch) -> None:
    woken: list[int] = []
    monkeypatch.setattr(dispatch, "_senders", [woken.append])
    with transaction.atomic():
        ask(club)
        transaction.set_rollback(True)
    assert (woken, Job.objects.count()) == ([], 0)


def test_a_refused_job_fails_at_once_with_its_code(club: Club) -> None:
    job = ask(club, "refuse")
    running.run_job(job.pk)
    job.refresh_from_db()
    assert (job.state, job.error_code, job.attempts) == (JobState.FAILED, "REFUSED_BY_TEST", 1)


def test_a_crashing_job_waits_again_twice_and_fails_at_the_third_attempt(club: Club) -> None:
    job = ask(club, "crash")
    states = []
    for _ in range(4):
        running.run_job(job.pk)
        job.refresh_from_db()
        states.append(job.state)
    assert states == [JobState.QUEUED, JobState.QUEUED, JobState.FAILED, JobState.FAILED]
    assert (job.error_code, job.attempts) == ("CRASHED", 3)


def test_a_job_whose_worker_is_heard_is_left_alone(club: Club) -> None:
    job = ask(club)
    silent_for(job, 10)
    running.run_job(job.pk)
    job.refresh_from_db()
    assert (running.next_job(), job.state, job.attempts) == (None, JobState.RUNNING, 1)


def test_a_job_silent_for_fifteen_seconds_is_taken_over(club: Club) -> None:
    job = ask(club)
    silent_for(job, 16)
    assert running.next_job() == job.pk
    running.run_job(job.pk)
    job.refresh_from_db()
    assert (job.state, job.attempts) == (JobState.DONE, 2)


def test_a_job_whose_workers_died_three_times_is_given_up_in_words(club: Club) -> None:
    job = ask(club)
    silent_for(job, 16, attempts=3)
    running.run_job(job.pk)
    job.refresh_from_db()
    assert (job.state, job.error_code) == (JobState.FAILED, "WORKER_LOST")
    assert job_view(job).error


def test_a_worker_that_comes_back_after_a_takeover_changes_nothing(club: Club) -> None:
    job = ask(club)

    def sleeper(task: Task) -> registry.Product:
        silent_for(job, 16)
        running.run_job(job.pk)
        task.report(1, 9)
        raise AssertionError("its report must not pass")

    def work(task: Task) -> registry.Product | None:
        if task.attempt == 1:
            return sleeper(task)
        return registry.Product(content=b"second", suffix=".txt")

    registry.register("count", work)
    running.run_job(job.pk)
    job.refresh_from_db()
    assert (job.state, job.attempts, job.done) == (JobState.DONE, 2, 0)
    path = files.path_of(job)
    assert path is not None
    assert path.read_bytes() == b"second"


def test_a_job_cancelled_while_it_is_done_stops_at_its_next_report(club: Club) -> None:
    job = ask(club)
    seen: list[int] = []

    def work(task: Task) -> None:
        for done in range(10):
            task.report(done, 10)
            seen.append(done)
            if done == 3:
                assert queue.cancel(Job.objects.get(pk=job.pk))

    registry.register("count", work)
    running.run_job(job.pk)
    job.refresh_from_db()
    assert (job.state, seen) == (JobState.CANCELLED, [0, 1, 2, 3])
    assert not queue.cancel(job)


def test_an_ended_job_can_be_started_again_and_a_running_one_cannot(club: Club) -> None:
    job = ask(club)
    assert not queue.retry(job)
    running.run_job(job.pk)
    assert queue.retry(Job.objects.get(pk=job.pk))
    running.run_job(job.pk)
    job.refresh_from_db()
    assert job.state == JobState.DONE


def test_a_runner_asked_to_stop_puts_its_job_back_in_line(club: Club) -> None:
    job = ask(club)

    def work(task: Task) -> None:
        raise SystemExit(0)

    registry.register("count", work)
    with pytest.raises(SystemExit):
        running.run_job(job.pk)
    job.refresh_from_db()
    assert (job.state, job.attempts) == (JobState.QUEUED, 0)


def test_jobs_and_files_of_over_two_weeks_ago_are_cleared_away(club: Club) -> None:
    old, young = ask(club), ask(club)
    running.run_job(old.pk)
    Job.objects.filter(pk=old.pk).update(created_at=timezone.now() - timedelta(days=15))
    running.run_job(young.pk)
    assert list(Job.objects.values_list("pk", flat=True)) == [young.pk]


@pytest.mark.embedded
@pytest.mark.django_db(transaction=True)
def test_of_ten_runners_at_once_one_does_the_job(club: Club) -> None:
    job = ask(club)
    done: list[int] = []
    at_once = threading.Barrier(10)
    registry.register("count", lambda task: done.append(task.attempt))

    def run() -> None:
        try:
            at_once.wait()
            running.run_job(job.pk)
        finally:
            connection.close()

    threads = [threading.Thread(target=run) for _ in range(10)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    job.refresh_from_db()
    assert (done, job.state, job.attempts) == ([1], JobState.DONE, 1)


@pytest.mark.embedded
@pytest.mark.django_db(transaction=True)
def test_the_heart_beats_while_the_work_holds_the_process(club: Club, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(running, "BEAT_SECONDS", 0.05)
    job = ask(club)
    beats: list[object] = []

    def work(task: Task) -> None:
        for _ in range(3):
            threading.Event().wait(0.3)
            beats.append(Job.objects.values_list("heartbeat_at", flat=True).get(pk=task.job_id))

    registry.register("count", work)
    running.run_job(job.pk)
    assert len(set(beats)) == 3
