"""Entries nobody may save: each with the code of what is wrong, as JSON, as labelled fields and as compact keys.

What one road cannot say at all (a JSON `true` in a form, a partner in the compact keys) it is not asked to say.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

Code = str


@dataclass(frozen=True, slots=True, kw_only=True)
class BadInput:
    """One entry, by each road that can say it."""

    name: str
    code: Code
    json: Mapping[str, Any] | None = None
    fields: Mapping[str, str] | None = None
    keys: str = ""
    way: str = "C"
    players: int = 4
    mort: bool = False


# A garde with two bouts made by 8 by East: what each line below spoils.
PLAIN = {"taker": "E", "contract": "garde", "bouts": "2", "points": "49"}


def detail(name: str, code: Code, *, keys: str = "", players: int = 4, mort: bool = False, **spoilt: Any) -> BadInput:
    """Return a computed donne with something spoilt, said by JSON and by labelled fields, and by keys when given."""
    told = PLAIN | spoilt
    poignees = [pair.split("-") for pair in told.pop("poignees", ())]
    data: dict[str, Any] = {
        **told,
        "bouts": int(told["bouts"]) if told["bouts"].removeprefix("-").isdecimal() else told["bouts"],
        "poignees": [{"size": size, "camp": camp} for size, camp in poignees],
    }
    if "petit" in data:
        data["petit_au_bout"] = data.pop("petit")
    shown = {f"poignee{index}": f"{size}-{camp}" for index, (size, camp) in enumerate(poignees[:2], start=1)}
    fields = {name: str(value) for name, value in told.items()} | shown
    return BadInput(
        name=name,
        code=code,
        json=data,
        fields=fields if len(poignees) < 3 else None,
        keys=keys,
        players=players,
        mort=mort,
    )


def raw(name: str, code: Code, *, players: int = 4, mort: bool = False, **spoilt: Any) -> BadInput:
    """Return a computed donne that only JSON can say."""
    data = {"taker": "E", "contract": "garde", "bouts": 2, "half_points": 98} | spoilt
    return BadInput(name=name, code=code, json=data, players=players, mort=mort)


def marks(
    name: str, code: Code, *given: str, keys: str = "", contract: str = "garde", taker: str = "", players: int = 4
) -> BadInput:
    """Return marks as written, in the order N S E O; what is a whole number goes into JSON as one."""
    places = "NSEO" if players == 4 else "SEO"
    by_place = dict(zip(places, given, strict=True))
    numbers = {
        place: int(mark) if mark.removeprefix("-").isascii() and mark.removeprefix("-").isdecimal() else mark
        for place, mark in by_place.items()
    }
    return BadInput(
        name=name,
        code=code,
        json={"kind": "MARKS", "contract": contract, "taker": taker, "marks": numbers},
        fields={"taker": taker, "contract": contract, **{f"mark_{place.lower()}": m for place, m in by_place.items()}},
        keys=keys,
        way="B",
        players=players,
    )


BAD_INPUTS: tuple[BadInput, ...] = (
    # Bouts
    detail("bouts −1", "BOUTS_RANGE", bouts="-1"),
    detail("bouts 4", "BOUTS_RANGE", bouts="4", keys="EG449"),
    detail("bouts 9", "BOUTS_RANGE", bouts="9", keys="EG949"),
    detail("bouts x", "BOUTS_RANGE", bouts="x"),
    detail("no bouts", "BOUTS_RANGE", bouts=""),
    detail("bouts in full-width figures", "BOUTS_RANGE", bouts="２x"),
    raw("bouts true", "BOUTS_RANGE", bouts=True),
    raw("bouts 2.0", "BOUTS_RANGE", bouts=2.0),
    raw("bouts null", "BOUTS_RANGE", bouts=None),
    raw("bouts a list", "BOUTS_RANGE", bouts=[2]),
    raw("bouts huge", "BOUTS_RANGE", bouts=10**40),
    # Points
    detail("45,3 points", "POINTS_UNREADABLE", points="45,3", keys="EG245,3"),
    detail("45.3 points", "POINTS_UNREADABLE", points="45.3", keys="EG245.3"),
    detail("45,5 at four", "HALF_POINT_AT_FOUR", points="45,5", keys="EG245,5"),
    detail("41½ at four", "HALF_POINT_AT_FOUR", points="41½", keys="EG241½"),
    detail("91,5 points", "HALF_POINTS_RANGE", points="91,5", keys="EG291,5", players=3),
    detail("92 points", "HALF_POINTS_RANGE", points="92", keys="EG292"),
    detail("999 points", "HALF_POINTS_RANGE", points="999", keys="EG2999"),
    detail("−1 points", "POINTS_UNREADABLE", points="-1"),
    detail("points in letters", "POINTS_UNREADABLE", points="quarante"),
    detail("1e2 points", "POINTS_UNREADABLE", points="1e2"),
    detail("points in full-width figures", "POINTS_UNREADABLE", points="４２"),
    detail("no points", "POINTS_MISSING", points="", keys="EG2"),
    raw("half-points 45.3", "HALF_POINTS_RANGE", half_points=45.3),
    raw("half-points true", "HALF_POINTS_RANGE", half_points=True),
    raw("half-points as text", "HALF_POINTS_RANGE", half_points="98"),
    raw("half-points 183", "HALF_POINTS_RANGE", half_points=183),
    raw("half-points −2", "HALF_POINTS_RANGE", half_points=-2),
    # Taker
    detail("a taker who is no place", "TAKER_RANGE", taker="Z"),
    detail("two takers", "TAKER_RANGE", taker="NS"),
    detail("no taker", "TAKER_RANGE", taker=""),
    detail("a taker absent at four", "SEAT_EMPTY", taker="C", keys="CG249"),
    detail("a taker absent at three", "SEAT_EMPTY", taker="N", keys="NG249", players=3),
    raw("taker null", "TAKER_RANGE", taker=None),
    raw("taker a number", "TAKER_RANGE", taker=2),
    # Contract
    detail("an unknown contract", "CONTRACT_UNKNOWN", contract="pousse", keys="EX249"),
    detail("no contract", "CONTRACT_UNKNOWN", contract=""),
    raw("contract a number", "CONTRACT_UNKNOWN", contract=2),
    raw("contract null", "CONTRACT_UNKNOWN", contract=None),
    # Partner
    raw("a partner at four", "PARTNER_ONLY_AT_FIVE", partner="S"),
    raw("a partner at three", "PARTNER_ONLY_AT_FIVE", partner="S", players=3),
    raw("the taker as partner", "PARTNER_IS_TAKER", partner="E", players=5),
    raw("a partner who is no place", "PARTNER_RANGE", partner="Z", players=5),
    raw("a partner absent", "SEAT_EMPTY", partner="C"),
    # Petit au bout
    detail("a petit for both camps", "PETIT_AU_BOUT_UNKNOWN", petit="both"),
    detail(
        "a petit for a taker without bout",
        "PETIT_ATTACK_NO_BOUT",
        bouts="0",
        points="60",
        petit="attack",
        keys="EG060b",
    ),
    detail("a petit taken from three bouts", "PETIT_DEFENCE_THREE_BOUTS", bouts="3", petit="defence", keys="EG349b-"),
    # Poignées
    detail("a poignée of an unknown size", "POIGNEES_UNKNOWN", poignees=["huge-attack"]),
    detail("a poignée of nobody", "POIGNEES_UNKNOWN", poignees=["simple-both"]),
    detail("23 trumps shown", "POIGNEE_TRUMPS", poignees=["double-attack", "simple-defence"], keys="EG249pp p-"),
    detail("28 trumps shown", "POIGNEE_TRUMPS", poignees=["triple-attack", "double-defence"], keys="EG249ppp pp-"),
    detail(
        "two poignées of one taker", "POIGNEE_PLAYERS", poignees=["simple-attack", "simple-attack"], keys="EG249p p"
    ),
    detail("three poignées", "POIGNEES_COUNT", poignees=["simple-defence"] * 3, keys="EG249p-p-p-"),
    raw("poignées in words", "POIGNEES_UNKNOWN", poignees="simple"),
    raw("a poignée of numbers", "POIGNEES_UNKNOWN", poignees=[1]),
    raw("a poignée with more", "POIGNEES_UNKNOWN", poignees=[{"size": "simple", "camp": "attack", "points": 90}]),
    # Chelem
    detail("an unknown slam", "CHELEM_UNKNOWN", chelem="grand"),
    detail("a slam with 60 points", "SLAM_TOTAL", points="60", chelem="announced_made", keys="EG260c+"),
    detail("a slam of the defence with 40 points", "DEFENCE_SLAM_TOTAL", points="40", chelem="defence", keys="EG240cd"),
    detail("91 points and no slam", "SLAM_MISSING", bouts="3", points="91", keys="EG391"),
    detail(
        "91 points and a failed slam",
        "FAILED_SLAM_TOTAL",
        bouts="3",
        points="91",
        chelem="announced_failed",
        keys="EG391c-",
    ),
    detail(
        "a slam and the other camp's petit",
        "SLAM_PETIT",
        points="87",
        chelem="announced_made",
        petit="defence",
        keys="EG287c+b-",
    ),
    raw("a slam in a list", "CHELEM_UNKNOWN", chelem=["defence"]),
    # What a pack cannot give
    detail("no point with three bouts", "TOTAL_IMPOSSIBLE", bouts="3", points="0", keys="EG300"),
    detail("90 points without a bout", "TOTAL_IMPOSSIBLE", bouts="0", points="90", keys="EG090"),
    detail("86 points with two bouts", "TOTAL_IMPOSSIBLE", points="86", keys="EG286"),
    # Who played
    raw("a place nobody has", "PLACES_UNKNOWN", places="NSEX"),
    raw("a place twice", "PLACES_UNKNOWN", places="NEEO"),
    raw("places out of order", "PLACES_UNKNOWN", places="ONSE"),
    raw("two players", "PLAYERS_RANGE", places="NE"),
    raw("somebody sits out at a table of four", "SITTING_OUT_ONLY_AT_MORT", sitting_out="N"),
    detail("nobody sits out at a table with a mort", "SITTING_OUT_NEEDED", players=5, mort=True, keys="EG249"),
    raw("a place as a number", "TEXT_UNREADABLE", places=4),
    # Marks as written
    marks("a sum of +6", "MARKS_SUM", "-106", "-106", "318", "-100", keys="EG -106 -106 318 -100"),
    marks("a shape of no donne", "MARKS_SHAPE", "200", "-100", "-60", "-40", keys="NG 200 -100 -60 -40"),
    marks(
        "308 for three times 106", "MARKS_TAKER_MULTIPLE", "-106", "-106", "308", "-106", keys="EG -106 -106 308 -106"
    ),
    marks("odd marks of a garde", "MARK_ODD", "-177", "-177", "531", "-177", keys="EG177"),
    marks("a mark no garde gives", "MARK_NOT_ATTAINABLE", "-5000", "-5000", "15000", "-5000", keys="EG5000"),
    marks("the taker's mark for a defender's", "MARK_IS_TAKERS", "-318", "-318", "954", "-318", keys="EG318"),
    marks(
        "another taker than the marks show",
        "MARKS_TAKER_SEAT",
        "-106",
        "-106",
        "318",
        "-106",
        taker="N",
        keys="NG -106 -106 318 -106",
    ),
    marks("zeros without a contract", "MARKS_ZERO", "0", "0", "0", "0", contract=""),
    marks("zeros of nobody", "TAKER_NEEDED", "0", "0", "0", "0", contract="garde_sans"),
    marks("a mark missing", "MARK_EMPTY", "-106", "", "318", "-106"),
    marks("a mark in letters", "MARK_UNREADABLE", "-106", "cent", "318", "-106"),
    marks("half a mark", "MARK_UNREADABLE", "-106", "-106,5", "318", "-106"),
    marks(
        "a mark of six figures",
        "MARK_TYPE",
        "-100000",
        "-100000",
        "300000",
        "-100000",
        keys="EG -100000 -100000 300000 -100000",
    ),
    BadInput(
        name="a mark that is true",
        code="MARK_TYPE",
        json={"kind": "MARKS", "marks": {"N": True, "S": 0, "E": 0, "O": 0}},
    ),
    BadInput(
        name="a mark with a fraction",
        code="MARK_TYPE",
        json={"kind": "MARKS", "marks": {"N": 31.8, "S": -10.6, "E": -10.6, "O": -10.6}},
    ),
    BadInput(name="five marks at four", code="MARKS_COUNT", json={"kind": "MARKS", "marks": dict.fromkeys("NSEOC", 0)}),
    BadInput(name="marks in a list", code="MARKS_COUNT", json={"kind": "MARKS", "marks": [318, -106, -106, -106]}),
    BadInput(name="marks twice too few", code="MARKS_COUNT", keys="EG 318 -318", way="B"),
    # What became of the slot
    BadInput(name="an unknown kind", code="KIND_UNKNOWN", json={"kind": "LOST"}),
    BadInput(name="a kind that is withdrawn", code="KIND_UNKNOWN", json={"kind": "WITHDRAWN"}),
    BadInput(name="a kind in a list", code="KIND_UNKNOWN", json={"kind": ["MARKS"]}),
    BadInput(name="an unknown reason", code="REASON_UNKNOWN", json={"kind": "CANCELLED", "reason": "BECAUSE"}),
    BadInput(name="cancelled for no reason", code="REASON_DIGIT", fields={"outcome": "x9"}, keys="x9"),
)
