"""symut proves, builds and emits fixed universal transformers.

`symut.prove`, `check`, `emit`, `program`, `bounds`, `search` and `train` are the commands of the same names; they are
loaded when first used, so that `import symut` is cheap.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from symut.version import __version__

if TYPE_CHECKING:
    from symut.api import bounds, check, emit, emit_all, entries, program, prove, prove_all, search, train
    from symut.theorem import Construction, Parameter, Theorem

_COMMANDS = ("bounds", "check", "emit", "emit_all", "entries", "program", "prove", "prove_all", "search", "train")


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
    "bounds",
    "check",
    "emit",
    "emit_all",
    "entries",
    "program",
    "prove",
    "prove_all",
    "search",
    "train",
]
