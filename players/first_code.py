"""The one-time code that makes the first administrator: a file beside the data, gone once it has served."""

import hmac
import os
import re
import secrets
from pathlib import Path

from django.conf import settings

LETTERS = "ABCDEFGHJKLMNPQRSTUVWXYZ23456789"  # none that are mistaken for another when read aloud
GROUPS, GROUP_LENGTH = 4, 4


def code_path() -> Path:
    """Return where the code lies until it is used."""
    return Path(settings.DATA_DIR) / "first-code"


def read_or_make_code() -> str:
    """Return the code, made at the first call with owner-only rights."""
    groups = ("".join(secrets.choice(LETTERS) for _ in range(GROUP_LENGTH)) for _ in range(GROUPS))
    try:
        descriptor = os.open(code_path(), os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600)
    except FileExistsError:
        return code_path().read_text(encoding="ascii").strip()
    code = "-".join(groups)
    with os.fdopen(descriptor, "w", encoding="ascii") as file:
        file.write(f"{code}\n")
    return code


def is_code(given: str) -> bool:
    """Compare in constant time, whatever the case and the dashes of what was typed."""
    try:
        kept = code_path().read_text(encoding="ascii")
    except FileNotFoundError:
        return False
    return bool(_bare(kept)) and hmac.compare_digest(_bare(given).encode(), _bare(kept).encode())


def claim_code() -> bool:
    """Take the code away; of two at once only one gets True."""
    try:
        code_path().rename(_claimed_path())
    except FileNotFoundError:
        return False
    return True


def give_code_back() -> None:
    """Undo a claim whose installation failed."""
    _claimed_path().rename(code_path())


def discard_code() -> None:
    """Forget a claimed code."""
    _claimed_path().unlink(missing_ok=True)


def _claimed_path() -> Path:
    return code_path().with_name("first-code.claimed")


def _bare(text: str) -> str:
    return re.sub(r"[^0-9A-Z]", "", text.upper())
