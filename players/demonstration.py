"""The door by which the first page loads the demonstration, whose maker stands in an application above this one."""

from collections.abc import Callable
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from .models import Club

SLUG = "demonstration"

_loaders: "list[Callable[[], Club]]" = []


def register_demonstration(load: "Callable[[], Club]") -> None:
    """Name the function that makes the demonstration club; called once when the site starts."""
    _loaders[:] = [load]


def load_demonstration_club() -> "Club":
    """Make the demonstration club, or return it when it is there."""
    return _loaders[0]()
