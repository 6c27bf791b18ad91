"""Real processes for tests: gunicorn, a Celery worker, any command, Redis; each stopped by its own id."""

import http.client
import os
import shutil
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from urllib.parse import quote

from django.conf import settings
from django.db import connection

ROOT = Path(__file__).resolve().parent.parent


def free_port() -> int:
    """Return a port nobody listens on just now."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def database_url() -> str:
    """Return the address of the database this test uses, for a process of its own."""
    values = connection.settings_dict
    if connection.vendor == "sqlite":
        return f"sqlite:///{values['NAME']}"
    return (
        f"postgres://{quote(values['USER'])}:{quote(values['PASSWORD'])}"
        f"@{values['HOST']}:{values['PORT']}/{values['NAME']}"
    )


def environment(extra: Mapping[str, str] | None = None) -> dict[str, str]:
    """Return the environment of a process that shares this test's database, data directory and settings."""
    return {
        **os.environ,
        "DJANGO_SETTINGS_MODULE": "tests.settings",
        "DATABASE_URL": database_url(),
        "TAROT_DATA": str(settings.DATA_DIR),
        "PYTHONUNBUFFERED": "1",
        **(extra or {}),
    }


def wait_until(condition: Callable[[], bool], seconds: float, what: str) -> None:
    """Wait for a condition, checked every 20 ms; fail with `what` in the message when time is up."""
    end = time.monotonic() + seconds
    while not condition():
        if time.monotonic() > end:
            raise AssertionError(f"not in {seconds:g} s: {what}")
        time.sleep(0.02)


@dataclass(slots=True, kw_only=True)
class Process:
    """A command running in a process group of its own, its output in a file."""

    command: list[str]
    log_path: Path
    env: Mapping[str, str]
    popen: subprocess.Popen[bytes] | None = field(default=None, init=False)

    def start(self) -> None:
        """Start it (again); it dies with the tests, even when these are killed."""
        bound = ["setpriv", "--pdeathsig", "KILL", *self.command]
        with self.log_path.open("ab") as log:
            self.popen = subprocess.Popen(
                bound, cwd=ROOT, env=dict(self.env), stdout=log, stderr=log, start_new_session=True
            )

    @property
    def pid(self) -> int:
        """Return the id of the process started last."""
        assert self.popen is not None
        return self.popen.pid

    @property
    def runs(self) -> bool:
        """Tell whether it still runs."""
        return self.popen is not None and self.popen.poll() is None

    def log(self) -> str:
        """Return what it printed so far."""
        return self.log_path.read_text(encoding="utf-8", errors="replace") if self.log_path.exists() else ""

    def stop(self, seconds: float = 10) -> int:
        """Ask it to end (SIGTERM), kill its group if it does not; return its exit code."""
        assert self.popen is not None
        if self.runs:
            self.popen.terminate()
            try:
                self.popen.wait(seconds)
            except subprocess.TimeoutExpired:
                self.kill()
        return self.popen.wait()

    def kill(self) -> None:
        """End it and its children at once (SIGKILL), as a power cut would."""
        assert self.popen is not None
        if self.runs:
            os.killpg(self.popen.pid, signal.SIGKILL)
        self.popen.wait()


@dataclass(slots=True, kw_only=True)
class Server(Process):
    """A process that answers HTTP on a port of 127.0.0.1."""

    port: int

    @property
    def url(self) -> str:
        """Return its address, without a slash at the end."""
        return f"http://127.0.0.1:{self.port}"

    def answers(self) -> bool:
        """Tell whether it answers anything at all."""
        client = http.client.HTTPConnection("127.0.0.1", self.port, timeout=10)
        try:
            client.request("GET", "/sante")
            client.getresponse().read()
        except (OSError, http.client.HTTPException):
            return False
        finally:
            client.close()
        return True

    def start(self) -> None:
        """Start it and wait for its first answer."""
        Process.start(self)
        wait_until(lambda: self.answers() or not self.runs, 30, f"an answer of {self.command}\n{self.log()}")
        assert self.runs, self.log()


def python_process(arguments: list[str], log_path: Path, env: Mapping[str, str] | None = None) -> Process:
    """Return a Python command of the project, not yet started."""
    return Process(command=[sys.executable, *arguments], log_path=log_path, env=environment(env))


def gunicorn_server(
    log_path: Path,
    *,
    workers: int,
    threads: int,
    env: Mapping[str, str] | None,
    application: str = "config.wsgi",
) -> Server:
    """Return a gunicorn serving this test's database, not yet started."""
    port = free_port()
    options = ["--bind", f"127.0.0.1:{port}", "--workers", str(workers), "--threads", str(threads), "--preload"]
    command = [sys.executable, "-m", "gunicorn", application, "--no-control-socket", *options]
    return Server(command=command, log_path=log_path, env=environment(env), port=port)


def redis_server(directory: Path) -> Server:
    """Return a Redis that keeps nothing, not yet started."""
    program = shutil.which("redis-server")
    assert program, "redis-server is missing: bin/test installs it"
    port = free_port()
    options = ["--port", str(port), "--bind", "127.0.0.1", "--dir", str(directory), "--save", "", "--appendonly", "no"]
    return Server(command=[program, *options], log_path=directory / "redis.log", env=dict(os.environ), port=port)
