"""Whether the server and its database answer, and the pages shown when something cannot be."""

import logging

from django.db import DatabaseError, connection
from django.http import HttpRequest, JsonResponse
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

logger = logging.getLogger(__name__)


@never_cache
@require_safe
def health(request: HttpRequest) -> JsonResponse:
    """Answer 200 when the database answers, else 503; tell nothing more."""
    try:
        with connection.cursor() as cursor:
            cursor.execute("SELECT 1")
    except DatabaseError:
        logger.exception("the database does not answer")
        return JsonResponse({"status": "down"}, status=503)
    return JsonResponse({"status": "ok"})
