"""Recording, correcting and withdrawing donnes: what is written, what is refused, and that nothing is ever overwritten."""

from uuid import uuid4

import pytest

from tests import builders as b
from tournaments.models import Donne, Mark
from tournaments.services.donnes import correct_donne

pytestmark = [pytest.mark.django_db, pytest.mark.embedded]


def test_the_ffts_own_sheet_gives_its_published_marks() -> None:
    table = b.a_table()
    for number, entry in enumerate(b.the_fft_sheet(), start=1):
        b.a_donne(table=table, number=number, entry=entry)
    rows = [
        tuple(Mark.objects.filter(donne__number=number, place=place).get().points for place in "NSEO")
        for number in range(1, 6)
    ]
    assert tuple(rows) == b.FFT_MARKS


def test_a_correction_keeps_the_first_entry_and_counts_once() -> None:
    first = b.a_donne()
    second = correct_donne(current=first, entry=b.a_played(taker=1), reason="TYPING", by=b.an_actor(), key=uuid4())
    versions = list(Donne.objects.order_by("version").values_list("pk", "version", "is_current", "replaces"))
    assert versions == [(first.pk, 1, False, None), (second.pk, 2, True, first.pk)]
    assert Mark.objects.filter(donne__is_current=True).count() == 4
    assert Mark.objects.filter(donne=first).count() == 4
