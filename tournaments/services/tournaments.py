"""Making and changing a tournament with its session, until it is drawn; results are not touched here."""

from collections.abc import Sequence
from datetime import date as Date  # noqa: N812  a parameter is called date
from itertools import pairwise

from players.models import Club, Role
from tournaments.errors import RefusedError
from tournaments.locks import lock_session, writing
from tournaments.models import Method, Rules, Session, SessionState, Tournament

from .actors import Actor, require
from .journal import write_event

FFT_RULES = 1


def create_tournament(
    *,
    club: Club,
    name: str,
    place: str,
    date: Date,
    rounds: int,
    donnes_per_round: int,
    methods: Sequence[str],
    published: bool,
    by: Actor,
) -> Session:
    """Create a tournament of one session, open for registration.

    Raises:
        NotAllowedError: not an arbiter.
        RefusedError: FFT_CANNOT_RESUME, with `position`.
    """
    require(by, Role.ARBITER, club.pk)
    check_methods(methods)
    with writing():
        tournament = Tournament.objects.create(
            club=club, name=name, place=place, rules=Rules.objects.get(pk=FFT_RULES), published=published
        )
        session = Session.objects.create(
            tournament=tournament,
            date=date,
            rounds_planned=rounds,
            donnes_per_round=donnes_per_round,
            planned_methods=[str(method) for method in methods],
        )
        write_event(session=session, code="SESSION_CREATED", refs={"rounds": rounds, "donnes": donnes_per_round}, by=by)
    return session


def edit_tournament(
    *,
    session: Session,
    name: str,
    place: str,
    date: Date,
    rounds: int,
    donnes_per_round: int,
    methods: Sequence[str],
    published: bool,
    by: Actor,
) -> Session:
    """Change a tournament and its session; once drawn, the positions and deals stay as they are.

    Raises:
        NotAllowedError: not an arbiter.
        RefusedError: FFT_CANNOT_RESUME, with `position`; ALREADY_DRAWN when the draw came first.
    """
    require(by, Role.ARBITER, session.tournament.club_id)
    check_methods(methods)
    with writing():
        lock_session(session.pk)
        session.refresh_from_db(fields=["state", "rounds_planned", "donnes_per_round", "planned_methods"])
        planned = (session.rounds_planned, session.donnes_per_round, list(session.planned_methods))
        wanted = (rounds, donnes_per_round, [str(method) for method in methods])
        if session.state != SessionState.REGISTRATION and planned != wanted:
            raise RefusedError("ALREADY_DRAWN")
        session.date = date
        session.rounds_planned, session.donnes_per_round, session.planned_methods = wanted
        session.save(update_fields=["date", "rounds_planned", "donnes_per_round", "planned_methods"])
        tournament = session.tournament
        tournament.name, tournament.place, tournament.published = name, place, published
        tournament.save(update_fields=["name", "place", "published"])
        refs: dict[str, int | str | None] = {"rounds": rounds, "donnes": donnes_per_round, "published": int(published)}
        write_event(session=session, code="SESSION_CHANGED", refs=refs, by=by)
    return session


def check_methods(methods: Sequence[str]) -> None:
    """Refuse the FFT movement after another method.

    Raises:
        RefusedError: FFT_CANNOT_RESUME, with the `position` that wants it.
    """
    for position, (before, method) in enumerate(pairwise(methods), start=2):
        if method == Method.FFT and before != Method.FFT:
            raise RefusedError("FFT_CANNOT_RESUME", position=position)
