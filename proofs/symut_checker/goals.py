"""All goals by name; every family adds its own."""

from __future__ import annotations

from . import bounds, encoder_goals, forms, matching_goals, rasp_goals, universality
from .goal import Goal

FAMILIES = (
    universality.GOALS,
    forms.GOALS,
    matching_goals.GOALS,
    bounds.GOALS,
    rasp_goals.GOALS,
    encoder_goals.GOALS,
)
GOALS: dict[str, Goal] = {name: goal for family in FAMILIES for name, goal in family.items()}
