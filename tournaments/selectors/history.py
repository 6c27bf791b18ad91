"""Everything ever written on a sheet: each version with who, when, why, and the one it replaced."""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime

from players.models import User
from tournaments.models import Donne, Event, Reason, SheetNet, Table

from .sheets import DonneVersion, PlaceMark, version_of


@dataclass(frozen=True, slots=True, kw_only=True)
class Change:
    """One version of a donne beside the one it replaced. `text` is the free words of the reason."""

    new: DonneVersion
    old: DonneVersion | None
    who: str
    text: str

    @property
    def reason_label(self) -> str:
        """Return the reason in words, "" for a first version or free words."""
        return _reason_label(self.new.reason)


@dataclass(frozen=True, slots=True, kw_only=True)
class NetsChange:
    """One version of the bilans. `text` is the free words of the reason."""

    version: int
    nets: tuple[PlaceMark, ...]
    who: str
    at: datetime
    reason: str
    text: str
    is_current: bool

    @property
    def reason_label(self) -> str:
        """Return the reason in words."""
        return _reason_label(self.reason)


@dataclass(frozen=True, slots=True, kw_only=True)
class History:
    """The versions of a sheet, newest first."""

    donnes: tuple[Change, ...]
    nets: tuple[NetsChange, ...]


def _reason_label(code: str) -> str:
    return str(Reason(code).label) if code and code != Reason.OTHER else ""


def history(table: Table) -> History:
    """Read the history of a sheet, in five queries."""
    donnes = list(Donne.objects.filter(table=table).prefetch_related("marks").order_by("-recorded_at", "-pk"))
    nets = list(SheetNet.objects.filter(table=table).order_by("-version", "pk"))
    names = names_of([donne.by for donne in donnes] + [net.by for net in nets])
    events = list(Event.objects.filter(table=table).exclude(text="").order_by("-seq"))
    texts = {event.refs.get("donne"): event.text for event in events}
    nets_texts = {event.refs.get("version"): event.text for event in events if event.code == "NETS_CORRECTED"}
    versions = {donne.pk: version_of(donne) for donne in donnes}
    return History(
        donnes=tuple(
            Change(
                new=versions[donne.pk],
                old=versions.get(donne.replaces_id or 0),
                who=names[donne.by],
                text=texts.get(donne.pk, ""),
            )
            for donne in donnes
        ),
        nets=tuple(
            _nets_change([net for net in nets if net.version == version], names, nets_texts.get(version, ""))
            for version in dict.fromkeys(net.version for net in nets)
        ),
    )


def _nets_change(nets: list[SheetNet], names: dict[str, str], text: str) -> NetsChange:
    return NetsChange(
        version=nets[0].version,
        nets=tuple(PlaceMark(place=net.place, points=net.net) for net in nets),
        who=names[nets[0].by],
        at=nets[0].recorded_at,
        reason=nets[0].reason,
        text=text,
        is_current=nets[0].is_current,
    )


def names_of(codes: Iterable[str]) -> dict[str, str]:
    """Return a name for each actor's code, in one query: the full name of an account, else its login."""
    codes = set(codes)
    ids = [int(code.removeprefix("user:")) for code in codes if code.removeprefix("user:").isdecimal()]
    users = {f"user:{user.pk}": user.get_full_name() or user.username for user in User.objects.filter(pk__in=ids)}
    return {code: users.get(code, code) for code in codes}
