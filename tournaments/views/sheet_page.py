"""A score sheet ready for its template: columns, rows, feet, sentences; what was typed stands before what is saved."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from scoring import Camp, Chelem, Contract, DonneEntry, PoigneeSize, RuleSet, Severity, explain
from tournaments import labels
from tournaments.errors import EntryProblem
from tournaments.forms.compact import COLUMNS, Outcome, Way
from tournaments.forms.typed import Style, TypedNet, TypedRow, TypedSheet
from tournaments.models import Game
from tournaments.selectors.sheets import DonneVersion, RowState


@dataclass(frozen=True, slots=True, kw_only=True)
class Column:
    """A player's column of the paper; `names` is empty where nobody sits. `identity` as the paper prints it."""

    place: str
    names: tuple[str, ...]
    identity: str

    @property
    def has_start_table(self) -> bool:
        """Say whether the identity is the starting table, as under the FFT movement."""
        return self.identity.isdecimal()


@dataclass(frozen=True, slots=True, kw_only=True)
class Cell:
    """A mark in its two half columns, unsigned; `dash` where nothing was played."""

    place: str
    plus: str = ""
    minus: str = ""
    dash: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Sentence:
    """Something said beside what it is about."""

    text: str
    is_problem: bool
    replacement: str = ""  # keys that would put it right
    is_for_typing: bool = False  # of no interest where nothing can be typed


@dataclass(frozen=True, slots=True, kw_only=True)
class MarkField:
    """The labelled field of one mark, as typed."""

    place: str
    text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class PageRow:
    """A donne of the page."""

    typed: TypedRow
    contract: str
    state: str  # words for a slot without a donne
    cells: tuple[Cell, ...]
    sentences: tuple[Sentence, ...]
    mark_fields: tuple[MarkField, ...]
    waiting_fields: tuple[tuple[str, str], ...]  # labelled fields of the other way, typed and not shown


