"""What the API shows: a donne, a sheet, a standing. A donne's document says only what never changes of its row."""

from collections.abc import Mapping
from typing import Any

from tournaments.models import Donne
from tournaments.selectors.ranking import RankedRow, Ranking
from tournaments.selectors.sheets import Sheet

Document = Mapping[str, Any]


def etag_of(donne: Donne) -> str:
    """Return the ETag of a version: its row id."""
    return f'"{donne.pk}"'


def donne_document(donne: Donne) -> Document:
    """Return one version; a later version leaves it as it is, so that a request sent twice reads the same twice."""
    shown = ((donne.poignee1_size, donne.poignee1_camp), (donne.poignee2_size, donne.poignee2_camp))
    return {
        "id": donne.pk,
        "table": donne.table_id,
        "number": donne.number,
        "version": donne.version,
        "replaces": donne.replaces_id,
        "kind": donne.kind,
        "places": donne.places,
        "sitting_out": donne.sitting_out,
        "taker": donne.taker,
        "contract": donne.contract,
        "bouts": donne.bouts,
        "half_points": donne.half_points,
        "partner": donne.partner,
        "petit_au_bout": donne.petit_au_bout,
        "poignees": [{"size": size, "camp": camp} for size, camp in shown if size],
        "chelem": donne.chelem,
        "value": donne.value,
        "reason": donne.reason,
        "decision": donne.decision,
        "recorded_at": donne.recorded_at.isoformat(),
        "marks": {mark.place: mark.points for mark in sorted(donne.marks.all(), key=lambda mark: mark.place)},
    }


def sheet_document(sheet: Sheet, donnes: Mapping[int, Donne]) -> Document:
    """Return a sheet; `donnes` are its current versions by number."""
    return {
        "table": sheet.table_id,
        "session": sheet.session_id,
        "round_number": sheet.round_number,
        "table_number": sheet.table_number,
        "game": sheet.game,
        "basis": sheet.basis,
        "is_complete": sheet.is_complete,
        "seats": [
            {
                "place": seat.place,
                "entrant": seat.entrant_id,
                "number": seat.number,
                "name": seat.name,
                "from_donne": seat.from_donne,
                "to_donne": seat.to_donne,
            }
            for seat in sheet.seats
        ],
        "donnes": [
            {
                "number": row.number,
                "state": row.state,
                "current": donne_document(donnes[row.number]) if row.number in donnes else None,
            }
            for row in sheet.rows
        ],
        "totals": {
            total.place: {"positive": total.positive, "negative": total.negative, "net": total.net}
            for total in sheet.totals
        },
        "nets": {net.place: net.net for net in sheet.nets},
        "nets_version": sheet.nets_version,
    }


def standing_document(ranking: Ranking, *, version: int, built_at: str, names: Mapping[int, str]) -> Document:
    """Return a standing with its version and moment; `names` are by entrant."""
    return {
        "session": ranking.session_id,
        "version": version,
        "built_at": built_at,
        "rounds": list(ranking.rounds),
        "missing": [
            {"round_number": sheet.round_number, "table_number": sheet.table_number} for sheet in ranking.missing
        ],
        "rows": [_row_document(row, names.get(row.entrant.entrant_id, "")) for row in ranking.rows],
    }


def _row_document(row: RankedRow, name: str) -> Document:
    entrant = row.entrant
    return {
        "rank": row.rank,
        "tied": row.tied,
        "state": entrant.state,
        "entrant": entrant.entrant_id,
        "number": entrant.number,
        "name": name,
        "by_round": list(entrant.by_round),
        "points": entrant.points,
        "penalty": entrant.penalty,
        "total": entrant.total,
    }
