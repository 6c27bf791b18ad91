"""Addresses of people, accounts and the first installation."""

from django.urls import URLPattern

app_name = "players"
urlpatterns: list[URLPattern] = []
