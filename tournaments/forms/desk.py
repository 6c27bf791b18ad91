"""A score sheet as its page sends it: every row read, checked and turned into lines for the services. Saves nothing."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from uuid import UUID, uuid4

from scoring import Camp, Chelem, Contract, DonneEntry, MarksEntry, Poignee, PoigneeSize, RuleSet, Severity
from tournaments.errors import EntryCode, EntryProblem
from tournaments.models import Game, Kind, Reason
from tournaments.selectors.sheets import DonneVersion, RowState, Sheet, SheetRow
from tournaments.services.entries import Entry, Played, SheetLine, Unplayed, read_entry
from tournaments.services.net_lines import NetLine

from .compact import (
    LineCode,
    Outcome,
    Told,
    UnreadableLineError,
    Way,
    cleaned,
    member,
    read_line,
    whole_number,
    write_line,
)
from .labelled import Labelled, fill_labelled, labelled_from, read_labelled

REASON_KEYS = {"1": Reason.TYPING, "2": Reason.TABLE, "3": Reason.DECISION, "4": Reason.CLAIM}
LONGEST_NOTE = 200
NEXT_WAY, PUT_ASIDE = "+", "*"


class Style(StrEnum):
    """How rows are typed."""

    KEYS = "keys"
    FIELDS = "fields"


@dataclass(frozen=True, slots=True, kw_only=True)
class Preference:
    """What a desk keeps from sheet to sheet."""

    way: Way = Way.NETS
    style: Style = Style.KEYS
    control: bool = False  # the bilans are typed after the donnes and compared


@dataclass(frozen=True, slots=True, kw_only=True)
class TypedRow:
    """One slot as typed, and what it says."""

    number: int
    way: Way
    style: Style
    text: str
    labelled: Labelled
    mort: str
    decision: str
    current_id: int | None
    saved: SheetRow
    places: str  # who would play this donne, without the mort
    told: Told | None = None
    marks: tuple[int, ...] = ()  # by place, where they can be known
    problems: tuple[EntryProblem, ...] = ()

    @property
    def is_blank(self) -> bool:
        """Say whether nothing is typed."""
        return not (self.text if self.style is Style.KEYS else not self.labelled.is_blank)

    @property
    def is_changed(self) -> bool:
        """Say whether it says something else than what is saved."""
        if self.is_blank:
            return False
        current = self.saved.current
        if current is None or self.told is None or self.told != told_of(current):
            return True
        return self.mort != current.sitting_out or bool(self.decision)

    @property
    def blocks(self) -> bool:
        """Say whether it cannot be saved as it stands."""
        return any(problem.severity is not Severity.WARNING for problem in self.problems)

    @property
    def has_limit(self) -> bool:
        """Say whether an arbiter's decision would let it pass."""
        return bool(self.decision) or any(problem.severity is Severity.LIMIT for problem in self.problems)

    @property
    def entry(self) -> Entry | None:
        """Return the command, None where nothing can be made of it."""
        if self.told is None:
            return None
        if self.told.entry is None:
            return Unplayed(Kind(self.told.outcome)) if self.told.outcome else None
        return Played(self.told.entry, places=self.places, sitting_out=self.mort, decision=self.decision)


@dataclass(frozen=True, slots=True, kw_only=True)
class TypedNet:
    """A bilan as typed: signed, or its two half columns."""

    place: str
    text: str = ""
    plus: str = ""
    minus: str = ""
    net: int | None = None
    positive: int | None = None
    negative: int | None = None
    problems: tuple[EntryProblem, ...] = ()

    @property
    def is_blank(self) -> bool:
        """Say whether nothing is typed."""
        return not (self.text or self.plus or self.minus)


