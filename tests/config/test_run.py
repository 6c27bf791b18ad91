"""`bin/run` as people use it: started, started twice, on a taken port, killed in parts, stopped."""

import os
import re
import shutil
import signal
import socket
import subprocess
import urllib.error
import urllib.request
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from config.addresses import lan_addresses
from tests.servers import ROOT, Process, free_port, wait_until

pytestmark = [pytest.mark.services]

READY = "Ctrl-C pour arrêter"


def _environment(data: Path, path: str = "") -> dict[str, str]:
    inherited = {
        name: value for name, value in os.environ.items() if not name.startswith(("TAROT_", "DJANGO_", "TEST_"))
    }
    inherited.pop("DATABASE_URL", None)
    programs = f"{path}:{os.environ['PATH']}" if path else os.environ["PATH"]
    return {**inherited, "TAROT_DATA": str(data), "PYTHONUNBUFFERED": "1", "PATH": programs}


StartSite = Callable[..., Process]


def _run(data: Path, log: Path, *options: str, path: str = "") -> Process:
    return Process(command=[str(ROOT / "bin" / "run"), *options], log_path=log, env=_environment(data, path))


@pytest.fixture(scope="module")
def first_start(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, str]:
    """Start once from nothing; return the data directory and what was printed."""
    folder = tmp_path_factory.mktemp("first")
    port = free_port()
    site = _run(folder / "data", folder / "log", "--port", str(port))
    site.start()
    wait_until(lambda: READY in site.log() or not site.runs, 90, "bin/run ready")
    assert site.stop(20) == 0, site.log()
    return folder / "data", site.log().replace(str(port), "PORT")


@pytest.fixture
def start_site(tmp_path: Path, first_start: tuple[Path, str]) -> Iterator[StartSite]:
    """Start `bin/run` on a copy of those data; whatever still runs at the end is stopped."""
    started: list[Process] = []
    shutil.copytree(first_start[0], tmp_path / "data")

    def start(*options: str, path: str = "") -> Process:
        process = _run(tmp_path / "data", tmp_path / f"run-{len(started)}.log", *options, path=path)
        process.start()
        started.append(process)
        return process

    yield start
    for process in started:
        process.stop(20)


def _serve(start_site: StartSite, port: int, *options: str, path: str = "") -> Process:
    process = start_site("--port", str(port), *options, path=path)
    wait_until(lambda: READY in process.log() or not process.runs, 90, "bin/run ready")
    assert process.runs, process.log()
    return process


def _status(port: int) -> int:
    with urllib.request.urlopen(f"http://127.0.0.1:{port}/sante", timeout=10) as answer:
        return int(answer.status)


def _answers(port: int) -> bool:
    try:
        return _status(port) == 200
    except OSError:
        return False


def _children(pid: int) -> list[int]:
    return [int(word) for word in Path(f"/proc/{pid}/task/{pid}/children").read_text(encoding="ascii").split()]


def _is_taken(port: int) -> bool:
    with socket.socket() as probe:
        return probe.connect_ex(("127.0.0.1", port)) == 0


def test_the_first_start_prints_the_addresses_and_the_code(first_start: tuple[Path, str]) -> None:
    _, printed = first_start
    assert "http://localhost:PORT/" in printed
    for address in lan_addresses():
        assert f"http://{address}:PORT/" in printed
    assert re.search(r"first administrator's code +[A-Z0-9]{4}(-[A-Z0-9]{4}){3}\n", printed)


def test_a_second_start_beside_the_first_is_refused_in_words(start_site: StartSite) -> None:
    port = free_port()
    first = _serve(start_site, port)
    assert _status(port) == 200
    second = start_site("--port", str(free_port()))
    assert second.popen is not None
    assert second.popen.wait(60) == 1
    assert "Petit au bout tourne déjà" in second.log()
    assert f"already running (process {first.pid})" in second.log()
    assert first.stop() == 0
    assert not _is_taken(port)


def test_a_taken_port_is_said_in_both_languages(start_site: StartSite) -> None:
    with socket.socket() as holder:
        holder.bind(("0.0.0.0", 0))
        holder.listen()
        port = holder.getsockname()[1]
        process = start_site("--port", str(port))
        assert process.popen is not None
        assert process.popen.wait(60) == 1
    assert f"Le port {port} est déjà pris par un autre programme. Essayez : bin/run --port {port + 1}" in process.log()
    assert f"Port {port} is already taken. Try: bin/run --port {port + 1}" in process.log()
    assert "Traceback" not in process.log()


