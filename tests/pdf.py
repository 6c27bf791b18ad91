"""Reads a PDF back as words in boxes, with Poppler, so that a test can say where a figure stands."""

import subprocess
from dataclasses import dataclass
from pathlib import Path
from xml.etree import ElementTree

XHTML = "{http://www.w3.org/1999/xhtml}"


@dataclass(frozen=True, slots=True, kw_only=True)
class Word:
    """A printed word and its box, in points from the top left corner of the page."""

    text: str
    left: float
    top: float
    right: float
    bottom: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Page:
    """One page: its size in points and its words in reading order."""

    width: float
    height: float
    words: tuple[Word, ...]

    @property
    def text(self) -> str:
        """Return the words joined by spaces."""
        return " ".join(word.text for word in self.words)

    def word(self, text: str) -> Word:
        """Return the only word that reads `text`."""
        (found,) = [word for word in self.words if word.text == text]
        return found


def read_pdf(pdf: Path | bytes) -> tuple[Page, ...]:
    """Return the pages of a PDF."""
    source, data = (str(pdf), None) if isinstance(pdf, Path) else ("-", pdf)
    done = subprocess.run(["pdftotext", "-bbox", source, "-"], input=data, capture_output=True, check=True)
    return tuple(_page(node) for node in ElementTree.fromstring(done.stdout).iter(f"{XHTML}page"))


def _page(node: ElementTree.Element) -> Page:
    words = tuple(
        Word(
            text=word.text or "",
            left=float(word.attrib["xMin"]),
            top=float(word.attrib["yMin"]),
            right=float(word.attrib["xMax"]),
            bottom=float(word.attrib["yMax"]),
        )
        for word in node.iter(f"{XHTML}word")
    )
    return Page(width=float(node.attrib["width"]), height=float(node.attrib["height"]), words=words)
