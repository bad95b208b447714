"""Elaboration of statements: assignments, functions, loops, loaded files and the prompt's commands.

Main definitions: `execute`, `execute_all`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import replace
from pathlib import Path
from typing import Any

from symut.rasp import core, syntax
from symut.rasp.elaborate import assign, evaluate, iterated, values
from symut.rasp.elaboration import Elaboration
from symut.rasp.errors import RaspError, Source
from symut.rasp.inputs import tokens_of
from symut.rasp.operators import described
from symut.rasp.parse import MAX_CHARACTERS, parse
from symut.rasp.scope import Function, Scope


def execute_all(run: Elaboration, statements: Iterable[syntax.Statement], scope: Scope) -> None:
    """The statements of one file."""
    for statement in statements:
        execute(run, statement, scope)


def execute(run: Elaboration, node: syntax.Statement, scope: Scope) -> None:
    """One statement; raises RaspError with the place of what cannot be done."""
    run.spend(1, node.at)
    try:
        _RULES[type(node)](run, node, scope)
    except RaspError as error:
        raise error.placed(run.here(node)) from None


def _evaluation(run: Elaboration, node: syntax.Evaluation, scope: Scope) -> None:
    expression = node.expression
    if isinstance(expression, syntax.Call) and len(expression.arguments) == 1 and not expression.keywords:
        applied = evaluate(run, expression.function, scope)
        if isinstance(applied, core.Node):
            given = _input(evaluate(run, expression.arguments[0], scope))
            run.applications.append((node.text, applied, given))
            return
    value = evaluate(run, expression, scope)
    if scope is run.main:
        run.evaluations.append((node.text, value))


def _input(given: Any) -> Any:
    if not isinstance(given, (str, list)) or not given:
        got = "nothing" if given in ("", []) else described(given)
        raise RaspError("an input of the wrong type", expected="a string or a list, not empty", got=got)
    tokens_of(given)
    return given


def _assign(run: Elaboration, node: syntax.Assign, scope: Scope) -> None:
    found = values(run, node.values, scope)
    assign(scope, node.names, found[0] if len(found) == 1 else found)


def _define(run: Elaboration, node: syntax.Define, scope: Scope) -> None:
    names = [parameter.name for parameter in node.parameters]
    twice = next((name for name in names if names.count(name) > 1), None)
    if twice is not None:
        raise RaspError(f"{node.name} has two parameters {twice}", expected="different names")
    given = [parameter for parameter in node.parameters if parameter.default is not None]
    defaults = {p.name: evaluate(run, p.default, scope) for p in given if p.default is not None}
    scope.set(node.name, Function(node, defaults, scope))


def _for_each(run: Elaboration, node: syntax.ForEach, scope: Scope) -> None:
    """As in the reference, the loop's names stay after it."""
    for item in iterated(run, node.iterable, scope):
        assign(scope, node.names, item)
        for statement in node.body:
            execute(run, statement, scope)


def _draw(run: Elaboration, node: syntax.Draw, scope: Scope) -> None:
    """Drawing is checked and otherwise without effect."""
    drawn = evaluate(run, node.sequence, scope)
    if not isinstance(drawn, core.Sequence):
        raise RaspError("draw of no sequence", expected="a sequence", got=described(drawn))
    if node.input is not None:
        _input(evaluate(run, node.input, scope))


def _set_example(run: Elaboration, node: syntax.SetExample, scope: Scope) -> None:
    run.example = _input(evaluate(run, node.value, scope))


def _load(run: Elaboration, node: syntax.Load, scope: Scope) -> None:
    """The file's public names are set in the loading scope; the file itself sees the standard library only.

    Places in it are cited by the name that the program gives: emitted modules name no folder of a machine.
    """
    path = _found(run, node)
    if path in run.loading:
        raise RaspError(f"{node.path} loads itself", got=" -> ".join(p.name for p in [*run.loading, path]))
    run.loading.append(path)
    run.spend(100, node.at)
    example = run.example
    source = replace(read_source(path), name=f"{node.path}.rasp")
    execute_all(run, parse(source), Scope(parent=run.library, exports=scope))
    run.example = example
    run.loading.pop()


def _found(run: Elaboration, node: syntax.Load) -> Path:
    """NAME.rasp beside the file that loads it, else in the current folder, as the reference does."""
    beside = run.loading[-1].parent if run.loading else Path()
    tried = [folder / f"{node.path}.rasp" for folder in (beside, Path())]
    for path in tried:
        if path.is_file():
            return path.resolve()
    raise RaspError(
        f"cannot find {node.path}.rasp", expected=f"a file {tried[0]}", remedy="load names files without .rasp"
    )


def read_source(path: Path) -> Source:
    """A program's text.

    Raises RaspError if there is no such file, or if it is no UTF-8 text of at most MAX_CHARACTERS characters.
    """
    if not path.is_file():
        raise RaspError(f"cannot read {path}", expected="a RASP file")
    try:
        with path.open("rb") as file:
            content = file.read(4 * MAX_CHARACTERS + 1)
        text = content.decode("utf-8-sig")
    except OSError as error:
        raise RaspError(f"cannot read {path}", got=error.strerror or str(error)) from None
    except UnicodeDecodeError:
        raise RaspError(f"cannot read {path}", expected="UTF-8 text") from None
    return Source(str(path), text.replace("\r\n", "\n").replace("\r", "\n"))


_RULES: dict[type, Callable[[Elaboration, Any, Scope], None]] = {
    syntax.Evaluation: _evaluation,
    syntax.Assign: _assign,
    syntax.Define: _define,
    syntax.ForEach: _for_each,
    syntax.Load: _load,
    syntax.Draw: _draw,
    syntax.SetExample: _set_example,
    syntax.Command: lambda run, node, scope: None,
}
