"""`manage.py check_ledger`: proves what was recorded, and prints one sentence for each thing that is wrong."""

from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand, CommandError
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from tournaments.audit import Finding, FindingCode
from tournaments.models import Donne, Session
from tournaments.selectors.audit import findings

_SENTENCES = {
    FindingCode.GUARD_MISSING: gettext_lazy("the guard %(name)s of the database is missing or switched off."),
    FindingCode.RULES_CHANGED: gettext_lazy("the scale in row 1 is no longer the FFT's."),
    FindingCode.DONNE_DIGEST: gettext_lazy("a deal is not what was recorded."),
    FindingCode.DONNE_SHAPE: gettext_lazy("the marks of a deal are not those of its players."),
    FindingCode.DONNE_SUM: gettext_lazy("the marks of a deal do not add up to 0."),
    FindingCode.DONNE_SEAT: gettext_lazy("a mark belongs to somebody who does not sit there."),
    FindingCode.DONNE_SCORE: gettext_lazy("the marks of a deal are not what its details are worth."),
    FindingCode.DONNE_VERSIONS: gettext_lazy("the versions of a deal do not follow each other."),
    FindingCode.DONNE_JOURNAL: gettext_lazy("the journal does not know this version of a deal."),
    FindingCode.NET_DIGEST: gettext_lazy("a net is not what was recorded."),
    FindingCode.NET_JOURNAL: gettext_lazy("the journal does not know this version of the nets."),
    FindingCode.NET_SHAPE: gettext_lazy("the nets are not those of the players seated."),
    FindingCode.NET_SUM: gettext_lazy("the nets do not add up to 0."),
    FindingCode.NET_VERSIONS: gettext_lazy("the versions of the nets do not follow each other."),
    FindingCode.NET_DIFFERS: gettext_lazy("the nets and the marks say different things."),
    FindingCode.BASIS: gettext_lazy("the table counts the wrong one of its two results."),
    FindingCode.EVENT_DIGEST: gettext_lazy("a line of the journal is not what was written."),
    FindingCode.EVENT_TEXT: gettext_lazy("the words of a line of the journal were replaced."),
    FindingCode.EVENT_CHAIN: gettext_lazy("a line of the journal does not follow the one before it."),
    FindingCode.SEAL: gettext_lazy("the results are not those the ranking was closed on."),
}


class Command(BaseCommand):
    """Checks digests, shapes, sums, scores, versions, nets, journals and guards; ends with 1 when anything is wrong."""

    help = (
        "Recalcule et vérifie chaque résultat enregistré. / "
        "Checks every recorded result: digest, shape, sum, score, versions, journal."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Take the session to check; without one, all are."""
        parser.add_argument(
            "--session",
            type=int,
            default=None,
            help="cette séance seule / only this session: its number in the address",
        )

    def handle(self, *, session: int | None, **options: Any) -> None:
        """Print what is wrong as it is found."""
        if session is not None and not Session.objects.filter(pk=session).exists():
            raise CommandError(_("There is no session %(session)s.") % {"session": session})
        count = 0
        for finding in findings(session):
            count += 1
            self.stdout.write(sentence(finding))
        if count:
            message = ngettext("%(count)s thing is wrong.", "%(count)s things are wrong.", count)
            raise CommandError(message % {"count": count})
        donnes = Donne.objects.all() if session is None else Donne.objects.filter(table__round__session=session)
        checked = donnes.count()
        message = ngettext(
            "%(count)s version of a deal checked: all is well.",
            "%(count)s versions of deals checked: all is well.",
            checked,
        )
        self.stdout.write(message % {"count": checked})


def sentence(finding: Finding) -> str:
    """Return where something is wrong, and what."""
    where = []
    if finding.session:
        where.append(_("session %(session)s") % {"session": finding.session})
    if finding.position:
        where.append(_("position %(position)s") % {"position": finding.position})
    if finding.table:
        where.append(_("table %(table)s") % {"table": finding.table})
    if finding.number:
        where.append(_("deal %(number)s") % {"number": finding.number})
    if finding.row:
        where.append(_("row %(row)s") % {"row": finding.row})
    return ", ".join([*where, str(_SENTENCES[finding.code]) % {"name": finding.name}])
