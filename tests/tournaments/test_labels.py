"""Words for every code: no code without its own sentence, and the sentences of the règlement exactly."""

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest
from django.utils import translation

from scoring import Camp, Contract, DonneEntry, Poignee, PoigneeSize, ProblemCode, explain
from tournaments import errors, labels
from tournaments.errors import EntryCode, EntryProblem
from tournaments.forms.compact import LineCode

PARAMS: dict[str, int | str] = {
    "low": 41, "high": 42, "least": 26, "most": 170, "slam": 174, "bouts": 2, "trumps": 23, "camp": "attack",
    "players": 1, "expected": 4, "given": 3, "seat": 2, "total": 6, "factor": 3, "defender": 106, "mark": 318,
    "multiple": 2, "number": 3, "computed": -390, "written": -400, "typed": "Z", "place": "E", "count": 4,
    "positive": 10, "negative": 4, "net": 5,
}  # fmt: skip


@pytest.fixture(autouse=True)
def _in_french() -> Iterator[None]:
    with translation.override("fr"):
        yield


@pytest.mark.parametrize("code", [*ProblemCode, *EntryCode, *LineCode])
def test_every_code_has_its_own_sentence(code: str) -> None:
    assert labels.has_sentence(code)
    said = labels.problem_sentence(EntryProblem(field="marks", code=code, params=PARAMS), number=3, contract="garde")
    assert code not in said
    assert "%(" not in said
    with translation.override("en"):
        assert said != labels.problem_sentence(
            EntryProblem(field="marks", code=code, params=PARAMS), number=3, contract="garde"
        )


def test_an_unknown_code_still_gets_words() -> None:
    assert "SOMETHING_NEW" in labels.problem_sentence(EntryProblem(field="", code="SOMETHING_NEW"))


def test_every_code_without_its_figures_never_fails() -> None:
    for code in (EntryCode.NUMBER_RANGE, ProblemCode.TOTAL_IMPOSSIBLE, ProblemCode.MARKS_SUM):
        assert labels.problem_sentence(EntryProblem(field="x", code=code, params={"number": 1, "most": 5}))


@pytest.mark.parametrize(
    ("code", "params", "sentence"),
    [
        ("MARKS_SUM", {"total": 6}, "Donne 3 : le total fait +6, il doit faire 0."),
        ("NETS_SUM", {"total": -10, "count": 4}, "La somme des quatre bilans fait −10, elle doit faire 0."),
        ("NETS_SUM", {"total": -10, "count": 3}, "La somme des trois bilans fait −10, elle doit faire 0."),
        (
            "NET_DIFFERS",
            {"place": "E", "computed": -390, "written": -400},
            "Est : bilan calculé −390, bilan écrit −400.",
        ),
        ("MARKS_SHAPE", {}, "Un seul joueur peut avoir une marque différente : le preneur."),
        (
            "MARKS_TAKER_MULTIPLE",
            {"seat": 2, "factor": 3, "defender": 106, "expected": 318, "given": 308},
            "Le preneur marque trois fois la marque d'un défenseur : 3 × 106 = 318, et non 308.",
        ),
        (
            "MARK_IS_TAKERS",
            {"mark": 318, "defender": 106},
            "318 est la marque du preneur ? Alors 106 pour chaque défenseur.",
        ),
        ("MARK_ODD", {"mark": 177, "multiple": 2}, "Les marques d'une garde sont paires : 177 est impossible."),
        ("HALF_POINT_AT_FOUR", {"low": 41, "high": 42}, "À quatre joueurs, pas de demi-point : 41 ou 42 ?"),
        (
            "TOTAL_IMPOSSIBLE",
            {"least": 26, "most": 170, "slam": 174, "bouts": 2},
            "En garde avec 2 bouts, le preneur a de 13 à 85 points, ou 87 en cas de chelem.",
        ),
        (
            "PETIT_ATTACK_NO_BOUT",
            {},
            "Sans bout, le Petit n'est pas au preneur : petit au bout impossible pour lui.",
        ),
    ],
)  # fmt: skip
def test_the_sentence_is_the_one_of_the_reglement(code: str, params: dict[str, int | str], sentence: str) -> None:
    problem = EntryProblem(field="lines.3.marks", code=code, params=params)
    said = labels.problem_sentence(problem, contract="garde")
    assert said.replace("\u00a0", " ") == sentence


