"""Addresses of rankings, the public page, closing and the health check."""

from django.urls import URLPattern, URLResolver, path

from tournaments.views import closing, health, public, ranking

urlpatterns: list[URLPattern | URLResolver] = [
    path("seances/<int:session_id>/classement/", ranking.ranking, name="ranking"),
    path("seances/<int:session_id>/positions/<int:number>/classement/", ranking.round_ranking, name="round_ranking"),
    path("seances/<int:session_id>/verification/", closing.closing, name="closing"),
    path("resultats/<int:session_id>/", public.public, name="public"),
    path("resultats/<int:session_id>/tableau/", public.public_table, name="public_table"),
    path("sante", health.health, name="health"),
]
