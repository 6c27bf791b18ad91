"""The compact keys of the desk: what each line tells, and that it is written back by the same keys."""

import pytest

from scoring import Camp, Chelem, Contract, DonneEntry, MarksEntry, Poignee, PoigneeSize
from tests.builders import FFT_CONTRACTS, FFT_MARKS
from tournaments.forms.compact import (
    Outcome,
    Told,
    UnreadableLineError,
    Way,
    half_points,
    read_line,
    whole_number,
    write_line,
)

FFT_TAKERS = (2, 3, 1, 0, 1)
FFT_IN_MARKS = ("EG106", "OS76", "SP-42", "NG92", "SG582")
FFT_IN_DIGITS = ("32106", "4376", "21-42", "1292", "22582")
FFT_IN_DETAIL = ("EG249bp", "OS245b-", "SP234bp", "NG252p-", "SG287bpc+")


@pytest.mark.parametrize("lines", [FFT_IN_MARKS, FFT_IN_DIGITS], ids=["letters", "digits"])
def test_the_ffts_own_sheet_is_read_from_the_keys_of_the_marks(lines: tuple[str, ...]) -> None:
    for line, marks, contract, taker in zip(lines, FFT_MARKS, FFT_CONTRACTS, FFT_TAKERS, strict=True):
        told = read_line(line, way=Way.MARKS, places="NSEO")
        assert told == Told(entry=MarksEntry(players=4, contract=contract, marks=marks, taker=taker))


def test_the_ffts_own_sheet_costs_the_keys_the_desk_counts_on() -> None:
    def keys(lines: tuple[str, ...]) -> int:
        return len("3⏎") + sum(len(line) + 1 for line in lines)

    assert keys(("-446", "1346", "-390", "-510")) == 22
    assert keys(FFT_IN_MARKS) == 30
    assert keys(FFT_IN_DIGITS) == 30
    assert keys(FFT_IN_DETAIL) == 44


def _detail(**changes: object) -> DonneEntry:
    values: dict[str, object] = {"players": 4, "taker": 2, "contract": Contract.GARDE, "bouts": 2, "half_points": 98}
    return DonneEntry(**(values | changes))  # type: ignore[arg-type]  # each test names a field of the entry


SIMPLE, DOUBLE, TRIPLE = PoigneeSize
ATTACK, DEFENCE = Camp


@pytest.mark.parametrize(
    ("line", "entry"),
    [
        ("EG249", _detail()),
        ("eg249", _detail()),
        ("32249", _detail()),
        ("E G 2 49", _detail()),
        ("EG249b", _detail(petit_au_bout=ATTACK)),
        ("EG249b-", _detail(petit_au_bout=DEFENCE)),
        ("EG249p", _detail(poignees=(Poignee(SIMPLE, ATTACK),))),
        ("EG249pp", _detail(poignees=(Poignee(DOUBLE, ATTACK),))),
        ("EG249ppp-", _detail(poignees=(Poignee(TRIPLE, DEFENCE),))),
        ("EG249p p-", _detail(poignees=(Poignee(SIMPLE, ATTACK), Poignee(SIMPLE, DEFENCE)))),
        ("EG249p-p-", _detail(poignees=(Poignee(SIMPLE, DEFENCE), Poignee(SIMPLE, DEFENCE)))),
        ("SG287bpc+", _detail(taker=1, half_points=174, petit_au_bout=ATTACK, poignees=(Poignee(SIMPLE, ATTACK),),
                              chelem=Chelem.ANNOUNCED_MADE)),
        ("EG287c", _detail(half_points=174, chelem=Chelem.UNANNOUNCED_MADE)),
        ("EG249c-", _detail(chelem=Chelem.ANNOUNCED_FAILED)),
        ("EG04cd", _detail(bouts=0, half_points=8, chelem=Chelem.DEFENCE)),
        ("EG04c-d", _detail(bouts=0, half_points=8, chelem=Chelem.ANNOUNCED_LOST_TO_DEFENCE)),
        ("NC30", _detail(taker=0, contract=Contract.GARDE_CONTRE, bouts=3, half_points=0)),
        ("SS241,", _detail(taker=1, contract=Contract.GARDE_SANS, half_points=83)),
        ("EG241,5b", _detail(half_points=83, petit_au_bout=ATTACK)),
        ("EG241.5", _detail(half_points=83)),
        ("EG241½", _detail(half_points=83)),
        ("EG249b−", _detail(petit_au_bout=DEFENCE)),
    ],
)  # fmt: skip
def test_a_line_in_detail_tells_this_donne(line: str, entry: DonneEntry) -> None:
    assert read_line(line, way=Way.DETAIL, places="NSEO") == Told(entry=entry)


@pytest.mark.parametrize(
    ("line", "marks"),
    [
        ("NP-25", (-75, 25, 25, 25)),
        ("NP−25", (-75, 25, 25, 25)),
        ("NP+25", (75, -25, -25, -25)),
        ("NP0", (0, 0, 0, 0)),
        ("OC1346", (-1346, -1346, -1346, 4038)),
        ("EG 318 -106 -106 -106", (318, -106, -106, -106)),
        ("NS1200", (3600, -1200, -1200, -1200)),
    ],
)
def test_a_line_of_marks_tells_these(line: str, marks: tuple[int, ...]) -> None:
    told = read_line(line, way=Way.MARKS, places="NSEO")
    assert isinstance(told.entry, MarksEntry)
    assert told.entry.marks == marks


