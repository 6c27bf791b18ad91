"""Reads a JSON body strictly: what two readers could understand differently is refused, not guessed."""

import json
import math
from collections.abc import Mapping
from typing import IO, Any, NoReturn

from rest_framework.exceptions import ParseError
from rest_framework.parsers import BaseParser

LARGEST_BODY = 100_000
DEEPEST = 12


class StrictJSONParser(BaseParser):
    """One JSON object in UTF-8: no NaN, no key twice, no NUL, no half of a surrogate pair, not too deep."""

    media_type = "application/json"

    def parse(
        self, stream: IO[Any], media_type: str | None = None, parser_context: Mapping[str, Any] | None = None
    ) -> dict[str, Any]:
        """Return the object, or refuse the body whole."""
        body = stream.read(LARGEST_BODY + 1)
        if len(body) > LARGEST_BODY:
            raise ParseError("body too large")
        try:
            found = json.loads(
                body.decode("utf-8"), object_pairs_hook=_object, parse_constant=_constant, parse_float=_float
            )
        except (ValueError, RecursionError) as error:
            raise ParseError("not JSON") from error
        if not isinstance(found, dict):
            raise ParseError("not an object")
        _refuse_unreadable(found, 0)
        return found


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) < len(pairs):
        raise ValueError("a key stands twice")
    return found


def _constant(text: str) -> NoReturn:
    raise ValueError(text)


def _float(text: str) -> float:
    number = float(text)
    if not math.isfinite(number):
        raise ValueError(text)
    return number


def _refuse_unreadable(value: Any, depth: int) -> None:
    if depth > DEEPEST:
        raise ParseError("too deep")
    if isinstance(value, str):
        if "\x00" in value or any("\ud800" <= letter <= "\udfff" for letter in value):
            raise ParseError("unreadable text")
    elif isinstance(value, dict):
        for key, inner in value.items():
            _refuse_unreadable(key, depth + 1)
            _refuse_unreadable(inner, depth + 1)
    elif isinstance(value, list):
        for inner in value:
            _refuse_unreadable(inner, depth + 1)
