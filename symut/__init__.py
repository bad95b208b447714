"""symut proves, builds and emits fixed universal transformers.

`symut.prove`, `symut.check`, `symut.emit` and `symut.program` are the commands of the same names; they are loaded when
first used, so that `import symut` is cheap.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from symut.version import __version__

if TYPE_CHECKING:
    from symut.api import check, emit, emit_all, entries, program, prove, prove_all

_COMMANDS = ("check", "emit", "emit_all", "entries", "program", "prove", "prove_all")


def __getattr__(name: str) -> Any:
    if name in _COMMANDS:
        from symut import api

        return getattr(api, name)
    raise AttributeError(f"module 'symut' has no attribute {name!r}")


__all__ = ["__version__", "check", "emit", "emit_all", "entries", "program", "prove", "prove_all"]
