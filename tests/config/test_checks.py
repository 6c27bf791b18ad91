"""The system checks: what they refuse, what they let pass, and that production settings are clean."""

import os
import subprocess
import sys
from pathlib import Path

import pytest
from django.core.checks import run_checks
from django.db import connection
from pytest_django import Settings

from tests.servers import ROOT


def _ids(databases: list[str] | None = None) -> set[str]:
    return {str(message.id) for message in run_checks(databases=databases) if str(message.id).startswith("config.")}


def test_this_installation_is_clean() -> None:
    assert _ids() == set()


def test_a_short_secret_key_is_an_error(settings: Settings) -> None:
    settings.SECRET_KEY = "short"
    assert "config.E001" in _ids()


def test_any_host_is_an_error(settings: Settings) -> None:
    settings.ALLOWED_HOSTS = ["tarot.example.org", "*"]
    assert "config.E002" in _ids()


def test_debug_pages_on_a_served_site_are_an_error(settings: Settings) -> None:
    settings.DEBUG = True
    settings.HTTPS = True
    assert "config.E003" in _ids()


@pytest.mark.parametrize(
    ("url", "refused"),
    [
        ("", False),
        ("redis://127.0.0.1:6379", False),
        ("redis://:word@redis:6379", False),
        ("redis://redis:6379", True),
        ("redis://192.168.1.9", True),
    ],
)
def test_a_redis_elsewhere_needs_a_password(settings: Settings, url: str, refused: bool) -> None:
    settings.REDIS_URL = url
    assert ("config.E004" in _ids()) is refused


def test_missing_printing_libraries_are_a_warning_that_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("config.checks.PRINTING_LIBRARIES", ("libnowhere.so.9",))
    (warning,) = [message for message in run_checks() if message.id == "config.W001"]
    assert "libpangoft2-1.0-0" in str(warning.hint)
    assert not warning.is_serious()


@pytest.mark.embedded
@pytest.mark.django_db
def test_the_database_in_use_is_durable_or_known_as_a_test_cluster() -> None:
    assert _ids(databases=["default"]) == set()


@pytest.mark.embedded
@pytest.mark.django_db(transaction=True)
def test_a_durability_setting_switched_off_is_an_error(settings: Settings) -> None:
    settings.TEST_CLUSTER = False
    if connection.vendor == "postgresql":
        with connection.cursor() as cursor:
            cursor.execute("SET synchronous_commit = off")
        found = _ids(databases=["default"])
        with connection.cursor() as cursor:
            cursor.execute("RESET synchronous_commit")
        assert "config.E007" in found
    else:
        with connection.cursor() as cursor:
            cursor.execute("PRAGMA synchronous=NORMAL")
        found = _ids(databases=["default"])
        with connection.cursor() as cursor:
            cursor.execute("PRAGMA synchronous=FULL")
        assert "config.E006" in found


@pytest.mark.django_db(transaction=True)
def test_a_cluster_without_fsync_is_refused_unless_it_is_said_to_be_for_tests(settings: Settings) -> None:
    settings.TEST_CLUSTER = True
    assert _ids(databases=["default"]) == set()
    settings.TEST_CLUSTER = False
    assert "config.E007" in _ids(databases=["default"]) or connection.vendor == "sqlite"


def _deploy(tmp_path: Path, **variables: str) -> subprocess.CompletedProcess[str]:
    env = {"PATH": os.environ["PATH"], "TAROT_DATA": str(tmp_path), **variables}
    command = [sys.executable, "manage.py", "check", "--deploy", "--fail-level", "WARNING"]
    return subprocess.run(command, cwd=ROOT, env=env, capture_output=True, text=True)


def test_production_settings_pass_the_deployment_check(tmp_path: Path) -> None:
    done = _deploy(tmp_path, TAROT_HTTPS="1", TAROT_ALLOWED_HOSTS="tarot.example.org")
    assert done.returncode == 0, done.stderr


@pytest.mark.parametrize(
    "variables",
    [{"TAROT_ALLOWED_HOSTS": "*"}, {"TAROT_DEBUG": "1"}, {"TAROT_SECRET_KEY": "short"}, {"REDIS_URL": "redis://far"}],
)
def test_unsafe_production_settings_are_refused(tmp_path: Path, variables: dict[str, str]) -> None:
    done = _deploy(tmp_path, **{"TAROT_HTTPS": "1", "TAROT_ALLOWED_HOSTS": "tarot.example.org", **variables})
    assert done.returncode == 1
    assert "config.E" in done.stderr
