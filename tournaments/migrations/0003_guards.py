"""The database's own guards. A later migration that alters a guarded table lifts them first and installs them again."""

from django.db import migrations

from tournaments import guards


def install(apps, schema_editor):
    guards.install(schema_editor.connection)


def lift(apps, schema_editor):
    guards.lift(schema_editor.connection)


class Migration(migrations.Migration):
    dependencies = [("tournaments", "0002_fft_scale")]

    operations = [migrations.RunPython(install, lift)]
