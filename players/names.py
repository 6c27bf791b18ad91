"""Names: how they are searched and how much of one the public sees. `shown_name` is the only way to a public name."""

import re
import unicodedata
from typing import Any

from django.utils.translation import gettext

from .access import belongs_to
from .models import Display, Person

LIGATURES = str.maketrans({"œ": "oe", "æ": "ae", "ø": "o", "ł": "l", "đ": "d"})
NOT_A_WORD = re.compile(r"[\W_]+")
SEARCH_KEY_LENGTH = 200
JOINERS = "\u200c\u200d"  # unseen, but letters of some scripts and pictures are made with them


def fold(text: str) -> str:
    """Return the text as searches compare it: no case, no accent, words parted by one space."""
    lower = text.casefold().translate(LIGATURES)
    plain = "".join(letter for letter in unicodedata.normalize("NFKD", lower) if not unicodedata.combining(letter))
    return NOT_A_WORD.sub(" ", plain).strip()


def tidy(text: str) -> str:
    """Return what was typed without what cannot be seen (byte order marks, changes of direction), inner spaces closed.

    A null byte stays, for the form to refuse.
    """
    spaced = " ".join(text.split())
    return "".join(letter for letter in spaced if letter in JOINERS or letter == "\0" or not _is_unseen(letter)).strip()


def _is_unseen(letter: str) -> bool:
    return unicodedata.category(letter) in {"Cc", "Cf", "Cs"}


def search_key_of(*, last_name: str, first_name: str, licence: str = "", pseudonym: str = "") -> str:
    """Return what a search looks through, the last name first so that its beginning can be told."""
    return fold(f"{last_name} {first_name} {licence} {pseudonym}")[:SEARCH_KEY_LENGTH]


def shown_name(person: Person, viewer: Any) -> str:
    """Return the name `viewer` (a user, an anonymous user or None) may read.

    Members of the person's club read it whole; the public what the person chose, a minor's never whole.
    """
    if viewer is not None and belongs_to(viewer, person.club_id):
        return str(person)
    display = Display(person.display)
    if person.is_minor and display == Display.FULL:
        display = Display.SHORT
    if display == Display.FULL:
        return str(person)
    if display == Display.SHORT:
        return short_name(person)
    if display == Display.PSEUDONYM and person.pseudonym:
        return person.pseudonym
    return gettext("Name not shown")


def short_name(person: Person) -> str:
    """Return "Prénom N.", or the initial alone when there is no first name."""
    return f"{person.first_name} {person.last_name[:1]}.".strip()
