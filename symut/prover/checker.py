"""The independent checker, loaded from its one file; symut gives no verdict that it did not accept.

Main definitions: `checker_path`, `check_bytes`, `check_artifact`, `find_artifacts`.
"""

from __future__ import annotations

import importlib.util
import sys
from collections.abc import Sequence
from functools import cache
from pathlib import Path
from types import ModuleType
from typing import Any

from symut.errors import InternalError, UsageError

_INSTALLED = Path(__file__).with_name("independent_check.py")
_CHECKOUT = Path(__file__).resolve().parents[2] / "proofs" / "check.py"
_NAME = "symut_independent_check"


def checker_path() -> Path:
    """The file check.py: beside this one in a wheel, under proofs/ in a checkout.

    Raises InternalError if it is in neither place.
    """
    for path in (_INSTALLED, _CHECKOUT):
        if path.is_file():
            return path
    raise InternalError("check.py is missing", expected=str(_INSTALLED), remedy="install symut again")


@cache
def _checker() -> ModuleType:
    spec = importlib.util.spec_from_file_location(_NAME, checker_path())
    if spec is None or spec.loader is None:
        raise InternalError("check.py cannot be loaded", got=str(checker_path()))
    module = importlib.util.module_from_spec(spec)
    sys.modules[_NAME] = module
    spec.loader.exec_module(module)
    return module


def largest_routing() -> tuple[int, int]:
    """What check.py accepts in all layers of one routing: columns and moved coordinates, and coordinates."""
    return _checker().MAX_MOVES, _checker().MAX_FILLED


def check_bytes(statement: bytes, certificate: bytes, weights: bytes | None) -> Any:
    """check.py's result (verdict, reason, goal, claims, cited) for the files of one artifact."""
    return _checker().check_bytes(statement, certificate, weights)


def check_artifact(folder: Path) -> Any:
    """check.py's result for an artifact folder."""
    return _checker().check_artifact(folder)


def find_artifacts(paths: Sequence[Path]) -> list[Path]:
    """All artifact folders at or under the paths, in check.py's order.

    Raises UsageError if a path does not exist or nothing is found.
    """
    try:
        found = [folder for path in paths for folder in _checker().artifacts(path)]
    except OSError as error:
        got = f"{error.strerror}: {error.filename}" if error.strerror else str(error)
        raise UsageError(
            "nothing to check",
            expected="an artifact or a folder of artifacts",
            got=got,
            remedy="make one with symut prove",
        ) from None
    return list(dict.fromkeys(found))
