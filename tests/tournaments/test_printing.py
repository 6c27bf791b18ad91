"""Score sheets and rankings read back from their PDF: every figure in its box, no row cut, no address fetched."""

import re
import socketserver
import threading
from collections.abc import Iterator, Sequence
from itertools import pairwise

import pytest
from django.utils import translation
from fontTools.ttLib import TTFont

from jobs import files, running
from jobs.models import Job, JobState
from players.models import Person
from scoring import FFT
from tests.builders import (
    FFT_MARKS,
    FFT_NETS,
    a_donne,
    a_drawn_session,
    a_person,
    a_session,
    a_table,
    a_written,
    an_actor,
    an_entrant,
    cancelled,
    fill_table,
    net_lines,
    not_played,
    removed,
    some_nets,
    table_of,
    the_fft_sheet,
)
from tests.pdf import Page, Word, read_pdf
from tournaments.models import Game, Method, Round, Session, Table, Tournament
from tournaments.printing import Fill, RankingOrder, press
from tournaments.services.printing import ask_for_ranking, ask_for_sheets

pytestmark = pytest.mark.django_db

HALF_PAGE = 841.89 / 2
LONG = "Grœninger-Vœltzel de la Très-Sainte-Trinité d'Orgeval-Çelik"


@pytest.fixture(autouse=True)
def _in_french(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.setattr(running, "BEAT_SECONDS", 600)  # the test's transaction holds what a heart would write
    with translation.override("fr"):
        yield


def printed(job: Job) -> tuple[Page, ...]:
    """Do a printing job and read its PDF."""
    running.run_job(job.pk)
    job.refresh_from_db()
    assert (job.state, job.error_code) == (JobState.DONE, "")
    path = files.path_of(job)
    assert path is not None
    return read_pdf(path)


def sheets_of(table_or_session: Table | Session, fill: Fill, *, position: int = 1) -> tuple[Page, ...]:
    """Print the sheets of a position and read them."""
    session = table_or_session if isinstance(table_or_session, Session) else table_or_session.round.session
    found = Round.objects.select_related("session__tournament__club", "session__tournament__rules").get(
        session=session, number=position
    )
    return printed(ask_for_sheets(position=found, fill=fill, by=an_actor()))


def ranking_of(
    session: Session, order: RankingOrder = RankingOrder.RANK, *, only: int | None = None
) -> tuple[Page, ...]:
    """Print a ranking and read it."""
    return printed(ask_for_ranking(session=session, only=only, order=order, by=an_actor()))


def text_of(words: Sequence[Word]) -> str:
    """Return words line by line, as one reads, and not in the order of their boxes in the file."""
    lines: list[list[Word]] = []
    for word in sorted(words, key=lambda word: word.top + word.bottom):
        middle = (word.top + word.bottom) / 2
        if lines and middle - (lines[-1][0].top + lines[-1][0].bottom) / 2 < 3:
            lines[-1].append(word)
        else:
            lines.append([word])
    return " ".join(word.text for line in lines for word in sorted(line, key=lambda word: word.left))


def halves(page: Page) -> list[list[Word]]:
    """Return the words of the two sheets of a page."""
    top = [word for word in page.words if word.bottom < HALF_PAGE]
    bottom = [word for word in page.words if word.top > HALF_PAGE]
    assert len(top) + len(bottom) == len(page.words), "a word lies across the cut"
    return [half for half in (top, bottom) if half]


def row_tops(words: Sequence[Word]) -> dict[str, Word]:
    """Return the label of each row of a sheet from top to bottom: "1" … "12", "Total", "Bilan"."""
    rows = {}
    for label in sorted(words, key=lambda word: word.top):
        if label.text == "Donne":
            beside = [word for word in words if abs(word.top - label.top) < 2 and 0 < word.left - label.right < 6]
            rows.update({word.text: label for word in beside})
        elif label.text in {"Total", "Bilan"} and label.left < 60:
            rows[label.text] = label
    return rows


def boxes(words: Sequence[Word]) -> dict[str, list[str]]:
    """Return, for each row, what stands in its eight (ten) half columns, told by the + and − above them."""
    rows = row_tops(words)
    head = min(rows.values(), key=lambda word: word.top)
    signs = [word for word in words if word.text in {"+", "−"} and word.bottom <= head.top]
    columns = sorted(signs, key=lambda word: word.left)
    middles = [(sign.left + sign.right) / 2 for sign in columns]
    reach = min(after - before for before, after in pairwise(middles)) / 2
    found = {}
    for name, label in rows.items():
        line = [word for word in words if abs((word.top + word.bottom) - (label.top + label.bottom)) < 8]
        found[name] = [
            " ".join(word.text for word in line if abs((word.left + word.right) / 2 - middle) < reach)
            for middle in middles
        ]
        for word in line:
            for middle in middles:
                if abs((word.left + word.right) / 2 - middle) < reach:
                    assert middle - reach < word.left
                    assert word.right < middle + reach
    return found


def in_boxes(marks: Sequence[int]) -> list[str]:
    """Return marks as the paper holds them: without a sign, under + or under −."""
    return [text for mark in marks for text in ((str(mark), "") if mark >= 0 else ("", str(-mark)))]


def test_the_ffts_own_sheet_reads_back_with_the_same_figures_in_its_boxes() -> None:
    table = a_table()
    for number, entry in enumerate(the_fft_sheet(), start=1):
        a_donne(table=table, number=number, entry=entry)

    (page,) = sheets_of(table, Fill.RESULTS)

    (words,) = halves(page)
    found = boxes(words)
    for number, marks in enumerate(FFT_MARKS, start=1):
        assert found[str(number)] == in_boxes(marks)
    assert found["Total"] == ["318", "764", "1746", "400", "360", "750", "270", "780"]
    assert found["Bilan"] == ["", "−446", "+1346", "", "", "−390", "", "−510"]
    assert "somme des bilans = 0" in text_of(words)
    assert ["Garde", "G.", "Sans"][0] in page.text


def test_marks_copied_from_paper_read_back_too() -> None:
    table = a_table()
    for number, marks in enumerate(FFT_MARKS, start=1):
        a_donne(table=table, number=number, entry=a_written(*marks, contract=None))
    (page,) = sheets_of(table, Fill.RESULTS)
    assert boxes(halves(page)[0])["5"] == in_boxes(FFT_MARKS[4])


def test_a_sheet_that_stands_on_its_nets_prints_these_and_no_marks() -> None:
    table = a_table()
    some_nets(table=table)
    (page,) = sheets_of(table, Fill.RESULTS)
    found = boxes(halves(page)[0])
    assert found["1"] == [""] * 8
    assert found["Bilan"] == ["", "−446", "+1346", "", "", "−390", "", "−510"]
    assert sum(FFT_NETS) == 0


def test_what_was_not_played_removed_or_cancelled_is_said_in_words() -> None:
    table = a_table(donnes=4)
    a_donne(table=table, number=1)
    a_donne(table=table, number=2, entry=removed())
    a_donne(table=table, number=3, entry=cancelled())
    a_donne(table=table, number=4, entry=not_played())
    (page,) = sheets_of(table, Fill.RESULTS)
    found = boxes(halves(page)[0])
    assert all(word in page.text for word in ("Supprimée", "Annulée", "Non jouée"))
    assert (found["2"], found["3"], found["4"]) == (["–"] * 8, [""] * 8, ["–"] * 8)


@pytest.mark.parametrize("fill", [Fill.BLANK, Fill.NAMES])
def test_a_sheet_for_the_table_never_holds_an_old_result(fill: Fill) -> None:
    table = a_table()
    fill_table(table)
    (page,) = sheets_of(table, fill)
    found = boxes(halves(page)[0])
    assert {text for texts in found.values() for text in texts} == {""}


def test_the_words_of_the_ffts_sheet_are_on_ours_and_no_dealer_is() -> None:
    session = a_drawn_session(players=8)
    Round.objects.update(method=Method.FFT, colour="vert")
    (page,) = sheets_of(session, Fill.NAMES)
    upper, lower = halves(page)
    text = text_of(upper)
    for words in (
        "BIENVENUE ET BONNE CHANCE",
        "Position n° : 1 vert",
        "3 octobre 2026",
        "Table n° : 1",
        "Nord 1 Sud 1 Est 1 Ouest 1",
        "Nom Prénom",
        "Contrat",
        "Contrôle : somme des bilans =",
        "TABLEAU DE MARQUE",
        "Nord tient la marque à cette table.",
        "Tournoi d'automne",
    ):
        assert words in text
    assert "Table n° : 2" in text_of(lower)
    assert not re.search("donneur|dealer", text, re.IGNORECASE)
    for entrant in session.entrants.all():
        assert str(entrant.person) in page.text


def test_the_scale_is_computed_from_the_rules_of_the_tournament() -> None:
    table = a_table()
    rules = table.round.session.tournament.rules
    rules.pk, rules.name, rules.base, rules.petit_au_bout, rules.poignee_double = None, "Maison", 35, 13, 37
    rules.frozen_at = None
    rules.save()
    Tournament.objects.filter(pk=table.round.session.tournament_id).update(rules=rules)

    (page,) = sheets_of(table, Fill.BLANK)

    for contract, factor in FFT.coefficients.items():
        label = contract.value.upper().replace("_", " ")
        assert f"{label} {35 * factor} ×{factor} {13 * factor} 20 37 40" in text_of(page.words)


def test_blank_sheets_hold_no_name_and_no_number() -> None:
    session = a_drawn_session(players=8)
    (page,) = sheets_of(session, Fill.BLANK)
    assert not any(str(entrant.person.last_name) in page.text for entrant in session.entrants.all())
    assert "Nord Sud Est Ouest" in text_of(page.words)


def test_under_random_seating_a_player_is_told_by_number() -> None:
    session = a_drawn_session(players=8)
    (page,) = sheets_of(session, Fill.NAMES)
    assert "Nord n° 1 Sud n° 2 Est n° 3 Ouest n° 4" in text_of(page.words)


def test_at_three_south_keeps_the_score_and_handfuls_take_more_trumps() -> None:
    (page,) = sheets_of(a_drawn_session(players=3, rounds=1), Fill.NAMES)
    assert "Sud tient la marque à cette table." in page.text
    assert "Poignée Double Triple" in text_of(page.words)
    assert "13 15 18" in text_of(page.words)


def test_at_five_with_a_mort_there_are_five_columns_and_the_mort_shows_a_dash() -> None:
    table = a_table(players=5, game_of_five=Game.MORT)
    a_donne(table=table, entry=a_written(318, -106, -106, -106, places="NSEO", sitting_out="C"))
    (page,) = sheets_of(table, Fill.RESULTS)
    assert "Le mort donne et ne joue pas" in page.text
    assert boxes(halves(page)[0])["1"] == ["318", "", "", "106", "", "106", "", "106", "–", "–"]


@pytest.mark.parametrize(("donnes", "players"), [(1, 4), (5, 5), (7, 4), (8, 4), (12, 3), (12, 4), (12, 5)])
def test_no_row_is_cut_whatever_the_number_of_donnes_and_the_names(donnes: int, players: int) -> None:
    session = a_drawn_session(players=players, donnes=donnes, rounds=1)
    hostile = [LONG, "W" * 60, "D'Arçy <b>", "i" * 60, "&amp; <script>alert(1)</script> \u202e\u200d"]
    for entrant, name in zip(session.entrants.all(), hostile, strict=False):
        Person.objects.filter(pk=entrant.person_id).update(last_name=name, first_name="M" * 60)
    Tournament.objects.filter(pk=session.tournament_id).update(name="Œ" * 120)

    (page,) = sheets_of(session, Fill.NAMES)

    (words,) = halves(page)
    rows = row_tops(words)
    assert list(rows) == [*(str(number) for number in range(1, donnes + 1)), "Total", "Bilan"]
    tops = [word.top for word in rows.values()]
    assert tops == sorted(tops)
    if donnes > 1:
        steps = [after - before for before, after in pairwise(tops[:donnes])]
        assert min(steps) > 14  # five millimetres to write in
        assert max(steps) - min(steps) < 0.5
    assert max(word.bottom for word in words) < HALF_PAGE - 5
    assert max(word.right for word in words) < page.width - 20


def test_names_stay_inside_their_boxes() -> None:
    session = a_drawn_session(players=4, rounds=1)
    for entrant, name in zip(session.entrants.all(), [LONG, "W" * 60, "D'Arçy <b>", "Ng"], strict=True):
        Person.objects.filter(pk=entrant.person_id).update(last_name=name, first_name="")
    (page,) = sheets_of(session, Fill.NAMES)
    (words,) = halves(page)
    titles = [next(word for word in words if word.text == place) for place in ("Nord", "Sud", "Est", "Ouest")]
    heads = next(word for word in words if word.text == "Contrat")
    names = [w for w in words if titles[0].bottom < w.top and w.bottom < heads.top + 1 and w.left > 150]
    middles = [(title.left + title.right) / 2 for title in titles]
    reach = (middles[1] - middles[0]) / 2
    of_east = [word.text for word in names if abs((word.left + word.right) / 2 - middles[2]) < reach]
    assert of_east == ["D'Arçy", "<b>"]
    assert LONG.split()[0] in page.text
    for word in names:
        middle = min(middles, key=lambda middle: abs(middle - (word.left + word.right) / 2))
        assert middle - reach < word.left
        assert word.right < middle + reach


def test_an_odd_number_of_sheets_leaves_half_a_page() -> None:
    session = a_drawn_session(players=12, rounds=1)
    pages = sheets_of(session, Fill.BLANK)
    assert [len(halves(page)) for page in pages] == [2, 1]


def test_every_sheet_of_eleven_tables_is_there_once_in_order() -> None:
    session = a_drawn_session(players=42, rounds=1)
    pages = sheets_of(session, Fill.NAMES)
    sheets = [text_of(half) for page in pages for half in halves(page)]
    found = [re.search(r"Table n° : (\d+)", sheet) for sheet in sheets]
    assert [int(match[1]) for match in found if match] == list(range(1, 12))
    assert all("Tournoi d'automne" in sheet for sheet in sheets)


def test_the_same_paper_asked_for_by_a_hundred_clicks_is_made_once_and_again_after_a_change() -> None:
    session = a_drawn_session(players=4, rounds=1)
    position = Round.objects.select_related("session__tournament__club", "session__tournament__rules").get()
    first = {ask_for_sheets(position=position, fill=Fill.NAMES, by=an_actor()).pk for _ in range(100)}
    assert len(first) == 1
    assert (
        len({ask_for_ranking(session=session, only=None, order=RankingOrder.RANK, by=an_actor()).pk for _ in range(9)})
        <= 2
    )
    results = ask_for_sheets(position=position, fill=Fill.RESULTS, by=an_actor())
    a_donne(table=table_of(session))
    assert ask_for_sheets(position=position, fill=Fill.RESULTS, by=an_actor()) != results
    Person.objects.filter(entries__session=session).update(last_name="Autre")
    assert ask_for_sheets(position=position, fill=Fill.NAMES, by=an_actor()).pk not in first


def test_a_ranking_has_its_heading_event_moment_and_page_on_every_page() -> None:
    session = a_session(players=0, rounds=1)
    for number in range(1, 49):
        an_entrant(session, person=a_person(club=session.tournament.club, last_name=f"N{number:03}"), number=number)
    seat_everybody(session)
    pages = ranking_of(session)
    assert len(pages) == 2
    for number, page in enumerate(pages, start=1):
        assert "Tournoi d'automne" in page.text
        assert "Classement général provisoire" in page.text
        assert "Classement à " in page.text or "Classement arrêté à " in page.text
        assert "Rang N° Nom P1 Cumul" in text_of(page.words)
        assert f"Page {number} sur 2" in page.text
    listed = re.findall(r"\bN\d{3}\b", " ".join(page.text for page in pages))
    assert sorted(listed) == [f"N{number:03}" for number in range(1, 49)]


def seat_everybody(session: Session) -> None:
    """Give a session one position in which every table stands on the same nets."""
    position = Round.objects.create(session=session, number=1, method=Method.RANDOM)
    entrants = list(session.entrants.order_by("number"))
    for start in range(0, len(entrants), 4):
        table = Table.objects.create(round=position, number=start // 4 + 1)
        for place, entrant in zip("NSEO", entrants[start : start + 4], strict=True):
            table.seats.create(round=position, place=place, entrant=entrant)
    Session.objects.filter(pk=session.pk).update(state="RUNNING")
    for table in Table.objects.filter(round=position).select_related("round__session__tournament__club"):
        some_nets(table=table)


def test_a_ranking_prints_shared_ranks_true_minus_and_the_ledgers_totals() -> None:
    session = a_drawn_session(players=8, rounds=1)
    for number in (1, 2):
        some_nets(table=table_of(session, number=number), nets=net_lines(200, 0, -100, -100))
    (page,) = ranking_of(session)
    lines = re.findall(r"(\d(?: ex æquo)?) \d \S+ Camille \S+ (\S+)", text_of(page.words))
    assert lines == [
        ("1 ex æquo", "+200"),
        ("1 ex æquo", "+200"),
        ("3 ex æquo", "0"),
        ("3 ex æquo", "0"),
        *[("5 ex æquo", "−100")] * 4,
    ]


def test_a_ranking_by_name_is_in_the_order_of_names() -> None:
    session = a_drawn_session(players=4, rounds=1)
    for entrant, name in zip(session.entrants.all(), ["Zola", "Évrard", "Abel", "Martin"], strict=True):
        Person.objects.filter(pk=entrant.person_id).update(last_name=name)
    some_nets(table=table_of(session))
    (page,) = ranking_of(session, RankingOrder.NAME)
    places = [page.text.index(name) for name in ("Abel", "Évrard", "Martin", "Zola")]
    assert places == sorted(places)
    assert "pour vérifier vos scores" in page.text


def test_a_ranking_of_many_positions_lies_across_and_one_of_a_position_is_named_by_it() -> None:
    session = a_drawn_session(players=4, rounds=8)
    for number in range(1, 9):
        some_nets(table=table_of(session, position=number))
    (page,) = ranking_of(session)
    assert page.width > page.height
    assert all(f"P{number}" in page.text for number in range(1, 9))
    (page,) = ranking_of(session, only=3)
    assert page.width < page.height
    assert "Classement de la position 3" in page.text


def test_a_ranking_of_nobody_says_so() -> None:
    (page,) = ranking_of(a_session(players=0))
    assert "Pas encore de classement" in page.text


def test_paper_is_made_in_the_language_it_was_asked_in() -> None:
    with translation.override("en"):
        job = ask_for_ranking(session=a_session(players=0), only=None, order=RankingOrder.RANK, by=an_actor())
    (page,) = printed(job)
    assert "Overall ranking, provisional" in page.text


def vectors(address: str) -> list[str]:
    """Return twenty ways a piece of HTML has a renderer call an address or read a file."""
    return [
        f"<img src={address}>",
        f'<link rel=stylesheet href="{address}">',
        f"<style>@import url({address});</style>",
        f"<style>@font-face{{font-family:x;src:url({address})}} *{{font-family:x}}</style>",
        f'<p style="background:url({address})">x</p>',
        f'<ul style="list-style-image:url({address})"><li>x</ul>',
        f'<p style="border-image-source:url({address})">x</p>',
        f'<link rel=attachment href="{address}">',
        f'<a rel=attachment href="{address}">x</a>',
        f"<object data={address}></object>",
        f"<embed src={address}>",
        f"<iframe src={address}></iframe>",
        f"<svg><image href='{address}' width=9 height=9 /></svg>",
        f"<svg><use href='{address}#a' /></svg>",
        f"<base href='{address}'><img src=x>",
        f"<style>p::before{{content:url({address})}}</style><p>x</p>",
        f"<style>@page{{background:url({address})}}</style>",
        f"<input type=image src={address}>",
        f"<video poster={address}></video>",
        f"<style>p{{mask:url({address});cursor:url({address})}}</style><p>x</p>",
    ]


class Listener(socketserver.ThreadingTCPServer):
    """Counts who calls."""

    hits = 0
    allow_reuse_address = True


class Hit(socketserver.BaseRequestHandler):
    """Counts one call and hangs up."""

    def handle(self) -> None:
        Listener.hits += 1


@pytest.fixture
def listener() -> Iterator[str]:
    """Listen on a port of this machine; return its address."""
    Listener.hits = 0
    with Listener(("127.0.0.1", 0), Hit) as server:
        thread = threading.Thread(target=server.serve_forever, daemon=True)
        thread.start()
        yield f"http://127.0.0.1:{server.server_address[1]}/x.png"
        server.shutdown()
        thread.join()


def test_names_that_are_pieces_of_html_fetch_nothing_and_are_printed_as_letters(listener: str) -> None:
    session = a_drawn_session(players=20, rounds=1)
    for entrant, vector in zip(session.entrants.all(), vectors(listener), strict=True):
        Person.objects.filter(pk=entrant.person_id).update(last_name=vector[:60], first_name=vector[60:120])
    Tournament.objects.filter(pk=session.tournament_id).update(
        name=f"<img src={listener}>", place=f"<img src={listener}>"
    )
    for number in range(1, 6):
        some_nets(table=table_of(session, number=number))
    sheets_of(session, Fill.NAMES)
    pages = ranking_of(session)
    assert "<img" in pages[0].text
    assert Listener.hits == 0


@pytest.mark.parametrize("scheme", ["http", "file"])
def test_even_html_that_was_not_escaped_fetches_nothing(listener: str, scheme: str) -> None:
    address = listener if scheme == "http" else "file:///etc/passwd"
    for vector in vectors(address):
        assert b"root:" not in press.pdf(f"<!DOCTYPE html><body>{vector}</body>", "")
    assert Listener.hits == 0


@pytest.mark.parametrize("address", ["print:../../manage.py", "print:/etc/passwd", "print:", "PRINT:x", "data:,x"])
def test_the_fetcher_knows_the_shipped_fonts_by_name_and_nothing_else(address: str) -> None:
    with pytest.raises(ValueError, match="nothing but its own fonts"):
        press.OwnFilesFetcher().fetch(address)


def test_the_figures_of_the_shipped_fonts_share_one_width_and_every_letter_is_there() -> None:
    for name in press.FONTS:
        font = TTFont(press.font_path(name))
        letters, widths = font.getBestCmap(), font["hmtx"]
        assert len({widths[letters[ord(figure)]][0] for figure in "0123456789+−"}) == 1
        assert all(ord(letter) in letters for letter in "½−–×·œŒéÉèàçÇïëÿłőş’«»\u00a0")
