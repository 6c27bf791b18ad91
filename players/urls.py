"""Addresses of people, accounts and the first installation."""

from django.contrib.auth.views import LoginView, LogoutView
from django.urls import path

from . import views

app_name = "players"
urlpatterns = [
    path("installation/", views.install, name="install"),
    path("demonstration/", views.demo, name="demo"),
    path("connexion/", LoginView.as_view(redirect_authenticated_user=True), name="login"),
    path("deconnexion/", LogoutView.as_view(), name="logout"),
    path("mot-de-passe/", views.PasswordView.as_view(), name="password"),
    path("comptes/", views.accounts, name="accounts"),
    path("comptes/nouveau/", views.new_account, name="add_account"),
    path("comptes/<int:user_id>/", views.account, name="account"),
    path("comptes/<int:user_id>/mot-de-passe/", views.account_password, name="account_password"),
    path("membres/", views.people, name="people"),
    path("membres/nouveau/", views.new_person, name="add_person"),
    path("membres/coller/", views.paste_people, name="paste_people"),
    path("membres/<int:person_id>/", views.person, name="person"),
    path("membres/<int:person_id>/archiver/", views.archive, name="archive_person"),
    path("membres/<int:person_id>/supprimer/", views.delete, name="delete_person"),
]
