"""From templates and style sheets to one PDF, a batch at a time, so that memory stays small and progress shows."""

from collections.abc import Sequence
from functools import cache
from hashlib import sha256
from importlib import import_module
from pathlib import Path
from types import ModuleType

from django.conf import settings
from django.template.loader import render_to_string

from jobs.errors import JobError
from jobs.registry import Product, Task

NO_PANGO = "NO_PANGO"


@cache
def _css(name: str) -> str:
    folder: Path = settings.BASE_DIR / "static" / "css" / "print"
    return "".join((folder / part).read_text(encoding="utf-8") for part in ("paper.css", f"{name}.css"))


@cache
def layout_digest(name: str) -> str:
    """Return a digest of the template and style sheets of a kind of paper: a new layout is a new document."""
    template: Path = settings.BASE_DIR / "templates" / "printing" / f"{name}.html"
    return sha256((template.read_text(encoding="utf-8") + _css(name)).encode()).hexdigest()


def content_digest(*values: object) -> str:
    """Return a digest of frozen values, by which equal paper is made once."""
    return sha256(repr(values).encode()).hexdigest()[:32]


def _press() -> ModuleType:
    """Load WeasyPrint, which needs Pango, only now.

    Raises:
        JobError: the system library is missing.
    """
    try:
        return import_module("tournaments.printing.press")
    except OSError as error:
        raise JobError(NO_PANGO) from error


def typeset(task: Task, *, name: str, title: str, batches: Sequence[Sequence[object]], context: object) -> Product:
    """Print the batches with the template and style sheet of that name, reporting each.

    Args:
        task: whose progress is written down, in items.
        name: of the template and the style sheet.
        title: of the document.
        batches: the items of each part; `items` in the template.
        context: what all parts share; `paper` in the template.
    """
    press = _press()
    total = sum(len(batch) for batch in batches)
    done = 0
    parts = []
    for batch in batches:
        task.report(done, total)
        html = render_to_string(f"printing/{name}.html", {"items": batch, "paper": context, "title": title})
        parts.append(press.pdf(html, _css(name)))
        done += len(batch)
    task.report(done, total)
    return Product(content=press.joined(parts, title), suffix=".pdf")
