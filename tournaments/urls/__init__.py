"""Addresses of the evening, in French because people read them; one list a desk, joined here."""

from . import desk, evening, paper, ranking

app_name = "tournaments"
urlpatterns = [*evening.urlpatterns, *desk.urlpatterns, *ranking.urlpatterns, *paper.urlpatterns]
