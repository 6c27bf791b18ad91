"""The public page of a published session: shown names, ranks and points, nothing else; served from the standing."""

import hashlib
from dataclasses import dataclass

from django.contrib.staticfiles.storage import staticfiles_storage
from django.core.cache import cache
from django.http import HttpRequest, HttpResponse, HttpResponseNotModified
from django.shortcuts import render
from django.template.loader import render_to_string
from django.utils.cache import patch_cache_control
from django.utils.http import parse_etags, quote_etag
from django.utils.safestring import SafeString
from django.utils.translation import get_language
from django.views.decorators.http import require_safe

from players.models import Person
from players.names import shown_name
from tournaments.access import public_session
from tournaments.models import Session, SessionState
from tournaments.selectors.ranking import Ranking, with_names
from tournaments.standings import read_standing

# A person who chooses to be hidden disappears from a kept body within this time, whatever the version.
KEPT_SECONDS = 30


@dataclass(frozen=True, slots=True, kw_only=True)
class Body:
    """The rendered standing and the name of exactly this text."""

    html: SafeString
    version: str


@require_safe
def public(request: HttpRequest, session_id: int) -> HttpResponse:
    """Show the page; a visitor who has no account and has this very version gets 304."""
    session = public_session(session_id)
    body = _body(session)
    anonymous = not request.user.is_authenticated
    etag = quote_etag(f"{body.version}-{_heading_digest(session)}")
    if anonymous and etag in parse_etags(request.headers.get("If-None-Match", "")):
        response: HttpResponse = HttpResponseNotModified()
    else:
        response = render(request, "tournaments/public.html", {"published": session, "body": body})
    if anonymous:
        response["ETag"] = etag
        patch_cache_control(response, private=True, no_cache=True)
    else:
        patch_cache_control(response, private=True, no_store=True)
    response["X-Robots-Tag"] = "noindex"
    return response


@require_safe
def public_table(request: HttpRequest, session_id: int) -> HttpResponse:
    """Answer the page's own polling: nothing when its version still holds, else the new table, to anybody."""
    session = public_session(session_id)
    body = _body(session)
    etag = quote_etag(body.version)
    if request.GET.get("version") == body.version:
        response = HttpResponse(status=204)
    elif etag in parse_etags(request.headers.get("If-None-Match", "")):
        response = HttpResponseNotModified()
    else:
        response = render(request, "tournaments/_public_standing.html", {"published": session, "body": body})
    response["ETag"] = etag
    response["X-Robots-Tag"] = "noindex"
    patch_cache_control(response, private=True, no_cache=True)
    return response


def _heading_digest(session: Session) -> str:
    """Return a digest of what the page says around its table, so that a renamed evening is a new page."""
    tournament = session.tournament
    assets = getattr(staticfiles_storage, "manifest_hash", "")
    said = (tournament.name, tournament.place, session.date, tournament.club.name, assets)
    return hashlib.sha256(repr(said).encode()).hexdigest()[:16]


def _body(session: Session) -> Body:
    """Return the rendered standing, kept per version, state and language."""
    standing = read_standing(session)
    key = f"public:{session.pk}:{standing.version}:{session.state}:{get_language()}"
    kept: Body | None = cache.get(key) if standing.version else None
    if kept is not None:
        return kept
    ranking = _with_shown_names(standing.ranking)
    html = render_to_string(
        "tournaments/_public_table.html",
        {
            "published": session,
            "ranking": ranking,
            "rows": ranking.rows,
            "moment": standing.built_at,
            "is_final": session.state == SessionState.FINAL,
        },
    )
    digest = hashlib.sha256(html.encode()).hexdigest()[:12]
    body = Body(html=html, version=f"{standing.version}-{digest}")
    if standing.version:
        cache.set(key, body, KEPT_SECONDS)
    return body


def _with_shown_names(found: Ranking) -> Ranking:
    people = Person.objects.in_bulk([row.entrant.person_id for row in found.rows])
    return with_names(found, {pk: shown_name(person, viewer=None) for pk, person in people.items()})
