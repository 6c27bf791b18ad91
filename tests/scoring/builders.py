"""Donnes with defaults, the published examples, and strategies for any donne; nothing of the database."""

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from hypothesis import strategies as st

from scoring import Camp, Chelem, Contract, DonneEntry, Poignee, PoigneeSize

_PUBLISHED = Path(__file__).with_name("worked_examples.jsonl")


def a_donne(**changes: Any) -> DonneEntry:
    """A garde made by 8 at four by the first seat; any field may be changed, also to nonsense."""
    fields: dict[str, Any] = {
        "players": 4,
        "taker": 0,
        "contract": Contract.GARDE,
        "bouts": 2,
        "half_points": 98,
    }
    return DonneEntry(**(fields | changes))


def shown(size: PoigneeSize = PoigneeSize.SIMPLE, camp: Camp = Camp.ATTACK) -> Poignee:
    return Poignee(size, camp)


@dataclass(frozen=True, slots=True, kw_only=True)
class Published:
    """A published donne: what went in and what its source says came out."""

    id: str
    entry: DonneEntry
    expected: tuple[tuple[str, int], ...]  # any of taker, partner, defender, margin
    source: str


def _published(line: str) -> Published:
    row = json.loads(line)
    return Published(
        id=row["id"],
        entry=DonneEntry(
            players=row["players"],
            taker=0,
            contract=Contract(row["contract"]),
            bouts=row["bouts"],
            half_points=row["half_points"],
            partner=1 if row["players"] == 5 and not row["alone"] else None,
            petit_au_bout=row["petit_au_bout"] and Camp(row["petit_au_bout"]),
            poignees=tuple(Poignee(PoigneeSize(size), Camp(camp)) for size, camp in row["poignees"]),
            chelem=row["chelem"] and Chelem(row["chelem"]),
        ),
        expected=tuple(row["expected"].items()),
        source=row["source"],
    )


PUBLISHED = tuple(_published(line) for line in _PUBLISHED.read_text(encoding="utf-8").splitlines())


@st.composite
def donnes(draw: st.DrawFn) -> DonneEntry:
    """Any donne without an error of shape; an arbiter may have to lift what a regular pack cannot give."""
    players = draw(st.sampled_from([3, 4, 5]))
    seats = list(range(players))
    taker = draw(st.sampled_from(seats))
    partner = draw(st.sampled_from([None, *(seat for seat in seats if seat != taker)])) if players == 5 else None
    return DonneEntry(
        players=players,
        taker=taker,
        contract=draw(st.sampled_from(Contract)),
        bouts=draw(st.integers(0, 3)),
        half_points=draw(st.integers(0, 182)),
        partner=partner,
        petit_au_bout=draw(st.sampled_from([None, *Camp])),
        poignees=tuple(
            draw(st.lists(st.builds(Poignee, st.sampled_from(PoigneeSize), st.sampled_from(Camp)), max_size=3))
        ),
        chelem=draw(st.sampled_from([None, *Chelem])),
    )
