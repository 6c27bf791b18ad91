"""A score sheet's form, read and checked row by row with what the services would say of it. Saves nothing."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from uuid import UUID, uuid4

from scoring import DonneEntry, MarksEntry, RuleSet
from tournaments.errors import EntryCode, EntryProblem
from tournaments.models import Game, Source
from tournaments.selectors.sheets import DonneVersion, RowState, Sheet, SheetRow
from tournaments.services.entries import Played, read_entry

from .compact import LineCode, UnreadableLineError, Way, cleaned, member, read_line, whole_number, write_line
from .labelled import Labelled, fill_labelled, labelled_from, read_labelled
from .typed import (
    CLOSED,
    LONGEST_NOTE,
    NEXT_WAY,
    PUT_ASIDE,
    Preference,
    Style,
    TypedNet,
    TypedRow,
    TypedSheet,
    columns_of,
    told_of,
)


def saved_sheet(sheet: Sheet, preference: Preference, rules: RuleSet) -> TypedSheet:
    """Return what is saved as if it had been typed, ready to be mended or completed.

    A sheet put aside comes back in the way its rows were typed in, since its text means something else in another.
    """
    draft = _draft_data(sheet)
    way = next((member(Way, way) for name, way in draft.items() if name.startswith("way-")), None)
    typed = read_sheet(draft, sheet, replace(preference, way=way or preference.way), rules)
    return replace(typed, is_opened=True)


def _draft_data(sheet: Sheet) -> dict[str, str]:
    """Return the fields of a sheet put aside, under the names its page would send; nothing for any other sheet."""
    data: dict[str, str] = {}
    for row in sheet.draft.rows if sheet.draft else ():
        if not isinstance(row, dict):
            continue
        if "row" in row:
            number, fields = row["row"], row.get("fields")
            data |= {f"{name}-{number}": str(row.get(name, "")) for name in ("way", "mort")}
            if isinstance(fields, dict):
                data[f"style-{number}"] = Style.FIELDS.value
                data |= {f"{name}-{number}": str(text) for name, text in fields.items()}
            else:
                data[f"row-{number}"] = str(row.get("text", ""))
        elif "net" in row:
            data[f"net-{row['net']}"] = str(row.get("text", ""))
    return data


def _text(data: Mapping[str, str], name: str, longest: int = LONGEST_NOTE) -> str:
    """Return a field's text without spaces around it; no database keeps a NUL."""
    return data.get(name, "").replace("\x00", "").strip()[:longest]


def read_sheet(data: Mapping[str, str], sheet: Sheet, preference: Preference, rules: RuleSet) -> TypedSheet:
    """Read a sheet's form. Never raises, whatever was sent; rows the form does not name stand as they are saved."""
    rows = [_typed_row(data, row, sheet, preference) for row in sheet.rows]
    nets = tuple(_typed_net(data, place, sheet) for place in sheet.places)
    typed = TypedSheet(
        sheet=sheet,
        preference=preference,
        rules=rules,
        rows=_read_rows(rows, sheet, rules),
        nets=_with_missing(nets),
        nets_version=_whole(data.get("nets_version", "")) or 0 if "nets_version" in data else sheet.nets_version,
        key=_uuid(data.get("key", "")),
        source=member(Source, data.get("source", "")) or Source.SHEET,
        reason=_text(data, "reason"),
        note=_text(data, "note"),
    )
    return replace(typed, problems=_sums(typed))


def _read_rows(rows: Sequence[TypedRow], sheet: Sheet, rules: RuleSet) -> tuple[TypedRow, ...]:
    return tuple(_checked(row, sheet, rules) for row in _with_rest_not_played(rows))


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
    mort = data.get(f"mort-{number}", current.sitting_out if current else "")[:1]
    style = data.get(f"style-{number}", "")
    row = TypedRow(
        number=number,
        way=preference.way,
        style=member(Style, style) or preference.style,
        text=_text(data, f"row-{number}"),
        labelled=labelled_from(data, number),
        mort=mort if sheet.game == Game.MORT and mort and mort in seated else "",
        decision=_text(data, f"decision-{number}"),
        current_id=_whole(data[f"id-{number}"]) if f"id-{number}" in data else (current.id if current else None),
        saved=saved,
        places=seated.replace(mort, "") if sheet.game == Game.MORT and mort else seated,
    )
    if current is not None and _is_untouched(row, data, current):
        return _as_saved(replace(row, current_id=current.id), current)
    return replace(row, way=_way_of(row, member(Way, data.get(f"way-{number}", "")), preference))


