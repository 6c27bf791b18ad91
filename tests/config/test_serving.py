"""The embedded site's own parts: addresses, the children's restarts, what happens when the network changes."""

import logging
import os
import signal
import socket
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from django.conf import settings as project
from django.http import HttpResponse
from django.test import Client, RequestFactory
from django.utils.log import log_response
from pytest_django import Settings

from config import addresses, serving
from config.children import Child
from tests.servers import wait_until


def test_the_addresses_are_those_of_cards_and_never_the_machine_to_itself() -> None:
    found = addresses.lan_addresses()
    assert found == sorted(set(found))
    for address in found:
        socket.inet_aton(address)
        assert not address.startswith("127.")


def test_own_hosts_name_this_machine() -> None:
    hosts = addresses.own_hosts()
    assert {"localhost", "127.0.0.1", "[::1]", socket.gethostname()} <= set(hosts)
    assert "*" not in hosts


def _living(path: Path) -> Child:
    def work() -> None:
        path.write_text(str(os.getpid()), encoding="ascii")
        time.sleep(60)

    return Child(work=work)


def test_a_child_that_dies_is_started_again_at_once_and_later_when_it_dies_young(tmp_path: Path) -> None:
    child = _living(tmp_path / "pid")
    child.start()
    first = child.pid
    os.kill(first, signal.SIGKILL)
    wait_until(lambda: not child.is_running(), 5, "its death")
    child.keep_alive()
    second = child.pid
    assert second not in {0, first}
    os.kill(second, signal.SIGKILL)
    wait_until(lambda: not child.is_running(), 5, "its second death")
    child.keep_alive()
    assert not child.is_running()
    child.started_at -= 1.5
    child.keep_alive()
    assert child.is_running()
    child.ask_to_stop()
    child.wait(time.monotonic() + 5)
    assert not child.is_running()


def test_a_child_that_will_not_stop_is_killed(tmp_path: Path) -> None:
    def deaf() -> None:
        signal.signal(signal.SIGTERM, signal.SIG_IGN)
        (tmp_path / "deaf").touch()
        time.sleep(60)

    child = Child(work=deaf)
    child.start()
    wait_until((tmp_path / "deaf").exists, 5, "the child deaf")
    child.ask_to_stop()
    child.wait(time.monotonic() + 0.1)
    assert not child.is_running()


class _Web:
    def __init__(self) -> None:
        self.calls: list[str] = []

    def ask_to_stop(self) -> None:
        self.calls.append("stop")

    def wait(self, until: float) -> None:
        self.calls.append("wait")

    def start(self) -> None:
        self.calls.append("start")


def test_joining_another_network_allows_its_address_and_says_it(
    monkeypatch: pytest.MonkeyPatch, settings: Settings
) -> None:
    settings.ALLOWED_HOSTS = ["tarot.example.org"]
    said: list[list[str]] = []
    found = ["192.168.1.20"]
    monkeypatch.setattr(serving, "lan_addresses", lambda: list(found))
    monkeypatch.setattr(addresses, "lan_addresses", lambda: list(found))
    with socket.socket() as door:
        site = serving.Embedded(door=door, claim=-1, announce=said.append)
        site._find_addresses()
        web = _Web()
        site._follow_addresses(web)  # type: ignore[arg-type]  # a stand-in that notes what is asked of it
        assert web.calls == []
        found[:] = ["10.0.0.7"]
        site._follow_addresses(web)  # type: ignore[arg-type]  # same
    assert web.calls == ["stop", "wait", "start"]
    assert said == [["10.0.0.7"]]
    assert {"10.0.0.7", "localhost", "tarot.example.org"} <= set(project.ALLOWED_HOSTS)
    assert "192.168.1.20" not in project.ALLOWED_HOSTS


@pytest.fixture
def _own_levels() -> Iterator[None]:
    loggers = [logging.getLogger(name) for name in ("django.request", "django.security.csrf")]
    levels = [logger.level for logger in loggers]
    yield
    for logger, level in zip(loggers, levels, strict=True):
        logger.setLevel(level)


@pytest.mark.usefixtures("_own_levels")
def test_refusals_are_not_told_in_the_window_and_faults_are_with_their_traceback(
    caplog: pytest.LogCaptureFixture,
) -> None:
    def answer() -> list[str]:
        caplog.clear()
        request = RequestFactory().get("/")
        for status, words in ((404, "Not Found"), (409, "Conflict"), (422, "Unprocessable Entity")):
            log_response("%s: %s", words, "/", response=HttpResponse(status=status), request=request)
        Client(enforce_csrf_checks=True).post("/connexion/")
        log_response("fault: %s", "/", response=HttpResponse(status=500), request=request, exception=ValueError("why"))
        return [record.getMessage() for record in caplog.records]

    assert len(answer()) == 5
    serving.keep_refusals_quiet()
    assert answer() == ["fault: /"]
    assert caplog.records[0].exc_info