@pytest.mark.parametrize("port", ["", "abc", "0", "65536", "-1", "80 80", "８０"])
def test_a_port_that_is_no_port_is_refused_in_words(start_site: StartSite, port: str) -> None:
    process = start_site("--port", port)
    assert process.popen is not None
    assert process.popen.wait(60) != 0
    assert "port est un nombre de 1 à 65535" in process.log()
    assert "Traceback" not in process.log()


def test_what_visitors_mistype_is_not_told_in_the_window(start_site: StartSite) -> None:
    port = free_port()
    site = _serve(start_site, port)
    for address, body, status in (("nowhere", None, 404), ("membres/", b"", 403), ("connexion/", b"a=1", 403)):
        with pytest.raises(urllib.error.HTTPError) as refused:
            urllib.request.urlopen(f"http://127.0.0.1:{port}/{address}", data=body, timeout=10)
        assert refused.value.code == status
        refused.value.close()
    assert site.stop(20) == 0
    assert "Not Found" not in site.log()
    assert "Forbidden" not in site.log()


def test_each_child_that_dies_is_started_again(start_site: StartSite) -> None:
    port = free_port()
    site = _serve(start_site, port)
    before = _children(site.pid)
    assert len(before) == 2
    for child in before:
        os.kill(child, signal.SIGKILL)
    wait_until(lambda: len(set(_children(site.pid)) - set(before)) == 2, 20, "two new children")
    wait_until(lambda: _answers(port), 20, "an answer after the restart")


def test_ctrl_c_stops_everything(start_site: StartSite) -> None:
    port = free_port()
    site = _serve(start_site, port)
    children = _children(site.pid)
    os.kill(site.pid, signal.SIGINT)
    assert site.popen is not None
    assert site.popen.wait(20) == 0
    assert "Arrêté." in site.log()
    assert not any(Path(f"/proc/{child}").exists() for child in children)
    assert not _is_taken(port)


def test_killing_it_outright_leaves_no_child_and_the_next_start_works(start_site: StartSite) -> None:
    port = free_port()
    site = _serve(start_site, port)
    children = _children(site.pid)
    os.kill(site.pid, signal.SIGKILL)
    wait_until(lambda: not any(_is_alive(child) for child in children), 20, "the end of its children")
    assert _answers(port) is False
    _serve(start_site, port)


def _is_alive(pid: int) -> bool:
    try:
        state = Path(f"/proc/{pid}/stat").read_text(encoding="utf-8").rsplit(")", 1)[1].split()[0]
    except FileNotFoundError:
        return False
    return state != "Z"


def test_the_data_are_for_their_owner_alone(first_start: tuple[Path, str]) -> None:
    data, _ = first_start
    assert data.stat().st_mode & 0o077 == 0
    for name in ("petit-au-bout.sqlite3", "secret.key", "first-code"):
        assert (data / name).stat().st_mode & 0o077 == 0


def _pretend(folder: Path, **programs: str) -> str:
    """Make programs of these names that do what is said, and return the folder to look in first."""
    folder.mkdir()
    for name, body in programs.items():
        (folder / name).write_text(f"#!/bin/sh\n{body}\n", encoding="utf-8")
        (folder / name).chmod(0o755)
    return str(folder)


def test_without_rights_to_install_it_says_what_printing_needs_and_goes_on(
    start_site: StartSite, tmp_path: Path
) -> None:
    path = _pretend(tmp_path / "programs", ldconfig="exit 0", id="echo 1000", sudo="exit 1")
    site = _serve(start_site, free_port(), path=path)
    assert "Pour imprimer les feuilles en PDF, à installer : libpangoft2-1.0-0" in site.log()
    assert "apt-get install --no-install-recommends libpangoft2-1.0-0 libharfbuzz-subset0" in site.log()
    assert "Le site démarre sans : tout marche, sauf l'impression." in site.log()


def test_the_demonstration_is_there_when_asked_for_and_the_code_too(start_site: StartSite) -> None:
    port = free_port()
    site = _serve(start_site, port, "--demo")
    assert "first administrator's code" in site.log()
    with urllib.request.urlopen(f"http://127.0.0.1:{port}/", timeout=30) as answer:
        assert answer.status == 200


def test_help_is_short_and_needs_nothing(tmp_path: Path) -> None:
    done = subprocess.run(
        [str(ROOT / "bin" / "run"), "--help"], capture_output=True, text=True, env={"PATH": "/usr/bin:/bin"}
    )
    assert done.returncode == 0
    assert "--port" in done.stdout
    assert "--demo" in done.stdout


def test_an_unknown_option_is_refused_in_both_languages() -> None:
    done = subprocess.run([str(ROOT / "bin" / "run"), "--nope"], capture_output=True, text=True)
    assert done.returncode == 1
    assert "Option inconnue : --nope" in done.stderr
    assert "Unknown option: --nope" in done.stderr