def _way_of(row: TypedRow, shown: Way | None, preference: Preference) -> Way:
    """Return the way a row is read in. Keys go by the way that is lit: a page says how it showed them (`shown`) only
    for rows that still stand as they were saved, for labelled fields, and where the bilans are typed.
    """
    current = row.saved.current
    if row.style is Style.KEYS and current is not None:
        as_saved = _as_saved(row, current)
        if row.text and row.text == as_saved.text:
            return as_saved.way
    keeps = row.style is Style.FIELDS or preference.way is Way.NETS
    return shown if keeps and shown in (Way.MARKS, Way.DETAIL) else preference.way


def _is_untouched(row: TypedRow, data: Mapping[str, str], current: DonneVersion) -> bool:
    """Say whether the page says nothing of this slot: not named, or as it was when somebody else wrote there since."""
    if f"row-{row.number}" not in data and f"style-{row.number}" not in data:
        return True
    was = data.get(f"was-{row.number}", "")
    return row.current_id != current.id and row.text == was and row.labelled.is_blank


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
    if row.saved.current is not None and row.saved.is_closed and not row.is_changed:
        return replace(row, marks=tuple(mark.points for mark in row.saved.current.marks))
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
        text=_text(data, f"net-{place}", 20),
        plus=_text(data, f"plus-{place}", 20),
        minus=_text(data, f"minus-{place}", 20),
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
    if all(net.is_blank or net.text in (NEXT_WAY, PUT_ASIDE) for net in nets):
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


def while_typing(typed: TypedSheet) -> TypedSheet:
    """Return the sheet without what is only not typed yet: nobody is told of it before they send the sheet."""
    nets = tuple(
        replace(net, problems=tuple(each for each in net.problems if each.code != LineCode.NET_MISSING))
        for net in typed.nets
    )
    return replace(typed, nets=nets)


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


def restyled(typed: TypedSheet, wanted: Preference) -> TypedSheet:
    """Return the sheet for another way or style, with everything typed.

    What is typed is read anew in another way; in another style it is written anew, where it can be read.
    """
    rows = _read_rows([_in_way(row, wanted.way) for row in typed.rows], typed.sheet, typed.rules)
    after = replace(
        typed,
        preference=wanted,
        rows=tuple(_in_style(row, wanted.style) for row in rows),
        nets=tuple(_restyled_net(net) for net in typed.nets),
    )
    return replace(after, problems=_sums(after))


def _in_way(row: TypedRow, way: Way) -> TypedRow:
    """Return a row as not read yet in that way; the way of the bilans leaves rows in theirs, a saved row its own."""
    if row.is_blank or row.text in (NEXT_WAY, PUT_ASIDE):
        return replace(row, way=way, text="", labelled=Labelled(), told=None, marks=(), problems=())
    kept = row.stands_as_saved or way is Way.NETS
    return replace(row, way=row.way if kept else way, told=None, marks=(), problems=())


def _in_style(row: TypedRow, style: Style) -> TypedRow:
    if row.is_blank:
        return replace(row, style=style)
    if row.told is None or row.style is style:
        return row
    text = write_line(row.told, places=row.places)
    return replace(
        row,
        style=style if text else Style.FIELDS,
        text=text,
        labelled=fill_labelled(row.told, places=row.places),
    )


def _restyled_net(net: TypedNet) -> TypedNet:
    if net.is_blank or net.text in (NEXT_WAY, PUT_ASIDE):
        return TypedNet(place=net.place)
    if net.net is None:
        return net
    both = net.positive is not None
    return replace(
        net,
        text=str(net.net),
        plus=net.plus if both else str(net.net) if net.net >= 0 else "",
        minus=net.minus if both else str(-net.net) if net.net < 0 else "",
    )
