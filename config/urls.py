"""Every address of the site, by application."""

from django.contrib import admin
from django.urls import include, path

urlpatterns = [
    path("admin/", admin.site.urls),
    path("langue/", include("django.conf.urls.i18n")),
    path("", include("players.urls")),
    path("", include("tournaments.urls")),
]
