"""Pasted lists of people: what each line says, and what would become of it. Nothing is written here."""

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from enum import StrEnum

from .models import Club, Person
from .names import fold, tidy

MOST_LINES = 2000
LONGEST_NAME = 60
LICENCE = re.compile(r"[0-9A-Za-z-]{1,20}")
FIRST_NAME = re.compile(r"[^\W\d_]+(?:[ .'’-]+[^\W\d_]+)*\.?")  # a number has a digit at least
PARTICLE = re.compile(
    "abou|al|bel|ben|bou|da|de|del|della|den|der|des|di|do|dos|du|el|la|le|les|ould|saint|sainte|st|ste|ten|van|von|zu"
)
HEADINGS = {"nom prenom", "nom", "name", "last name first name"}


class Verdict(StrEnum):
    """What would become of a line."""

    NEW = "NEW"
    KNOWN = "KNOWN"
    SAME_NAME = "SAME_NAME"
    ERROR = "ERROR"


class LineProblem(StrEnum):
    """Why a line cannot be taken."""

    NO_NAME = "NO_NAME"
    NAME_TOO_LONG = "NAME_TOO_LONG"
    BAD_LICENCE = "BAD_LICENCE"
    LICENCE_OF_ANOTHER = "LICENCE_OF_ANOTHER"
    LICENCE_TWICE = "LICENCE_TWICE"
    PERSON_TWICE = "PERSON_TWICE"
    TOO_MANY_LINES = "TOO_MANY_LINES"


@dataclass(frozen=True, slots=True, kw_only=True)
class PastedLine:
    """One line as read; `number` is its place in the pasted text, from 1.

    `is_guess` says that nothing in the line tells where the last name ends.
    """

    number: int
    last_name: str
    first_name: str
    licence: str
    is_guess: bool = False

    @property
    def name(self) -> str:
        """The name as lists show it."""
        return f"{self.last_name} {self.first_name}".strip()


@dataclass(frozen=True, slots=True, kw_only=True)
class KnownPerson:
    """Somebody of the club, as little as a verdict needs."""

    pk: int
    name: str
    licence: str
    is_archived: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class LineVerdict:
    """A line and what would become of it.

    `holders` are the known people of that FFT number or that name. `earlier` is the line of the same paste that bears
    the same name or number, or 0. `choice` is what the user decided of a SAME_NAME line: "new", "skip", the id of
    a known person, or "" when nothing is decided yet. PERSON_TWICE leaves a SAME_NAME line undecided: line `earlier`
    gives the person chosen another FFT number.
    """

    line: PastedLine
    verdict: Verdict
    problem: LineProblem | None = None
    holders: tuple[KnownPerson, ...] = ()
    earlier: int = 0
    choice: str = ""

    @property
    def is_waiting(self) -> bool:
        """Say whether the user must still decide."""
        return self.verdict == Verdict.SAME_NAME and not self.choice

    @property
    def is_guess(self) -> bool:
        """Say whether somebody may be added under a last name that was only guessed."""
        return self.line.is_guess and self.verdict in {Verdict.NEW, Verdict.SAME_NAME}


def read_lines(text: str) -> tuple[PastedLine, ...]:
    """Read "NOM Prénom; licence" lines, or the columns of a spreadsheet; empty lines and a heading are passed over."""
    read = (read_line(number, raw) for number, raw in enumerate(text.splitlines(), start=1) if raw.strip())
    return tuple(line for line in read if fold(line.name) not in HEADINGS)


def read_line(number: int, raw: str) -> PastedLine:
    """Read one line: fields parted by semicolons or tabs, else by commas; two names in one field or in two."""
    fields = [_unquoted(tidy(field)) for field in re.split(r"[;\t]" if re.search(r"[;\t]", raw) else ",", raw)]
    if len(fields) == 2 and FIRST_NAME.fullmatch(fields[1]):
        fields.append("")
    if len(fields) >= 3:
        return PastedLine(number=number, last_name=fields[0], first_name=fields[1], licence=_bare(fields[2]))
    last_name, first_name, is_guess = read_name(fields[0])
    licence = _bare(fields[1]) if len(fields) == 2 else ""
    return PastedLine(number=number, last_name=last_name, first_name=first_name, licence=licence, is_guess=is_guess)


def split_name(name: str) -> tuple[str, str]:
    """Part a last name from a first name."""
    last_name, first_name, _is_guess = read_name(name)
    return last_name, first_name


