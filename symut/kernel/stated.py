"""From statement.json back to the statement that symut writes.

Main definitions: `read_statement`.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from symut.backbone.forms import FORMS
from symut.errors import CertificateError
from symut.statement import (
    BACKBONE,
    RANDOM,
    SPARSE,
    AttentionWidth,
    FormStatement,
    HeadWidthObstruction,
    OutputBound,
    ScoreMatchingBound,
    SharpWidth,
    SingularBackbone,
    Statement,
    Universality,
)
from symut.statement.matching import ALONE, WITH_OUTPUTS
from symut.statement.simulator import SIMULATOR, Simulator

_BOUNDS = (SharpWidth, SingularBackbone, OutputBound, ScoreMatchingBound, HeadWidthObstruction)
_BY_GOAL: dict[str, Callable[..., Statement]] = {
    **{goal: lambda goal, parameters: FormStatement(goal, **parameters) for goal in FORMS},
    **{goal: lambda goal, parameters: Universality(goal, **parameters) for goal in (SPARSE, RANDOM, BACKBONE)},
    **{goal: lambda goal, parameters: AttentionWidth(goal, **parameters) for goal in (WITH_OUTPUTS, ALONE)},
    **{bound.goal: lambda goal, parameters, bound=bound: bound(**parameters) for bound in _BOUNDS},
}


def read_statement(folder: Path) -> Statement:
    """The statement of an artifact that check.py accepts.

    Raises CertificateError if its goal is not known here, or if symut writes this statement in other bytes.
    """
    try:
        stored = (folder / "statement.json").read_bytes()
        statement = _statement(json.loads(stored), folder)
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise CertificateError("statement.json is not one that symut writes", got=str(error)) from None
    if statement.as_bytes() != stored:
        raise CertificateError("statement.json is not as symut writes it", remedy="make the artifact again")
    return statement


def _statement(fields: Mapping[str, Any], folder: Path) -> Statement:
    goal, parameters = fields["goal"], fields["parameters"]
    if goal == SIMULATOR:
        encoder = json.loads((folder / "certificate.json").read_bytes())["encoder"]
        return Simulator(task=parameters["task"], sizes=parameters["sizes"], encoder=encoder)
    return _BY_GOAL[goal](goal, parameters)
