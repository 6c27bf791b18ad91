"""The project's settings as the tests need them: data in a directory of their own, static files served unhashed."""

import atexit
import os
import shutil
import tempfile

if "TAROT_DATA" not in os.environ:
    _scratch = tempfile.mkdtemp(prefix="tarot-data-")
    atexit.register(shutil.rmtree, _scratch, ignore_errors=True)
    os.environ["TAROT_DATA"] = _scratch
os.environ.setdefault("TAROT_SECRET_KEY", "only-for-tests-" + "x" * 40)

from config.catalogues import compile_catalogues
from config.settings import *  # noqa: F403  the settings under test, whole; the lines above must come first
from config.settings import DATA_DIR, DATABASES, STATIC_ROOT, STORAGES

compile_catalogues()  # before anything reads them
STATIC_ROOT.mkdir(parents=True, exist_ok=True)
STORAGES = {**STORAGES, "staticfiles": {"BACKEND": "django.contrib.staticfiles.storage.StaticFilesStorage"}}
WHITENOISE_USE_FINDERS = True
PASSWORD_HASHERS = ["django.contrib.auth.hashers.MD5PasswordHasher"]
if DATABASES["default"]["ENGINE"] == "config.sqlite":
    # A file, so that the servers and workers a test starts see what it wrote.
    DATABASES["default"]["TEST"] = {"NAME": str(DATA_DIR / "test.sqlite3")}
