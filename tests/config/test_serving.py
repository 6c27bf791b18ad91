"""The embedded site's own parts: addresses, the children's restarts, what happens when the network changes."""

import os
import signal
import socket
import time
from pathlib import Path

import pytest
from django.conf import settings as project
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
