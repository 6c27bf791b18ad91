"""Every refusal as JSON: problems with their field, code and sentence, and the version that stands in the way."""

from collections.abc import Mapping
from typing import Any

from django.core.exceptions import PermissionDenied
from django.http import Http404
from django.utils.translation import gettext as _
from rest_framework import exceptions
from rest_framework.response import Response
from rest_framework.views import exception_handler

from tournaments.errors import (
    AlreadyRecordedError,
    BusyError,
    EntryProblem,
    InvalidDonneError,
    StaleVersionError,
    TournamentError,
)
from tournaments.labels import problem_sentence, refusal_sentence
from tournaments.models import Donne

from .documents import donne_document, etag_of

RETRY_SECONDS = "2"


class RefusedRequestError(exceptions.APIException):
    """A request that lacks something before its content is looked at."""

    def __init__(self, *, status: int, code: str, message: str, field: str = "") -> None:
        super().__init__(detail=message, code=code)
        self.status_code = status
        self.problem = problem(field=field, code=code, message=message)


def problem(*, field: str, code: str, message: str) -> Mapping[str, str]:
    """Return one problem as it is sent."""
    return {"field": field, "code": code, "message": message}


def handle(error: Exception, context: Mapping[str, Any]) -> Response | None:
    """Answer an exception of a view; None leaves it to the server's own answers (a database away, a fault of ours)."""
    if isinstance(error, TournamentError):
        return _refusal(error)
    if isinstance(error, RefusedRequestError):
        return Response({"problems": [error.problem]}, status=error.status_code)
    if isinstance(error, exceptions.ParseError):
        return _said(400, "UNREADABLE", _("The body is not readable JSON."))
    if isinstance(error, Http404 | exceptions.NotFound):
        return _said(404, "NOT_FOUND", _("There is nothing at this address."))
    if isinstance(error, exceptions.NotAuthenticated | exceptions.AuthenticationFailed):
        return _said(403, "NOT_SIGNED_IN", _("Log in first."))
    if isinstance(error, PermissionDenied | exceptions.PermissionDenied):
        return _said(403, "NOT_ALLOWED", _("Your role does not include this."))
    response = exception_handler(error, dict(context))
    if response is not None and isinstance(error, exceptions.APIException):
        response.data = {"problems": [problem(field="", code=_code_of(error), message=str(error.detail))]}
    return response


def _said(status: int, code: str, message: str) -> Response:
    return Response({"problems": [problem(field="", code=code, message=message)]}, status=status)


def _code_of(error: exceptions.APIException) -> str:
    codes = error.get_codes()
    return codes.upper() if isinstance(codes, str) else "REFUSED"


def _refusal(error: TournamentError) -> Response:
    if isinstance(error, InvalidDonneError):
        return Response({"problems": [_sent(found) for found in error.problems]}, status=error.status)
    current = _standing_in_the_way(error)
    data: dict[str, Any] = {"problems": [problem(field="", code=error.reason, message=refusal_sentence(error))]}
    if current is not None:
        data["current"] = donne_document(current)
    response = Response(data, status=error.status)
    if current is not None:
        response["ETag"] = etag_of(current)
    if isinstance(error, BusyError):
        response["Retry-After"] = RETRY_SECONDS
    return response


def _standing_in_the_way(error: TournamentError) -> Donne | None:
    if isinstance(error, AlreadyRecordedError) and isinstance(error.current, Donne):
        return error.current
    if isinstance(error, StaleVersionError) and isinstance(error.theirs, Donne):
        return error.theirs
    return None


def _sent(found: EntryProblem) -> Mapping[str, str]:
    return problem(field=found.field, code=str(found.code), message=problem_sentence(found))
