"""symut proves, builds and emits fixed universal transformers.

`symut.prove`, `symut.check`, `symut.emit` and `symut.program` are the commands of the same names; they are loaded when
first used, so that `import symut` is cheap.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from symut.version import __version__

if TYPE_CHECKING:
    from symut.api import check, emit, emit_all, entries, program, prove, prove_all
    from symut.theorem import Construction, Parameter, Theorem

_COMMANDS = ("check", "emit", "emit_all", "entries", "program", "prove", "prove_all")


_DECLARATIONS = ("Construction", "Parameter", "Theorem")


def __getattr__(name: str) -> Any:
    if name in _COMMANDS:
        from symut import api

        return getattr(api, name)
    if name in _DECLARATIONS:
        from symut import theorem

        return getattr(theorem, name)
    raise AttributeError(f"module 'symut' has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted([*globals(), *_COMMANDS, *_DECLARATIONS])


__all__ = [
    "Construction",
    "Parameter",
    "Theorem",
    "__version__",
    "check",
    "emit",
    "emit_all",
    "entries",
    "program",
    "prove",
    "prove_all",
]
