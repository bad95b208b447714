"""All goals by name; every family adds its own."""

from __future__ import annotations

from . import universality
from .goal import Goal

GOALS: dict[str, Goal] = {**universality.GOALS}
