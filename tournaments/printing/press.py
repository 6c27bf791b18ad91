"""WeasyPrint and its leash: HTML in, PDF out, and no address is fetched but the project's own fonts.

Imported by `typesetting` only when something is printed, so that the site starts on a machine without Pango.
"""

import gc
import io
from collections.abc import Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Any

from django.conf import settings
from pypdf import PdfWriter
from weasyprint import CSS, HTML
from weasyprint.text.fonts import FontConfiguration
from weasyprint.urls import URLFetcher, URLFetcherResponse

SCHEME = "print:"
# A document is a great many boxes that all live until it is written: looking through them for garbage is a third of
# the time. Only processes that print load this module.
gc.freeze()
gc.set_threshold(100_000, 50, 100)

FONTS = ("SourceSans3-Regular.ttf", "SourceSans3-Bold.ttf")


class OwnFilesFetcher(URLFetcher):  # type: ignore[misc]  # weasyprint has no types
    """Gives out the shipped fonts by name; every other address is refused without being looked at."""

    def fetch(self, url: str, headers: Mapping[str, str] | None = None) -> Any:
        """Return one of our fonts.

        Raises:
            ValueError: the address is not one of ours.
        """
        name = url.removeprefix(SCHEME)
        if not url.startswith(SCHEME) or name not in FONTS:
            message = "printing fetches nothing but its own fonts"
            raise ValueError(message)
        return URLFetcherResponse(url, _font(name), {"Content-Type": "font/ttf"})


@cache
def _font(name: str) -> bytes:
    return font_path(name).read_bytes()


def font_path(name: str) -> Path:
    """Return where a shipped font lies."""
    path: Path = settings.BASE_DIR / "static" / "fonts" / name
    return path


@cache
def _dressing(css: str) -> tuple[CSS, FontConfiguration]:
    """Return a style sheet with its fonts, read once a process."""
    fonts = FontConfiguration()
    return CSS(string=css, url_fetcher=OwnFilesFetcher(), font_config=fonts), fonts


def pdf(html: str, css: str) -> bytes:
    """Set one document."""
    style, fonts = _dressing(css)
    document = HTML(string=html, url_fetcher=OwnFilesFetcher())
    content: bytes = document.write_pdf(stylesheets=[style], font_config=fonts)
    return content


def joined(parts: Sequence[bytes], title: str) -> bytes:
    """Put documents one behind the other."""
    with PdfWriter() as writer:
        for part in parts:
            writer.append(io.BytesIO(part))
        writer.compress_identical_objects()
        writer.add_metadata({"/Title": title})
        out = io.BytesIO()
        writer.write(out)
    return out.getvalue()
