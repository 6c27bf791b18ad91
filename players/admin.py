"""The back office for accounts: users with their memberships, clubs, people. Nobody is deleted from here."""

from typing import Any

from django.contrib import admin
from django.contrib.auth.admin import UserAdmin
from django.forms import ModelForm
from django.http import HttpRequest

from .models import Club, Membership, Person, User
from .names import search_key_of


class MembershipInline(admin.TabularInline):  # type: ignore[type-arg]  # Django's own takes no parameter at run time
    """The roles of a user."""

    model = Membership
    extra = 1


@admin.register(User)
class AccountAdmin(UserAdmin):  # type: ignore[type-arg]  # Django's own takes no parameter at run time
    """Accounts, each with its roles. The journal names people by their account: it is made inactive, never deleted."""

    inlines = [MembershipInline]

    def has_delete_permission(self, _request: HttpRequest, _obj: User | None = None) -> bool:
        """Never."""
        return False


@admin.register(Club)
class ClubAdmin(admin.ModelAdmin):  # type: ignore[type-arg]  # Django's own takes no parameter at run time
    """Clubs; results hang on them, so none goes."""

    list_display = ["name", "slug"]

    def has_delete_permission(self, _request: HttpRequest, _obj: Club | None = None) -> bool:
        """Never: archive nothing, lose nothing."""
        return False


@admin.register(Person)
class PersonAdmin(admin.ModelAdmin):  # type: ignore[type-arg]  # Django's own takes no parameter at run time
    """People; the members' pages do the same with more care."""

    list_display = ["last_name", "first_name", "licence", "club", "archived_at"]
    search_fields = ["search_key"]
    list_filter = ["club"]
    list_select_related = ["club"]

    def save_model(self, request: HttpRequest, obj: Person, form: "ModelForm[Person]", change: Any) -> None:
        """Keep what searches look through in step with the names."""
        obj.search_key = search_key_of(
            last_name=obj.last_name, first_name=obj.first_name, licence=obj.licence, pseudonym=obj.pseudonym
        )
        super().save_model(request, obj, form, change)

    def has_delete_permission(self, _request: HttpRequest, _obj: Person | None = None) -> bool:
        """Never: people with results are archived."""
        return False
