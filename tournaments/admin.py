"""The admin shows tournaments, results and the journal, and writes none of them: results have services, not forms."""

from typing import Any, TypeVar

from django.contrib import admin
from django.db import models
from django.http import HttpRequest

from .models import (
    Donne,
    Entrant,
    Event,
    Mark,
    Penalty,
    Round,
    Rules,
    Season,
    Session,
    SheetDraft,
    SheetNet,
    Standing,
    Table,
    Tournament,
    TournamentArbiter,
)

Row = TypeVar("Row", bound=models.Model)


class ReadOnlyAdmin(admin.ModelAdmin[Row]):
    """Lists and shows rows; nothing is added, changed or deleted here."""

    actions = None
    list_per_page = 50
    show_full_result_count = False

    def has_add_permission(self, request: HttpRequest) -> bool:
        """Refuse."""
        return False

    def has_change_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        """Refuse."""
        return False

    def has_delete_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        """Refuse."""
        return False


@admin.register(Tournament)
class TournamentAdmin(ReadOnlyAdmin[Tournament]):
    """Tournaments of every club."""

    list_display = ["name", "club", "place", "published"]
    list_filter = ["published"]
    search_fields = ["name"]
    list_select_related = ["club"]


@admin.register(Session)
class SessionAdmin(ReadOnlyAdmin[Session]):
    """Evenings."""

    list_display = ["tournament", "number", "date", "state", "rounds_planned", "donnes_per_round"]
    list_filter = ["state"]
    list_select_related = ["tournament"]


@admin.register(Round)
class RoundAdmin(ReadOnlyAdmin[Round]):
    """Positions."""

    list_display = ["session", "number", "method", "room", "desk"]
    list_select_related = ["session__tournament"]


@admin.register(Table)
class TableAdmin(ReadOnlyAdmin[Table]):
    """Tables."""

    list_display = ["round", "number", "game", "basis"]
    list_select_related = ["round__session__tournament"]


@admin.register(Donne)
class DonneAdmin(ReadOnlyAdmin[Donne]):
    """Every version of every donne."""

    list_display = ["table", "number", "version", "is_current", "kind", "taker", "contract", "value", "by"]
    list_filter = ["kind", "is_current"]
    list_select_related = ["table__round__session__tournament"]


@admin.register(Mark)
class MarkAdmin(ReadOnlyAdmin[Mark]):
    """Marks as recorded."""

    list_display = ["donne", "place", "entrant", "points"]
    list_select_related = ["donne__table__round__session__tournament", "entrant__person"]


@admin.register(SheetNet)
class SheetNetAdmin(ReadOnlyAdmin[SheetNet]):
    """Bilans as written on the sheets."""

    list_display = ["table", "place", "net", "source", "version", "is_current", "by"]
    list_select_related = ["table__round__session__tournament"]


@admin.register(Event)
class EventAdmin(ReadOnlyAdmin[Event]):
    """The journal."""

    list_display = ["at", "code", "table", "session", "seq", "by"]
    list_filter = ["code"]
    list_select_related = ["table__round__session__tournament", "session__tournament"]


@admin.register(Season, Rules, TournamentArbiter, Entrant, Penalty, SheetDraft, Standing)
class PlainAdmin(ReadOnlyAdmin[models.Model]):
    """Rows that need no columns of their own."""
