"""From the season down to a seat: what an evening is made of before anybody plays."""

from django.db import models
from django.db.models import F, Q
from django.utils.translation import gettext_lazy as _

from players.models import Club, Membership, Person

from .rules import Rules


class Place(models.TextChoices):
    """A chair at a table, in the order of the sheet's columns."""

    N = "N", _("North")
    S = "S", _("South")
    E = "E", _("East")
    O = "O", _("West")  # noqa: E741  Ouest: the letter on the paper
    C = "C", _("Fifth")


class TableOfFive(models.TextChoices):
    """What a tournament does with one person too many."""

    NEVER = "NEVER", _("Tables of three")
    MORT = "MORT", _("One table of five, dealer sitting out")
    CALLED_KING = "CALLED_KING", _("One table of five, called king")


class SecondLook(models.TextChoices):
    """Whether somebody reads a sheet again."""

    OFF = "OFF", _("No")
    CONTROL = "CONTROL", _("Control")
    BLIND = "BLIND", _("Blind second entry")


class Season(models.Model):
    """A club's year of evenings."""

    club = models.ForeignKey(Club, on_delete=models.PROTECT, related_name="seasons")
    name = models.CharField(_("name"), max_length=80)
    starts_on = models.DateField()
    ends_on = models.DateField()

    class Meta:
        verbose_name = _("season")
        constraints = [
            models.UniqueConstraint(fields=["club", "name"], name="tournaments_season_name_once_per_club"),
            models.CheckConstraint(
                condition=Q(ends_on__gte=F("starts_on")), name="tournaments_season_ends_after_start"
            ),
        ]

    def __str__(self) -> str:
        return self.name


class Tournament(models.Model):
    """One event of a club: a name, a place, a scale; one session or more."""

    club = models.ForeignKey(Club, on_delete=models.PROTECT, related_name="tournaments")
    season = models.ForeignKey(Season, null=True, blank=True, on_delete=models.PROTECT, related_name="tournaments")
    name = models.CharField(_("name"), max_length=120)
    place = models.CharField(_("place"), max_length=120, blank=True)
    rules = models.ForeignKey(Rules, on_delete=models.PROTECT, related_name="tournaments")
    table_of_five = models.CharField(max_length=12, choices=TableOfFive.choices, default=TableOfFive.NEVER)
    second_look = models.CharField(max_length=8, choices=SecondLook.choices, default=SecondLook.OFF)
    published = models.BooleanField(_("published"), default=False)

    class Meta:
        verbose_name = _("tournament")
        constraints = [
            models.CheckConstraint(
                condition=Q(table_of_five__in=TableOfFive.values), name="tournaments_tournament_known_table_of_five"
            ),
            models.CheckConstraint(
                condition=Q(second_look__in=SecondLook.values), name="tournaments_tournament_known_second_look"
            ),
        ]

    def __str__(self) -> str:
        return self.name


class TournamentArbiter(models.Model):
    """An arbiter of a tournament; the chief may reopen a final session."""

    tournament = models.ForeignKey(Tournament, on_delete=models.CASCADE, related_name="arbiters")
    membership = models.ForeignKey(Membership, on_delete=models.CASCADE, related_name="arbitrates")
    is_chief = models.BooleanField(default=False)

    class Meta:
        verbose_name = _("arbiter")
        constraints = [
            models.UniqueConstraint(fields=["tournament", "membership"], name="tournaments_arbiter_once"),
            models.UniqueConstraint(
                fields=["tournament"], condition=Q(is_chief=True), name="tournaments_arbiter_one_chief"
            ),
        ]

    def __str__(self) -> str:
        return str(self.membership)


class SessionState(models.TextChoices):
    """Where an evening stands; it only moves forward, but for a reopening."""

    REGISTRATION = "REGISTRATION", _("Registration")
    RUNNING = "RUNNING", _("Running")
    PROVISIONAL = "PROVISIONAL", _("Provisional")
    FINAL = "FINAL", _("Final")


