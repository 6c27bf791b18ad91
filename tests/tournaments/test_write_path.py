"""Recording, correcting and withdrawing donnes: what is written, what is refused, and that nothing is overwritten."""

from uuid import UUID, uuid4

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from players.models import Role
from scoring import Contract
from tests import builders as b
from tournaments.errors import (
    AlreadyRecordedError,
    EntryCode,
    InvalidDonneError,
    KeyReusedError,
    NotAllowedError,
    RefusedError,
    SessionClosedError,
    StaleVersionError,
)
from tournaments.models import (
    Donne,
    Event,
    Game,
    IdempotencyKey,
    Kind,
    Mark,
    Rules,
    Session,
    SessionState,
    SheetDraft,
    Stale,
    Table,
)
from tournaments.services.donnes import correct_donne, record_donne, save_sheet, withdraw_donne
from tournaments.services.drafts import put_aside, take_back
from tournaments.services.entries import Played, SheetLine

pytestmark = [pytest.mark.django_db, pytest.mark.embedded]


def marks_of(donne: Donne) -> dict[str, int]:
    return dict(Mark.objects.filter(donne=donne).values_list("place", "points"))


def problems_of(error: pytest.ExceptionInfo[InvalidDonneError]) -> list[tuple[str, str]]:
    return [(problem.field, problem.code) for problem in error.value.problems]


def test_the_ffts_own_sheet_gives_its_published_marks() -> None:
    table = b.a_table()
    donnes = [b.a_donne(table=table, number=n, entry=entry) for n, entry in enumerate(b.the_fft_sheet(), start=1)]
    assert tuple(tuple(marks_of(donne)[place] for place in "NSEO") for donne in donnes) == b.FFT_MARKS


def test_marks_as_written_are_kept_and_their_value_found() -> None:
    table = b.a_table()
    entries = [b.a_written(*row, contract=c) for row, c in zip(b.FFT_MARKS, b.FFT_CONTRACTS, strict=True)]
    donnes = [b.a_donne(table=table, number=n, entry=entry) for n, entry in enumerate(entries, start=1)]
    assert [donne.value for donne in donnes] == [106, 76, -42, 92, 582]
    assert {donne.kind for donne in donnes} == {Kind.MARKS}


@pytest.mark.parametrize(("partner", "marks"), [(1, (132, 66, -66, -66, -66)), (None, (264, -66, -66, -66, -66))])
def test_five_players_with_a_called_king_share_by_partner(partner: int | None, marks: tuple[int, ...]) -> None:
    donne = b.a_donne(table=b.a_table(players=5), entry=b.a_played(players=5, partner=partner))
    assert donne.places == "NSEOC"
    assert tuple(marks_of(donne)[place] for place in "NSEOC") == marks
    assert donne.partner == ("S" if partner else "")


def test_three_players_sit_where_their_seats_are() -> None:
    session = b.a_drawn_session(players=7)
    donne = b.a_donne(table=b.table_of(session, number=2), entry=b.a_played(players=3, taker=0))
    assert marks_of(donne) == {"S": 132, "E": -66, "O": -66}


def test_the_mort_of_a_table_of_five_has_no_mark() -> None:
    table = b.a_table(players=5, game_of_five=Game.MORT)
    told = b.a_donne(table=table, number=1, entry=b.a_played(sitting_out="E"))
    found = b.a_donne(table=table, number=2, entry=b.a_played(places="NSEO"))
    assert (told.places, set(marks_of(told))) == ("NSOC", set("NSOC"))
    assert found.sitting_out == "C"


def test_a_mort_must_be_named() -> None:
    with pytest.raises(InvalidDonneError) as error:
        b.a_donne(table=b.a_table(players=5, game_of_five=Game.MORT), entry=b.a_played())
    assert problems_of(error) == [("sitting_out", EntryCode.SITTING_OUT_NEEDED)]


def test_a_donne_can_have_fewer_players_than_the_table() -> None:
    donne = b.a_donne(entry=b.a_played(players=3, places="NEO"))
    assert set(marks_of(donne)) == set("NEO")


