"""Programs from weights: a target's attention layers become the embedding E of an emitted backbone.

Main definitions: `program`, which compiles, checks and writes E, and the `Report` that it answers.
`symut.compiler.schemes` reads targets and `symut.compiler.target` says what they are.  Importing this package loads
neither torch nor numpy.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

from symut.compiler.report import Discrepancy, Report

__all__ = ["Discrepancy", "Report", "program"]


def program(backbone: str | Path, target: str | Path, output: str | Path, **options: Any) -> Report:
    """See `symut.compiler.compilation.program`, which this calls."""
    from symut.compiler.compilation import program as compile_target

    return compile_target(backbone, target, output, **options)
