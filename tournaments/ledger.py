"""What rows of the ledger mean: digests, the entry behind a row, which of a sheet's results counts; pure, no queries.

A digest covers a version's own fields and its marks. `is_current` is left out: it is the one thing that may change.
"""

import hashlib
import json
from collections import Counter
from collections.abc import Collection, Iterable, Mapping
from datetime import UTC, datetime

from scoring import Camp, Chelem, Contract, DonneEntry, Poignee, PoigneeSize, share

from .models import CLOSING, Basis, Donne, Event, Place, SheetNet

MarkRow = tuple[str, int, int]  # place, entrant id, points

_DONNE_FIELDS = (
    "table_id",
    "number",
    "version",
    "replaces_id",
    "kind",
    "places",
    "sitting_out",
    "taker",
    "contract",
    "bouts",
    "half_points",
    "partner",
    "petit_au_bout",
    "poignee1_size",
    "poignee1_camp",
    "poignee2_size",
    "poignee2_camp",
    "chelem",
    "value",
    "reason",
    "decision",
    "by",
)
_NET_FIELDS = (
    "table_id",
    "place",
    "entrant_id",
    "positive",
    "negative",
    "net",
    "source",
    "version",
    "reason",
    "by",
)
_EVENT_FIELDS = ("table_id", "session_id", "seq", "code", "refs", "by", "via", "text_digest", "previous")


def _digest(parts: object) -> str:
    written = json.dumps(parts, sort_keys=True, ensure_ascii=True, separators=(",", ":"))
    return hashlib.sha256(written.encode()).hexdigest()


def _instant(at: datetime) -> str:
    return at.astimezone(UTC).isoformat(timespec="microseconds")


def donne_digest(donne: Donne, marks: Iterable[MarkRow]) -> str:
    """Return the digest of a version and of the marks it came with."""
    return _digest(
        [
            [getattr(donne, name) for name in _DONNE_FIELDS],
            _instant(donne.recorded_at),
            sorted([place, entrant_id, points] for place, entrant_id, points in marks),
        ]
    )


def net_digest(net: SheetNet) -> str:
    """Return the digest of one seat's bilan."""
    return _digest([[getattr(net, name) for name in _NET_FIELDS], _instant(net.recorded_at)])


def version_digest(nets: Iterable[SheetNet]) -> str:
    """Return the digest of one version of a table's bilans, all seats together; the journal holds it."""
    return _digest(sorted(net.digest for net in nets))


def text_digest(text: str) -> str:
    """Return the digest of free words, which outlives them; nothing for no words."""
    return hashlib.sha256(text.encode()).hexdigest() if text else ""


def event_digest(event: Event) -> str:
    """Return the digest of a journal line, which holds that of the line before."""
    return _digest([[getattr(event, name) for name in _EVENT_FIELDS], _instant(event.at)])


def is_filled(kinds: Mapping[int, str], slots: int) -> bool:
    """Say whether every slot of a sheet is closed; `kinds` is the kind of each slot's current version."""
    return all(kinds.get(number) in CLOSING for number in range(1, slots + 1))


def basis_of(*, filled: bool, has_nets: bool) -> Basis:
    """Return which result counts: the marks, unless only bilans speak for every donne.

    It depends on what stands in the ledger now, never on the order things were entered in.
    """
    return Basis.NETS if has_nets and not filled else Basis.DONNES


def sums(marks: Iterable[tuple[str, int]], places: Collection[str]) -> dict[str, int]:
    """Return the marks of a sheet added up by place."""
    totals = dict.fromkeys(places, 0)
    for place, points in marks:
        totals[place] = totals.get(place, 0) + points
    return totals


def entry_of(donne: Donne) -> DonneEntry:
    """Return the entry a COMPUTED version was scored from."""
    seat_of = donne.places.index
    shown = ((donne.poignee1_size, donne.poignee1_camp), (donne.poignee2_size, donne.poignee2_camp))
    return DonneEntry(
        players=len(donne.places),
        taker=seat_of(donne.taker),
        contract=Contract(donne.contract),
        bouts=-1 if donne.bouts is None else donne.bouts,
        half_points=-1 if donne.half_points is None else donne.half_points,
        partner=seat_of(donne.partner) if donne.partner else None,
        petit_au_bout=Camp(donne.petit_au_bout) if donne.petit_au_bout else None,
        poignees=tuple(Poignee(PoigneeSize(size), Camp(camp)) for size, camp in shown if size),
        chelem=Chelem(donne.chelem) if donne.chelem else None,
    )


def value_of(marks: tuple[int, ...], taker: int | None) -> int | None:
    """Return what one defender owes in marks as written; None when no taker can have marked so."""
    players = len(marks)
    defender = Counter(marks).most_common(1)[0][0]
    takers = range(players) if taker is None else (taker,)
    for seat in takers:
        partners = (None, *(other for other in range(players) if other != seat)) if players == len(Place) else (None,)
        if any(share(-defender, players, seat, partner) == marks for partner in partners):
            return -defender
    return None
