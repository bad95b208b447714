"""Elaboration of expressions: everything but sequences is computed now, sequences become nodes of the core graph.

Main definitions: `evaluate`, `values`, `iterated`, `assign`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import replace
from typing import Any

from symut.rasp import core, syntax
from symut.rasp.builtins import BUILTINS
from symut.rasp.elaboration import MAX_DEPTH, Elaboration
from symut.rasp.errors import Position, RaspError
from symut.rasp.operations import Operation
from symut.rasp.operators import binary, conditional, contains, described, indexed, is_atom, lift, unary
from symut.rasp.scope import Function, Native, Scope, bound


def evaluate(run: Elaboration, node: syntax.Expression, scope: Scope) -> Any:
    """The value of an expression: an atom, a list, a dictionary, a function, a sequence or a selector.

    Raises RaspError at the place of the expression that has none.
    """
    run.spend(1, node.at)
    if run.depth >= MAX_DEPTH:
        raise _too_deep(run.here(node))
    run.depth += 1
    try:
        value = _RULES[type(node)](run, node, scope)
    except RaspError as error:
        raise error.placed(run.here(node)) from None
    except RecursionError:
        raise _too_deep(run.here(node)) from None
    finally:
        run.depth -= 1
    scope.variables["out"] = value
    return value


def _too_deep(at: Position) -> RaspError:
    return RaspError(
        "calls are nested too deeply",
        at=at,
        expected=f"at most {MAX_DEPTH} expressions inside each other",
        remedy="a RASP program is unrolled before it runs: a recursion must end soon; use a for loop",
    )


def values(run: Elaboration, nodes: Iterable[syntax.Expression], scope: Scope) -> list:
    """The values of several expressions, left to right."""
    return [evaluate(run, node, scope) for node in nodes]


def _name(run: Elaboration, node: syntax.Name, scope: Scope) -> Any:
    return scope.get(node.text)


def _literal(run: Elaboration, node: syntax.Literal, scope: Scope) -> Any:
    value = node.value
    return value.numerator if not isinstance(value, str) and value.denominator == 1 else value


def _list(run: Elaboration, node: syntax.ListOf, scope: Scope) -> list:
    return values(run, node.items, scope)


def _dict(run: Elaboration, node: syntax.DictOf, scope: Scope) -> dict:
    return {_key(run, key, scope): evaluate(run, value, scope) for key, value in node.entries}


def _key(run: Elaboration, node: syntax.Expression, scope: Scope) -> Any:
    key = evaluate(run, node, scope)
    if not is_atom(key):
        raise RaspError("a key of the wrong type", at=run.here(node), expected="a single value", got=described(key))
    return key


def _list_comprehension(run: Elaboration, node: syntax.ListComprehension, scope: Scope) -> list:
    return [evaluate(run, node.value, inner) for inner in _inner_scopes(run, node, scope)]


def _dict_comprehension(run: Elaboration, node: syntax.DictComprehension, scope: Scope) -> dict:
    inner = _inner_scopes(run, node, scope)
    return {_key(run, node.key, each): evaluate(run, node.value, each) for each in inner}


def _inner_scopes(
    run: Elaboration, node: syntax.ListComprehension | syntax.DictComprehension, scope: Scope
) -> Iterable[Scope]:
    for item in iterated(run, node.iterable, scope):
        inner = Scope(parent=scope)
        assign(inner, node.names, item)
        yield inner


def iterated(run: Elaboration, node: syntax.Expression, scope: Scope) -> list:
    """What a loop runs over: the items of a list or the keys of a dictionary."""
    found = evaluate(run, node, scope)
    if not isinstance(found, (list, dict)):
        raise RaspError(
            "a loop over something that has no items",
            at=run.here(node),
            expected="a list or dictionary",
            got=described(found),
        )
    return list(found)


def assign(scope: Scope, names: tuple[str, ...], value: Any) -> None:
    """One name takes the value whole; several names share its items."""
    if len(names) == 1:
        scope.set(names[0], value)
        return
    if not isinstance(value, (list, dict, str)) or len(value) != len(names):
        got = f"{len(value)} values" if isinstance(value, (list, dict, str)) else described(value)
        raise RaspError("names and values do not match", expected=f"{len(names)} values", got=got)
    for name, item in zip(names, value, strict=True):
        scope.set(name, item)


def _unary(run: Elaboration, node: syntax.Unary, scope: Scope) -> Any:
    return unary(node.operation, evaluate(run, node.operand, scope), run.here(node))


def _binary(run: Elaboration, node: syntax.Binary, scope: Scope) -> Any:
    """A chain of operators is worked off in a loop, so that long sums do not count as nesting."""
    chain, first = [node], node.left
    while isinstance(first, syntax.Binary):
        chain.append(first)
        first = first.left
    value = evaluate(run, first, scope)
    for link in reversed(chain):
        right = evaluate(run, link.right, scope)
        value = _operate(run, link, value, right)
        scope.variables["out"] = value
    return value


def _operate(run: Elaboration, node: syntax.Binary, left: Any, right: Any) -> Any:
    try:
        if node.operation == "in":
            return contains(left, right, run.here(node))
        value = binary(node.operation, left, right, run.here(node))
    except RaspError as error:
        raise error.placed(run.here(node)) from None
    run.spend(1 + (len(value) // 10 if isinstance(value, (list, str)) else 0), run.here(node))
    return value


def _conditional(run: Elaboration, node: syntax.Conditional, scope: Scope) -> Any:
    condition = evaluate(run, node.condition, scope)
    if isinstance(condition, core.Node):
        then, otherwise = values(run, (node.then, node.otherwise), scope)
        return conditional(condition, then, otherwise, run.here(node))
    return evaluate(run, node.then if condition else node.otherwise, scope)


def _select(run: Elaboration, node: syntax.Select, scope: Scope) -> core.Selector:
    keys, queries = (lift(value, run.here(node)) for value in values(run, (node.keys, node.queries), scope))
    return core.Select(keys, queries, Operation(node.predicate), at=run.here(node))  # type: ignore[arg-type]


def _aggregate(run: Elaboration, node: syntax.Aggregate, scope: Scope) -> core.Sequence:
    selector, taken = values(run, (node.selector, node.values), scope)
    default = evaluate(run, node.default, scope) if node.default else 0
    return core.Aggregate(selector, lift(taken, run.here(node)), default, at=run.here(node))  # type: ignore[arg-type]


def _index(run: Elaboration, node: syntax.Index, scope: Scope) -> Any:
    container, index = values(run, (node.container, node.index), scope)
    return indexed(container, index, run.here(node))


def _builtin(run: Elaboration, node: syntax.Builtin, scope: Scope) -> Any:
    found = BUILTINS[node.name](values(run, node.arguments, scope))
    run.spend(1 + (len(found) if isinstance(found, list) else 0), run.here(node))
    return found


def _call(run: Elaboration, node: syntax.Call, scope: Scope) -> Any:
    function = evaluate(run, node.function, scope)
    if not isinstance(function, (Function, Native)):
        remedy = "apply it to an input in a statement of its own" if isinstance(function, core.Node) else ""
        raise RaspError("a call of no function", expected="a function", got=described(function), remedy=remedy)
    keywords = {name: evaluate(run, value, scope) for name, value in node.keywords}
    arguments = bound(function, values(run, node.arguments, scope), keywords)
    if isinstance(function, Native):
        return replace(function.call(*(arguments[name] for name in function.parameters)), at=run.here(node))
    around, run.calls = run.calls, (node.at, *run.calls)
    try:
        return _result(run, function, Scope(parent=function.scope), arguments)
    finally:
        run.calls = around


def _result(run: Elaboration, function: Function, scope: Scope, arguments: dict[str, Any]) -> Any:
    """What a function returns; several results are a list."""
    for name, value in arguments.items():
        scope.set(name, value)
    for statement in function.definition.body:
        run.execute(run, statement, scope)
    results = values(run, function.definition.results, scope)
    return results[0] if len(results) == 1 else results


_RULES: dict[type, Callable[[Elaboration, Any, Scope], Any]] = {
    syntax.Name: _name,
    syntax.Literal: _literal,
    syntax.ListOf: _list,
    syntax.DictOf: _dict,
    syntax.ListComprehension: _list_comprehension,
    syntax.DictComprehension: _dict_comprehension,
    syntax.Unary: _unary,
    syntax.Binary: _binary,
    syntax.Conditional: _conditional,
    syntax.Select: _select,
    syntax.Aggregate: _aggregate,
    syntax.Index: _index,
    syntax.Call: _call,
    syntax.Builtin: _builtin,
}
