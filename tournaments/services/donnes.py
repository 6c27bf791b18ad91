"""The one writer of donnes and marks: record, correct, withdraw, save a sheet; no page or request is known here.

Every write is one short transaction under the table's lock: the new versions with their marks, the journal, the
request's key, and a note that the standing is stale. What was written is never changed.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from uuid import UUID

from django.db import transaction
from django.utils import timezone

from players.models import Role
from scoring import RuleSet
from tournaments.errors import (
    AlreadyRecordedError,
    EntryCode,
    EntryProblem,
    InvalidDonneError,
    RefusedError,
    StaleVersionError,
)
from tournaments.ledger import basis_of, donne_digest, is_filled, sums, version_digest
from tournaments.locks import writing
from tournaments.models import (
    EMPTY,
    SCORED,
    DeskState,
    Donne,
    Mark,
    Reason,
    Rules,
    SheetDraft,
    SheetNet,
    Source,
    Stale,
    Table,
    rule_set,
)

from .actors import Actor, require
from .desk import settle_desk
from .entries import WITHDRAWN, Content, Entry, NetLine, Played, Reading, SheetLine, columns, content_of, read_entry
from .journal import Line, write_lines
from .keys import Answer, fingerprint, keep_answer, stored_answer
from .net_lines import NetsChange, add_nets, find_differences, find_net_problems, retire_nets, say_the_same
from .open_sheet import OpenSheet, marks_of, open_sheet, require_open


@dataclass(frozen=True, slots=True, kw_only=True)
class SavedSheet:
    """What stands after a sheet was saved: the version of each line sent, in their order, and the bilans in force."""

    donnes: tuple[Donne, ...]
    nets: tuple[SheetNet, ...]


def record_donne(
    *, table: Table, number: int, entry: Entry, by: Actor, key: UUID, reason: Reason | str = "", text: str = ""
) -> Donne:
    """Fill an empty slot. The same content in a filled one returns what stands and writes nothing.

    Raises:
        InvalidDonneError: the entry breaks a rule, or contradicts the bilans of a sheet it completes.
        AlreadyRecordedError: the slot holds something else.
        NotAllowedError, SessionClosedError, KeyReusedError, BusyError.
    """
    line = SheetLine(number=number, entry=entry, reason=reason, text=text)
    return write_sheet(table_id=table.pk, lines=[_Asked.of(line)], by=by, key=key).donnes[0]


def correct_donne(*, current: Donne, entry: Entry, reason: Reason | str, by: Actor, key: UUID, text: str = "") -> Donne:
    """Save a new version of a donne, naming the one it replaces.

    Raises:
        InvalidDonneError: the entry breaks a rule, or no reason is given where one is due.
        StaleVersionError: somebody else replaced it first; carries their version.
        NotAllowedError, SessionClosedError, KeyReusedError, BusyError.
    """
    line = SheetLine(number=current.number, entry=entry, current_id=current.pk, reason=reason, text=text)
    return write_sheet(table_id=current.table_id, lines=[_Asked.of(line)], by=by, key=key).donnes[0]


def withdraw_donne(*, current: Donne, reason: Reason | str, by: Actor, key: UUID, text: str = "") -> Donne:
    """Empty a slot: a version that says so replaces the one in force.

    Raises:
        StaleVersionError: somebody else replaced it first; carries their version.
        InvalidDonneError, NotAllowedError, SessionClosedError, KeyReusedError, BusyError.
    """
    line = _Asked(number=current.number, entry=None, current_id=current.pk, reason=reason, text=text)
    return write_sheet(table_id=current.table_id, lines=[line], by=by, key=key).donnes[0]


def save_sheet(
    *,
    table: Table,
    lines: Sequence[SheetLine],
    by: Actor,
    key: UUID,
    nets: Sequence[NetLine] = (),
    nets_version: int | None = None,
    nets_source: Source = Source.SHEET,
    nets_reason: Reason | str = "",
    nets_text: str = "",
) -> SavedSheet:
    """Save all lines of a sheet, and its bilans when given, in one transaction: all or nothing.

    A reason given with a line stands for the bilans as well, when they are corrected without one of their own.

    Raises:
        InvalidDonneError: every problem of every line, fields beginning with `lines.<number>.` or `nets`.
        AlreadyRecordedError, StaleVersionError: the first slot, or the bilans, that somebody else filled or replaced.
        NotAllowedError, SessionClosedError, KeyReusedError, BusyError.
    """
    change = None
    if nets:
        reasons = [(nets_reason, nets_text), *((line.reason, line.text) for line in lines)]
        reason, text = next(((reason, text) for reason, text in reasons if reason or text), ("", ""))
        change = NetsChange(lines=tuple(nets), version=nets_version, source=nets_source, reason=reason, text=text)
    asked = [_Asked.of(line) for line in lines]
    return write_sheet(table_id=table.pk, lines=asked, nets=change, by=by, key=key, prefixed=True)


@dataclass(frozen=True, slots=True, kw_only=True)
class _Asked:
    """One line asked for; no entry means: withdraw."""

    number: int
    entry: Entry | None
    current_id: int | None
    reason: Reason | str
    text: str

    @classmethod
    def of(cls, line: SheetLine) -> "_Asked":
        return cls(number=line.number, entry=line.entry, current_id=line.current_id, reason=line.reason, text=line.text)


@dataclass(frozen=True, slots=True, kw_only=True)
class _Step:
    """One line understood: the version to write, or none when what stands says the same."""

    asked: _Asked
    elder: Donne | None
    content: Content | None
    reason: str

    @property
    def code(self) -> str:
        if self.content is WITHDRAWN:
            return "DONNE_WITHDRAWN"
        return "DONNE_CORRECTED" if self.elder and self.elder.kind not in EMPTY else "DONNE_RECORDED"


def write_sheet(
    *,
    table_id: int,
    by: Actor,
    key: UUID,
    lines: Sequence[_Asked] = (),
    nets: NetsChange | None = None,
    prefixed: bool = False,
) -> SavedSheet:
    """Do what the functions above and those of `nets` ask for; the one place where a sheet is written."""
    with writing():
        sheet = open_sheet(table_id, by=by)
        body = fingerprint("sheet", table_id, lines, nets)
        answer = stored_answer(by=by, key=key, body=body)
        if answer is not None:
            return _replayed(answer)
        require_open(sheet.session)
        writer = _Writer(sheet=sheet, by=by, prefixed=prefixed)
        saved, changed = writer.write(lines, nets)
        if changed:
            ids = Answer(donnes=tuple(donne.pk for donne in saved.donnes), nets=tuple(net.pk for net in saved.nets))
            keep_answer(by=by, key=key, body=body, answer=ids, at=writer.at)
        return saved


def _replayed(answer: Answer) -> SavedSheet:
    donnes = Donne.objects.in_bulk(answer.donnes)
    nets = SheetNet.objects.in_bulk(answer.nets)
    return SavedSheet(donnes=tuple(donnes[pk] for pk in answer.donnes), nets=tuple(nets[pk] for pk in answer.nets))


class _Writer:
    """One write to one sheet, from what is asked to the rows."""

    def __init__(self, *, sheet: OpenSheet, by: Actor, prefixed: bool) -> None:
        self.sheet = sheet
        self.by = by
        self.prefixed = prefixed
        self.at: datetime = timezone.now()
        self.rules: RuleSet = rule_set(sheet.session.tournament.rules)
        self.was_complete = sheet.is_complete
        self.problems: list[EntryProblem] = []

    def write(self, lines: Sequence[_Asked], nets: NetsChange | None) -> tuple[SavedSheet, bool]:
        """Write what is new and return what stands, and whether anything was written."""
        sheet = self.sheet
        if nets or sheet.nets or any(line.number in sheet.current for line in lines):
            sheet.marks = marks_of(sheet.current.values())
        steps = [self._step(line) for line in lines]
        self._refuse_twice(lines)
        change = self._nets_step(nets)
        self._compare(steps, change)
        if self.problems:
            raise InvalidDonneError(tuple(self.problems))
        fresh = [step for step in steps if step.content is not None]
        if fresh or change:
            self._add(fresh)
            self._change_nets(change)
            self._settle(fresh, change)
        donnes = tuple(sheet.current[step.asked.number] for step in steps)
        return SavedSheet(donnes=donnes, nets=sheet.nets), bool(fresh or change)

    # What is asked, against what stands

    def _step(self, asked: _Asked) -> _Step:
        sheet = self.sheet
        elder = sheet.current.get(asked.number)
        self._refuse_conflict(asked, elder)
        reading = self._read(asked)
        reason = self._reason(asked)
        if elder and reading.content and content_of(elder, sheet.marks[elder.pk]) == reading.content:
            return _Step(asked=asked, elder=elder, content=None, reason=reason)
        if elder and elder.kind not in EMPTY:
            if asked.current_id is None:
                raise AlreadyRecordedError(elder)
            self._check_correction(asked, reason, own=elder.by == self.by.code)
        self.problems += [self._located(asked, problem) for problem in reading.problems]
        return _Step(asked=asked, elder=elder, content=reading.content, reason=reason)

    def _refuse_conflict(self, asked: _Asked, elder: Donne | None) -> None:
        if asked.current_id is None or (elder and elder.pk == asked.current_id):
            return
        if elder is None:
            raise RefusedError("VERSION_UNKNOWN", number=asked.number)
        raise StaleVersionError(elder)

    def _read(self, asked: _Asked) -> Reading:
        slots = self.sheet.slots
        if type(asked.number) is not int or not 1 <= asked.number <= slots:
            params: dict[str, int | str] = {"number": str(asked.number), "most": slots}
            problem = EntryProblem(field="number", code=EntryCode.NUMBER_RANGE, params=params)
            return Reading(content=None, problems=(problem,))
        if asked.entry is None:
            return Reading(content=WITHDRAWN)
        if isinstance(asked.entry, Played) and asked.entry.decision.strip():
            require(self.by, Role.ARBITER, self.sheet.session.tournament.club_id, "DECISION_NEEDS_ARBITER")
        seated = "".join(dict.fromkeys(seat.place for seat in self.sheet.seated_at(asked.number)))
        return read_entry(asked.entry, seated=seated, game=self.sheet.table.game, rules=self.rules)

    def _reason(self, asked: _Asked | NetsChange) -> str:
        if asked.reason and asked.reason not in Reason.values:
            number = asked.number if isinstance(asked, _Asked) else None
            self.problems.append(self._reason_problem(EntryCode.REASON_UNKNOWN, number))
            return ""
        return str(asked.reason) or (Reason.OTHER.value if asked.text.strip() else "")

    def _check_correction(self, asked: _Asked | NetsChange, reason: str, *, own: bool) -> None:
        """A clerk mends their own sheet until it is complete; after that an arbiter corrects, with a reason."""
        if own and not self.was_complete:
            return
        require(self.by, Role.ARBITER, self.sheet.session.tournament.club_id, "CORRECTION_NEEDS_ARBITER")
        if not reason or (reason == Reason.OTHER and not asked.text.strip()):
            number = asked.number if isinstance(asked, _Asked) else None
            self.problems.append(self._reason_problem(EntryCode.REASON_NEEDED, number))

    def _reason_problem(self, code: EntryCode, number: int | None) -> EntryProblem:
        field = "reason" if not self.prefixed else f"lines.{number}.reason" if number is not None else "nets.reason"
        return EntryProblem(field=field, code=code)

    def _located(self, asked: _Asked, problem: EntryProblem) -> EntryProblem:
        return replace(problem, field=f"lines.{asked.number}.{problem.field}") if self.prefixed else problem

    def _refuse_twice(self, lines: Sequence[_Asked]) -> None:
        numbers = [line.number for line in lines]
        for number in sorted({number for number in numbers if numbers.count(number) > 1}):
            problem = EntryProblem(
                field=f"lines.{number}.number", code=EntryCode.NUMBER_TWICE, params={"number": number}
            )
            self.problems.append(problem)

    def _nets_step(self, change: NetsChange | None) -> NetsChange | None:
        """Return the change of bilans to make, None when there is none."""
        if change is None:
            return None
        nets = self.sheet.nets
        if change.version is not None and (not nets or nets[0].version != change.version):
            raise StaleVersionError(nets)
        if nets and not change.withdraws and say_the_same(change, nets):
            return None
        if nets and change.version is None:
            raise AlreadyRecordedError(nets)
        if change.source not in Source.values:
            self.problems.append(EntryProblem(field="nets.source", code=EntryCode.KIND_UNKNOWN))
        if change.source == Source.DECISION:
            require(self.by, Role.ARBITER, self.sheet.session.tournament.club_id, "DECISION_NEEDS_ARBITER")
        if nets:
            self._check_correction(change, self._reason(change), own=False)
        if not change.withdraws:
            self.problems += find_net_problems(change.lines, self.sheet.seats)
        return change

    def _compare(self, steps: Sequence[_Step], change: NetsChange | None) -> None:
        """Refuse a sheet whose marks, all there, say something else than its bilans."""
        written = (
            {line.place: line.net for line in change.lines}
            if change
            else {net.place: net.net for net in self.sheet.nets}
        )
        if self.problems or not written:
            return
        kinds = {number: donne.kind for number, donne in self.sheet.current.items()}
        marks = {
            number: [(mark.place, mark.points) for mark in self.sheet.marks[donne.pk]]
            for number, donne in self.sheet.current.items()
        }
        for step in steps:
            if step.content is not None:
                kinds[step.asked.number] = step.content.kind
                marks[step.asked.number] = list(zip(step.content.places, step.content.marks, strict=False))
        if is_filled(kinds, self.sheet.slots):
            computed = sums((pair for pairs in marks.values() for pair in pairs), written)
            self.problems += find_differences(computed, written)

    # The rows

    def _add(self, steps: Sequence[_Step]) -> None:
        if not steps:
            return
        sheet = self.sheet
        if any(step.content and step.content.kind in SCORED for step in steps):
            self._freeze_rules()
        elders = [step.elder.pk for step in steps if step.elder]
        if elders:
            Donne.objects.filter(pk__in=elders, is_current=True).update(is_current=False)
        rows = [self._row(step) for step in steps]
        donnes = Donne.objects.bulk_create([donne for donne, _ in rows])
        marks = [mark for _, row in rows for mark in row]
        for donne, row in rows:
            for mark in row:
                mark.donne = donne
        if marks:
            Mark.objects.bulk_create(marks)
        sheet.current.update({donne.number: donne for donne in donnes})

    def _row(self, step: _Step) -> tuple[Donne, list[Mark]]:
        content = step.content or WITHDRAWN
        sitting = {seat.place: seat.entrant_id for seat in self.sheet.seated_at(step.asked.number)}
        marks = [
            Mark(place=place, entrant_id=sitting[place], points=points)
            for place, points in zip(content.places, content.marks, strict=True)
        ]
        donne = Donne(
            table=self.sheet.table,
            number=step.asked.number,
            version=step.elder.version + 1 if step.elder else 1,
            replaces=step.elder,
            reason=step.reason,
            by=self.by.code,
            recorded_at=self.at,
            **columns(content),
        )
        donne.digest = donne_digest(donne, [(mark.place, mark.entrant_id, mark.points) for mark in marks])
        return donne, marks

    def _freeze_rules(self) -> None:
        rules = self.sheet.session.tournament.rules
        if rules.frozen_at is None:
            Rules.objects.filter(pk=rules.pk, frozen_at__isnull=True).update(frozen_at=self.at)

    def _change_nets(self, change: NetsChange | None) -> None:
        if change is None:
            return
        if self.sheet.nets:
            retire_nets(self.sheet.table)
        self.sheet.nets = (
            add_nets(
                change,
                table=self.sheet.table,
                seats=self.sheet.seats,
                reason=self._reason(change),
                by=self.by,
                at=self.at,
            )
            if not change.withdraws
            else ()
        )

    def _settle(self, steps: Sequence[_Step], change: NetsChange | None) -> None:
        """Write all that follows from new rows: which result counts, the journal, the stale standing, the desk."""
        sheet = self.sheet
        old_version = change.version if change else None
        basis = basis_of(filled=sheet.is_filled, has_nets=bool(sheet.nets))
        if basis != sheet.table.basis:
            Table.objects.filter(pk=sheet.table.pk).update(basis=basis)
        lines = [line for step in steps for line in self._lines(step)]
        if change:
            lines.append(self._nets_line(change, old_version))
        settles_draft = sheet.has_draft and sheet.is_complete
        if settles_draft:
            SheetDraft.objects.filter(table=sheet.table, settled_at__isnull=True).update(settled_at=self.at)
            lines.append(Line(code="DRAFT_SETTLED"))
        write_lines(table=sheet.table, lines=lines, by=self.by, via="", at=self.at)
        Stale.objects.create(session=sheet.session)
        is_unsettled = sheet.is_complete and sheet.table.round.desk == DeskState.OPEN
        if settles_draft or is_unsettled or sheet.is_complete != self.was_complete:
            transaction.on_commit(lambda: settle_desk(sheet.table.round_id), robust=True)

    def _lines(self, step: _Step) -> list[Line]:
        donne = self.sheet.current[step.asked.number]
        refs: dict[str, int | str | None] = {
            "number": donne.number,
            "version": donne.version,
            "donne": donne.pk,
            "digest": donne.digest,
            "kind": str(donne.kind),
            "reason": step.reason,
        }
        lines = [Line(code=step.code, refs=refs, text=step.asked.text)]
        if donne.decision and isinstance(step.asked.entry, Played):
            decided = {"number": donne.number, "version": donne.version, "donne": donne.pk}
            lines.append(Line(code=donne.decision, refs=decided, text=step.asked.entry.decision))
        return lines

    def _nets_line(self, change: NetsChange, old_version: int | None) -> Line:
        reason = self._reason(change)
        if change.withdraws:
            return Line(code="NETS_WITHDRAWN", refs={"version": old_version, "reason": reason}, text=change.text)
        nets = self.sheet.nets
        code = "NETS_RECORDED" if old_version is None else "NETS_CORRECTED"
        refs: dict[str, int | str | None] = {
            "version": nets[0].version,
            "digest": version_digest(nets),
            "reason": reason,
        }
        return Line(code=code, refs=refs, text=change.text)