def read_name(name: str) -> tuple[str, str, bool]:
    """Part a last name from a first name: the words in capitals, with the "de" before them, else a guess.

    The guess is the first word, or "Le Goff" where a name begins with a particle. The third value says that it is one
    the reader should look at: two plain words need no second look, they are written last name first.
    """
    words = name.split()
    capitals = _capitals_from(words, 0)
    if capitals:
        return " ".join(words[:capitals]), " ".join(words[capitals:]), False
    particles = 0
    while particles < len(words) - 1 and PARTICLE.fullmatch(fold(words[particles])):
        particles += 1
    capitals = _capitals_from(words, particles)
    cut = particles + (capitals or 1)
    is_guess = not capitals and (particles > 0 or len(words) > 2)
    return " ".join(words[:cut]), " ".join(words[cut:]), is_guess


def _capitals_from(words: list[str], start: int) -> int:
    """Count the words in capitals that follow each other from there."""
    count = 0
    for word in words[start:]:
        if word != word.upper() or len(word.strip(".-'’")) < 2:
            break
        count += 1
    return count


def _unquoted(field: str) -> str:
    """Take away the quotes a spreadsheet writes around a field."""
    if len(field) >= 2 and field[0] == field[-1] == '"':
        return field[1:-1].replace('""', '"').strip()
    return field


def _bare(licence: str) -> str:
    return re.sub(r"\s", "", licence)


def judge(club: Club, lines: Iterable[PastedLine], choices: Mapping[int, str]) -> tuple[LineVerdict, ...]:
    """Return the verdict of each line, in one query; `choices` holds decisions by line number."""
    known = [
        KnownPerson(pk=pk, name=f"{last} {first}".strip(), licence=licence, is_archived=archived_at is not None)
        for pk, last, first, licence, archived_at in Person.objects.filter(club=club).values_list(
            "pk", "last_name", "first_name", "licence", "archived_at"
        )
    ]
    by_licence = {person.licence: person for person in known if person.licence}
    by_name: dict[str, list[KnownPerson]] = {}
    for person in known:
        by_name.setdefault(fold(person.name), []).append(person)
    licence_lines: dict[str, int] = {}
    name_lines: dict[str, int] = {}
    numbered: dict[str, int] = {}
    verdicts = []
    for count, line in enumerate(lines, start=1):
        problem = LineProblem.TOO_MANY_LINES if count > MOST_LINES else find_line_problem(line)
        if problem:
            verdict = LineVerdict(line=line, verdict=Verdict.ERROR, problem=problem)
        elif line.licence in licence_lines:
            earlier = licence_lines[line.licence]
            verdict = LineVerdict(line=line, verdict=Verdict.ERROR, problem=LineProblem.LICENCE_TWICE, earlier=earlier)
        else:
            verdict = _judge_sound(
                line, by_licence.get(line.licence), by_name.get(fold(line.name), []), name_lines.get(fold(line.name), 0)
            )
            verdict = _numbered_once(_decided(verdict, choices.get(line.number, "")), numbered)
            if line.licence:
                licence_lines[line.licence] = line.number
            name_lines.setdefault(fold(line.name), line.number)
        verdicts.append(verdict)
    return tuple(verdicts)


def find_line_problem(line: PastedLine) -> LineProblem | None:
    """Return what is wrong with a line on its own."""
    if not fold(line.last_name):
        return LineProblem.NO_NAME
    if max(len(line.last_name), len(line.first_name)) > LONGEST_NAME:
        return LineProblem.NAME_TOO_LONG
    if line.licence and not LICENCE.fullmatch(line.licence):
        return LineProblem.BAD_LICENCE
    return None


def _judge_sound(
    line: PastedLine, holder: KnownPerson | None, namesakes: list[KnownPerson], earlier: int
) -> LineVerdict:
    if line.licence and holder is not None:
        if fold(holder.name) == fold(line.name):
            return LineVerdict(line=line, verdict=Verdict.KNOWN, holders=(holder,))
        return LineVerdict(line=line, verdict=Verdict.ERROR, problem=LineProblem.LICENCE_OF_ANOTHER, holders=(holder,))
    if namesakes or earlier:
        return LineVerdict(line=line, verdict=Verdict.SAME_NAME, holders=tuple(namesakes), earlier=earlier)
    return LineVerdict(line=line, verdict=Verdict.NEW)


def _decided(verdict: LineVerdict, choice: str) -> LineVerdict:
    """Keep a decision only if it is one the line offers."""
    offered = {"new", "skip", *(str(person.pk) for person in verdict.holders)}
    if verdict.verdict != Verdict.SAME_NAME or choice not in offered:
        return verdict
    return replace(verdict, choice=choice)


def _numbered_once(verdict: LineVerdict, numbered: dict[str, int]) -> LineVerdict:
    """Take a decision back that would give somebody a second FFT number; `numbered` holds who had one of which line."""
    if not verdict.line.licence or not any(str(p.pk) == verdict.choice and not p.licence for p in verdict.holders):
        return verdict
    earlier = numbered.setdefault(verdict.choice, verdict.line.number)
    if earlier == verdict.line.number:
        return verdict
    return replace(verdict, choice="", problem=LineProblem.PERSON_TWICE, earlier=earlier)
