"""A PostgreSQL of a proof's own, with everything switched on that makes a commit last; killed and started again."""

import os
import shutil
import signal
import subprocess
import tempfile
from dataclasses import dataclass, field
from pathlib import Path

from django.db import connection

from tests.servers import Process, free_port, wait_until

SECONDS = 60


@dataclass(slots=True, kw_only=True)
class Cluster:
    """Its directory, port and programs."""

    programs: Path
    directory: Path
    port: int = field(default_factory=free_port)
    server: Process | None = field(default=None, init=False)

    @property
    def url(self) -> str:
        """Return the address of its database."""
        return f"postgres://postgres@127.0.0.1:{self.port}/postgres"

    def command(self, program: str, *arguments: str) -> list[str]:
        """Return how to run one of its programs as a user PostgreSQL accepts."""
        as_user = ["setpriv", "--reuid=postgres", "--regid=postgres", "--clear-groups"] if os.geteuid() == 0 else []
        return [*as_user, str(self.programs / program), *arguments]

    def run(self, program: str, *arguments: str) -> str:
        """Run one of its programs and return what it printed."""
        command = self.command(program, *arguments)
        env = {**os.environ, "HOME": str(self.directory)}
        done = subprocess.run(command, cwd=self.directory, env=env, capture_output=True, text=True, timeout=SECONDS)
        assert done.returncode == 0, done.stdout + done.stderr
        return done.stdout

    def start(self) -> None:
        """Start it and wait until it answers: after a kill, once it has recovered."""
        options = ["-p", str(self.port), "-k", str(self.directory), "-c", "listen_addresses=127.0.0.1"]
        command = self.command("postgres", "-D", str(self.directory / "data"), "-c", "max_connections=60", *options)
        self.server = Process(command=command, log_path=self.directory / "log", env=dict(os.environ))
        self.server.start()
        wait_until(self._answers, SECONDS, "PostgreSQL ready")

    def _answers(self) -> bool:
        assert self.server is not None
        assert self.server.runs, self.server.log()
        command = self.command("pg_isready", "-q", "-d", self.url)
        return subprocess.run(command, cwd=self.directory, timeout=SECONDS).returncode == 0

    def kill(self) -> None:
        """End its first process at once (SIGKILL); its children notice by themselves."""
        assert self.server is not None
        pid = self.server.pid
        children = [int(child) for child in Path(f"/proc/{pid}/task/{pid}/children").read_text().split()]
        os.kill(pid, signal.SIGKILL)
        assert self.server.popen is not None
        self.server.popen.wait()
        wait_until(lambda: not any(_runs(each) for each in children), SECONDS, "all its processes gone")

    def stop(self) -> None:
        """Stop it and remove all it wrote."""
        assert self.server is not None
        self.server.stop(SECONDS)
        shutil.rmtree(self.directory)

    def copy_from_test_database(self) -> None:
        """Take over what the test's own database holds, its guards included."""
        values = connection.settings_dict
        server = ["-h", str(values["HOST"]), "-p", str(values["PORT"]), "-U", str(values["USER"])]
        dump = self.directory / "dump.sql"
        dump.write_text(self.run("pg_dump", *server, "--no-owner", str(values["NAME"])), encoding="utf-8")
        self.run("psql", "-q", "-v", "ON_ERROR_STOP=1", "-d", self.url, "-f", str(dump))

    def rows(self, query: str) -> list[list[str]]:
        """Return the rows of a query as text."""
        printed = self.run("psql", "-d", self.url, "-At", "-F", "\t", "-c", query)
        return [line.split("\t") for line in printed.splitlines()]


def new_cluster() -> Cluster:
    """Make one with PostgreSQL's own durable settings, and start it."""
    programs = max(Path("/usr/lib/postgresql").glob("*/bin/initdb"), key=lambda path: int(path.parts[4])).parent
    directory = Path(tempfile.mkdtemp(prefix="tarot-cluster-"))
    if os.geteuid() == 0:
        shutil.chown(directory, "postgres", "postgres")
    cluster = Cluster(programs=programs, directory=directory)
    data = str(directory / "data")
    cluster.run("initdb", "-D", data, "-U", "postgres", "-A", "trust", "-E", "UTF8", "--locale=C.UTF-8")
    cluster.start()
    return cluster


def _runs(pid: int) -> bool:
    """Say whether a process is there; one that only waits to be buried is gone."""
    try:
        state = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0]
    except (FileNotFoundError, ProcessLookupError):
        return False
    return state != "Z"
