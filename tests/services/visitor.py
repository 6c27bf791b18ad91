"""Somebody at a browser or a program using the API: cookies, the login page, forms and JSON; one request at a time."""

import http.client
import json
import re
import threading
import time
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import urlencode
from uuid import UUID

from tests.servers import Server

PASSWORD = "secret"
RETRIES = 60
_HIDDEN = re.compile(r'<input type="hidden" name="([^"]+)" value="([^"]*)">')
_CSRF = "tarot-csrf"


class NoAnswerError(Exception):
    """The server went away before it had answered; whether it did what was asked is not known."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Answer:
    """What came back, and how long it took."""

    status: int
    headers: Mapping[str, str]
    body: bytes
    seconds: float

    @property
    def text(self) -> str:
        """Return the body as text."""
        return self.body.decode()

    @property
    def data(self) -> Any:
        """Return the body read as JSON."""
        return json.loads(self.body)

    @property
    def is_busy(self) -> bool:
        """Say whether the same request may simply be sent again a little later."""
        return self.status == 503

    @property
    def etag(self) -> str:
        """Return the version the answer speaks of."""
        return self.headers.get("ETag", "")

    def hidden(self) -> dict[str, str]:
        """Return the hidden fields of a page's forms."""
        return dict(_HIDDEN.findall(self.text))


@dataclass(slots=True, kw_only=True)
class Visitor:
    """One person with a browser of their own."""

    port: int
    cookies: dict[str, str] = field(default_factory=dict)

    def ask(self, method: str, path: str, body: bytes = b"", headers: Mapping[str, str] | None = None) -> Answer:
        """Send one request on a connection of its own.

        Raises:
            NoAnswerError: the connection broke.
        """
        sent = {"Cookie": "; ".join(f"{name}={value}" for name, value in self.cookies.items()), **(headers or {})}
        sent |= {"Referer": f"http://127.0.0.1:{self.port}/", "X-CSRFToken": self.cookies.get(_CSRF, "")}
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=60)
        started = time.monotonic()
        try:
            connection.request(method, path, body, sent)
            response = connection.getresponse()
            content = response.read()
        except (OSError, http.client.HTTPException) as error:
            raise NoAnswerError from error
        finally:
            connection.close()
        for line in response.headers.get_all("Set-Cookie") or ():
            name, _, rest = line.partition("=")
            self.cookies[name] = rest.partition(";")[0]
        took = time.monotonic() - started
        return Answer(status=response.status, headers=dict(response.headers.items()), body=content, seconds=took)

    def get(self, path: str) -> Answer:
        """Fetch a page."""
        return self.ask("GET", path)

    def post(self, path: str, fields: Mapping[str, str]) -> Answer:
        """Send a form."""
        body = urlencode(fields).encode()
        return self.ask("POST", path, body, {"Content-Type": "application/x-www-form-urlencoded"})

    def send(self, method: str, path: str, data: object, *, key: UUID, **conditions: str) -> Answer:
        """Send JSON with its key; `If_Match="…"` and the like are headers."""
        headers = {name.replace("_", "-"): value for name, value in conditions.items()}
        headers |= {"Content-Type": "application/json", "Idempotency-Key": str(key)}
        return self.ask(method, path, json.dumps(data).encode(), headers)

    def login(self, username: str) -> None:
        """Log in through the login page."""
        self.get("/connexion/")
        answer = self.post("/connexion/", {"username": username, "password": PASSWORD})
        assert answer.status == 302, answer.text


def twin(visitor: Visitor) -> Visitor:
    """Return the same person in another window, logged in as well."""
    return Visitor(port=visitor.port, cookies=dict(visitor.cookies))


def signed_in(server: Server, username: str) -> Visitor:
    """Return somebody who has logged in."""
    visitor = Visitor(port=server.port)
    visitor.login(username)
    return visitor


def until_served(send: Callable[[], Answer], busy: list[Answer] | None = None) -> Answer:
    """Send again while the server says that it is busy, as its Retry-After allows; a while at most."""
    answer = send()
    for _ in range(RETRIES):
        if not answer.is_busy:
            break
        if busy is not None:
            busy.append(answer)
        time.sleep(0.1)
        answer = send()
    return answer


def at_once(works: Iterable[Callable[[], None]]) -> None:
    """Do everything at the same time, each in a thread of its own; an error in any of them is raised at the end."""
    errors: list[BaseException] = []

    def run(work: Callable[[], None]) -> None:
        try:
            work()
        except BaseException as error:
            errors.append(error)

    threads = [threading.Thread(target=run, args=(work,), daemon=True) for work in works]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    if errors:
        raise errors[0]