@pytest.mark.parametrize(
    ("entry", "problem"),
    [
        (b.a_played(players=3), ("players", EntryCode.PLAYERS_DIFFER)),
        (b.a_played(places="NSEC"), ("places", EntryCode.PLACES_UNKNOWN)),
        (b.a_played(places="SNEO"), ("places", EntryCode.PLACES_UNKNOWN)),
        (b.a_played(players=4, places="NNSE"), ("places", EntryCode.PLACES_UNKNOWN)),
        (b.a_played(sitting_out="N"), ("sitting_out", EntryCode.SITTING_OUT_ONLY_AT_MORT)),
        (b.a_played(bouts=4), ("bouts", "BOUTS_RANGE")),
        (b.a_played(half_points=83), ("half_points", "HALF_POINT_AT_FOUR")),
        (b.a_written(318, -106, -106, -100), ("marks", "MARKS_SUM")),
        (b.a_written(0, 0, 0, 0, contract=Contract.GARDE_SANS), ("taker", EntryCode.TAKER_NEEDED)),
        (b.a_written(0, 0, 0, 0, contract=None), ("marks", "MARKS_ZERO")),
    ],
)
def test_an_entry_is_refused_with_its_field(entry: Played, problem: tuple[str, str]) -> None:
    with pytest.raises(InvalidDonneError) as error:
        b.a_donne(entry=entry)
    assert problem in problems_of(error)
    assert not Donne.objects.exists()


def test_a_row_of_zeros_is_a_donne_when_its_taker_and_contract_are_told() -> None:
    donne = b.a_donne(entry=b.a_written(0, 0, 0, 0, contract=Contract.GARDE_SANS, taker=2))
    assert (donne.value, donne.taker, marks_of(donne)) == (0, "E", {"N": 0, "S": 0, "E": 0, "O": 0})


def test_the_same_content_again_returns_what_stands_and_writes_nothing() -> None:
    first = b.a_donne()
    again = b.a_donne(table=first.table)
    assert again.pk == first.pk
    assert (Donne.objects.count(), Event.objects.count(), IdempotencyKey.objects.count()) == (1, 1, 1)


def test_another_content_in_a_filled_slot_carries_what_stands() -> None:
    first = b.a_donne()
    with pytest.raises(AlreadyRecordedError) as error:
        b.a_donne(table=first.table, entry=b.a_played(taker=1))
    assert error.value.current == first


def test_a_correction_keeps_the_first_entry_and_counts_once() -> None:
    first = b.a_donne()
    second = correct_donne(current=first, entry=b.a_played(taker=1), reason="TYPING", by=b.an_actor(), key=uuid4())
    versions = list(Donne.objects.order_by("version").values_list("pk", "version", "is_current", "replaces"))
    assert versions == [(first.pk, 1, False, None), (second.pk, 2, True, first.pk)]
    assert Mark.objects.filter(donne__is_current=True).count() == 4
    assert Mark.objects.filter(donne=first).count() == 4


def test_a_correction_of_a_replaced_version_carries_theirs() -> None:
    first = b.a_donne()
    theirs = correct_donne(current=first, entry=b.a_played(taker=1), reason="TYPING", by=b.an_actor(), key=uuid4())
    with pytest.raises(StaleVersionError) as error:
        correct_donne(current=first, entry=b.a_played(taker=2), reason="TYPING", by=b.an_actor(), key=uuid4())
    assert error.value.theirs == theirs


def test_a_version_of_another_slot_is_unknown() -> None:
    donne = b.a_donne()
    donne.number = 2
    with pytest.raises(RefusedError) as error:
        correct_donne(current=donne, entry=b.a_played(taker=1), reason="TYPING", by=b.an_actor(), key=uuid4())
    assert error.value.reason == "VERSION_UNKNOWN"


def test_a_withdrawn_slot_is_empty_and_can_be_filled_again() -> None:
    first = b.a_donne()
    gone = withdraw_donne(current=first, reason="TYPING", by=b.an_actor(), key=uuid4())
    again = b.a_donne(table=first.table, entry=b.a_played(taker=3))
    assert (gone.kind, gone.version, again.version, again.replaces_id) == (Kind.WITHDRAWN, 2, 3, gone.pk)


def test_a_cancelled_donne_leaves_its_slot_open() -> None:
    table = b.a_table()
    b.a_donne(table=table, entry=b.cancelled())
    replayed = b.a_donne(table=table, by=b.an_actor(role=Role.CLERK))
    assert (replayed.version, replayed.kind) == (2, Kind.COMPUTED)


def test_a_clerk_mends_their_own_sheet_until_it_is_complete() -> None:
    table, clerk = b.a_table(donnes=2), b.an_actor(role=Role.CLERK)
    first = b.a_donne(table=table, by=clerk)
    second = correct_donne(current=first, entry=b.a_played(taker=1), reason="", by=clerk, key=uuid4())
    b.a_donne(table=table, number=2, by=clerk)
    with pytest.raises(NotAllowedError) as error:
        correct_donne(current=second, entry=b.a_played(taker=2), reason="TYPING", by=clerk, key=uuid4())
    assert error.value.reason == "CORRECTION_NEEDS_ARBITER"


def test_a_clerk_does_not_touch_what_somebody_else_entered() -> None:
    first = b.a_donne(by=b.an_actor(role=Role.CLERK))
    with pytest.raises(NotAllowedError):
        withdraw_donne(current=first, reason="TYPING", by=b.an_actor(role=Role.CLERK), key=uuid4())


