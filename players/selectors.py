"""Reads about people: lists and searches, a fixed number of queries whatever the size of the club."""

from dataclasses import dataclass

from django.db.models import Case, IntegerField, Q, QuerySet, Value, When

from .models import Club, Person
from .names import fold

PAGE_SIZE = 50


@dataclass(frozen=True, slots=True, kw_only=True)
class PeoplePage:
    """One page of people; `total` counts all pages, `number` starts at 1."""

    people: tuple[Person, ...]
    total: int
    number: int
    pages: int


def find_people(club: Club, text: str) -> QuerySet[Person]:
    """Return the people not archived whose names, pseudonym or FFT number hold every word of the text.

    Those whose last name begins so come first.
    """
    words = fold(text).split()
    people = Person.objects.filter(club=club).active().matching(words).order_by("search_key", "pk")
    if not words:
        return people
    begins = When(search_key__startswith=" ".join(words), then=Value(0))
    return people.order_by(Case(begins, default=Value(1), output_field=IntegerField()), "search_key", "pk")


def find_namesakes(club: Club, name: str) -> tuple[Person, ...]:
    """Return everybody not archived who bears this name, last name first, whatever the case and the accents."""
    wanted = fold(name)
    return tuple(person for person in find_people(club, wanted) if fold(str(person)) == wanted)


def people_page(club: Club, *, text: str, number: int, archived: bool = False) -> PeoplePage:
    """Return one page of a search, in two queries."""
    found: QuerySet[Person]
    if archived:
        found = Person.objects.filter(club=club, archived_at__isnull=False).order_by("search_key", "pk")
        found = found.filter(*(Q(search_key__contains=word) for word in fold(text).split()))
    else:
        found = find_people(club, text)
    total = found.count()
    pages = max(1, -(-total // PAGE_SIZE))
    number = min(max(number, 1), pages)
    start = (number - 1) * PAGE_SIZE
    return PeoplePage(people=tuple(found[start : start + PAGE_SIZE]), total=total, number=number, pages=pages)


def was_in_an_evening(person: Person) -> bool:
    """Say whether any row of any application points at somebody, who is then kept for good."""
    return any(
        relation.related_model._base_manager.filter(**{relation.field.name: person}).exists()
        for relation in Person._meta.related_objects
    )
