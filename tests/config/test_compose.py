"""The hosted arrangement: what docker-compose.yml says is whole, and its commands run as plain processes."""

import re
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest
import yaml

from tests.conftest import StartCommand
from tests.servers import ROOT, Server, environment, free_port, wait_until

COMPOSE: dict[str, Any] = yaml.safe_load((ROOT / "docker-compose.yml").read_text(encoding="utf-8"))
SERVICES: dict[str, Any] = COMPOSE["services"]
OURS = ("migrate", "web", "worker")
DOCKERFILE = (ROOT / "Dockerfile").read_text(encoding="utf-8")
# Read by gunicorn itself or by Python, not by the project.
FOREIGN = {"PYTHONUNBUFFERED", "PYTHONDONTWRITEBYTECODE", "XDG_CACHE_HOME"}


def _names_read() -> set[str]:
    """Return every environment variable the project reads."""
    reading = re.compile(r"""(?:environ\.get|getenv|_flag|_words)\(\s*["']([A-Z_]+)["']|environ\[["']([A-Z_]+)["']\]""")
    found = set()
    for folder in ("config", "players", "jobs", "tournaments"):
        for path in (ROOT / folder).rglob("*.py"):
            for first, second in reading.findall(path.read_text(encoding="utf-8")):
                found.add(first or second)
    return found


def _names_in_example() -> set[str]:
    text = (ROOT / ".env.example").read_text(encoding="utf-8")
    return set(re.findall(r"^(?:# )?([A-Z_]+)=", text, re.MULTILINE))


def test_there_are_a_site_a_worker_a_database_and_a_queue() -> None:
    assert set(SERVICES) == {"migrate", "web", "worker", "db", "redis"}
    assert SERVICES["db"]["image"].startswith("postgres:")
    assert SERVICES["redis"]["image"].startswith("redis:")


@pytest.mark.parametrize("name", ["web", "worker", "db", "redis"])
def test_each_lasting_service_has_a_health_check_and_starts_again(name: str) -> None:
    check = SERVICES[name]["healthcheck"]
    assert check["test"][0] in {"CMD", "CMD-SHELL"}
    assert check["retries"] >= 3
    assert SERVICES[name]["restart"] == "unless-stopped"


@pytest.mark.parametrize(
    ("name", "volume"),
    [("web", "data"), ("worker", "data"), ("migrate", "data"), ("db", "database"), ("redis", "queue")],
)
def test_what_must_last_lies_in_a_named_volume(name: str, volume: str) -> None:
    assert any(mount.startswith(f"{volume}:/") for mount in SERVICES[name]["volumes"])
    assert volume in COMPOSE["volumes"]


def test_nothing_runs_as_root() -> None:
    users = re.findall(r"^USER (\S+)$", DOCKERFILE, re.MULTILINE)
    assert users == ["tarot"]
    assert SERVICES["db"]["user"] == "postgres"
    assert SERVICES["redis"]["user"] == "redis"
    for name in OURS:
        assert "user" not in SERVICES[name]
        assert SERVICES[name]["read_only"] is True
        assert SERVICES[name]["cap_drop"] == ["ALL"]


def test_only_the_site_is_reached_from_outside_and_only_through_a_proxy() -> None:
    assert [name for name in SERVICES if "ports" in SERVICES[name]] == ["web"]
    assert SERVICES["web"]["ports"][0].startswith("127.0.0.1:")


def test_the_queue_is_kept_on_disk_behind_a_password() -> None:
    command = SERVICES["redis"]["command"]
    assert command[command.index("--appendonly") + 1] == "yes"
    assert "--requirepass" in command


def test_the_database_checks_its_pages() -> None:
    assert SERVICES["db"]["environment"]["POSTGRES_INITDB_ARGS"] == "--data-checksums"


def test_the_tables_are_ready_before_the_site_and_the_worker_start() -> None:
    for name in ("web", "worker"):
        assert SERVICES[name]["depends_on"]["migrate"] == {"condition": "service_completed_successfully"}
    assert SERVICES["migrate"]["depends_on"]["db"] == {"condition": "service_healthy"}


