"""All goals by name; every family adds its own."""

from __future__ import annotations

from . import bounds, forms, matching_goals, universality
from .goal import Goal

GOALS: dict[str, Goal] = {**universality.GOALS, **forms.GOALS, **matching_goals.GOALS, **bounds.GOALS}
