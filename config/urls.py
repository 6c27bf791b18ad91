"""Every address of the site, by application."""

from django.contrib import admin
from django.urls import include, path

urlpatterns = [
    path("admin/", admin.site.urls),
    path("langue/", include("django.conf.urls.i18n")),
    path("api/", include("tournaments.api.urls")),
    path("", include("players.urls")),
    path("", include("tournaments.urls")),
]

handler400 = "tournaments.views.refusals.bad_request"
handler403 = "tournaments.views.refusals.permission_denied"
handler404 = "tournaments.views.refusals.not_found"
handler500 = "config.availability.server_error"
