"""The one place that loads constructions: symut's own and those of other installed packages.

Main definitions: `constructions`, `theorems`, `machines`, `find_theorem`, `find_buildable`.
Constructions register through the entry-point group `symut.constructions`.  symut's own package `constructions` is
loaded from beside the `symut` package only: a folder of that name in the current directory must not take its place.
"""

from __future__ import annotations

import importlib
import importlib.util
import re
import sys
from collections.abc import Iterable
from functools import cache
from importlib.metadata import EntryPoint, entry_points
from pathlib import Path
from types import ModuleType

from symut.errors import InternalError, UsageError
from symut.machine import Machine
from symut.suggest import nearest
from symut.theorem import Construction, Theorem

GROUP = "symut.constructions"
OWN = "constructions"
OWN_MODULES = ("sparse", "generic", "looped", "residual", "scores", "affine", "lower_bounds", "simulators")
_BESIDE = Path(__file__).resolve().parent.parent / OWN


def _load_own_package() -> None:
    """Put symut's own `constructions` into sys.modules.

    Raises InternalError if it is missing or if another package of that name was imported before.
    """
    loaded = sys.modules.get(OWN)
    if loaded is not None:
        origin = Path(getattr(loaded, "__file__", None) or "/").resolve().parent
        if origin != _BESIDE:
            raise InternalError(
                "another package named constructions is loaded",
                expected=str(_BESIDE),
                got=str(origin),
                remedy="rename it",
            )
        return
    spec = importlib.util.spec_from_file_location(
        OWN, _BESIDE / "__init__.py", submodule_search_locations=[str(_BESIDE)]
    )
    if spec is None or spec.loader is None or not _BESIDE.is_dir():
        raise InternalError("symut's constructions are missing", expected=str(_BESIDE), remedy="install symut again")
    module = importlib.util.module_from_spec(spec)
    sys.modules[OWN] = module
    spec.loader.exec_module(module)


def _own_modules() -> list[ModuleType]:
    """symut's own modules; each exports CONSTRUCTION, or THEOREMS that belong to no construction, or both."""
    _load_own_package()
    return [importlib.import_module(f"{OWN}.{name}") for name in OWN_MODULES]


def _own() -> list[Construction]:
    return [module.CONSTRUCTION for module in _own_modules() if hasattr(module, "CONSTRUCTION")]


def _free_theorems() -> list[Theorem]:
    return [theorem for module in _own_modules() for theorem in getattr(module, "THEOREMS", ())]


def _foreign() -> list[EntryPoint]:
    points = [point for point in entry_points(group=GROUP) if point.value.partition(".")[0].partition(":")[0] != OWN]
    return sorted(points, key=lambda point: point.name)


def _load(point: EntryPoint) -> Construction:
    """Another package's construction; whatever it does while loading becomes one line."""
    try:
        found = point.load()
    except (Exception, SystemExit) as error:
        got = f"{type(error).__name__}: {error}"
        remedy = "repair or uninstall its package"
        raise UsageError(f"construction {point.value} cannot be loaded", got=got, remedy=remedy) from None
    if not isinstance(found, Construction):
        raise UsageError(
            f"construction {point.value} is refused", expected="a symut.Construction", got=type(found).__name__
        )
    return found


def _take(names: Iterable[str], owner: str, taken: set[str]) -> None:
    """Every id is a plain name, because it names folders, and belongs to one construction or theorem only."""
    for name in names:
        if not re.fullmatch("[a-z][a-z0-9_]*", name) or name in taken:
            raise UsageError(f"{owner} is refused", expected="ids in a-z, 0-9 and _ that nobody uses", got=name)
        taken.add(name)


@cache
def constructions() -> dict[str, Construction]:
    """All constructions by id, symut's own first.

    Raises UsageError if another package's entry cannot be loaded or takes an id that is in use.
    """
    found: dict[str, Construction] = {}
    taken: set[str] = set()
    _take((theorem.id for theorem in _free_theorems()), OWN, taken)
    for new in [*_own(), *map(_load, _foreign())]:
        _take((new.id, *(theorem.id for theorem in new.theorems)), f"construction {new.id}", taken)
        found[new.id] = new
    return found


def theorems() -> dict[str, Theorem]:
    """All theorems by id: those of the constructions in their order, then symut's own that belong to none."""
    owned = [theorem for construction in constructions().values() for theorem in construction.theorems]
    return {theorem.id: theorem for theorem in (*owned, *_free_theorems())}


def machines() -> dict[str, Machine]:
    """All simulators by id, which is also that of their theorem."""
    return {machine.id: machine for module in _own_modules() for machine in getattr(module, "MACHINES", ())}


def find_theorem(name: str) -> Theorem:
    """The theorem with this id; raises UsageError naming the nearest one."""
    if name not in theorems():
        raise UsageError(f"unknown theorem {name}", remedy=nearest(name, theorems()))
    return theorems()[name]


def find_buildable(name: str) -> Construction | Machine:
    """The construction or simulator with this id; raises UsageError naming the nearest one."""
    buildable: dict[str, Construction | Machine] = {**constructions(), **machines()}
    if name not in buildable:
        raise UsageError(f"unknown construction {name}", remedy=nearest(name, buildable))
    return buildable[name]