@pytest.mark.parametrize(("reason", "text"), [("", ""), ("OTHER", "  "), ("NONSENSE", "")])
def test_an_arbiter_says_why(reason: str, text: str) -> None:
    first = b.a_donne()
    with pytest.raises(InvalidDonneError) as error:
        correct_donne(current=first, entry=b.a_played(taker=1), reason=reason, by=b.an_actor(), key=uuid4(), text=text)
    assert {problem.field for problem in error.value.problems} == {"reason"}


def test_free_words_stand_in_the_journal_alone() -> None:
    first = b.a_donne()
    second = withdraw_donne(current=first, reason="", by=b.an_actor(), key=uuid4(), text="feuille de M. Dupont")
    line = Event.objects.get(code="DONNE_WITHDRAWN")
    assert (second.reason, line.text, len(line.text_digest)) == ("OTHER", "feuille de M. Dupont", 64)
    assert "Dupont" not in str(line.refs)


def test_only_an_arbiter_lifts_a_limit_and_the_row_says_so() -> None:
    entry = b.a_played(half_points=83, decision="Carte retrouvée sous la table")
    table = b.a_table()
    with pytest.raises(NotAllowedError) as error:
        b.a_donne(table=table, entry=entry, by=b.an_actor(role=Role.CLERK))
    assert error.value.reason == "DECISION_NEEDS_ARBITER"
    donne = b.a_donne(table=table, entry=entry)
    assert donne.decision == "LIMITS_LIFTED"
    assert Event.objects.get(code="LIMITS_LIFTED").text == "Carte retrouvée sous la table"


def test_a_decision_lifts_no_error_of_shape() -> None:
    with pytest.raises(InvalidDonneError):
        b.a_donne(entry=b.a_played(bouts=4, decision="oui"))


def test_somebody_of_another_club_writes_nothing() -> None:
    table, stranger = b.a_table(), b.an_actor()
    elsewhere = type(stranger)(code=stranger.code, roles=stranger.roles, club_id=b.a_club().pk)
    with pytest.raises(NotAllowedError):
        b.a_donne(table=table, by=elsewhere)


@pytest.mark.parametrize(
    ("state", "reason"), [(SessionState.FINAL, "SESSION_CLOSED"), (SessionState.REGISTRATION, "NOT_BEGUN")]
)
def test_a_session_that_is_not_played_takes_nothing(state: SessionState, reason: str) -> None:
    table = b.a_table()
    Session.objects.update(state=state)
    for write in (
        lambda: b.a_donne(table=table),
        lambda: b.some_nets(table=table),
        lambda: put_aside(table=table, rows=[], note="", by=b.an_actor()),
    ):
        with pytest.raises(SessionClosedError) as error:
            write()
        assert error.value.reason == reason


def test_the_same_key_gets_the_first_answer_even_after_a_correction() -> None:
    table, clerk, key = b.a_table(), b.an_actor(role=Role.CLERK), uuid4()
    first = b.a_donne(table=table, by=clerk, key=key)
    correct_donne(current=first, entry=b.a_played(taker=1), reason="TYPING", by=b.an_actor(), key=uuid4())
    Session.objects.update(state=SessionState.FINAL)
    assert b.a_donne(table=table, by=clerk, key=key) == first
    assert Donne.objects.count() == 2


@pytest.mark.parametrize(("number", "taker"), [(2, 0), (1, 1)])
def test_the_same_key_with_another_body_is_refused(number: int, taker: int) -> None:
    table, clerk, key = b.a_table(), b.an_actor(), uuid4()
    b.a_donne(table=table, by=clerk, key=key)
    with pytest.raises(KeyReusedError):
        b.a_donne(table=table, number=number, entry=b.a_played(taker=taker), by=clerk, key=key)


def test_a_key_belongs_to_one_actor() -> None:
    table, key = b.a_table(), uuid4()
    b.a_donne(table=table, number=1, key=key)
    b.a_donne(table=table, number=2, key=key)
    assert Donne.objects.count() == 2


def lines(key_entries: tuple[Played, ...], **ids: int) -> list[SheetLine]:
    return [
        SheetLine(number=number, entry=entry, current_id=ids.get(f"n{number}"))
        for number, entry in enumerate(key_entries, start=1)
    ]


def save(table: Table, sheet: list[SheetLine], key: UUID | None = None, role: Role = Role.ARBITER) -> list[Donne]:
    saved = save_sheet(table=table, lines=sheet, by=b.an_actor(role=role), key=key or uuid4())
    return list(saved.donnes)


def test_a_sheet_is_saved_whole() -> None:
    donnes = save(b.a_table(), lines(b.the_fft_sheet()))
    assert [donne.number for donne in donnes] == [1, 2, 3, 4, 5]
    assert Stale.objects.count() == 1


