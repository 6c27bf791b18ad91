"""One view per resource: who are you, what did you send, one service, the answer. Rules and locks are the services'."""

from collections.abc import Callable
from typing import Any
from uuid import UUID

from django.utils.http import parse_etags, quote_etag
from django.utils.translation import gettext as _
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from players.models import Role
from tournaments.access import donne_by_id, session_for, table_by_id
from tournaments.errors import StaleVersionError
from tournaments.models import Donne, Session
from tournaments.selectors.sheets import sheet
from tournaments.services import keys
from tournaments.services.actors import Actor, actor_of
from tournaments.services.donnes import correct_donne, record_donne, withdraw_donne
from tournaments.standings import read_standing

from .documents import donne_document, etag_of, sheet_document, standing_document
from .errors import RefusedRequestError
from .parsers import StrictJSONParser
from .serializers import CORRECTION, read_entry, read_number, read_reason, refuse_unknown


class JSONView(APIView):
    """A view that reads JSON strictly."""

    parser_classes = [StrictJSONParser]


class TableView(JSONView):
    """A table's sheet."""

    def get(self, request: Request, table_id: int) -> Response:
        """Return the sheet with the version of each donne."""
        table = table_by_id(request, table_id, Role.CLERK)
        current = Donne.objects.current().filter(table=table).prefetch_related("marks")
        return Response(sheet_document(sheet(table), {donne.number: donne for donne in current}))


class DonnesView(JSONView):
    """The slots of a table."""

    def post(self, request: Request, table_id: int) -> Response:
        """Fill an empty slot: 201, 200 where it held the very same, 409 with what it holds."""
        table = table_by_id(request, table_id, Role.CLERK)
        if _header(request, "If-None-Match") != "*":
            raise _header_refused("If-None-Match")
        key, by = _key(request), actor_of(request.user, table.round.session.tournament.club)
        number = read_number(_body(request), most=table.round.session.donnes_per_round)
        entry = read_entry(_body(request), table=table, number=number, also=CORRECTION | {"number"})
        reason, text = read_reason(_body(request))
        before = Donne.objects.current().filter(table=table, number=number).values_list("pk", flat=True).first()
        answer = _answer(
            lambda: record_donne(table=table, number=number, entry=entry, by=by, key=key, reason=reason, text=text),
            status=201,
        )
        if answer.data["id"] == before and "Idempotent-Replayed" not in answer:
            answer.status_code = 200
        return answer


class DonneView(JSONView):
    """One version of a donne."""

    def get(self, request: Request, donne_id: int) -> Response:
        """Return the version, current or not."""
        donne = donne_by_id(request, donne_id, Role.CLERK)
        return Response(donne_document(donne), headers={"ETag": etag_of(donne)})

    def put(self, request: Request, donne_id: int) -> Response:
        """Correct: a new version replaces the one named by If-Match; 412 with the current one where it is not."""
        current, by = self._named(request, donne_id)
        key = _key(request)
        entry = read_entry(_body(request), table=current.table, number=current.number, also=CORRECTION)
        reason, text = read_reason(_body(request))
        return _answer(
            lambda: correct_donne(current=current, entry=entry, reason=reason, by=by, key=key, text=text), status=200
        )

    def delete(self, request: Request, donne_id: int) -> Response:
        """Withdraw: a version that empties the slot replaces the one named by If-Match."""
        current, by = self._named(request, donne_id)
        key = _key(request)
        refuse_unknown(_body(request), CORRECTION)
        reason, text = read_reason(_body(request))
        return _answer(lambda: withdraw_donne(current=current, reason=reason, by=by, key=key, text=text), status=200)

    def _named(self, request: Request, donne_id: int) -> tuple[Donne, Actor]:
        """Return the version both the address and If-Match name, and who writes."""
        named = donne_by_id(request, donne_id, Role.CLERK)
        match = _header(request, "If-Match")
        if match in ("", "*"):
            raise _header_refused("If-Match")
        if parse_etags(match) != [etag_of(named)]:
            raise StaleVersionError(_current_of(named))
        return named, actor_of(request.user, named.table.round.session.tournament.club)


class StandingView(JSONView):
    """A session's standing, a second old at most when somebody reads it."""

    def get(self, request: Request, session_id: int) -> Response:
        """Return the standing, 304 when its version is the reader's."""
        session: Session = session_for(request, session_id, Role.CLERK)
        standing = read_standing(session)
        etag = quote_etag(f"{session.pk}-{standing.version}")
        headers = {"ETag": etag, "Cache-Control": "private, no-cache"}
        if standing.version and etag in parse_etags(request.headers.get("If-None-Match", "")):
            return Response(status=304, headers=headers)
        document = standing_document(
            standing.ranking, version=standing.version, built_at=standing.built_at.isoformat(), names=_names(session)
        )
        return Response(document, headers=headers)


def _names(session: Session) -> dict[int, str]:
    people = session.entrants.select_related("person")
    return {entrant.pk: str(entrant.person) for entrant in people}


def _answer(write: Callable[[], Donne], *, status: int) -> Response:
    """Write and show the version; the answer to a request sent twice says so and is otherwise the same."""
    with keys.watched() as seen:
        donne = write()
    headers = {"ETag": etag_of(donne)}
    if seen.was_answered:
        headers["Idempotent-Replayed"] = "true"
    return Response(donne_document(donne), status=status, headers=headers)


def _current_of(donne: Donne) -> Donne:
    return Donne.objects.current().get(table=donne.table_id, number=donne.number)


def _body(request: Request) -> dict[str, Any]:
    """Return the object sent; the parser lets nothing else through, and no body is an empty one."""
    return request.data if isinstance(request.data, dict) else {}


def _header(request: Request, name: str) -> str:
    return str(request.headers.get(name, "")).strip()


def _header_refused(name: str) -> RefusedRequestError:
    words = _("The header %(name)s must say what this request expects to find.") % {"name": name}
    return RefusedRequestError(status=428, code="PRECONDITION_MISSING", field=name, message=words)


def _key(request: Request) -> UUID:
    """Return the key that makes sending twice harmless."""
    given = _header(request, "Idempotency-Key")
    if not given:
        words = _("The header %(name)s must say what this request expects to find.") % {"name": "Idempotency-Key"}
        raise RefusedRequestError(status=428, code="KEY_MISSING", field="Idempotency-Key", message=words)
    try:
        return UUID(given.strip('"'))
    except ValueError as error:
        words = _("The header Idempotency-Key must be a UUID.")
        raise RefusedRequestError(status=400, code="KEY_UNREADABLE", field="Idempotency-Key", message=words) from error