def test_a_sentence_keeps_its_no_break_space_before_a_colon() -> None:
    assert "Donne 3\u00a0: " in labels.problem_sentence(
        EntryProblem(field="lines.3.marks", code="MARKS_SUM", params={"total": 6})
    )


def test_a_score_is_taken_apart_in_one_line() -> None:
    explained = explain(
        DonneEntry(
            players=4,
            taker=2,
            contract=Contract.GARDE,
            bouts=2,
            half_points=98,
            petit_au_bout=Camp.ATTACK,
            poignees=(Poignee(PoigneeSize.SIMPLE, Camp.ATTACK),),
        )
    )
    said = labels.explanation_line(explained).replace("\u00a0", " ")
    assert sorted(said.split(" ; ")) == ["(25 + 8) × 2 = 66", "petit au bout 20", "poignée 20", "total 106"]
    assert labels.margin_line(explained) == "Gagne de 8."


@pytest.mark.parametrize(
    ("halves", "words"),
    [
        (82, "Juste fait\u00a0: contrat gagné de 0."),
        (68, "Chute de 7."),
        (83, "Gagne de 1. Le demi-point va au camp gagnant\u00a0: 41½ compte 42."),
    ],
)
def test_a_margin_is_said_in_words(halves: int, words: str) -> None:
    entry = DonneEntry(players=3, taker=0, contract=Contract.GARDE, bouts=2, half_points=halves)
    assert labels.margin_line(explain(entry)) == words


@pytest.mark.parametrize(
    ("number", "text"), [(318, "+318"), (-106, "−106"), (0, "0"), (1746, "+1\u00a0746"), (-12345, "−12\u00a0345")]
)
def test_a_mark_is_written_with_a_true_minus(number: int, text: str) -> None:
    assert labels.signed(number) == text


@pytest.mark.parametrize(("halves", "text"), [(83, "41½"), (98, "49"), (0, "0"), (1, "½")])
def test_half_points_are_written_as_on_paper(halves: int, text: str) -> None:
    assert labels.points(halves) == text


def _literals(name: str) -> set[str]:
    """Return every code given to an error of that name in the services."""
    found: set[str] = set()
    for path in Path(labels.__file__).parent.glob("services/*.py"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Call) and getattr(node.func, "id", "") == name:
                given = node.args[-1] if name == "require" else node.args[0] if node.args else None
                if isinstance(given, ast.Constant) and isinstance(given.value, str):
                    found.add(given.value)
    return found


def _kinds(kind: type[errors.TournamentError]) -> Iterator[type[errors.TournamentError]]:
    yield kind
    for each in kind.__subclasses__():
        yield from _kinds(each)


def test_every_refusal_of_a_service_has_words() -> None:
    names = {kind.__name__ for kind in _kinds(errors.TournamentError)} | {"require"}
    codes = {code for name in names for code in _literals(name)}
    codes |= {kind.code for kind in _kinds(errors.TournamentError)}
    assert codes
    assert [code for code in sorted(codes) if not labels.has_refusal(code)] == []


def test_a_refusal_names_the_donne_that_moved() -> None:
    class Moved:
        number = 3

    error = errors.StaleVersionError(Moved())  # type: ignore[arg-type]  # only its number is read
    said = labels.refusal_sentence(error).replace("\u00a0", " ")
    assert said == "Une autre personne vient de modifier la donne 3. Voici les deux versions."
