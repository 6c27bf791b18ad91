"""Addresses of preparing and running an evening."""

from django.urls import path

from tournaments.views import home, registration, seating, tournaments

urlpatterns = [
    path("", home.home, name="home"),
    path("tournois/nouveau/", tournaments.new_tournament, name="new_tournament"),
    path("tournois/<int:session_id>/reglages/", tournaments.edit, name="edit_tournament"),
    path("seances/<int:session_id>/", home.session, name="session"),
    path("seances/<int:session_id>/inscriptions/", registration.page, name="registration"),
    path("seances/<int:session_id>/inscriptions/presents/", registration.present, name="present"),
    path("seances/<int:session_id>/inscriptions/recherche/", registration.person_search, name="person_search"),
    path("seances/<int:session_id>/inscriptions/pointer/", registration.check_in_person, name="check_in"),
    path("seances/<int:session_id>/inscriptions/nouveau/", registration.check_in_newcomer, name="check_in_new"),
    path("seances/<int:session_id>/inscriptions/annuler/", registration.undo, name="undo_check_in"),
    path("seances/<int:session_id>/mise-en-place/", seating.seating, name="seating"),
    path("seances/<int:session_id>/positions/<int:number>/salle/", seating.room, name="room"),
    path("seances/<int:session_id>/position-suivante/", seating.move_on, name="next_round"),
]
