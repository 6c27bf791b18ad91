"""Addresses of the scoring desk and its sheets."""

from django.urls import URLPattern, URLResolver, path

from tournaments.views import desk, sheet

_ROUND = "seances/<int:session_id>/positions/<int:number>"
_TABLE = f"{_ROUND}/tables/<int:table_number>"

urlpatterns: list[URLPattern | URLResolver] = [
    path(f"{_ROUND}/saisie/", desk.desk, name="desk"),
    path(f"{_ROUND}/saisie/annuler/", desk.undo_entry, name="undo_entry"),
    path(f"{_TABLE}/", sheet.sheet, name="sheet"),
    path(f"{_TABLE}/apercu/", sheet.preview, name="preview"),
    path(f"{_TABLE}/historique/", sheet.history, name="history"),
]