@dataclass(frozen=True, slots=True, kw_only=True)
class TypedSheet:
    """A whole sheet as typed."""

    sheet: Sheet
    preference: Preference
    rows: tuple[TypedRow, ...]
    nets: tuple[TypedNet, ...]
    nets_version: int
    key: UUID
    reason: str
    note: str
    problems: tuple[EntryProblem, ...] = ()  # of the sheet as a whole

    @property
    def changed_rows(self) -> tuple[TypedRow, ...]:
        """Return the rows that would be saved."""
        return tuple(row for row in self.rows if row.is_changed)

    @property
    def nets_changed(self) -> bool:
        """Say whether bilans are typed that are not those saved."""
        typed = {net.place: net.net for net in self.nets if not net.is_blank}
        return bool(typed) and typed != {net.place: net.net for net in self.sheet.nets}

    @property
    def is_changed(self) -> bool:
        """Say whether there is anything to save."""
        return bool(self.changed_rows) or self.nets_changed

    @property
    def blocks(self) -> bool:
        """Say whether anything stands in the way of saving."""
        return bool(self.problems) or any(row.blocks for row in self.rows) or any(net.problems for net in self.nets)

    @property
    def wants(self) -> str:
        """Return + or * when a row holds nothing else: the next way, or the sheet put aside."""
        texts = {cleaned(row.text) for row in self.rows} | {cleaned(net.text) for net in self.nets}
        return next((key for key in (PUT_ASIDE, NEXT_WAY) if key in texts), "")

    def lines(self, *, only: int = 0) -> tuple[SheetLine, ...]:
        """Return the changed rows as commands, or one of them."""
        code, text = reason_of(self.reason)
        return tuple(
            SheetLine(
                number=row.number,
                entry=row.entry,
                current_id=row.current_id,
                reason=REASON_KEYS[row.told.reason] if row.told and row.told.reason else code,
                text=text,
            )
            for row in self.changed_rows
            if row.entry is not None and only in (0, row.number)
        )

    def net_lines(self) -> tuple[NetLine, ...]:
        """Return the bilans as commands when they say something new."""
        if not self.nets_changed:
            return ()
        return tuple(
            NetLine(place=net.place, net=net.net, positive=net.positive, negative=net.negative)
            for net in self.nets
            if net.net is not None
        )

    def draft_rows(self) -> list[dict[str, str | int]]:
        """Return what was typed, as it is put aside."""
        rows: list[dict[str, str | int]] = [
            {"row": row.number, "way": row.way.value, "text": row.text or _keys_of(row), "mort": row.mort}
            for row in self.rows
            if not row.is_blank
        ]
        return rows + [{"net": net.place, "text": net.text or _net_text(net)} for net in self.nets if not net.is_blank]


def _keys_of(row: TypedRow) -> str:
    return write_line(row.told, places=row.places) if row.told else ""


def _net_text(net: TypedNet) -> str:
    return "" if net.net is None else str(net.net)


def told_of(version: DonneVersion) -> Told | None:
    """Return what a saved version would be told by; None for an empty slot or one to be replayed."""
    if version.kind in (Kind.REMOVED, Kind.NOT_PLAYED):
        return Told(outcome=Outcome(version.kind.value))
    taker = version.places.index(version.taker) if version.taker else None
    contract = Contract(version.contract) if version.contract else None
    if version.kind == Kind.MARKS:
        marks = tuple(version.mark(place) or 0 for place in version.places)
        return Told(entry=MarksEntry(players=len(version.places), contract=contract, marks=marks, taker=taker))
    if version.kind != Kind.COMPUTED or taker is None or contract is None:
        return None
    return Told(
        entry=DonneEntry(
            players=len(version.places),
            taker=taker,
            contract=contract,
            bouts=version.bouts or 0,
            half_points=version.half_points or 0,
            petit_au_bout=Camp(version.petit_au_bout) if version.petit_au_bout else None,
            poignees=tuple(Poignee(PoigneeSize(size), Camp(camp)) for size, camp in version.poignees),
            chelem=Chelem(version.chelem) if version.chelem else None,
        )
    )


def reason_of(typed: str) -> tuple[Reason | str, str]:
    """Return the code and the free words of a reason: a digit from 1 to 4, or words."""
    typed = typed.strip()
    if typed in REASON_KEYS:
        return REASON_KEYS[typed], ""
    return (Reason.OTHER, typed) if typed else ("", "")


def saved_sheet(sheet: Sheet, preference: Preference, rules: RuleSet) -> TypedSheet:
    """Return what is saved as if it had been typed, ready to be mended or completed."""
    draft = _draft_data(sheet)
    return read_sheet(draft, sheet, preference, rules)


def _draft_data(sheet: Sheet) -> dict[str, str]:
    """Return the fields of a sheet put aside, under the names its page would send; nothing for any other sheet."""
    data: dict[str, str] = {}
    for row in sheet.draft.rows if sheet.draft else ():
        if not isinstance(row, dict):
            continue
        if "row" in row:
            data |= {
                f"row-{row['row']}": str(row.get("text", "")),
                f"way-{row['row']}": str(row.get("way", "")),
                f"mort-{row['row']}": str(row.get("mort", "")),
            }
        elif "net" in row:
            data[f"net-{row['net']}"] = str(row.get("text", ""))
    return data


