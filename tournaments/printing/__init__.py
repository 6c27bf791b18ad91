"""Paper: score sheets and rankings as PDF files, made by jobs from what the ledger holds; nothing is written here."""

from .jobs import SENTENCES, describe_ranking, describe_sheets, print_ranking, print_sheets
from .rankings import RankingOrder
from .sheets import Fill

__all__ = [
    "SENTENCES",
    "Fill",
    "RankingOrder",
    "describe_ranking",
    "describe_sheets",
    "print_ranking",
    "print_sheets",
]
