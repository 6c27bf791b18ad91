"""A backup is whole or not made; the right ones are kept; one put back on a fresh machine gives the same numbers."""

import os
import sqlite3
import subprocess
import sys
from contextlib import closing
from datetime import UTC, datetime
from pathlib import Path

import pytest
from django.core.management import CommandError, call_command
from django.db import connection
from django.db.migrations.recorder import MigrationRecorder
from django.utils import timezone

from jobs.errors import JobError
from jobs.models import JobState
from jobs.queue import enqueue
from jobs.running import run_job
from tests.builders import a_club, a_drawn_session, a_table, fill_table
from tests.servers import ROOT
from tournaments import backups, restores
from tournaments.backups import Occasion
from tournaments.models import Mark, Session, SessionState


def manage(data: Path, *arguments: str) -> str:
    """Run a command of the project on a SQLite database of its own; return what it says."""
    env = {**os.environ, "DJANGO_SETTINGS_MODULE": "tests.settings", "TAROT_DATA": str(data), "DATABASE_URL": ""}
    done = subprocess.run([sys.executable, "manage.py", *arguments], cwd=ROOT, env=env, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    return done.stdout


def ledger_of(data: Path) -> str:
    """Return every row of people and results, as text."""
    return manage(data, "dumpdata", "players", "tournaments", "--indent=1")


@pytest.mark.services
def test_a_backup_put_back_on_another_machine_gives_the_same_numbers_and_keeps_what_was_there(tmp_path: Path) -> None:
    evening, other = tmp_path / "evening", tmp_path / "other"
    manage(evening, "migrate", "--verbosity=0")
    manage(evening, "load_demo")
    backup = manage(evening, "backup").strip()
    manage(other, "migrate", "--verbosity=0")
    empty = (other / "petit-au-bout.sqlite3").read_bytes()

    said = manage(other, "restore", backup, "--yes")

    assert "Les données sont remises" in said
    before = ledger_of(evening)
    assert "tournaments.mark" in before
    assert ledger_of(other) == before
    manage(other, "check_ledger")
    (kept,) = (other / "backups").iterdir()
    assert str(kept) in said
    assert backups.is_whole(kept)
    assert len(kept.read_bytes()) == len(empty)


@pytest.fixture
def a_backup(tmp_path: Path, transactional_db: None) -> Path:
    """Return a SQLite backup of this program, whatever database the test runs on."""
    path = tmp_path / "backup.sqlite3"
    with closing(sqlite3.connect(path)) as made:
        made.execute("CREATE TABLE django_migrations (app, name, applied)")
        made.executemany(
            "INSERT INTO django_migrations VALUES (?, ?, '')", MigrationRecorder(connection).applied_migrations()
        )
        made.commit()
    return path


def test_a_whole_backup_of_this_program_passes(a_backup: Path) -> None:
    restores.check_backup(a_backup)


def test_a_backup_that_is_half_of_another_program_or_of_a_newer_one_is_refused_in_words(a_backup: Path) -> None:
    half, stranger, newer = (a_backup.with_name(name) for name in ("half", "stranger", "newer"))
    half.write_bytes(a_backup.read_bytes()[:5_000])
    with closing(sqlite3.connect(stranger)) as made:
        made.execute("CREATE TABLE cats (name)")
    newer.write_bytes(a_backup.read_bytes())
    with closing(sqlite3.connect(newer)) as made:
        made.execute("INSERT INTO django_migrations VALUES ('tournaments', '9999_later', '')")
        made.commit()
    for path, said in (
        (half, "pas une sauvegarde SQLite entière"),
        (stranger, "pas de données de ce programme"),
        (newer, "programme plus récent"),
    ):
        with pytest.raises(restores.RestoreRefusedError, match=said):
            restores.check_backup(path)


def test_a_restore_is_refused_while_the_site_has_the_file_open(tmp_path: Path) -> None:
    database = tmp_path / "site.sqlite3"
    with closing(sqlite3.connect(database)) as site:
        site.execute("PRAGMA journal_mode=WAL")
        site.execute("CREATE TABLE results (mark)")
        with pytest.raises(restores.RestoreRefusedError, match="tourne encore"):
            restores.set_aside(database)
    kept = restores.set_aside(database)
    assert kept is not None
    assert backups.is_whole(kept)


def test_a_restore_asks_for_consent_and_for_a_file_that_is_there(
    monkeypatch: pytest.MonkeyPatch, a_backup: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("tournaments.management.commands.restore.is_sqlite", lambda: True)
    with pytest.raises(CommandError, match="--yes"):
        call_command("restore", str(a_backup))
    with pytest.raises(CommandError, match="n'existe pas"):
        call_command("restore", "no-such-file", "--yes")
    call_command("restore")
    assert f"aucune sauvegarde dans {backups.folder()}" in capsys.readouterr().out
    path = backups.back_up(Occasion.BY_HAND)
    call_command("restore")
    assert str(path) in capsys.readouterr().out


@pytest.mark.embedded
@pytest.mark.django_db(transaction=True)
def test_a_backup_holds_every_mark_and_lies_where_only_its_owner_reads(data_dir: Path) -> None:
    fill_table(a_table())

    path = backups.back_up(Occasion.BY_HAND)

    assert path.parent == data_dir / "backups"
    assert path.stat().st_mode & 0o077 == 0
    assert list(path.parent.iterdir()) == [path]
    assert marks_in(path) == Mark.objects.count() > 0


def marks_in(path: Path) -> int:
    """Count the marks in a backup, SQLite's or PostgreSQL's."""
    if connection.vendor == "sqlite":
        assert backups.is_whole(path)
        with closing(sqlite3.connect(path)) as opened:
            return int(opened.execute("SELECT count(*) FROM tournaments_mark").fetchone()[0])
    listed = subprocess.run(
        ["pg_restore", "--data-only", "--table=tournaments_mark", "--file=-", str(path)],
        capture_output=True,
        text=True,
        check=True,
    ).stdout
    rows = listed.split("FROM stdin;\n")[1].split("\\.\n")[0]
    return rows.count("\n")


@pytest.mark.embedded
@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize(
    ("state", "occasion"), [(SessionState.RUNNING, Occasion.POSITION), (SessionState.FINAL, Occasion.CLOSE)]
)
def test_the_backup_job_says_in_its_name_whether_a_session_was_closed(state: str, occasion: Occasion) -> None:
    session = a_drawn_session()
    Session.objects.filter(pk=session.pk).update(state=state)
    job = enqueue("backup", club=session.tournament.club, by="desk", params={"session": session.pk, "round": 1})
    run_job(job.pk)
    job.refresh_from_db()
    assert (job.state, job.file) == (JobState.DONE, "")
    (path,) = backups.backups()
    assert path.stem.endswith(occasion)


@pytest.mark.embedded
@pytest.mark.django_db(transaction=True)
def test_the_oldest_backups_of_each_occasion_are_let_go(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(backups.KEPT, Occasion.POSITION, 2)
    close = backups.back_up(Occasion.CLOSE)
    made = [backups.back_up(Occasion.POSITION) for _ in range(4)]
    assert set(backups.backups()) == {close, *made[2:]}


def test_a_backup_bears_the_time_of_the_clock_in_the_room(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(timezone, "now", lambda: datetime(2026, 7, 3, 21, 42, 5, 12, tzinfo=UTC))
    assert backups.stamp() == "20260703-234205-000012+0200"


def test_backups_stand_in_the_order_they_were_made_whatever_the_clock_did(data_dir: Path) -> None:
    """In autumn 02:30 comes twice; older programs wrote UTC; somebody renamed one, and its file's time speaks."""
    made = [
        "petit-au-bout-20261025-003500-000000-position.sqlite3",  # UTC: 02:35 in summer time
        "petit-au-bout-20261025-025900-000000+0200-position.sqlite3",
        "petit-au-bout-20261025-023000-000000+0100-position.sqlite3",
        "petit-au-bout-20261025-023000-000001+0100-position.sqlite3",
        "petit-au-bout-20261025-014000-000000-position.sqlite3",  # UTC: 02:40 in winter time
        "petit-au-bout-apéro.sqlite3",
        "petit-au-bout-99999999-999999-999999-position.sqlite3",
    ]
    for name in sorted(made):
        (backups.folder() / name).touch()
    for year, renamed in enumerate(made[-2:], start=2027):
        os.utime(backups.folder() / renamed, (datetime(year, 1, 1, tzinfo=UTC).timestamp(),) * 2)
    assert [path.name for path in backups.backups()] == made[::-1]


@pytest.mark.embedded
@pytest.mark.django_db(transaction=True)
def test_the_oldest_are_let_go_by_time_and_not_by_name(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(backups.KEPT, Occasion.POSITION, 2)
    made = []
    for utc in ((0, 30), (0, 50), (1, 10)):  # 02:30 and 02:50, then 02:10: the clock went back
        now = datetime(2026, 10, 25, *utc, tzinfo=UTC)
        monkeypatch.setattr(timezone, "now", lambda now=now: now)
        made.append(backups.back_up(Occasion.POSITION))
    assert backups.backups() == [made[2], made[1]]


@pytest.mark.embedded
@pytest.mark.django_db(transaction=True)
def test_a_copy_that_fails_its_check_is_no_backup(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    broken = tmp_path / "broken"
    broken.write_bytes(b"SQLite format 3\0" + b"\1" * 4000)
    assert not backups.is_whole(broken)
    monkeypatch.setattr(backups, "is_whole", lambda path: False)
    monkeypatch.setattr(backups, "pg_dump", lambda: "/bin/false")
    with pytest.raises(JobError) as refused:
        backups.back_up(Occasion.BY_HAND)
    assert refused.value.code == backups.BACKUP_FAILED
    assert backups.backups() == []


@pytest.mark.django_db
def test_without_pg_dump_a_backup_says_so_in_words(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tournaments.backups.is_sqlite", lambda: False)
    monkeypatch.setattr(backups, "pg_dump", lambda: None)
    with pytest.raises(CommandError, match="pg_dump"):
        call_command("backup")
    job = enqueue("backup", club=a_club(), by="desk", params={"session": 0, "round": 1})
    run_job(job.pk)
    job.refresh_from_db()
    assert (job.state, job.error_code) == (JobState.FAILED, backups.NO_PG_DUMP)


@pytest.mark.django_db
def test_on_postgresql_restoring_is_left_to_pg_restore_with_the_command_to_type(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr("tournaments.management.commands.restore.is_sqlite", lambda: False)
    backup = tmp_path / "some.pgdump"
    backup.touch()
    with pytest.raises(CommandError, match="pg_restore --clean"):
        call_command("restore", str(backup), "--yes")
    assert str(backup) in restores.postgresql_command(backup)
