"""How long 8 SQLite writers wait for their turn: Django's own backend against ours with the fair lock.

Each writer is a process of its own that runs short transactions like the recording of a donne: two reads, six rows.
A ninth process writes single statements outside any transaction, as a job's heartbeat does.
"""

import argparse
import json
import multiprocessing
import sqlite3
import statistics
import tempfile
import time
from multiprocessing.queues import Queue
from multiprocessing.synchronize import Barrier
from pathlib import Path

import django
from django.conf import settings

ENGINES = {"plain": "django.db.backends.sqlite3", "fair": "config.sqlite"}


def _configure(engine: str, path: str) -> None:
    from config.settings import SQLITE

    settings.configure(DATABASES={"default": SQLITE | {"ENGINE": ENGINES[engine], "NAME": path}}, USE_TZ=True)
    django.setup()


def _write(
    engine: str, path: str, seconds: float, pause: float, kind: str, ready: "Barrier", waits: "Queue[list[float]]"
) -> None:
    _configure(engine, path)
    from django.db import OperationalError, connection, transaction

    mine: list[float] = []
    connection.ensure_connection()
    ready.wait()
    until = time.time() + seconds
    while time.time() < until:
        start = time.perf_counter()
        try:
            if kind == "single":
                with connection.cursor() as cursor:
                    cursor.execute("UPDATE line SET points = points + 1 WHERE id = 1")
                mine.append(time.perf_counter() - start)
            else:
                with transaction.atomic(), connection.cursor() as cursor:
                    mine.append(time.perf_counter() - start)
                    cursor.execute("SELECT count(*) FROM line WHERE id < 50")
                    cursor.execute("SELECT max(id) FROM line")
                    cursor.executemany("INSERT INTO line (points) VALUES (%s)", [(n,) for n in range(6)])
        except OperationalError:
            mine.append(float("inf"))
        if pause:
            time.sleep(pause)
    waits.put(mine)


def measure(engine: str, writers: int, seconds: float, pause: float) -> dict[str, object]:
    """Return the figures of one run."""
    with tempfile.TemporaryDirectory() as directory:
        path = str(Path(directory) / "bench.sqlite3")
        with sqlite3.connect(path) as database:
            database.execute("CREATE TABLE line (id INTEGER PRIMARY KEY, points INTEGER)")
            database.execute("INSERT INTO line (points) VALUES (0)")
        database.close()
        context = multiprocessing.get_context("spawn")
        queues = [context.Queue() for _ in range(writers + 1)]
        ready = context.Barrier(writers + 1)
        people = [
            context.Process(
                target=_write,
                args=(
                    engine,
                    path,
                    seconds,
                    pause if n < writers else 0.05,
                    "transaction" if n < writers else "single",
                    ready,
                    queue,
                ),
            )
            for n, queue in enumerate(queues)
        ]
        for person in people:
            person.start()
        *transactions, heartbeat = [queue.get() for queue in queues]
        for person in people:
            person.join()
    waits = sorted(wait for mine in transactions for wait in mine)
    done = [wait for wait in waits if wait != float("inf")]
    beats = sorted(heartbeat)
    return {
        "bench": "sqlite_writers",
        "engine": engine,
        "writers": writers,
        "seconds": seconds,
        "pause_ms": pause * 1000,
        "transactions": len(done),
        "refused": len(waits) - len(done),
        "wait_median_ms": round(statistics.median(done) * 1000, 1),
        "wait_p99_ms": round(done[int(len(done) * 0.99)] * 1000, 1),
        "wait_longest_ms": round(done[-1] * 1000, 1),
        "single_statement_longest_ms": round(beats[-1] * 1000, 1),
        "single_statements": len(beats),
    }


def main() -> None:
    """Measure both engines in turn."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--writers", type=int, default=8)
    parser.add_argument("--seconds", type=float, default=5)
    parser.add_argument("--pause", type=float, default=0, help="seconds each writer rests between two transactions")
    parser.add_argument("--repeats", type=int, default=2)
    given = parser.parse_args()
    for _ in range(given.repeats):
        for engine in ENGINES:
            print(json.dumps(measure(engine, given.writers, given.seconds, given.pause)), flush=True)


if __name__ == "__main__":
    main()
