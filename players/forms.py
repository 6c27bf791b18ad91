"""What users send about clubs, accounts and people, checked; nothing is saved here."""

import re
from collections.abc import Sequence
from typing import Any

from django import forms
from django.contrib.auth.password_validation import validate_password
from django.contrib.auth.validators import UnicodeUsernameValidator
from django.utils.translation import gettext_lazy as _

from . import first_code
from .accounts import Account
from .models import Display, Person, Role, User
from .names import fold, tidy
from .pasting import LICENCE, LONGEST_NAME
from .services import PersonDetails, is_installed

LONGEST_ID = 18
WRONG_CODE = _("This is not the code. Read it again in the window where the program was started.")


def read_id(sent: str) -> int:
    """Return the whole number a page sent, 0 when it is none or longer than any id."""
    return int(sent) if sent.isdecimal() and len(sent) <= LONGEST_ID else 0


class NameField(forms.CharField):
    """A name somebody types: what cannot be seen in it is dropped."""

    def to_python(self, value: Any) -> Any:
        """Tidy before the length and the emptiness are looked at."""
        return tidy(super().to_python(value) or "")


class PasswordForm(forms.Form):
    """A new password, typed twice."""

    password = forms.CharField(
        label=_("Password"),
        strip=False,
        help_text=_("At least 8 characters, not only digits or a common word."),
        widget=forms.PasswordInput(attrs={"autocomplete": "new-password"}, render_value=True),
    )
    password_again = forms.CharField(
        label=_("The same password again"),
        strip=False,
        widget=forms.PasswordInput(attrs={"autocomplete": "new-password"}, render_value=True),
    )

    def __init__(self, *args: Any, user: User | None = None, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.user = user

    def clean_password(self) -> str:
        """Refuse a weak password or one like the user's name, in Django's words."""
        password: str = self.cleaned_data["password"]
        validate_password(password, self.user or User(username=self.cleaned_data.get("username", "")))
        return password

    def clean(self) -> dict[str, Any] | None:
        """Compare the two passwords."""
        cleaned = super().clean() or self.cleaned_data
        again = cleaned.get("password_again")
        if again and "password" in cleaned and again != cleaned["password"]:
            self.add_error("password_again", _("The two passwords differ. Type the same one twice."))
        return cleaned


class UsernameForm(PasswordForm):
    """A new account's user name and password."""

    username = forms.CharField(
        label=_("User name"),
        max_length=150,
        validators=[UnicodeUsernameValidator(message=_("Only letters, digits and - . _ @ +, no space."))],
        help_text=_("To log in: letters, digits and - . _ @ +, no space."),
        widget=forms.TextInput(attrs={"autocomplete": "username", "autocapitalize": "none"}),
    )

    field_order: Sequence[str] = ("username", "password", "password_again")

    def clean_username(self) -> str:
        """Refuse a name that is taken."""
        username: str = self.cleaned_data["username"]
        if User.objects.filter(username__iexact=username).exists():
            raise forms.ValidationError(_("This user name is taken. Choose another."))
        return username


class InstallForm(UsernameForm):
    """The first club, its first administrator, and the one-time code."""

    club_name = NameField(label=_("Name of the club"), max_length=120)
    code = forms.CharField(
        label=_("One-time code"),
        max_length=40,
        help_text=_("Printed in the window where the program was started, like ABCD-EFGH-JKLM-NPQR."),
        widget=forms.TextInput(
            attrs={"autocomplete": "off", "autocapitalize": "characters", "spellcheck": "false", "autofocus": True}
        ),
    )

    field_order = ("code", "club_name", "username", "password", "password_again")

    def clean_code(self) -> str:
        """Refuse a wrong code together with whatever else is wrong; once a club exists none is right."""
        code: str = self.cleaned_data["code"]
        if not first_code.is_code(code) and not is_installed():
            raise forms.ValidationError(WRONG_CODE)
        return code


class NameAndRoleForm(forms.Form):
    """How the history calls an account, and what it may do."""

    name = NameField(
        label=_("Name shown"),
        max_length=LONGEST_NAME,
        help_text=_("Stands in the history beside each entry and correction."),
        widget=forms.TextInput(attrs={"autocomplete": "off"}),
    )
    role = forms.ChoiceField(
        label=_("Role"),
        choices=Role.choices,
        initial=Role.CLERK,
        help_text=_(
            "Entry clerk: checks in and enters. Arbiter: also seats, corrects and closes. "
            "Organiser: also members and accounts."
        ),
    )


class NewAccountForm(UsernameForm, NameAndRoleForm):
    """An account somebody else will use."""

    field_order = ("name", "username", "role", "password", "password_again")


class AccountForm(NameAndRoleForm):
    """What an organiser changes of an account."""

    is_active = forms.BooleanField(
        label=_("May log in"),
        required=False,
        help_text=_("Unticked, the account is shut. What it entered stays under its name."),
    )

    @staticmethod
    def initial_of(account: Account) -> dict[str, Any]:
        """Return what the form shows of an account."""
        return {"name": account.name, "role": account.role, "is_active": account.user.is_active}


class PersonForm(forms.Form):
    """Somebody of the club. Only the last name is asked of everybody."""

    last_name = NameField(
        label=_("Last name"), max_length=LONGEST_NAME, widget=forms.TextInput(attrs={"autocomplete": "off"})
    )
    first_name = NameField(
        label=_("First name"),
        max_length=LONGEST_NAME,
        required=False,
        widget=forms.TextInput(attrs={"autocomplete": "off"}),
    )
    licence = forms.CharField(
        label=_("FFT number"),
        max_length=30,
        required=False,
        widget=forms.TextInput(attrs={"autocomplete": "off", "class": "input-medium"}),
    )
    is_minor = forms.BooleanField(
        label=_("Under 18"),
        required=False,
        help_text=_("The public never sees more than the first name and an initial."),
    )
    display = forms.ChoiceField(
        label=_("Name shown to the public"),
        choices=Display.choices,
        help_text=_("Members who log in always see the whole name."),
    )
    pseudonym = NameField(
        label=_("Pseudonym"),
        max_length=LONGEST_NAME,
        required=False,
        help_text=_("Only if the public is to see a pseudonym."),
        widget=forms.TextInput(attrs={"autocomplete": "off"}),
    )

    def clean_last_name(self) -> str:
        """Refuse a name without a letter or a digit: no search would find it."""
        name: str = self.cleaned_data["last_name"]
        if not fold(name):
            raise forms.ValidationError(_("Write the name with letters."))
        return name

    def clean_licence(self) -> str:
        """Close up the number and refuse what cannot be one."""
        licence = re.sub(r"\s", "", self.cleaned_data["licence"])
        if licence and not LICENCE.fullmatch(licence):
            raise forms.ValidationError(_("An FFT number has only digits, letters and dashes, 20 at most."))
        return licence

    def clean(self) -> dict[str, Any] | None:
        """Ask for the pseudonym where it is to be shown."""
        cleaned = super().clean() or self.cleaned_data
        if cleaned.get("display") == Display.PSEUDONYM and not cleaned.get("pseudonym"):
            self.add_error("pseudonym", _("Write the pseudonym the public is to see."))
        return cleaned

    def details(self) -> PersonDetails:
        """Return what was typed, once it is valid."""
        typed = self.cleaned_data
        return PersonDetails(
            last_name=typed["last_name"],
            first_name=typed["first_name"],
            licence=typed["licence"],
            pseudonym=typed["pseudonym"],
            is_minor=typed["is_minor"],
            display=Display(typed["display"]),
        )

    @staticmethod
    def initial_of(person: Person) -> dict[str, Any]:
        """Return what the form shows of somebody known."""
        names = ("last_name", "first_name", "licence", "is_minor", "display", "pseudonym")
        return {name: getattr(person, name) for name in names}


class PasteForm(forms.Form):
    """Pasted lines; a verdict is given on each before anything is written."""

    text = forms.CharField(
        label=_("One person a line"),
        max_length=200_000,
        strip=False,
        widget=forms.Textarea(attrs={"rows": 10, "spellcheck": "false", "autocomplete": "off"}),
        help_text=_(
            "NAME First name; FFT number (the number may be missing). Columns copied from a spreadsheet do too."
        ),
    )

    def clean_text(self) -> str:
        """Refuse nothing but spaces; those before the first line stay, since lines are told by their number."""
        text: str = self.cleaned_data["text"]
        if not text.strip():
            raise forms.ValidationError(self.fields["text"].error_messages["required"], code="required")
        return text
