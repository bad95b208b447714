"""The type that an option of a run must have: one test for JSON, for Python's keywords and for the command line.

Main definitions: `require_kind`, `require_integer`, `require_known`.
"""

from __future__ import annotations

from collections.abc import Iterable

from symut.errors import UsageError, shown
from symut.experiment.refusal import out_of_range
from symut.suggest import nearest

_KINDS: dict[str, tuple[str, tuple[type, ...]]] = {
    "str": ("a word", (str,)),
    "int": ("an integer", (int,)),
    "int | None": ("an integer or None", (int, type(None))),
    "float": ("a number", (int, float)),
    "bool": ("True or False", (bool,)),
}
"""What is expected, and its types, by annotation: an integer is a number, too."""


def require_kind(name: str, annotation: str, got: object) -> None:
    """UsageError unless `got` has the type of an option annotated so; True and False are no integers."""
    expected, types = _KINDS[annotation]
    if not isinstance(got, types) or (isinstance(got, bool) and bool not in types):
        raise out_of_range(name, expected, got)


def require_integer(name: str, least: int, most: int, got: object) -> None:
    """UsageError unless `got` is an integer from `least` to `most`."""
    if isinstance(got, bool) or not isinstance(got, int) or not least <= got <= most:
        raise out_of_range(name, f"an integer from {least} to {most}", got)


def require_known(names: Iterable[str], known: Iterable[str]) -> None:
    """UsageError for the first of `names` that is not among the options `known`."""
    options = tuple(known)
    for name in names:
        if name not in options:
            raise UsageError(
                "unknown option", expected="one of the documented", got=shown(name), remedy=nearest(name, options)
            )
