"""The bilans of a sheet: what is wrong with them as typed, and the rows that keep them; rights are not known here."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime

from django.db.models import Max

from tournaments.errors import EntryCode, EntryProblem
from tournaments.ledger import net_digest
from tournaments.models import Reason, Seat, SheetNet, Source, Table

from .actors import Actor
from .entries import NetLine

_LARGEST = 999_999  # far above any sheet; keeps a slipped finger out of an integer column


@dataclass(frozen=True, slots=True, kw_only=True)
class NetsChange:
    """What is asked of a table's bilans; `version` is the one typed over, None where none was."""

    lines: tuple[NetLine, ...]
    version: int | None
    source: Source
    reason: Reason | str = ""
    text: str = ""
    withdraws: bool = False  # take them out of force, put none in their place


def find_net_problems(lines: Sequence[NetLine], seats: Sequence[Seat]) -> tuple[EntryProblem, ...]:
    """Return everything wrong with typed bilans: one for each seat, whole numbers, sum zero."""
    places = [seat.place for seat in seats]
    problems = [
        EntryProblem(field=f"nets.{place}", code=EntryCode.NETS_SHARED_PLACE, params={"place": place})
        for place in sorted({place for place in places if places.count(place) > 1})
    ]
    if sorted(str(line.place) for line in lines) != sorted(set(places)):
        params: dict[str, int | str] = {"expected": len(set(places)), "given": len(lines)}
        problems.append(EntryProblem(field="nets", code=EntryCode.NETS_PLACES, params=params))
    bad = [line for line in lines if not _are_whole(line)]
    problems += [
        EntryProblem(field=f"nets.{line.place}", code=EntryCode.NET_TYPE, params={"place": str(line.place)})
        for line in bad
    ]
    if bad:
        return tuple(problems)
    problems += [_parts_problem(line, line.positive, line.negative) for line in lines if not _add_up(line)]
    total = sum(line.net for line in lines)
    if total:
        sum_problem = {"total": total, "count": len(lines)}
        problems.append(EntryProblem(field="nets", code=EntryCode.NETS_SUM, params=sum_problem))
    return tuple(problems)


def _are_whole(line: NetLine) -> bool:
    parts = [part for part in (line.positive, line.negative) if part is not None]
    return (
        type(line.net) is int
        and abs(line.net) <= _LARGEST
        and all(type(part) is int and 0 <= part <= _LARGEST for part in parts)
    )


def _add_up(line: NetLine) -> bool:
    return line.positive is None or line.negative is None or line.net == line.positive - line.negative


def _parts_problem(line: NetLine, positive: int | None, negative: int | None) -> EntryProblem:
    params: dict[str, int | str] = {
        "place": line.place,
        "positive": positive or 0,
        "negative": negative or 0,
        "net": line.net,
    }
    return EntryProblem(field=f"nets.{line.place}", code=EntryCode.NET_PARTS, params=params)


def find_differences(computed: Mapping[str, int], written: Mapping[str, int]) -> tuple[EntryProblem, ...]:
    """Return one problem for each seat whose marks do not add up to the bilan on the paper."""
    return tuple(
        EntryProblem(
            field=f"nets.{place}",
            code=EntryCode.NET_DIFFERS,
            params={"place": place, "computed": computed.get(place, 0), "written": net},
        )
        for place, net in written.items()
        if computed.get(place, 0) != net
    )


def say_the_same(change: NetsChange, nets: Sequence[SheetNet]) -> bool:
    """Say whether the table holds these very bilans already."""
    asked = sorted((line.place, line.net, line.positive, line.negative) for line in change.lines)
    held = sorted((net.place, net.net, net.positive, net.negative) for net in nets)
    return asked == held and all(net.source == change.source for net in nets)


def retire_nets(table: Table) -> None:
    """Take the bilans in force out of force; their rows stay."""
    SheetNet.objects.filter(table=table, is_current=True).update(is_current=False)


def add_nets(
    change: NetsChange, *, table: Table, seats: Sequence[Seat], reason: str, by: Actor, at: datetime
) -> tuple[SheetNet, ...]:
    """Write the next version of a table's bilans."""
    last = SheetNet.objects.filter(table=table).aggregate(last=Max("version"))["last"] or 0
    sitting = {seat.place: seat.entrant_id for seat in seats}
    nets = [
        SheetNet(
            table=table,
            place=line.place,
            entrant_id=sitting[line.place],
            positive=line.positive,
            negative=line.negative,
            net=line.net,
            source=change.source,
            version=last + 1,
            reason=reason,
            by=by.code,
            recorded_at=at,
        )
        for line in change.lines
    ]
    for net in nets:
        net.digest = net_digest(net)
    return tuple(SheetNet.objects.bulk_create(nets))
