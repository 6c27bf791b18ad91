"""A score sheet as typed: what each row says, what would be saved of it, what stands in the way. Reads no form."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from uuid import UUID

from django.utils.translation import gettext as _

from scoring import Camp, Chelem, Contract, DonneEntry, MarksEntry, Poignee, PoigneeSize, RuleSet, Severity
from tournaments import labels
from tournaments.errors import EntryProblem
from tournaments.models import Kind, Reason, Source
from tournaments.selectors.sheets import DonneVersion, Sheet, SheetRow
from tournaments.services.entries import Entry, NetLine, Played, SheetLine, Unplayed

from .compact import Outcome, Told, Way, cleaned, member, write_line
from .labelled import Labelled

REASON_KEYS = {"1": Reason.TYPING, "2": Reason.TABLE, "3": Reason.DECISION, "4": Reason.CLAIM}
DECISION_KEY = "3"
LONGEST_NOTE = 200
NEXT_WAY, PUT_ASIDE = "+", "*"
CLOSED = (Outcome.REMOVED, Outcome.NOT_PLAYED)


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
    def stands_as_saved(self) -> bool:
        """Say whether it shows what is saved and nobody has typed over it."""
        return self.saved.current is not None and not self.is_blank and not self.is_changed

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
    rules: RuleSet
    rows: tuple[TypedRow, ...]
    nets: tuple[TypedNet, ...]
    nets_version: int
    source: Source
    key: UUID
    reason: str
    note: str
    problems: tuple[EntryProblem, ...] = ()  # of the sheet as a whole
    is_opened: bool = False  # nobody has sent it yet: it holds what is saved or was put aside

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
        found = []
        for row in self.changed_rows:
            if row.entry is None or only not in (0, row.number):
                continue
            key = row.told.reason if row.told else ""
            code, text = cancellation_of(key, self.reason) if key else reason_of(self.reason)
            line = SheetLine(number=row.number, entry=row.entry, current_id=row.current_id, reason=code, text=text)
            found.append(line)
        return tuple(found)

    def net_lines(self) -> tuple[NetLine, ...]:
        """Return the bilans as commands when they say something new."""
        if not self.nets_changed:
            return ()
        return tuple(
            NetLine(place=net.place, net=net.net, positive=net.positive, negative=net.negative)
            for net in self.nets
            if net.net is not None
        )

    def draft_rows(self) -> list[object]:
        """Return what was typed, as it is put aside, and what did not agree in it."""
        rows: list[object] = [
            {"row": row.number, "way": row.way.value, "mort": row.mort, **_as_typed(row)}
            for row in self.rows
            if not row.is_blank and row.text not in (NEXT_WAY, PUT_ASIDE)
        ]
        rows += [
            {"net": net.place, "text": net.text or _net_text(net)}
            for net in self.nets
            if not net.is_blank and net.text not in (NEXT_WAY, PUT_ASIDE)
        ]
        return [*rows, self._findings()]

    def _findings(self) -> dict[str, object]:
        located = [
            replace(problem, field=f"lines.{row.number}.{problem.field}")
            for row in self.rows
            for problem in row.problems
        ]
        found = [*located, *self.problems]
        return {
            "total": _uneven(self),
            "problems": [
                {"field": problem.field, "code": str(problem.code), "params": dict(problem.params)} for problem in found
            ],
        }


def _uneven(typed: TypedSheet) -> int:
    """Return what the sheet makes instead of zero: its bilans when all are there, else its marks."""
    nets = [net.net for net in typed.nets if net.net is not None]
    total = sum(nets) if len(nets) == len(typed.nets) else 0
    return total or sum(columns_of(typed.rows).values())


def _as_typed(row: TypedRow) -> dict[str, object]:
    """Return a row's keys or, where none tell it, its labelled fields."""
    text = row.text if row.style is Style.KEYS else write_line(row.told, places=row.places) if row.told else ""
    return {"text": text} if text else {"fields": row.labelled.filled()}


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


def cancellation_of(key: str, typed: str) -> tuple[Reason | str, str]:
    """Return the code and the words of a cancelled donne's motive, and those of the correction it may be.

    Only an arbiter's decision has a code of its own among the reasons; the others are kept in words.
    """
    code, text = reason_of(typed)
    words = [] if key == DECISION_KEY else [labels.cancellation_label(key)]
    if code and code != Reason.OTHER and not (key == DECISION_KEY and code == Reason.DECISION):
        words.append(str(Reason(code).label))
    words += [text] if text else []
    return Reason.DECISION if key == DECISION_KEY else Reason.OTHER, _("; ").join(words)


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


def columns_of(rows: Sequence[TypedRow]) -> dict[str, int]:
    """Return each place's net over the rows as typed."""
    nets: dict[str, int] = {}
    for row in rows:
        for place, mark in zip(row.places, row.marks, strict=False):
            nets[place] = nets.get(place, 0) + mark
    return nets
