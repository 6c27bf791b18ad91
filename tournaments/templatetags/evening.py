"""The thread of the evening at the top of its pages."""

from typing import Any

from django import template

from tournaments.models import Session, SessionState
from tournaments.selectors.steps import position_steps

register = template.Library()


@register.inclusion_tag("tournaments/_steps.html", takes_context=True)
def evening_steps(context: dict[str, Any]) -> dict[str, Any]:
    """Show the steps; the page gives `session`, `step` and, for a position's own pages, `number`."""
    session: Session = context["session"]
    step = context.get("step", "")
    return {
        "session": session,
        "step": step,
        "viewed": context.get("number") if step in {"room", "entry"} else None,
        "positions": position_steps(session),
        "is_drawn": session.state != SessionState.REGISTRATION,
    }
