"""Random sequences of record, correct, withdraw and bilans: what the ledger counts is what a recomputation gives."""

from uuid import uuid4

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests import builders as b
from tests.guards import judge
from tournaments.errors import InvalidDonneError
from tournaments.ledger import is_filled
from tournaments.models import EMPTY, Donne, Kind, Source, Table
from tournaments.selectors.audit import findings
from tournaments.selectors.ledger import ledger_results
from tournaments.services.desk import check_sheets
from tournaments.services.donnes import correct_donne, record_donne, withdraw_donne
from tournaments.services.entries import Entry, NetLine
from tournaments.services.nets import correct_nets, record_nets, withdraw_nets

pytestmark = [pytest.mark.django_db]

SLOTS = 2
PLACES = "NSEO"
Marks = tuple[int, int, int, int]

# What can be entered, with the marks it gives; None: no marks.
CHOICES: tuple[tuple[Entry, Marks | None], ...] = (
    (b.a_played(taker=0), (198, -66, -66, -66)),
    (b.a_played(taker=3, half_points=80), (52, 52, 52, -156)),
    (b.a_written(-106, -106, 318, -106), (-106, -106, 318, -106)),
    (b.not_played(), None),
    (b.cancelled(), None),
)
steps = st.lists(
    st.tuples(
        st.sampled_from(["write", "write", "write", "withdraw", "nets", "nets of the marks", "withdraw nets"]),
        st.integers(1, SLOTS),
        st.integers(0, len(CHOICES) - 1),
    ),
    min_size=1,
    max_size=8,
)


class Paper:
    """The same table kept by hand: what stands in each slot, and the bilans."""

    def __init__(self) -> None:
        self.slots: dict[int, int | None] = {}
        self.nets: Marks | None = None

    @property
    def is_filled(self) -> bool:
        return all(
            self.slots.get(number) is not None and CHOICES[self.slots[number] or 0][0] != b.cancelled()
            for number in range(1, SLOTS + 1)
        )

    @property
    def marks(self) -> Marks:
        chosen = [CHOICES[index][1] or (0, 0, 0, 0) for index in self.slots.values() if index is not None]
        n, s, e, o = (sum(column) for column in zip(*chosen, strict=True)) if chosen else (0, 0, 0, 0)
        return n, s, e, o

    @property
    def contradicts_itself(self) -> bool:
        return self.nets is not None and self.is_filled and self.nets != self.marks

    @property
    def result(self) -> Marks:
        return self.marks if self.nets is None or self.is_filled else self.nets


def write(table: Table, number: int, index: int) -> None:
    entry = CHOICES[index][0]
    current = Donne.objects.current().filter(table=table, number=number).first()
    if current is None or current.kind in EMPTY:
        record_donne(table=table, number=number, entry=entry, by=b.an_actor(), key=uuid4())
    else:
        correct_donne(current=current, entry=entry, reason="TABLE", by=b.an_actor(), key=uuid4())


def withdraw(table: Table, number: int) -> None:
    current = Donne.objects.current().filter(table=table, number=number).first()
    if current is not None:
        withdraw_donne(current=current, reason="TABLE", by=b.an_actor(), key=uuid4())


def write_nets(table: Table, nets: Marks) -> None:
    lines = [NetLine(place, net) for place, net in zip(PLACES, nets, strict=True)]
    current = table.nets.filter(is_current=True).first()
    by, key = b.an_actor(), uuid4()
    if current is None:
        record_nets(table=table, nets=lines, source=Source.SHEET, by=by, key=key)
    else:
        correct_nets(
            table=table, version=current.version, nets=lines, source=Source.SHEET, reason="TABLE", by=by, key=key
        )


def drop_nets(table: Table) -> None:
    current = table.nets.filter(is_current=True).first()
    if current is not None:
        withdraw_nets(table=table, version=current.version, reason="TABLE", by=b.an_actor(), key=uuid4())


def apply(paper: Paper, table: Table, step: tuple[str, int, int]) -> None:
    """Do one step on paper and in the ledger; what contradicts itself on paper must be refused, and changes neither."""
    what, number, index = step
    before, nets_before = dict(paper.slots), paper.nets
    nets: Marks = paper.marks if what == "nets of the marks" else (30, -10 * index, 10 * index, -30)
    if what == "write":
        paper.slots[number] = index
    elif what == "withdraw":
        paper.slots[number] = None
    else:
        paper.nets = None if what == "withdraw nets" else nets
    refused = paper.contradicts_itself
    if refused:
        paper.slots, paper.nets = before, nets_before
    try:
        if what == "write":
            write(table, number, index)
        elif what == "withdraw":
            withdraw(table, number)
        elif what == "withdraw nets":
            drop_nets(table)
        else:
            write_nets(table, nets)
    except InvalidDonneError:
        assert refused
    else:
        assert not refused


@given(steps)
@settings(
    max_examples=40,
    deadline=None,
    derandomize=True,
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
)
def test_any_sequence_of_writes_counts_what_a_recomputation_gives(
    sequence: list[tuple[str, int, int]],
) -> None:
    table, paper = b.a_table(donnes=SLOTS), Paper()
    for step in sequence:
        apply(paper, table, step)
        judge()
    counted = {
        result.entrant_id: result.points
        for result in ledger_results(table.round.session)
        if result.table_id == table.pk
    }
    sitting = {seat.place: seat.entrant_id for seat in table.seats.all()}
    assert tuple(counted.get(sitting[place], 0) for place in PLACES) == paper.result
    (check,) = check_sheets(table.round)
    assert check.is_balanced
    assert check.is_complete == (paper.is_filled or paper.nets is not None)
    kinds = dict(Donne.objects.current().filter(table=table).values_list("number", "kind"))
    assert is_filled(kinds, SLOTS) == paper.is_filled
    assert Kind.WITHDRAWN not in kinds.values() or not paper.is_filled
    assert not list(findings(table.round.session_id))
