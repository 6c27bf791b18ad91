"""503 where the database cannot serve now, 500 where the fault is ours, and the headers of every page."""

import sqlite3
from collections.abc import Callable

import psycopg
import pytest
from django.conf import settings
from django.db import DatabaseError, IntegrityError, InterfaceError, OperationalError
from django.http import HttpRequest, HttpResponse
from django.test import Client, RequestFactory

from config.availability import AvailabilityMiddleware, is_unavailable
from config.headers import headers_middleware
from tournaments.errors import BusyError


def _caused(error: Exception, cause: Exception) -> Exception:
    error.__cause__ = cause
    return error


def _sqlite(code: int) -> sqlite3.OperationalError:
    error = sqlite3.OperationalError("sqlite")
    error.sqlite_errorcode = code
    return error


@pytest.mark.parametrize(
    ("error", "expected"),
    [
        (BusyError(), True),
        (OperationalError("database is locked"), True),
        (_caused(OperationalError(), _sqlite(sqlite3.SQLITE_BUSY)), True),
        (_caused(OperationalError(), _sqlite(sqlite3.SQLITE_BUSY_SNAPSHOT)), True),
        (_caused(OperationalError(), _sqlite(sqlite3.SQLITE_FULL)), True),
        (_caused(OperationalError(), _sqlite(sqlite3.SQLITE_ERROR)), False),
        (_caused(OperationalError(), psycopg.OperationalError("server closed the connection")), True),
        (_caused(OperationalError(), psycopg.errors.LockNotAvailable()), True),
        (_caused(OperationalError(), psycopg.errors.QueryCanceled()), True),
        (_caused(OperationalError(), psycopg.errors.DiskFull()), True),
        (_caused(DatabaseError(), psycopg.errors.ReadOnlySqlTransaction()), True),
        (_caused(DatabaseError(), psycopg.errors.UndefinedTable()), False),
        (InterfaceError("the connection is closed"), True),
        (_caused(IntegrityError(), psycopg.errors.UniqueViolation()), False),
        (ValueError(), False),
    ],
)
def test_only_what_may_pass_is_called_unavailable(error: Exception, expected: bool) -> None:
    assert is_unavailable(error) is expected


def _answer(path: str, error: Exception) -> HttpResponse | None:
    middleware = AvailabilityMiddleware(lambda _request: HttpResponse())
    return middleware.process_exception(RequestFactory().get(path), error)


def test_a_busy_database_is_a_page_with_a_time_to_come_back() -> None:
    response = _answer("/", OperationalError("database is locked"))
    assert response is not None
    assert (response.status_code, response["Retry-After"]) == (503, "5")
    assert "Le serveur est occupé." in response.content.decode()


def test_a_program_gets_the_same_as_json() -> None:
    response = _answer("/api/tables/1/sheet", BusyError())
    assert response is not None
    assert (response.status_code, response["Retry-After"]) == (503, "5")
    assert b'"code": "BUSY"' in response.content


def test_a_fault_of_ours_is_left_to_the_page_of_errors() -> None:
    assert _answer("/", ValueError()) is None


def test_a_session_that_cannot_be_read_is_503_too(monkeypatch: pytest.MonkeyPatch) -> None:
    def locked(*_args: object) -> HttpResponse:
        raise OperationalError("database is locked")

    monkeypatch.setattr("django.contrib.sessions.middleware.SessionMiddleware.process_request", locked)
    response = Client(raise_request_exception=False).get("/sante")
    assert response.status_code == 503
    assert response["Retry-After"] == "5"


def _through(answer: Callable[[HttpRequest], HttpResponse], cookie: bool) -> HttpResponse:
    request = RequestFactory().get("/")
    if cookie:
        request.COOKIES[settings.SESSION_COOKIE_NAME] = "x"
    response = headers_middleware(answer)(request)
    assert isinstance(response, HttpResponse)
    return response


def test_pages_of_somebody_signed_in_are_kept_nowhere() -> None:
    assert _through(lambda _: HttpResponse(), cookie=True)["Cache-Control"] == "private, no-store"
    assert "Cache-Control" not in _through(lambda _: HttpResponse(), cookie=False)


def test_a_view_that_says_how_to_cache_is_left_alone() -> None:
    answered = HttpResponse(headers={"Cache-Control": "private, no-cache"})
    assert _through(lambda _: answered, cookie=True)["Cache-Control"] == "private, no-cache"


def test_no_page_may_use_camera_or_place() -> None:
    response = Client().get("/nulle-part/")
    assert "camera=()" in response["Permissions-Policy"]
    assert "geolocation=()" in response["Permissions-Policy"]