def test_one_bad_line_keeps_the_whole_sheet_out_and_every_problem_is_told() -> None:
    sheet = list(b.the_fft_sheet())
    sheet[1], sheet[3] = b.a_played(bouts=4, half_points=183), b.a_written(1, 1, 1, 1)
    with pytest.raises(InvalidDonneError) as error:
        save(b.a_table(), lines(tuple(sheet)))
    assert {problem.field for problem in error.value.problems} >= {
        "lines.2.bouts",
        "lines.2.half_points",
        "lines.4.marks",
    }
    assert not Donne.objects.exists()


def test_unchanged_lines_write_nothing_and_changed_ones_a_version() -> None:
    table = b.a_table()
    first = save(table, lines(b.the_fft_sheet()))
    sheet = [
        SheetLine(number=1, entry=b.the_fft_sheet()[0], current_id=first[0].pk),
        SheetLine(number=2, entry=b.a_played(), current_id=first[1].pk, reason="TYPING"),
    ]
    second = save(table, sheet)
    assert (second[0].pk, second[1].version) == (first[0].pk, 2)
    assert Donne.objects.count() == 6


def test_two_lines_for_one_slot_are_refused() -> None:
    line = SheetLine(number=1, entry=b.a_played())
    with pytest.raises(InvalidDonneError) as error:
        save(b.a_table(), [line, line])
    assert ("lines.1.number", EntryCode.NUMBER_TWICE) in problems_of(error)


@pytest.mark.parametrize("number", [0, 6, -1])
def test_a_slot_the_sheet_does_not_have_is_refused(number: int) -> None:
    with pytest.raises(InvalidDonneError) as error:
        b.a_donne(number=number)
    assert problems_of(error) == [("number", EntryCode.NUMBER_RANGE)]


def test_a_sheet_put_aside_keeps_what_was_typed_and_is_settled_by_a_complete_one() -> None:
    table = b.a_table(donnes=1)
    b.a_table()
    put_aside(table=table, rows=[["1", "EG106", None]], note="illisible", by=b.an_actor(role=Role.CLERK))
    draft = put_aside(table=table, rows=[["1", "EG108\x00"]], note="", by=b.an_actor())
    assert SheetDraft.objects.filter(settled_at__isnull=True).get() == draft
    assert draft.rows == [["1", "EG108"]]
    b.a_donne(table=table)
    assert not SheetDraft.objects.filter(settled_at__isnull=True).exists()


def test_a_draft_is_taken_back_once() -> None:
    draft = put_aside(table=b.a_table(), rows=[], note="", by=b.an_actor())
    assert take_back(draft=draft, by=b.an_actor()) == take_back(draft=draft, by=b.an_actor())
    assert Event.objects.filter(code="DRAFT_TAKEN_BACK").count() == 1


def test_the_scale_is_frozen_by_the_first_scored_donne() -> None:
    table = b.a_table()
    b.a_donne(table=table, number=1, entry=b.not_played())
    assert Rules.objects.get(pk=1).frozen_at is None
    first = b.a_donne(table=table, number=2)
    b.a_donne(table=table, number=3)
    assert Rules.objects.get(pk=1).frozen_at == first.recorded_at


def test_recording_a_donne_takes_few_statements() -> None:
    table = b.a_table()
    b.a_donne(table=table, number=1)
    with CaptureQueriesContext(
        connection,
    ) as first:
        donne = b.a_donne(table=table, number=2, by=b.an_actor(role=Role.CLERK))
    with CaptureQueriesContext(connection) as correction:
        correct_donne(current=donne, entry=b.a_played(taker=1), reason="TYPING", by=b.an_actor(), key=uuid4())
    real = [query["sql"] for query in first.captured_queries if "SAVEPOINT" not in query["sql"]]
    assert len(real) == 11, real
    assert len([query for query in correction.captured_queries if "SAVEPOINT" not in query["sql"]]) == 13


def test_recording_the_whole_sheet_takes_no_more_statements_than_one_donne() -> None:
    table = b.a_table()
    b.a_donne(table=b.a_table())
    with CaptureQueriesContext(connection) as queries:
        record = save(table, lines(b.the_fft_sheet()))
    assert len(record) == 5
    assert len([query for query in queries.captured_queries if "SAVEPOINT" not in query["sql"]]) == 11


def test_record_and_correct_take_words_and_reasons_alike() -> None:
    table = b.a_table()
    donne = record_donne(
        table=table, number=1, entry=b.cancelled(), by=b.an_actor(), key=uuid4(), reason="TABLE", text="trop de cartes"
    )
    assert donne.reason == "TABLE"
    assert Event.objects.get(table=table).text == "trop de cartes"
