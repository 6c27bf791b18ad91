"""A whole evening of 22 players in a real browser, by keyboard alone, from the first page to the locked ranking."""

import re
from dataclasses import dataclass
from pathlib import Path

import pytest
from django.core.management import call_command
from playwright.sync_api import Locator, Page, expect

from players.first_code import read_or_make_code
from tests.browser import Browsing, Watch
from tests.conftest import StartCommand
from tests.pdf import Page as Paper
from tests.pdf import read_pdf
from tests.servers import Server
from tournaments.models import DeskState, Donne, RoomState, Round, Seat, Session, SessionState, SheetNet, Table

NAMES = (
    "ALBATROS Line", "BOUVREUIL Marc", "CORMORAN Elsa", "DINDON Paul", "ÉPERVIER Zoé", "FAISAN Luc", "GEAI Inès",
    "HÉRON Guy", "IBIS Léa", "JASEUR Tom", "KIWI Eva", "LORIOT Max", "MÉSANGE Ida", "NANDOU Yan", "OUTARDE Mia",
    "PINSON Jo", "QUISCALE Ana", "ROITELET Noé", "SITTELLE Lou", "TARIN Ugo", "VERDIER Ève", "ZOSTÉROPS D'Arçy",
)  # fmt: skip
# The federation's own sheet: its four nets, and its five deals in the two other ways of entering them.
NETS = ("-446", "1346", "-390", "-510")
MARKS = ("EG106", "OS76", "SP-42", "NG92", "SG582")
DETAIL = ("EG249bp", "OS245b-", "SP234bp", "NG252p-", "SG287bpc+")
OFFICIAL = {"N": -446, "S": 1346, "E": -390, "O": -510}


@dataclass(slots=True)
class Keyboard:
    """An arbiter who has no mouse."""

    page: Page

    def to(self, target: Locator) -> None:
        """Reach a control by Tab, as somebody without a mouse would, and fail when it cannot be reached."""
        expect(target).to_be_visible()
        for _ in range(250):
            if target.evaluate("element => element === document.activeElement"):
                return
            self.page.keyboard.press("Tab")
        raise AssertionError(f"Tab never reaches {target}")

    def press(self, selector: str) -> None:
        """Reach a link or a button and press Enter."""
        self.to(self.page.locator(selector).first)
        self.page.keyboard.press("Enter")

    def fill(self, selector: str, text: str) -> None:
        """Reach a field and replace what it holds."""
        self.to(self.page.locator(selector))
        self.page.keyboard.press("Control+A")
        self.page.keyboard.type(text)

    def lines(self, *lines: str) -> None:
        """Type each line and Enter where the cursor is."""
        for line in lines:
            self.page.keyboard.type(line)
            self.page.keyboard.press("Enter")


def nets_of(table: Table) -> list[str]:
    """Return four (or three) nets that add up to zero, different at every table."""
    places = table.seats.count()
    step = 10 * table.number + 2 * table.round.number
    return [str(step)] * (places - 1) + [str(-step * (places - 1))]


def open_sheet(keyboard: Keyboard, table: Table) -> None:
    """Type the table's number at the desk."""
    expect(keyboard.page.locator("#table")).to_be_focused()
    keyboard.lines(str(table.number))
    expect(keyboard.page.locator("form.sheet [data-key], form.sheet a.button-primary").first).to_be_focused()


def choose_way(keyboard: Keyboard, way: str) -> None:
    """Go on to the next way of entering until `way` is the one in use."""
    for _ in range(3):
        form = keyboard.page.locator("form.sheet")
        current = form.get_attribute("data-way")
        if current == way:
            return
        keyboard.lines("+")
        expect(form).not_to_have_attribute("data-way", current or "")
        expect(form.locator("[data-key]").first).to_be_focused()
    raise AssertionError(f"the way {way} was not found")


def enter(keyboard: Keyboard, table: Table, way: str, lines: tuple[str, ...]) -> None:
    """Open a table's sheet, enter it and land at the desk again."""
    open_sheet(keyboard, table)
    choose_way(keyboard, way)
    keyboard.lines(*lines)
    expect(keyboard.page.locator("#table")).to_be_focused()


def printed(keyboard: Keyboard, selector: str, folder: Path) -> tuple[Paper, ...]:
    """Ask for a print, wait for it and read it back."""
    page = keyboard.page
    keyboard.press(selector)
    link = page.locator("a[href$='/fichier/']")
    expect(link).to_be_visible(timeout=60_000)
    address = link.get_attribute("href")
    assert address
    answer = page.request.get(address)
    assert answer.ok
    path = folder / "printed.pdf"
    path.write_bytes(answer.body())
    return read_pdf(path)


def ledger_of(table: Table) -> dict[str, int]:
    """Return what each seat has in the ledger, by the table's one basis."""
    nets = dict(SheetNet.objects.filter(table=table, is_current=True).values_list("place", "net"))
    totals: dict[str, int] = {}
    for donne in Donne.objects.filter(table=table).current():
        for mark in donne.marks.all():
            totals[mark.place] = totals.get(mark.place, 0) + mark.points
    return totals or nets


