"""The rules of French Tarot and their public door: what a donne is worth and what it cannot be; no Django in here."""

from scoring.donne import DonneEntry, DonneScore, Poignee, find_problems, score_donne, share
from scoring.explain import Explanation, LineKind, Role, ShareLine, ValueLine, explain
from scoring.marks import MarksEntry, find_marks_problems
from scoring.problems import InvalidDonneError, Problem, ProblemCode, Severity
from scoring.rules import FFT, Camp, Chelem, Contract, PoigneeSize, RuleSet

__all__ = [
    "FFT",
    "Camp",
    "Chelem",
    "Contract",
    "DonneEntry",
    "DonneScore",
    "Explanation",
    "InvalidDonneError",
    "LineKind",
    "MarksEntry",
    "Poignee",
    "PoigneeSize",
    "Problem",
    "ProblemCode",
    "Role",
    "RuleSet",
    "Severity",
    "ShareLine",
    "ValueLine",
    "explain",
    "find_marks_problems",
    "find_problems",
    "score_donne",
    "share",
]