def read_sheet(data: Mapping[str, str], sheet: Sheet, preference: Preference, rules: RuleSet) -> TypedSheet:
    """Read a sheet's form. Never raises, whatever was sent; rows the form does not name stand as they are saved."""
    rows = _with_rest_not_played([_typed_row(data, row, sheet, preference) for row in sheet.rows])
    checked = tuple(_checked(row, sheet, rules) for row in rows)
    nets = tuple(_typed_net(data, place, sheet) for place in sheet.places)
    typed = TypedSheet(
        sheet=sheet,
        preference=preference,
        rows=checked,
        nets=_with_missing(nets),
        nets_version=_whole(data.get("nets_version", "")) or 0 if "nets_version" in data else sheet.nets_version,
        key=_uuid(data.get("key", "")),
        reason=str(data.get("reason", ""))[:LONGEST_NOTE],
        note=str(data.get("note", ""))[:LONGEST_NOTE],
    )
    return replace(typed, problems=_sums(typed))


def _whole(text: str) -> int | None:
    return int(text) if text.isascii() and text.isdecimal() and len(text) <= 18 else None


def _uuid(text: str) -> UUID:
    try:
        return UUID(text)
    except ValueError:
        return uuid4()


def _typed_row(data: Mapping[str, str], saved: SheetRow, sheet: Sheet, preference: Preference) -> TypedRow:
    number, current = saved.number, saved.current
    seated = sheet.places_at(number)
    way = data.get(f"way-{number}", "")
    mort = data.get(f"mort-{number}", current.sitting_out if current else "")[:1]
    style = data.get(f"style-{number}", "")
    row = TypedRow(
        number=number,
        way=member(Way, way) or preference.way,
        style=member(Style, style) or preference.style,
        text=data.get(f"row-{number}", "").strip(),
        labelled=labelled_from(data, number),
        mort=mort if sheet.game == Game.MORT and mort and mort in seated else "",
        decision=data.get(f"decision-{number}", "").strip()[:LONGEST_NOTE],
        current_id=_whole(data[f"id-{number}"]) if f"id-{number}" in data else (current.id if current else None),
        saved=saved,
        places=seated.replace(mort, "") if sheet.game == Game.MORT and mort else seated,
    )
    if row.is_blank and f"row-{number}" not in data and f"style-{number}" not in data and current is not None:
        return _as_saved(row, current)
    return row


def _as_saved(row: TypedRow, current: DonneVersion) -> TypedRow:
    told = told_of(current)
    if told is None:
        return row
    way = row.way if told.entry is None else Way.DETAIL if isinstance(told.entry, DonneEntry) else Way.MARKS
    places = current.places or row.places
    text = write_line(told, places=places)
    return replace(
        row,
        way=way,
        style=row.style if text else Style.FIELDS,
        text=text,
        labelled=fill_labelled(told, places=places),
        places=places,
    )


def _with_rest_not_played(rows: Sequence[TypedRow]) -> list[TypedRow]:
    """Let a / speak for the empty rows after it, and say so where something follows."""
    found: list[TypedRow] = []
    ended = False
    for row in rows:
        if ended and row.is_blank and not row.saved.is_closed:
            found.append(replace(row, style=Style.KEYS, text="/"))
            continue
        if ended and cleaned(row.text) != "/" and not row.is_blank and row.saved.state is RowState.EMPTY:
            problem = EntryProblem(field="row", code=LineCode.AFTER_THE_END)
            found.append(replace(row, problems=(problem,)))
            continue
        ended = ended or (row.style is Style.KEYS and cleaned(row.text) == "/")
        found.append(row)
    return found


def _checked(row: TypedRow, sheet: Sheet, rules: RuleSet) -> TypedRow:
    """Read a row and ask the services what they would say of it; its marks are theirs as well."""
    if row.problems or row.text in (NEXT_WAY, PUT_ASIDE):
        return row
    if row.is_blank:
        code = (EntryProblem(field="row", code=LineCode.SLOT_SAVED),) if row.saved.is_closed else ()
        return replace(row, problems=code)
    if sheet.game == Game.CALLED_KING:
        return replace(row, problems=(EntryProblem(field="row", code=LineCode.FIVE_BY_NETS),))
    way = Way.MARKS if row.way is Way.NETS else row.way
    try:
        told = (
            read_line(row.text, way=way, places=row.places)
            if row.style is Style.KEYS
            else read_labelled(row.labelled, way=way, places=row.places)
        )
    except UnreadableLineError as error:
        return replace(row, problems=(error.problem,))
    row = replace(row, way=way, told=told)
    if row.entry is None:
        return row
    reading = read_entry(row.entry, seated=sheet.places_at(row.number), game=sheet.game, rules=rules)
    if reading.content is not None:
        return replace(row, marks=reading.content.marks, problems=reading.problems)
    return replace(row, marks=_marks_despite(row, sheet, rules), problems=reading.problems)


