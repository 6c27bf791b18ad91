"""The words of the jobs' error codes; the states' words stand with the states."""

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

WORKER_LOST = "WORKER_LOST"
CRASHED = "CRASHED"
TOO_LONG = "TOO_LONG"

_SENTENCES: dict[str, Promise] = {
    WORKER_LOST: _("The program that does this work stopped three times while doing it."),
    CRASHED: _("This work failed three times. The details are in the program's log."),
    TOO_LONG: _("This work took more than ten minutes and was stopped."),
}


def add_sentences(sentences: dict[str, Promise]) -> None:
    """Let an application name the sentences of its own kinds' codes."""
    _SENTENCES.update(sentences)


def error_sentence(code: str) -> str:
    """Return the sentence of an error code, "" for none."""
    return str(_SENTENCES.get(code, code))