def first_page(keyboard: Keyboard, code: str) -> None:
    """Create the club and its first administrator with the one-time code."""
    page = keyboard.page
    page.goto("/")
    keyboard.fill("[name=code]", code)
    keyboard.fill("[name=club_name]", "Les Oiseaux du lundi")
    keyboard.fill("[name=username]", "arbitre")
    keyboard.fill("[name=password]", "trois-bouts-au-chien")
    keyboard.fill("[name=password_again]", "trois-bouts-au-chien")
    page.keyboard.press("Enter")
    expect(page.locator(".brand")).to_contain_text("Les Oiseaux du lundi")


def members(keyboard: Keyboard) -> None:
    """Paste the club's list."""
    page = keyboard.page
    keyboard.press("a[href='/membres/']")
    keyboard.press("a[href='/membres/coller/']")
    keyboard.to(page.locator("textarea"))
    page.keyboard.insert_text("\n".join(f"{name}; 70000{number:02d}" for number, name in enumerate(NAMES)))
    keyboard.press("button[name=check]")
    keyboard.press("button[name=confirm]")
    expect(page.locator("#people-list")).to_contain_text("ZOSTÉROPS")


def tournament(keyboard: Keyboard) -> Session:
    """Create a published tournament of five positions."""
    page = keyboard.page
    keyboard.press(".brand")
    keyboard.press("a[href='/tournois/nouveau/']")
    keyboard.fill("[name=name]", "Tournoi du lundi <b>")
    keyboard.to(page.locator("[name=published]"))
    page.keyboard.press("Space")
    keyboard.press("main button.button-primary")
    expect(page).to_have_url(re.compile(r"/seances/\d+/inscriptions/"))
    return Session.objects.get()


def registration(keyboard: Keyboard) -> None:
    """Check everybody in by three letters and Enter."""
    page = keyboard.page
    search = page.locator("#person-search")
    expect(search).to_be_focused()
    for number, name in enumerate(NAMES, start=1):
        page.keyboard.type(name[:3].lower())
        expect(page.locator("#matches [role=option]").first).to_contain_text(name.split()[0])
        page.keyboard.press("Enter")
        expect(page.locator(".counter").first).to_contain_text(str(number))
        expect(search).to_have_value("")
        expect(search).to_be_focused()
    expect(page.locator(".counter").first).to_contain_text("4 tables de 4 et 2 tables de 3")


def seating(keyboard: Keyboard, session: Session) -> list[Round]:
    """Read the plan and confirm it."""
    page = keyboard.page
    keyboard.press(f"a[href='/seances/{session.pk}/mise-en-place/']")
    expect(page.locator("main")).to_contain_text("Personne ne se rencontre deux fois.")
    keyboard.press("main form button.button-primary")
    expect(page).to_have_url(re.compile("/positions/1/salle/"))
    return list(Round.objects.order_by("number"))


def play_and_enter(keyboard: Keyboard, rounds: list[Round]) -> dict[str, Table]:
    """Enter every sheet of every position; the federation's own in each of the three ways."""
    page = keyboard.page
    official: dict[str, Table] = {}
    ways: dict[int, tuple[str, tuple[str, ...]]] = {1: ("A", NETS), 2: ("B", MARKS), 3: ("C", DETAIL)}
    for position in rounds:
        address = f"/seances/{position.session_id}/positions/{position.number}"
        page.goto(f"{address}/saisie/")
        for table in position.tables.all():
            way, lines = "A", tuple(nets_of(table))
            if table.seats.count() == 4 and position.number in ways and ways[position.number][0] not in official:
                way, lines = ways[position.number]
                official[way] = table
            enter(keyboard, table, way, lines)
        position.refresh_from_db()
        assert position.desk == DeskState.ENTERED
        keyboard.press(f"a[href='{address}/salle/']")
        keyboard.press("form[action$='/position-suivante/'] button.button-primary")
        expect(page.locator("form[action$='/position-suivante/'] [name=leaving]").first).not_to_have_value(
            str(position.number)
        ) if position.number < len(rounds) else expect(page.locator("[name=back]")).to_be_visible()
        position.refresh_from_db()
        assert position.room == RoomState.PLAYED
    return official


def correct(keyboard: Keyboard, table: Table, watch: Watch) -> None:
    """Correct one mark of a complete sheet with reason 1, and find both versions in its history."""
    page = keyboard.page
    before = Donne.objects.filter(table=table).count()
    address = f"/seances/{table.round.session_id}/positions/{table.round.number}"
    page.goto(f"{address}/saisie/")
    open_sheet(keyboard, table)
    keyboard.press("a[href='?corriger=1']")
    for number, line in ((4, "NG90"),):
        keyboard.fill(f"#row-{number}", line)
    keyboard.fill("#reason", "1")
    watch.expect("status of 400")
    keyboard.press("button.button-primary[value=save]")
    expect(page.get_by_role("button", name="Enregistrer la correction")).to_be_focused()
    page.keyboard.press("Enter")
    expect(page.locator("#table")).to_be_focused()
    assert Donne.objects.filter(table=table).count() == before + 1
    page.goto(f"{address}/tables/{table.number}/historique/")
    expect(page.locator("main")).to_contain_text("Faute de frappe")


