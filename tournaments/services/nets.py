"""The bilans of a sheet: record, correct, withdraw. They count where donnes are missing, else they control."""

from collections.abc import Sequence
from uuid import UUID

from tournaments.models import Reason, SheetNet, Source, Table

from .actors import Actor
from .donnes import write_sheet
from .entries import NetLine
from .net_lines import NetsChange


def record_nets(*, table: Table, nets: Sequence[NetLine], source: Source, by: Actor, key: UUID) -> tuple[SheetNet, ...]:
    """Write the bilans of a table that has none. The same ones again return what stands and write nothing.

    Raises:
        InvalidDonneError: not one for each seat, a sum that is not zero, or marks that say something else.
        AlreadyRecordedError: the table has other bilans.
        NotAllowedError, SessionClosedError, KeyReusedError, BusyError.
    """
    change = NetsChange(lines=tuple(nets), version=None, source=source)
    return write_sheet(table_id=table.pk, nets=change, by=by, key=key).nets


def correct_nets(
    *,
    table: Table,
    version: int,
    nets: Sequence[NetLine],
    source: Source,
    reason: Reason | str,
    by: Actor,
    key: UUID,
    text: str = "",
) -> tuple[SheetNet, ...]:
    """Write new bilans over those of a version.

    Raises:
        StaleVersionError: somebody else replaced or withdrew them first; carries what is in force.
        InvalidDonneError, NotAllowedError, SessionClosedError, KeyReusedError, BusyError.
    """
    change = NetsChange(lines=tuple(nets), version=version, source=source, reason=reason, text=text)
    return write_sheet(table_id=table.pk, nets=change, by=by, key=key).nets


def withdraw_nets(*, table: Table, version: int, reason: Reason | str, by: Actor, key: UUID, text: str = "") -> None:
    """Take the bilans of a table out of force: its donnes alone speak again.

    Raises:
        StaleVersionError: somebody else replaced or withdrew them first; carries what is in force.
        InvalidDonneError, NotAllowedError, SessionClosedError, KeyReusedError, BusyError.
    """
    change = NetsChange(lines=(), version=version, source=Source.SHEET, reason=reason, text=text, withdraws=True)
    write_sheet(table_id=table.pk, nets=change, by=by, key=key)