@dataclass(frozen=True, slots=True, kw_only=True)
class Foot:
    """Total and Bilan of one column, and the bilan written on the paper."""

    place: str
    plus: str
    minus: str
    net: int | None
    written: TypedNet | None
    sentences: tuple[Sentence, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Side:
    """One side of a comparison: a label and a mark for each column."""

    title: str
    detail: str
    cells: tuple[Cell, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Comparison:
    """An old and a new value, or theirs and mine."""

    title: str
    left: Side
    right: Side
    number: int = 0  # of the donne; 0 for the bilans
    current: int = 0  # the version the left side is


@dataclass(frozen=True, slots=True, kw_only=True)
class LegendRow:
    """A line of the Tableau de marque."""

    contract: str
    base: int
    coefficient: int
    petit: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Legend:
    """The Tableau de marque of the scale in force."""

    rows: tuple[LegendRow, ...]
    poignees: tuple[int, ...]
    trumps: tuple[int, ...]  # shown for each size, at this number of players
    players: int


@dataclass(frozen=True, slots=True, kw_only=True)
class SheetPage:
    """The whole paper."""

    typed: TypedSheet
    columns: tuple[Column, ...]
    rows: tuple[PageRow, ...]
    feet: tuple[Foot, ...]
    sentences: tuple[Sentence, ...]
    legend: Legend
    shows_nets: bool
    shows_keys: bool
    shows_sums: bool
    focus: str  # the name of the input that holds the cursor

    @property
    def span(self) -> int:
        """Return how many cells a row has beside its heading."""
        return 2 * len(self.columns) + 2 + self.shows_keys

    @property
    def seat_keys(self) -> str:
        """Return the letters and figures that stand for the columns in a row of keys."""
        letters = " ".join(column.place for column in self.columns)
        return f"{letters} = {' '.join(str(digit) for digit in range(1, len(self.columns) + 1))}"

    @property
    def cancellations(self) -> tuple[tuple[str, str], ...]:
        """Return the keys of a cancelled donne with their motives."""
        return tuple((f"x{key}", labels.cancellation_label(key).lower()) for key in labels.CANCELLATIONS)

    @property
    def cancellation_keys(self) -> str:
        """Return the motives of a cancelled donne, each after its figure."""
        return labels.cancellation_keys()

    @property
    def way_label(self) -> str:
        """Return the way in use, in words."""
        return way_label(self.typed.preference.way)


def way_label(way: Way) -> str:
    """Return the name of a way of entry."""
    return labels.way_label(way.value)


def page_of(typed: TypedSheet, rules: RuleSet, *, problems: Sequence[EntryProblem] = ()) -> SheetPage:
    """Lay a typed sheet out as the paper. `problems` are what a service said beyond what was known."""
    sheet = typed.sheet
    columns = _columns(typed)
    way = typed.preference.way
    shows_keys = way is not Way.NETS or any(not row.is_blank or row.saved.is_closed for row in typed.rows)
    shows_nets = way is Way.NETS or typed.preference.control or any(not net.is_blank for net in typed.nets)
    return SheetPage(
        typed=typed,
        columns=columns,
        rows=tuple(_row(row, typed, columns, rules, problems) for row in typed.rows),
        feet=_feet(typed, columns),
        sentences=_sheet_sentences(typed, problems),
        legend=legend(rules, min(len(sheet.places), 4)),
        shows_nets=shows_nets,
        shows_keys=shows_keys,
        shows_sums=shows_keys or bool(sheet.nets),
        focus=_focus(typed, shows_nets=shows_nets),
    )


def _columns(typed: TypedSheet) -> tuple[Column, ...]:
    sheet = typed.sheet
    places = COLUMNS if sheet.game != Game.PLAIN else COLUMNS[:4]
    seated = {place: [seat for seat in sheet.seats if seat.place == place] for place in places}
    return tuple(
        Column(
            place=place,
            names=tuple(seat.name for seat in seated[place]),
            identity=" / ".join(seat.identity for seat in seated[place] if seat.identity),
        )
        for place in places
    )


def cells_of(columns: Sequence[Column], marks: Mapping[str, int], *, played: str = "") -> tuple[Cell, ...]:
    """Put marks under their half columns; who sat at the table and did not play shows a dash."""
    return tuple(
        _cell(column.place, marks[column.place])
        if column.place in marks
        else Cell(place=column.place, dash=bool(played and column.names))
        for column in columns
    )


def _cell(place: str, points: int) -> Cell:
    if points < 0:
        return Cell(place=place, minus=labels.grouped(points))
    return Cell(place=place, plus=labels.grouped(points))


def _row(
    row: TypedRow, typed: TypedSheet, columns: Sequence[Column], rules: RuleSet, problems: Sequence[EntryProblem]
) -> PageRow:
    current = row.saved.current if row.is_blank else None
    marks = dict(zip(row.places, row.marks, strict=False))
    contract, state = _contract(row), ""
    if row.told is not None and row.told.outcome is not None:
        state = labels.kind_label(row.told.outcome.value)
    elif current is not None and row.saved.state in (RowState.CLOSED, RowState.CANCELLED):
        state = labels.kind_label(current.kind.value)
    closed = row.told is not None and row.told.outcome is Outcome.NOT_PLAYED
    return PageRow(
        typed=row,
        contract=contract,
        state=state,
        cells=cells_of(columns, marks, played="-" if closed else row.places if marks else ""),
        sentences=(*_row_sentences(row, problems, contract), *_explanation(row, rules), *_saved_in(row, typed)),
        mark_fields=tuple(
            MarkField(place=column.place, text=row.labelled.mark(column.place)) for column in columns if column.names
        ),
        waiting_fields=tuple(row.labelled.only_in(Way.MARKS if row.way is Way.DETAIL else Way.DETAIL).items()),
    )


def _contract(row: TypedRow) -> str:
    entry = row.told.entry if row.told else None
    return labels.contract_code(entry.contract) if entry is not None else ""


def _row_sentences(row: TypedRow, problems: Sequence[EntryProblem], contract: str) -> tuple[Sentence, ...]:
    prefix = f"lines.{row.number}."
    known = {problem.code for problem in row.problems}
    said = [problem for problem in problems if problem.field.startswith(prefix) and problem.code not in known]
    return tuple(
        Sentence(
            text=labels.problem_sentence(problem, places=row.places, number=row.number, contract=contract),
            is_problem=problem.severity is not Severity.WARNING,
            replacement=_replacement(row, problem),
        )
        for problem in (*row.problems, *said)
        if not (row.decision and problem.severity is Severity.LIMIT)
    )


def _replacement(row: TypedRow, problem: EntryProblem) -> str:
    """Return the keys with a defender's mark where the taker's was typed."""
    if problem.code != "MARK_IS_TAKERS" or row.told is None or row.told.entry is None:
        return ""
    sign = "-" if "-" in row.text or "\N{MINUS SIGN}" in row.text else ""
    return f"{row.text.strip()[:2]}{sign}{problem.params['defender']}"


def _explanation(row: TypedRow, rules: RuleSet) -> tuple[Sentence, ...]:
    entry = row.told.entry if row.told else None
    if not isinstance(entry, DonneEntry) or not row.marks:
        return ()
    explained = explain(entry, rules, lifted=True)
    text = f"{labels.margin_line(explained)} {labels.explanation_line(explained)}"
    return (Sentence(text=text, is_problem=False),)


def _saved_in(row: TypedRow, typed: TypedSheet) -> tuple[Sentence, ...]:
    """Say it where keys show a saved donne in another way than the one that is lit."""
    lit = typed.preference.way
    told = row.told is not None and row.told.entry is not None
    if lit is Way.NETS or row.way is lit or not (told and row.stands_as_saved and row.style is Style.KEYS):
        return ()
    return (Sentence(text=labels.saved_in_sentence(row.way.value), is_problem=False, is_for_typing=True),)


def _feet(typed: TypedSheet, columns: Sequence[Column]) -> tuple[Foot, ...]:
    rows = [dict(zip(row.places, row.marks, strict=False)) for row in typed.rows]
    nets = {net.place: net for net in typed.nets}
    found = []
    for column in columns:
        marks = [row[column.place] for row in rows if column.place in row]
        written = nets.get(column.place)
        found.append(
            Foot(
                place=column.place,
                plus=labels.grouped(sum(mark for mark in marks if mark > 0)) if marks else "",
                minus=labels.grouped(sum(mark for mark in marks if mark < 0)) if marks else "",
                net=sum(marks) if marks else None,
                written=written,
                sentences=tuple(
                    Sentence(text=labels.problem_sentence(problem), is_problem=True) for problem in written.problems
                )
                if written
                else (),
            )
        )
    return tuple(found)


def _sheet_sentences(typed: TypedSheet, problems: Sequence[EntryProblem]) -> tuple[Sentence, ...]:
    known = {(problem.field, problem.code) for problem in typed.problems}
    said = [
        problem
        for problem in problems
        if not problem.field.startswith("lines.") and (problem.field, problem.code) not in known
    ]
    return tuple(
        Sentence(text=labels.problem_sentence(problem, places=typed.sheet.places), is_problem=True)
        for problem in (*typed.problems, *said)
    )


def _focus(typed: TypedSheet, *, shows_nets: bool) -> str:
    """Return the input that holds the cursor: what is wrong before what is empty, but a sheet just opened goes on."""
    by_nets = typed.preference.way is Way.NETS
    wrong = [f"row-{row.number}" for row in typed.rows if row.blocks and not row.is_blank]
    wrong += [f"net-{net.place}" for net in typed.nets if net.problems]
    rows = [f"row-{row.number}" for row in typed.rows if row.is_blank and not row.saved.is_closed]
    nets = [f"net-{net.place}" for net in typed.nets if net.is_blank and shows_nets]
    empty = nets if by_nets or typed.problems else [*rows, *nets]
    last = f"net-{typed.sheet.places[:1]}" if by_nets or typed.problems else "row-1"
    return next(iter([*empty, *wrong, last] if typed.is_opened else [*wrong, *empty, last]))


def legend(rules: RuleSet, players: int) -> Legend:
    """Work the Tableau de marque out of the scale in force."""
    return Legend(
        rows=tuple(
            LegendRow(
                contract=labels.contract_label(contract.value),
                base=rules.base * rules.coefficients[contract],
                coefficient=rules.coefficients[contract],
                petit=rules.petit_au_bout * rules.coefficients[contract],
            )
            for contract in Contract
        ),
        poignees=tuple(rules.poignees[size] for size in PoigneeSize),
        trumps=tuple(rules.trumps[max(players, 3), size] for size in PoigneeSize),
        players=max(players, 3),
    )


def version_side(version: DonneVersion | None, columns: Sequence[Column], title: str) -> Side:
    """Show a saved version as one side of a comparison."""
    if version is None:
        return Side(title=title, detail=labels.kind_label("WITHDRAWN"), cells=cells_of(columns, {}))
    marks = {mark.place: mark.points for mark in version.marks}
    contract = labels.contract_label(version.contract, short=True)
    taker = labels.place_name(version.taker) if version.taker else ""
    words = " · ".join(part for part in (contract, taker) if part) if marks else labels.kind_label(version.kind.value)
    return Side(title=title, detail=words, cells=cells_of(columns, marks, played=version.places))


def typed_side(row: TypedRow, columns: Sequence[Column], title: str) -> Side:
    """Show a typed row as one side of a comparison."""
    marks = dict(zip(row.places, row.marks, strict=False))
    entry = row.told.entry if row.told else None
    if entry is None:
        outcome = row.told.outcome.value if row.told and row.told.outcome else ""
        return Side(title=title, detail=labels.kind_label(outcome), cells=cells_of(columns, {}))
    contract = labels.contract_label(labels.contract_code(entry.contract), short=True)
    taker = labels.place_name(row.places[entry.taker]) if entry.taker is not None else ""
    words = " · ".join(part for part in (contract, taker) if part)
    return Side(title=title, detail=words, cells=cells_of(columns, marks, played=row.places))


def nets_side(nets: Mapping[str, int], columns: Sequence[Column], title: str) -> Side:
    """Show bilans as one side of a comparison."""
    return Side(title=title, detail="", cells=cells_of(columns, nets))


def contract_options() -> tuple[tuple[str, str], ...]:
    """Return the contracts with their words."""
    return tuple((contract.value, labels.contract_label(contract.value)) for contract in Contract)


def poignee_options() -> tuple[tuple[str, str], ...]:
    """Return each size of poignée shown by each camp, with its words."""
    return tuple(
        (f"{size}-{camp}", labels.poignee_label(size.value, camp.value)) for camp in Camp for size in PoigneeSize
    )


def chelem_options() -> tuple[tuple[str, str], ...]:
    """Return the slams of the list with their words."""
    return tuple((chelem.value, labels.chelem_label(chelem.value)) for chelem in Chelem)