def close(keyboard: Keyboard, session: Session) -> None:
    """Check the scores, then make the ranking final."""
    page = keyboard.page
    page.goto(f"/seances/{session.pk}/verification/")
    keyboard.press("button[value=verify]")
    keyboard.press("details:has(button[value=close]) summary")
    keyboard.press("button[value=close]")
    expect(page.locator("main")).to_contain_text("définitif")
    session.refresh_from_db()
    assert session.state == SessionState.FINAL


@pytest.mark.e2e
def test_a_whole_evening_of_22_players_by_keyboard(
    page: Page,
    phone: Page,
    browsing: Browsing,
    watch: Watch,
    site: Server,
    start_command: StartCommand,
    tmp_path: Path,
) -> None:
    start_command("manage.py", "run_jobs")
    keyboard = Keyboard(page)
    first_page(keyboard, read_or_make_code())
    members(keyboard)
    session = tournament(keyboard)
    registration(keyboard)
    rounds = seating(keyboard, session)
    sheets_are_printed_whole(keyboard, session, tmp_path)
    official = play_and_enter(keyboard, rounds)
    assert [ledger_of(official[way]) for way in "ABC"] == [OFFICIAL] * 3
    the_official_figures_stand_in_their_boxes(keyboard, session, official, tmp_path)
    correct(keyboard, official["B"], watch)
    corrected = ledger_of(official["B"])
    assert corrected != OFFICIAL
    assert sum(corrected.values()) == 0
    ranking_is_printed_and_public(keyboard, phone, session, tmp_path)
    old_tab = page.context.new_page()
    old_tab.goto(f"/seances/{session.pk}/positions/5/tables/1/?corriger=1")
    close(keyboard, session)
    an_old_tab_changes_nothing(old_tab, watch)
    call_command("check_ledger")


def sheets_are_printed_whole(keyboard: Keyboard, session: Session, folder: Path) -> None:
    """Print the six sheets of position 1 with names, two a page."""
    keyboard.page.goto(f"/seances/{session.pk}/impressions/")
    papers = printed(keyboard, "button[value=NAMES]", folder)
    assert len(papers) == 3
    text = " ".join(paper.text for paper in papers)
    assert text.count("BONNE CHANCE") == 6
    assert "ZOSTÉROPS D'Arçy" in text
    assert text.count("Tournoi du lundi <b>") >= 3


def the_official_figures_stand_in_their_boxes(
    keyboard: Keyboard, session: Session, official: dict[str, Table], folder: Path
) -> None:
    """Print the sheets with results: the federation's nets stand under their seats, in the order N, S, E, O."""
    for way, table in official.items():
        keyboard.page.goto(f"/seances/{session.pk}/impressions/")
        number = table.round.number
        form = f"form:has([name=position][value='{number}'])"
        papers = printed(keyboard, f"{form} button[value=RESULTS]", folder)
        words = [word for paper in papers for word in paper.words]
        figures = ("−446", "1346", "−390", "−510")
        boxes = [next(word for word in words if word.text.replace("+", "") == figure) for figure in figures]
        assert [box.left for box in boxes] == sorted(box.left for box in boxes)
        if way != "A":
            for figure in ("318", "228", "126", "276", "1746"):
                assert any(word.text.lstrip("+−") == figure for word in words), figure


def ranking_is_printed_and_public(keyboard: Keyboard, phone: Page, session: Session, folder: Path) -> None:
    """Compare three tellings of the ranking: the desk's page, its print and a player's phone."""
    page = keyboard.page
    page.goto(f"/seances/{session.pk}/classement/")
    shown = page.locator("main table").first.inner_text()
    page.goto(f"/seances/{session.pk}/impressions/")
    papers = printed(keyboard, "form[action$='/classement/'] button[value=RANK]", folder)
    phone.goto(f"/resultats/{session.pk}/")
    public = phone.locator("main").inner_text()
    for seat in Seat.objects.filter(round__number=1).select_related("entrant__person"):
        name = seat.entrant.person.last_name
        assert name in shown
        assert any(name in paper.text for paper in papers)
        assert name in public
    assert "70000" not in public


def an_old_tab_changes_nothing(old_tab: Page, watch: Watch) -> None:
    """Send a sheet opened before the close: it is refused in words and nothing is written."""
    before = Donne.objects.count(), SheetNet.objects.count()
    watch.expect("status of 409")
    keyboard = Keyboard(old_tab)
    keyboard.fill("[name=net-N]", "21")
    keyboard.fill("[name=net-S]", "19")
    keyboard.fill("#reason", "1")
    keyboard.press("button.button-primary[value=save]")
    keyboard.press(".compare button.button-primary[name=do]")
    expect(old_tab.locator("main .notice-error:visible")).to_contain_text("définitif")
    assert (Donne.objects.count(), SheetNet.objects.count()) == before
