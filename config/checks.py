"""System checks of the installation: what would lose or leak results is an error, what hinders printing a warning."""

from typing import Any

from django.conf import settings
from django.core.checks import CheckMessage, Error, Tags, register


@register(Tags.security, deploy=False)
def secret_key_is_long_enough(app_configs: object, **kwargs: Any) -> list[CheckMessage]:
    """Refuse a short secret key: signed links and sessions stand on it."""
    if len(settings.SECRET_KEY) >= 32:
        return []
    return [Error("TAROT_SECRET_KEY is too short: give at least 32 characters.", id="config.E001")]
