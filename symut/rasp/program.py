"""A RASP program, read and elaborated: its names, its example input, and the sequences it defines.

Main definitions: `Program`, `load_program`, `read_program`.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache
from importlib.resources import as_file, files
from pathlib import Path
from typing import Any

from symut.rasp import core
from symut.rasp.elaborate import evaluate
from symut.rasp.elaboration import Elaboration
from symut.rasp.errors import RaspError, Source
from symut.rasp.operators import described
from symut.rasp.parse import parse, parse_expression
from symut.rasp.scope import Scope, base_scope
from symut.rasp.statements import execute, execute_all, read_source

DEFAULT_EXAMPLE = "hello"
LIBRARY = "library"
"""The name under which the standard library itself can be run."""


@dataclass(frozen=True, eq=False)
class Program:
    """Definitions of one file on top of the standard library.

    `example` is the input of its last `set example`, else "hello"; `applications` are its statements that apply a
    sequence or selector to an input, as (text, node, input), and `evaluations` its other expressions that are
    statements, as (text, value).
    """

    source: Source
    scope: Scope
    example: Any
    applications: tuple[tuple[str, core.Node, Any], ...]
    library: Scope
    evaluations: tuple[tuple[str, Any], ...] = ()

    @property
    def nodes(self) -> dict[str, core.Node]:
        """The sequences and selectors that the file itself names, in order of first assignment."""
        found = {name: value for name, value in self.scope.variables.items() if isinstance(value, core.Node)}
        return {name: value for name, value in found.items() if name != "out"}

    @property
    def sequences(self) -> dict[str, core.Sequence]:
        """The public ones among them that are sequences."""
        public = {name: node for name, node in self.nodes.items() if not name.startswith("_")}
        return {name: node for name, node in public.items() if isinstance(node, core.Sequence)}

    def traced(self, of: Iterable[core.Node]) -> dict[str, core.Node]:
        """What the given nodes are computed from, in that order: named sequences, and all selectors.

        Selectors without a name have that of the library, or their place.
        """
        names: dict[core.Node, list[str]] = {}
        for name, node in self.nodes.items():
            names.setdefault(node, []).append(name)
        for name, node in self.library.variables.items():
            if isinstance(node, core.Selector):
                names.setdefault(node, [name])
        found: dict[str, core.Node] = {}
        for node in core.order(of):
            unnamed = [_place(node, found)] if isinstance(node, core.Selector) else []
            found |= dict.fromkeys(names.get(node, unnamed), node)
        return found

    def node(self, expression: str) -> core.Node:
        """What a name, or any expression over the program's names, stands for.

        Raises RaspError if it is no sequence or selector.
        """
        parsed = parse_expression(Source("--name", expression))
        value = evaluate(_elaboration(self.library), parsed, Scope(parent=self.scope))
        if not isinstance(value, core.Node):
            raise RaspError(
                f"{expression} is nothing to run", at=parsed.at, expected="a sequence or selector", got=described(value)
            )
        return value


def _place(node: core.Node, known: Iterable[str]) -> str:
    """What a selector is and where it stands, with a number if several do: a function is called several times."""
    what = node.connective if isinstance(node, core.Combine) else type(node).__name__.lower()
    text = f"{what} at {node.at}" if node.at else what
    number = sum(name == text or name.startswith(f"{text} (") for name in known)
    return f"{text} ({number + 1})" if number else text


def _elaboration(library: Scope) -> Elaboration:
    return Elaboration(library, execute)


@cache
def _library() -> Scope:
    """The scope of the standard library, elaborated once per process."""
    text = files("symut.rasp").joinpath("library.rasp").read_text(encoding="utf-8")
    scope = Scope(parent=base_scope())
    run = _elaboration(scope)
    execute_all(run, parse(Source("library.rasp", text)), scope)
    return scope


def read_program(text: str, name: str = "program", path: Path | None = None) -> Program:
    """Parse and elaborate a program's text; `path` is its own file, beside which `load` looks first.

    Raises RaspError with the place of the first thing that cannot be read or has no meaning.
    """
    return _elaborated(Source(name, text), path)


def load_program(path: str | Path) -> Program:
    """As `read_program`, from a file; the name "library" (if there is no such file) is the standard library."""
    if str(path) == LIBRARY and not Path(path).exists():
        with as_file(files("symut.rasp").joinpath("library.rasp")) as place:
            return _elaborated(Source("library.rasp", read_source(place).text), None)
    return _elaborated(read_source(Path(path)), Path(path).resolve())


def _elaborated(source: Source, path: Path | None) -> Program:
    library = _library()
    run, scope = _elaboration(library), Scope(parent=library)
    run.loading += [path] if path else []
    run.main = scope
    execute_all(run, parse(source), scope)
    example = DEFAULT_EXAMPLE if run.example is None else run.example
    return Program(source, scope, example, tuple(run.applications), library, tuple(run.evaluations))
