"""Which function does which kind of job; filled by the applications in `AppConfig.ready`, so that jobs imports none."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from django.utils.functional import Promise


@dataclass(frozen=True, slots=True, kw_only=True)
class Task:
    """One attempt at a job, as its function sees it."""

    job_id: int
    club_id: int
    by: str
    params: Mapping[str, Any]
    attempt: int
    report: Callable[[int, int], None]
    """Write down (done, total); raises LostJobError when the job was cancelled or taken over."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Product:
    """The file a job leaves for its club to fetch."""

    content: bytes
    suffix: str


Work = Callable[[Task], Product | None]
Describe = Callable[[Mapping[str, Any]], str]


@dataclass(frozen=True, slots=True, kw_only=True)
class Kind:
    """A kind of job: its function, safe to run twice or at once, and its name in words."""

    code: str
    title: Promise | str
    work: Work
    describe: Describe | None
    """Says more than the title from a job's params, such as which position."""


_kinds: dict[str, Kind] = {}


def register(kind: str, function: Work, *, title: Promise | str = "", describe: Describe | None = None) -> None:
    """Name the function of a kind; a second registration replaces the first."""
    _kinds[kind] = Kind(code=kind, title=title or kind, work=function, describe=describe)


def kind_of(code: str) -> Kind:
    """Return a kind by its code.

    Raises:
        LookupError: nobody registered it.
    """
    try:
        return _kinds[code]
    except KeyError:
        raise LookupError(f"no job kind {code!r}") from None


def title_of(code: str, params: Mapping[str, Any]) -> str:
    """Return the words for a job, its kind's code when nobody registered that any more."""
    kind = _kinds.get(code)
    if kind is None:
        return code
    return kind.describe(params) if kind.describe else str(kind.title)