def test_the_image_installs_the_hashed_lock_and_what_printing_and_backups_need() -> None:
    assert "--require-hashes -r requirements.lock" in DOCKERFILE
    for package in ("libpangoft2-1.0-0", "libharfbuzz-subset0", "fonts-dejavu-core"):
        assert package in DOCKERFILE
    client = re.search(r"postgresql-client-(\d+)", DOCKERFILE)
    server = re.fullmatch(r"postgres:(\d+)-\w+", SERVICES["db"]["image"])
    assert client is not None
    assert server is not None
    assert client[1] == server[1]


def test_each_variable_passed_is_read() -> None:
    passed = {name for service in OURS for name in SERVICES[service]["environment"]}
    passed |= set(re.findall(r"\b([A-Z_]+)=", " ".join(re.findall(r"^ENV (.+)$", DOCKERFILE, re.MULTILINE))))
    assert passed - FOREIGN <= _names_read()


def test_each_variable_read_or_asked_for_is_explained_in_the_example() -> None:
    asked = set(re.findall(r"\$\{([A-Z_]+)", (ROOT / "docker-compose.yml").read_text(encoding="utf-8")))
    known = _names_in_example()
    assert asked <= known
    assert {name for name in _names_read() if name.startswith("TAROT_")} <= known
    assert {"DATABASE_URL", "REDIS_URL", "PORT", "WEB_CONCURRENCY"} <= known


def _container_environment(service: str, redis_url: str, data: Path) -> Mapping[str, str]:
    """Return what the container would be given, with this test's servers instead of `db` and `redis`."""
    given = {name: re.sub(r"\$\{\w+(?::[-?]([^}]*))?\}", r"\1", str(value)) for name, value in _passed(service).items()}
    return {
        **environment(),
        **given,
        "DJANGO_SETTINGS_MODULE": "config.settings",
        "DATABASE_URL": environment()["DATABASE_URL"],
        "REDIS_URL": redis_url,
        "TAROT_ALLOWED_HOSTS": "tarot.example.org",
        "TAROT_SECRET_KEY": "only-for-tests-" + "x" * 40,
        "TAROT_DATA": str(data),
    }


def _passed(service: str) -> dict[str, str]:
    return dict(SERVICES[service]["environment"])


def _command(service: str) -> list[str]:
    program, *arguments = SERVICES[service]["command"]
    assert program == "python"
    return [str(argument) for argument in arguments]


@pytest.mark.services
def test_the_command_of_migrate_succeeds(start_command: StartCommand, redis_url: str, tmp_path: Path) -> None:
    process = start_command(*_command("migrate"), env=_container_environment("migrate", redis_url, tmp_path / "data"))
    assert process.popen is not None
    assert process.popen.wait(60) == 0, process.log()


@pytest.mark.services
def test_the_command_of_web_answers_its_health_check(transactional_db: None, redis_url: str, tmp_path: Path) -> None:
    port = free_port()
    env = {**_container_environment("web", redis_url, tmp_path / "data"), "PORT": str(port), "WEB_CONCURRENCY": "2"}
    web = Server(command=[sys.executable, *_command("web")], log_path=tmp_path / "web.log", env=env, port=port)
    try:
        web.start()
        health = SERVICES["web"]["healthcheck"]["test"]
        assert health[:2] == ["CMD", "python"]
        done = subprocess.run([sys.executable, *health[2:]], cwd=ROOT, env=env, timeout=30)
        assert done.returncode == 0, web.log()
    finally:
        web.stop()
    assert subprocess.run([sys.executable, *health[2:]], cwd=ROOT, env=env, timeout=30).returncode == 1


@pytest.mark.services
def test_the_command_of_worker_answers_its_health_check(
    start_command: StartCommand, redis_url: str, tmp_path: Path
) -> None:
    env = _container_environment("worker", redis_url, tmp_path / "data")
    worker = start_command(*_command("worker"), env=env)
    wait_until(lambda: " ready." in worker.log() or not worker.runs, 60, "the worker ready")
    assert worker.runs, worker.log()
    kind, check = SERVICES["worker"]["healthcheck"]["test"]
    assert kind == "CMD-SHELL"
    assert check.startswith("python -m celery ")
    words = check.split(" --destination ")[0].split()[1:]
    done = subprocess.run([sys.executable, *words], cwd=ROOT, env=env, capture_output=True, text=True, timeout=60)
    assert done.returncode == 0, done.stdout + done.stderr
    assert "pong" in done.stdout
