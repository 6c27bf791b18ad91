"""Addresses of printing and its jobs."""

from django.urls import URLPattern, URLResolver, path

from tournaments.views import printing

urlpatterns: list[URLPattern | URLResolver] = [
    path("seances/<int:session_id>/impressions/", printing.prints, name="prints"),
    path("seances/<int:session_id>/impressions/feuilles/", printing.print_sheets, name="print_sheets"),
    path("seances/<int:session_id>/impressions/classement/", printing.print_ranking, name="print_ranking"),
    path("travaux/<int:job_id>/", printing.job, name="job"),
    path("travaux/<int:job_id>/annuler/", printing.cancel_job, name="cancel_job"),
    path("travaux/<int:job_id>/recommencer/", printing.retry_job, name="retry_job"),
    path("travaux/<int:job_id>/fichier/", printing.job_file, name="job_file"),
]