def test_seats_keep_their_column_at_a_table_of_three() -> None:
    told = read_line("32106", way=Way.MARKS, places="SEO")
    assert told.entry == MarksEntry(players=3, contract=Contract.GARDE, marks=(-106, 212, -106), taker=1)


@pytest.mark.parametrize(
    ("line", "told"),
    [
        ("/", Told(outcome=Outcome.NOT_PLAYED)),
        ("x2", Told(outcome=Outcome.CANCELLED, reason="2")),
        ("X 4", Told(outcome=Outcome.CANCELLED, reason="4")),
        ("xs", Told(outcome=Outcome.REMOVED)),
    ],
)
def test_a_slot_without_a_donne_has_its_keys(line: str, told: Told) -> None:
    assert read_line(line, way=Way.DETAIL, places="NSEO") == told


@pytest.mark.parametrize(
    ("way", "line", "code"),
    [
        (Way.MARKS, "", "SEAT_UNREADABLE"),
        (Way.MARKS, "Z", "SEAT_UNREADABLE"),
        (Way.MARKS, "6G106", "SEAT_UNREADABLE"),
        (Way.MARKS, "ß", "SEAT_UNREADABLE"),
        (Way.MARKS, "CG106", "SEAT_EMPTY"),
        (Way.MARKS, "5G106", "SEAT_EMPTY"),
        (Way.MARKS, "E", "CONTRACT_MISSING"),
        (Way.MARKS, "EX106", "CONTRACT_UNKNOWN"),
        (Way.MARKS, "E5106", "CONTRACT_UNKNOWN"),
        (Way.MARKS, "EG", "MARK_MISSING"),
        (Way.MARKS, "EG-", "MARK_MISSING"),
        (Way.MARKS, "EG1O6", "MARK_UNREADABLE"),
        (Way.MARKS, "EG10,5", "MARK_UNREADABLE"),
        (Way.MARKS, "EG--5", "MARK_UNREADABLE"),
        (Way.MARKS, "EG12345678901234567890", "MARK_UNREADABLE"),
        (Way.MARKS, "EG١٠٦", "MARK_UNREADABLE"),
        (Way.MARKS, "x", "REASON_DIGIT"),
        (Way.MARKS, "x5", "REASON_DIGIT"),
        (Way.MARKS, "E" * 61, "TEXT_TOO_LONG"),
        (Way.DETAIL, "EG", "BOUTS_MISSING"),
        (Way.DETAIL, "EGb", "BOUTS_MISSING"),
        (Way.DETAIL, "EG²49", "BOUTS_MISSING"),
        (Way.DETAIL, "EG2", "POINTS_MISSING"),
        (Way.DETAIL, "EG2b", "POINTS_MISSING"),
        (Way.DETAIL, "EG249,3", "POINTS_UNREADABLE"),
        (Way.DETAIL, "EG249z", "LETTERS_UNKNOWN"),
        (Way.DETAIL, "EG249=", "LETTERS_UNKNOWN"),
        (Way.DETAIL, "EG249bb", "LETTER_TWICE"),
        (Way.DETAIL, "EG249cc+", "LETTER_TWICE"),
    ],
)
def test_a_line_that_cannot_be_read_says_why(way: Way, line: str, code: str) -> None:
    with pytest.raises(UnreadableLineError) as refused:
        read_line(line, way=way, places="NSEO")
    assert refused.value.problem.code == code


@pytest.mark.parametrize("line", [*FFT_IN_MARKS, "NP0", "EG 318 -106 -106 -106", "/", "xs", "x3"])
def test_a_line_of_marks_is_written_back_by_its_own_keys(line: str) -> None:
    assert write_line(read_line(line, way=Way.MARKS, places="NSEO"), places="NSEO") == line


@pytest.mark.parametrize("line", [*FFT_IN_DETAIL, "EG241,b-pp- p", "EG04c-d", "OC287p p-c"])
def test_a_line_in_detail_is_written_back_by_its_own_keys(line: str) -> None:
    assert write_line(read_line(line, way=Way.DETAIL, places="NSEO"), places="NSEO") == line


def test_marks_without_a_taker_or_a_contract_have_no_keys() -> None:
    assert write_line(Told(entry=MarksEntry(players=4, contract=None, marks=(1, 1, 1, -3))), places="NSEO") == ""


@pytest.mark.parametrize(
    ("text", "number"),
    [("-446", -446), ("−446", -446), ("+1 346", 1346), ("1 346", 1346), ("0", 0), ("—5", -5), ("\u20115", -5)],
)
def test_a_net_is_read_with_any_minus_and_spaces(text: str, number: int) -> None:
    assert whole_number(text) == number


@pytest.mark.parametrize("text", ["", "-", "+", "4,5", "1e3", "0x10", "1234567", "NaN"])
def test_what_is_no_whole_number_is_refused(text: str) -> None:
    with pytest.raises(UnreadableLineError):
        whole_number(text)


@pytest.mark.parametrize(
    ("text", "halves"),
    [
        ("49", 98),
        ("41,5", 83),
        ("41.5", 83),
        ("41½", 83),
        ("41,", 83),
        ("41,0", 82),
        ("0", 0),
        ("91", 182),
        ("106", 212),
    ],
)
def test_points_are_read_with_comma_or_point(text: str, halves: int) -> None:
    assert half_points(text) == halves


def test_the_ways_follow_each_other_in_a_ring() -> None:
    assert [way.following for way in Way] == [Way.MARKS, Way.DETAIL, Way.NETS]