def _marks_despite(row: TypedRow, sheet: Sheet, rules: RuleSet) -> tuple[int, ...]:
    """Return the marks a row would have if its limits were lifted; none when nothing would make them."""
    if isinstance(row.entry, Played):
        lifted = read_entry(
            replace(row.entry, decision="?"), seated=sheet.places_at(row.number), game=sheet.game, rules=rules
        )
        if lifted.content is not None:
            return lifted.content.marks
        if isinstance(row.entry.entry, MarksEntry) and len(row.entry.entry.marks) == len(row.places):
            return row.entry.entry.marks
    return ()


def _typed_net(data: Mapping[str, str], place: str, sheet: Sheet) -> TypedNet:
    if not any(name in data for name in (f"net-{place}", f"plus-{place}", f"minus-{place}")):
        written = next((net for net in sheet.nets if net.place == place), None)
        if written is None:
            return TypedNet(place=place)
        return TypedNet(
            place=place,
            text=str(written.net),
            plus=str(written.net) if written.net >= 0 else "",
            minus=str(-written.net) if written.net < 0 else "",
            net=written.net,
        )
    typed = TypedNet(
        place=place,
        text=data.get(f"net-{place}", "").strip()[:20],
        plus=data.get(f"plus-{place}", "").strip()[:20],
        minus=data.get(f"minus-{place}", "").strip()[:20],
    )
    if typed.is_blank or typed.text in (NEXT_WAY, PUT_ASIDE):
        return typed
    try:
        if typed.text:
            return replace(typed, net=whole_number(typed.text, f"nets.{place}"))
        plus = abs(whole_number(typed.plus, f"nets.{place}")) if typed.plus else 0
        minus = abs(whole_number(typed.minus, f"nets.{place}")) if typed.minus else 0
    except UnreadableLineError as error:
        return replace(typed, problems=(error.problem,))
    both = bool(typed.plus and typed.minus)
    return replace(typed, net=plus - minus, positive=plus if both else None, negative=minus if both else None)


def _with_missing(nets: tuple[TypedNet, ...]) -> tuple[TypedNet, ...]:
    """Name the bilans that are missing once one is there: 0 is a bilan, empty is not."""
    if all(net.is_blank for net in nets):
        return nets
    return tuple(
        replace(
            net,
            problems=(EntryProblem(field=f"nets.{net.place}", code=LineCode.NET_MISSING, params={"place": net.place}),),
        )
        if net.is_blank
        else net
        for net in nets
    )


def _sums(typed: TypedSheet) -> tuple[EntryProblem, ...]:
    """Say whether the bilans add up to zero and, on a full sheet, agree with the marks."""
    written = {net.place: net.net for net in typed.nets if net.net is not None}
    if len(written) < len(typed.nets) or not written:
        return ()
    total = sum(written.values())
    params: dict[str, int | str] = {"total": total, "count": len(written)}
    found = [EntryProblem(field="nets", code=EntryCode.NETS_SUM, params=params)] if total else []
    if not all(row.marks or (row.told and row.told.outcome in CLOSED) for row in typed.rows):
        return tuple(found)
    computed = columns_of(typed.rows)
    return tuple(
        found
        + [
            EntryProblem(
                field=f"nets.{place}",
                code=EntryCode.NET_DIFFERS,
                params={"place": place, "computed": computed.get(place, 0), "written": net},
            )
            for place, net in written.items()
            if computed.get(place, 0) != net
        ]
    )


CLOSED = (Outcome.REMOVED, Outcome.NOT_PLAYED)


def columns_of(rows: Sequence[TypedRow]) -> dict[str, int]:
    """Return each place's net over the rows as typed."""
    nets: dict[str, int] = {}
    for row in rows:
        for place, mark in zip(row.places, row.marks, strict=False):
            nets[place] = nets.get(place, 0) + mark
    return nets


def preference_from(text: str) -> Preference:
    """Read what a desk kept: way, style, control, as in "B.keys.1"; nonsense gives the default."""
    way, style, control = (*text.split("."), "", "", "")[:3]
    return Preference(
        way=member(Way, way) or Way.NETS,
        style=member(Style, style) or Style.KEYS,
        control=control == "1",
    )


def preference_text(preference: Preference) -> str:
    """Write what a desk keeps."""
    return f"{preference.way}.{preference.style}.{int(preference.control)}"
