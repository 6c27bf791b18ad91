"""What the project's files promise: complete translations, anonymous locks, static files that are all there."""

import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterable
from pathlib import Path

import pytest
from babel.messages.catalog import Message
from babel.messages.pofile import read_po
from django.contrib.staticfiles.finders import find
from django.core.management import get_commands
from django.template import Context, Template
from pytest_django import Settings

from config.catalogues import compile_catalogues
from config.preparing import collect_static_if_changed
from tests.servers import ROOT

SOURCES = ("config", "players", "jobs", "tournaments", "templates", "locale")


FRENCH = Path("locale", "fr", "LC_MESSAGES", "django.po")


def _messages(root: Path) -> list[Message]:
    with (root / FRENCH).open("rb") as file:
        return [message for message in read_po(file) if message.id]


def _forms(text: str | Iterable[str] | None) -> tuple[str, ...]:
    return (text,) if isinstance(text, str) else tuple(text or ("",))


def test_every_string_of_the_project_has_its_french(tmp_path: Path) -> None:
    """Collects the strings anew in a copy, so that a string added since the last collection is seen."""
    for name in SOURCES:
        shutil.copytree(ROOT / name, tmp_path / name, ignore=shutil.ignore_patterns("__pycache__"))
    command = [sys.executable, "-m", "django", "makemessages", "--locale", "fr", "--no-location", "--no-obsolete"]
    env = {name: value for name, value in os.environ.items() if name != "DJANGO_SETTINGS_MODULE"}
    done = subprocess.run(command, cwd=tmp_path, env=env, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    collected = _messages(tmp_path)
    assert len(collected) > 100
    assert [message.id for message in collected if message.fuzzy or not all(_forms(message.string))] == []


def test_placeholders_are_the_same_in_both_languages() -> None:
    placeholder = re.compile(r"%\(\w+\)[sd]|\{\w*\}|%[sd]")
    for message in _messages(ROOT):
        if message.fuzzy:
            continue
        *_, many = _forms(message.id)
        for translation in filter(None, _forms(message.string)):
            found, wanted = set(placeholder.findall(translation)), set(placeholder.findall(many))
            assert found == wanted or (len(_forms(message.id)) > 1 and found <= wanted), message.id


def test_french_marks_are_set_after_a_no_break_space() -> None:
    wrong = [
        message.id
        for message in _messages(ROOT)
        for translation in _forms(message.string)
        if re.search(r" [;!?»]| :(?=\s|$)|« ", translation)
    ]
    assert wrong == []


def test_a_catalogue_is_compiled_only_when_its_source_is_newer(tmp_path: Path) -> None:
    folder = tmp_path / "fr" / "LC_MESSAGES"
    folder.mkdir(parents=True)
    header = 'msgid ""\nmsgstr "Content-Type: text/plain; charset=UTF-8\\n"\n\n'
    (folder / "django.po").write_text(header + 'msgid "deal"\nmsgstr "donne"\n', encoding="utf-8")
    assert compile_catalogues(tmp_path) == [folder / "django.mo"]
    assert compile_catalogues(tmp_path) == []


COMMAND = re.compile(
    r"bin/(?:run|test)\b(?: --[a-z]+)?|manage\.py [a-z_]+(?: [A-Z]+ --yes)?|docker compose [a-z]+(?: -d)?"
    r"|wsl --install -d \w+"
)
READMES = ("README.md", "LISEZMOI.md")


def _commands_named_in(name: str) -> set[str]:
    found = set(COMMAND.findall((ROOT / name).read_text(encoding="utf-8")))
    return {re.sub(r" [A-Z]+ --yes", " … --yes", command) for command in found}


def test_both_readmes_name_the_same_commands_and_each_other() -> None:
    english, french = (_commands_named_in(name) for name in READMES)
    assert english == french
    assert {"bin/run", "bin/test", "manage.py restore … --yes", "manage.py changepassword"} <= english
    assert {command.split()[1] for command in english if command.startswith("manage.py")} <= set(get_commands())
    [port] = re.findall(r"^port=(\d+)$", (ROOT / "bin" / "run").read_text(encoding="utf-8"), re.MULTILINE)
    for name, other in zip(READMES, reversed(READMES), strict=True):
        text = (ROOT / name).read_text(encoding="utf-8")
        assert f"({other})" in "".join(text.splitlines()[:4])
        assert f"http://localhost:{port}/" in text


def test_the_french_readme_is_set_as_french() -> None:
    prose = re.sub(r"```.*?```|`[^`]*`", "", (ROOT / "LISEZMOI.md").read_text(encoding="utf-8"), flags=re.DOTALL)
    assert re.findall(r".* [;!?»].*|.* :(?=\s).*|.*« .*", prose) == []


@pytest.mark.parametrize("name", ["requirements.lock", "requirements-dev.lock"])
def test_a_lock_pins_every_package_by_hash_and_names_no_host(name: str) -> None:
    text = (ROOT / name).read_text(encoding="utf-8")
    assert "://" not in text
    assert "--index" not in text
    assert "--find-links" not in text
    pins = re.split(r"\n(?=[a-z0-9])", text)
    assert len(pins) > 30
    assert all(re.match(r"[a-z0-9._-]+==\S+", pin) and "--hash=sha256:" in pin for pin in pins)


def test_the_test_lock_holds_what_the_production_lock_holds() -> None:
    production, everything = (
        set(re.findall(r"^([a-z0-9._-]+==\S+)", (ROOT / name).read_text(encoding="utf-8"), re.MULTILINE))
        for name in ("requirements.lock", "requirements-dev.lock")
    )
    assert production <= everything


def test_every_static_file_a_template_names_is_there() -> None:
    named = {
        path
        for template in (ROOT / "templates").rglob("*.html")
        for path in re.findall(r"""\{%\s*static\s+["']([^"']+)["']""", template.read_text(encoding="utf-8"))
    }
    assert named
    assert [path for path in sorted(named) if find(path) is None] == []


def test_static_files_are_gathered_under_hashed_names_and_only_when_changed(tmp_path: Path, settings: Settings) -> None:
    backend = "django.contrib.staticfiles.storage.ManifestStaticFilesStorage"
    settings.STORAGES = {**settings.STORAGES, "staticfiles": {"BACKEND": backend}}
    settings.STATIC_ROOT = tmp_path / "gathered"
    assert collect_static_if_changed() is True
    assert collect_static_if_changed() is False
    page = Template("{% load static %}{% static 'css/site.css' %}").render(Context())
    assert re.fullmatch(r"/static/css/site\.[0-9a-f]{12}\.css", page)
    assert (tmp_path / "gathered" / page.removeprefix("/static/")).is_file()
