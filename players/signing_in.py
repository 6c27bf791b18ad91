"""Where htmx asks for a part of a page and the sign-in has run out, the whole page goes to the sign-in."""

from collections.abc import Callable
from urllib.parse import urlencode

from django.conf import settings
from django.http import HttpRequest
from django.http.response import HttpResponseBase
from django.shortcuts import resolve_url
from django_htmx.http import HttpResponseClientRedirect
from django_htmx.middleware import HtmxDetails


def whole_sign_in_middleware(
    get_response: Callable[[HttpRequest], HttpResponseBase],
) -> Callable[[HttpRequest], HttpResponseBase]:
    """Return the middleware; afterwards the visitor comes back to the page, never to one of its parts."""

    def answer(request: HttpRequest) -> HttpResponseBase:
        response = get_response(request)
        sign_in = resolve_url(settings.LOGIN_URL)
        if "HX-Request" not in request.headers or not response.get("Location", "").startswith(f"{sign_in}?"):
            return response
        page = HtmxDetails(request).current_url_abs_path
        return HttpResponseClientRedirect(f"{sign_in}?{urlencode({'next': page})}" if page else sign_in)

    return answer
