"""The pages of a request that is not served (400, 403, 404, 500), in the design; for programs, the same as JSON."""

from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import render
from django.template.loader import render_to_string
from django.utils.translation import gettext as _
from django.views.decorators.csrf import requires_csrf_token


def bad_request(request: HttpRequest, exception: Exception) -> HttpResponse:
    """Answer what cannot be read at all; asks nothing of the database, since the host itself may be wrong."""
    return _plain(request, 400, "BAD_REQUEST", _("The server could not read this request."))


@requires_csrf_token
def permission_denied(request: HttpRequest, exception: Exception) -> HttpResponse:
    """Answer a member whose role does not include this."""
    if _is_for_a_program(request):
        return _problem(403, "NOT_ALLOWED", _("Your role does not include this."))
    return render(request, "403.html", status=403)


@requires_csrf_token
def csrf_failure(request: HttpRequest, reason: str = "") -> HttpResponse:
    """Answer a form whose token does not hold: an old page, or cookies refused."""
    if _is_for_a_program(request):
        return _problem(403, "CSRF", _("The page this came from is too old."))
    return render(request, "403_csrf.html", status=403)


@requires_csrf_token
def not_found(request: HttpRequest, exception: Exception) -> HttpResponse:
    """Answer an address where nothing is, or nothing for this visitor."""
    if _is_for_a_program(request):
        return _problem(404, "NOT_FOUND", _("There is nothing at this address."))
    return render(request, "404.html", status=404)


def server_error(request: HttpRequest) -> HttpResponse:
    """Answer our own failure; the page asks nothing of the database."""
    return _plain(request, 500, "SERVER_ERROR", _("Something went wrong on our side."))


def _is_for_a_program(request: HttpRequest) -> bool:
    return request.path.startswith("/api/")


def _problem(status: int, code: str, message: str) -> JsonResponse:
    return JsonResponse({"problems": [{"field": "", "code": code, "message": message}]}, status=status)


def _plain(request: HttpRequest, status: int, code: str, message: str) -> HttpResponse:
    if _is_for_a_program(request):
        return _problem(status, code, message)
    return HttpResponse(render_to_string("alone.html", {"status": status, "message": message}), status=status)