class Method(models.TextChoices):
    """How the seats of a position are decided; the codes of `scoring.seating.Movement`, and PREPARED."""

    FFT = "FFT", _("FFT movement")
    RANDOM = "RANDOM", _("Random seating")
    BEST = "BEST", _("Best against best")
    OPTIMAL = "OPTIMAL", _("Fewest repeats")
    PREPARED = "PREPARED", _("Prepared seating")


class Session(models.Model):
    """An evening (séance): positions of a number of donnes, with one ranking."""

    tournament = models.ForeignKey(Tournament, on_delete=models.PROTECT, related_name="sessions")
    number = models.PositiveSmallIntegerField(default=1)
    date = models.DateField(_("date"))
    rounds_planned = models.PositiveSmallIntegerField(_("positions"), default=5)
    donnes_per_round = models.PositiveSmallIntegerField(_("deals a position"), default=5)
    planned_methods = models.JSONField(default=list, blank=True)
    seed = models.BigIntegerField(default=0)
    state = models.CharField(max_length=12, choices=SessionState.choices, default=SessionState.REGISTRATION)

    class Meta:
        verbose_name = _("session")
        ordering = ["-date", "-pk"]
        constraints = [
            models.UniqueConstraint(fields=["tournament", "number"], name="tournaments_session_number_once"),
            models.CheckConstraint(
                condition=Q(donnes_per_round__gte=1, donnes_per_round__lte=12),
                name="tournaments_session_1_to_12_donnes",
            ),
            models.CheckConstraint(
                condition=Q(rounds_planned__gte=1, rounds_planned__lte=10), name="tournaments_session_1_to_10_rounds"
            ),
            models.CheckConstraint(condition=Q(state__in=SessionState.values), name="tournaments_session_known_state"),
        ]

    def __str__(self) -> str:
        return f"{self.tournament} · {self.date:%d/%m/%Y}"

    @property
    def is_open(self) -> bool:
        """Say whether results may still be entered."""
        return self.state in {SessionState.RUNNING, SessionState.PROVISIONAL}


class EntrantState(models.TextChoices):
    """Whether an entrant is in the room."""

    EXPECTED = "EXPECTED", _("Registered, not here yet")
    PRESENT = "PRESENT", _("Present")
    ABSENT = "ABSENT", _("Absent")
    LEFT = "LEFT", _("Left")


class Wish(models.TextChoices):
    """The orientation a player asks for."""

    N = "N", _("North")
    S = "S", _("South")
    E = "E", _("East")
    O = "O", _("West")  # noqa: E741  Ouest: the letter on the paper
    NOT_N = "NOT_N", _("Not North")
    NONE = "NONE", _("Any seat")


class Entrant(models.Model):
    """A person in a session: one line of its ranking. `number` is printed and given at the draw."""

    session = models.ForeignKey(Session, on_delete=models.PROTECT, related_name="entrants")
    person = models.ForeignKey(Person, on_delete=models.PROTECT, related_name="entries")
    number = models.PositiveSmallIntegerField(null=True, blank=True)
    wish = models.CharField(max_length=5, choices=Wish.choices, default=Wish.NONE)
    state = models.CharField(max_length=8, choices=EntrantState.choices, default=EntrantState.PRESENT)
    in_ranking = models.BooleanField(default=True)
    from_round = models.PositiveSmallIntegerField(default=1)
    left_round = models.PositiveSmallIntegerField(null=True, blank=True)
    stands_in_for = models.ForeignKey("self", null=True, blank=True, on_delete=models.PROTECT, related_name="stand_ins")
    checked_in_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        verbose_name = _("entrant")
        constraints = [
            models.UniqueConstraint(fields=["session", "person"], name="tournaments_entrant_person_once"),
            models.UniqueConstraint(fields=["session", "number"], name="tournaments_entrant_number_once"),
            models.CheckConstraint(condition=Q(state__in=EntrantState.values), name="tournaments_entrant_known_state"),
            models.CheckConstraint(condition=Q(wish__in=Wish.values), name="tournaments_entrant_known_wish"),
        ]

    def __str__(self) -> str:
        return str(self.person)


