"""Row 1 of the scales is the FFT's, number for number as the engine has it."""

from dataclasses import asdict

from django.db import migrations

from scoring import FFT


def add_fft(apps, schema_editor):
    row, _ = apps.get_model("tournaments", "Rules").objects.get_or_create(name=FFT.name, defaults=asdict(FFT))
    if row.pk != 1:
        raise RuntimeError("The FFT's scale must be row 1.")


def remove_fft(apps, schema_editor):
    apps.get_model("tournaments", "Rules").objects.filter(name=FFT.name).delete()


class Migration(migrations.Migration):
    dependencies = [("tournaments", "0001_initial")]

    operations = [migrations.RunPython(add_fft, remove_fft)]
