"""Addresses of the JSON interface."""

from django.urls import path

from . import views

app_name = "api"
urlpatterns = [
    path("tables/<int:table_id>/", views.TableView.as_view(), name="table"),
    path("tables/<int:table_id>/donnes/", views.DonnesView.as_view(), name="donnes"),
    path("donnes/<int:donne_id>/", views.DonneView.as_view(), name="donne"),
    path("sessions/<int:session_id>/standing/", views.StandingView.as_view(), name="standing"),
]
