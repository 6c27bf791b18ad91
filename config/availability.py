"""Turns "the database cannot do this now" into 503 with Retry-After, instead of a page that speaks of a fault."""

import logging
import sqlite3
import sys
from collections.abc import Callable

import psycopg
from django.db import DatabaseError, InterfaceError
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.http.response import HttpResponseBase
from django.template.loader import render_to_string
from django.utils.translation import gettext as _

from tournaments.errors import BusyError
from tournaments.views import refusals

RETRY_SECONDS = 5
# PostgreSQL's classes and codes: connection, resources, operator; lock and statement timeouts, deadlock, read only.
SQLSTATES = ("08", "53", "57", "55P03", "40P01", "40001", "25006")
SQLITE_CODES = {
    sqlite3.SQLITE_BUSY,
    sqlite3.SQLITE_LOCKED,
    sqlite3.SQLITE_READONLY,
    sqlite3.SQLITE_IOERR,
    sqlite3.SQLITE_FULL,
    sqlite3.SQLITE_CANTOPEN,
}

logger = logging.getLogger(__name__)


def is_unavailable(error: BaseException | None) -> bool:
    """Tell whether the same request may succeed in a moment: a lock not had, a database away, full or read only."""
    if isinstance(error, BusyError | InterfaceError):
        return True
    if not isinstance(error, DatabaseError):
        return False
    cause = error.__cause__
    if isinstance(cause, sqlite3.Error):
        return getattr(cause, "sqlite_errorcode", 0) & 0xFF in SQLITE_CODES
    if isinstance(cause, psycopg.Error):
        return cause.sqlstate is None or cause.sqlstate.startswith(SQLSTATES)
    return "database is locked" in str(error)


def unavailable(request: HttpRequest) -> HttpResponse:
    """Answer 503; asks nothing of the database."""
    message = _("The server is busy.")
    response: HttpResponse
    if request.path.startswith("/api/"):
        problem = {"field": "", "code": BusyError.code, "message": message}
        response = JsonResponse({"problems": [problem]}, status=503)
    else:
        page = render_to_string("alone.html", {"status": 503, "message": message})
        response = HttpResponse(page, status=503)
    response["Retry-After"] = str(RETRY_SECONDS)
    return response


class AvailabilityMiddleware:
    """Answers for views whose database was not available."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponseBase]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        """Pass the request on."""
        return self.get_response(request)

    def process_exception(self, request: HttpRequest, error: Exception) -> HttpResponse | None:
        """Answer 503 where that is the truth, else leave the error to others."""
        if not is_unavailable(error):
            return None
        logger.warning("503 at %s", request.path, exc_info=error)
        return unavailable(request)


def server_error(request: HttpRequest) -> HttpResponse:
    """Answer an error that no view raised (a session that cannot be read, for one): 503 where it is one, else 500."""
    return unavailable(request) if is_unavailable(sys.exc_info()[1]) else refusals.server_error(request)
