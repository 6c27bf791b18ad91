"""Runs the embedded site: who may start it, where it listens, its two children (gunicorn and the job runner)."""

import fcntl
import http.client
import logging
import os
import signal
import socket
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from types import FrameType
from typing import Any

from django.conf import settings
from django.core.management import call_command
from django.core.wsgi import get_wsgi_application
from gunicorn.app.base import BaseApplication

from .addresses import lan_addresses, own_hosts
from .children import Child

POLL_SECONDS = 0.3
PATIENCE_SECONDS = 5.0
ADDRESSES_SECONDS = 10.0
READY_SECONDS = 30.0
STOP_SECONDS = 15.0


class CannotServeError(Exception):
    """The site cannot be started; the message says why, in French and in English."""


def claim_data() -> int:
    """Hold the data directory for this process and return the descriptor that holds it.

    Raises:
        CannotServeError: another start has it.
    """
    path = Path(settings.DATA_DIR) / "serving.lock"
    descriptor = os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        holder = os.pread(descriptor, 20, 0).decode() or "?"
        os.close(descriptor)
        message = (
            f"Petit au bout tourne déjà (processus {holder})."
            f" Pour l'arrêter : Ctrl-C dans sa fenêtre, ou kill {holder}.\n"
            f"Petit au bout is already running (process {holder}). To stop it: Ctrl-C in its window, or kill {holder}."
        )
        raise CannotServeError(message) from None
    os.ftruncate(descriptor, 0)
    os.pwrite(descriptor, str(os.getpid()).encode(), 0)
    return descriptor


def listen(port: int, *, patience: float = PATIENCE_SECONDS) -> socket.socket:
    """Listen on every address of this machine; a server that is just ending may take a moment to leave the port.

    Raises:
        CannotServeError: somebody else has the port, or it is a reserved one.
    """
    end = time.monotonic() + patience
    while True:
        door = socket.socket(socket.AF_INET, socket.SOCK_STREAM)
        door.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            door.bind(("0.0.0.0", port))  # noqa: S104  phones in the room are meant to reach it
            door.listen(128)
        except PermissionError:
            door.close()
            raise CannotServeError(_refused(port, "réservé par le système", "reserved by the system")) from None
        except OSError:
            door.close()
            if time.monotonic() > end:
                raise CannotServeError(_refused(port, "déjà pris", "already taken")) from None
            time.sleep(0.2)
        else:
            return door


def _refused(port: int, french: str, english: str) -> str:
    other = port + 1 if port >= 1024 else 8000
    return (
        f"Le port {port} est {french} par un autre programme. Essayez : bin/run --port {other}\n"
        f"Port {port} is {english}. Try: bin/run --port {other}"
    )


class Site(BaseApplication):
    """Gunicorn on a socket that is listening already."""

    def __init__(self, door: socket.socket) -> None:
        self.door = door
        super().__init__()

    def load_config(self) -> None:
        """Set what differs from gunicorn's own choice."""
        choices = {
            "bind": f"fd://{self.door.fileno()}",
            "workers": 2,
            "threads": 2,
            "loglevel": "warning",
            "control_socket_disable": True,
        }
        for name, value in choices.items():
            self.cfg.set(name, value)

    def load(self) -> Any:
        """Return the application, its log quiet about what visitors mistype."""
        application = get_wsgi_application()  # sets the log up anew, so what is quiet is said after it
        keep_refusals_quiet()
        return application


def keep_refusals_quiet() -> None:
    """Keep answers of 400 to 499 out of the window the club looks at; faults are still told, with their traceback."""
    for name in ("django.request", "django.security.csrf"):
        logging.getLogger(name).setLevel(logging.ERROR)


@dataclass(slots=True, kw_only=True)
class Embedded:
    """The whole: the socket, its two children, and what to say when the addresses change."""

    door: socket.socket
    claim: int
    announce: Callable[[list[str]], None]
    is_stopping: bool = False
    addresses: list[str] = field(default_factory=list)
    given_hosts: list[str] = field(default_factory=lambda: list(settings.ALLOWED_HOSTS))

    def run(self) -> None:
        """Serve until SIGTERM, SIGINT or SIGHUP.

        Raises:
            CannotServeError: the first start of the web server failed.
        """
        for number in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP):
            signal.signal(number, self._stop)
        web, jobs = Child(work=self._serve), Child(work=self._do_jobs)
        self._find_addresses()
        try:
            web.start()
            self._wait_for_first_answer(web)
            if not self.is_stopping:
                jobs.start()
                self.announce(self.addresses)
            self._watch(web, jobs)
        finally:
            until = time.monotonic() + STOP_SECONDS
            for child in (web, jobs):
                child.ask_to_stop()
            for child in (web, jobs):
                child.wait(until)
            self.door.close()

    def _serve(self) -> None:
        os.close(self.claim)
        Site(self.door).run()

    def _do_jobs(self) -> None:
        os.close(self.claim)
        self.door.close()
        call_command("run_jobs", with_parent=True)

    def _find_addresses(self) -> bool:
        """Allow the hosts of the present addresses; tell whether these have changed."""
        present = lan_addresses()
        if present == self.addresses:
            return False
        self.addresses = present
        settings.ALLOWED_HOSTS = [*own_hosts(), *self.given_hosts]
        return True

    def _stop(self, number: int, frame: FrameType | None) -> None:
        self.is_stopping = True

    def _watch(self, web: Child, jobs: Child) -> None:
        looked_at = time.monotonic()
        while not self.is_stopping:
            web.keep_alive()
            jobs.keep_alive()
            if time.monotonic() - looked_at > ADDRESSES_SECONDS:
                looked_at = time.monotonic()
                self._follow_addresses(web)
            time.sleep(POLL_SECONDS)

    def _follow_addresses(self, web: Child) -> None:
        """Allow the new addresses when the machine has joined another network; the socket keeps those who wait."""
        if self._find_addresses():
            web.ask_to_stop()
            web.wait(time.monotonic() + STOP_SECONDS)
            web.start()
            self.announce(self.addresses)

    def _wait_for_first_answer(self, web: Child) -> None:
        end = time.monotonic() + READY_SECONDS
        while not self.is_stopping and not _answers(self.door.getsockname()[1]):
            if not web.is_running() or time.monotonic() > end:
                raise CannotServeError("Le serveur web ne démarre pas.\nThe web server does not start.")
            time.sleep(0.05)


def _answers(port: int) -> bool:
    client = http.client.HTTPConnection("127.0.0.1", port, timeout=1)
    try:
        client.request("GET", "/sante")
        client.getresponse().read()
    except (OSError, http.client.HTTPException):
        return False
    finally:
        client.close()
    return True
