"""Compiles the translations, which are kept as text only; run as `python -m config.catalogues`, needs no Django."""

from pathlib import Path

from babel.messages.mofile import write_mo
from babel.messages.pofile import read_po

LOCALE = Path(__file__).resolve().parent.parent / "locale"


def compile_catalogues(root: Path = LOCALE) -> list[Path]:
    """Compile each .po whose .mo is missing or older; return the files written."""
    written = []
    for source in sorted(root.glob("*/LC_MESSAGES/*.po")):
        target = source.with_suffix(".mo")
        if target.exists() and target.stat().st_mtime >= source.stat().st_mtime:
            continue
        with source.open("rb") as file:
            catalogue = read_po(file)
        partial = target.with_suffix(".mo.new")
        with partial.open("wb") as file:
            write_mo(file, catalogue)
        partial.replace(target)
        written.append(target)
    return written


if __name__ == "__main__":
    compile_catalogues()