class RoomState(models.TextChoices):
    """A position as the room lives it. The room never waits for the desk."""

    DRAWN = "DRAWN", _("Drawn")
    PLAYING = "PLAYING", _("Being played")
    PLAYED = "PLAYED", _("Played")


class DeskState(models.TextChoices):
    """A position as the scoring desk sees it; ENTERED is every sheet complete and every sum zero."""

    OPEN = "OPEN", _("Entry open")
    ENTERED = "ENTERED", _("Entered")


class Round(models.Model):
    """A position (rotation): every table once."""

    session = models.ForeignKey(Session, on_delete=models.PROTECT, related_name="rounds")
    number = models.PositiveSmallIntegerField()
    method = models.CharField(max_length=8, choices=Method.choices)
    seed = models.BigIntegerField(default=0)
    colour = models.CharField(max_length=20, blank=True)
    room = models.CharField(max_length=8, choices=RoomState.choices, default=RoomState.DRAWN)
    desk = models.CharField(max_length=8, choices=DeskState.choices, default=DeskState.OPEN)

    class Meta:
        verbose_name = _("position")
        ordering = ["number"]
        constraints = [
            models.UniqueConstraint(fields=["session", "number"], name="tournaments_round_number_once"),
            models.CheckConstraint(condition=Q(method__in=Method.values), name="tournaments_round_known_method"),
            models.CheckConstraint(condition=Q(room__in=RoomState.values), name="tournaments_round_known_room"),
            models.CheckConstraint(condition=Q(desk__in=DeskState.values), name="tournaments_round_known_desk"),
        ]

    def __str__(self) -> str:
        return f"{self.session} · {self.number}"


class Game(models.TextChoices):
    """What is played at a table."""

    PLAIN = "PLAIN", _("Plain")
    MORT = "MORT", _("Five, dealer sitting out")
    CALLED_KING = "CALLED_KING", _("Five, called king")


class Basis(models.TextChoices):
    """Which of the règlement's two ways gives a table's result."""

    DONNES = "DONNES", _("Marks of the deals")
    NETS = "NETS", _("Nets of the position")


class Table(models.Model):
    """One table of a position: its sheet is the unit the desk works on."""

    round = models.ForeignKey(Round, on_delete=models.PROTECT, related_name="tables")
    number = models.PositiveSmallIntegerField()
    game = models.CharField(max_length=12, choices=Game.choices, default=Game.PLAIN)
    basis = models.CharField(max_length=6, choices=Basis.choices, default=Basis.DONNES)

    class Meta:
        verbose_name = _("table")
        ordering = ["number"]
        constraints = [
            models.UniqueConstraint(fields=["round", "number"], name="tournaments_table_number_once"),
            models.CheckConstraint(condition=Q(game__in=Game.values), name="tournaments_table_known_game"),
            models.CheckConstraint(condition=Q(basis__in=Basis.values), name="tournaments_table_known_basis"),
        ]

    def __str__(self) -> str:
        return f"{self.round} · {self.number}"


class Seat(models.Model):
    """Who sits where at a table, from which donne to which."""

    table = models.ForeignKey(Table, on_delete=models.PROTECT, related_name="seats")
    round = models.ForeignKey(Round, on_delete=models.PROTECT, related_name="seats")
    place = models.CharField(max_length=1, choices=Place.choices)
    entrant = models.ForeignKey(Entrant, on_delete=models.PROTECT, related_name="seats")
    from_donne = models.PositiveSmallIntegerField(default=1)
    to_donne = models.PositiveSmallIntegerField(null=True, blank=True)

    class Meta:
        verbose_name = _("seat")
        constraints = [
            models.UniqueConstraint(fields=["table", "place", "from_donne"], name="tournaments_seat_one_per_place"),
            models.UniqueConstraint(fields=["round", "entrant"], name="tournaments_seat_entrant_once_a_round"),
            models.CheckConstraint(condition=Q(place__in=Place.values), name="tournaments_seat_known_place"),
        ]

    def __str__(self) -> str:
        return f"{self.place} {self.table}"
