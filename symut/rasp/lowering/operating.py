"""Elementwise operations as linear forms, gates and tables.

Main definition: `operation`.

Sums and multiples are linear and cost nothing. An order of two numbers is two ReLUs and an equality three, by the least
gap between their values; a table of one number that steps once is two. max and min are a ReLU, products and quotients
their own gates. Everything else over finite ranges is a table gate.
"""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction

from symut.rasp import core
from symut.rasp.arithmetic import Value, normal
from symut.rasp.encoder.model import Form, Number
from symut.rasp.lowering.mapped import COMPARISONS, gap
from symut.rasp.lowering.numbers import exponent, extremum
from symut.rasp.lowering.ranges import Range, in_order
from symut.rasp.lowering.stream import affine, constant, plus
from symut.rasp.lowering.values import Values, described


def operation(values: Values, node: core.Map) -> Form:
    """The form that holds the results of an operation."""
    for rule in (_extremum, _linear, _product, _quotient, _order, _table, _choice, _power, _exponential, _root):
        form = rule(values, node)
        if form is not None:
            return form
    raise AssertionError(f"{node.operation} passed validation")


def _known(values: Values, node: core.Sequence) -> Value | None:
    """The value of a sequence that has one."""
    part = values.found.ranges[node]
    return part.values[0] if isinstance(part, Range) and not part.by and part.single else None


def _number(values: Values, node: core.Sequence) -> Number | None:
    known = _known(values, node)
    return normal(known) + 0 if isinstance(known, (int, Fraction)) else None


def _all_numbers(values: Values, node: core.Map) -> bool:
    return all(values.numeric(part) for part in (*node.arguments, node))


def _extremum(values: Values, node: core.Map) -> Form | None:
    found = extremum(values.found, node)
    if found is None or not _all_numbers(values, node):
        return None
    a, b = (values.scalar(part) for part in found[:2])
    over = values.stream.gate("relu", [plus((a, 1), (b, -1))], described(node), (1,), node.at)
    return plus((b, 1), (over, 1)) if found[2] else plus((a, 1), (over, -1))


def _linear(values: Values, node: core.Map) -> Form | None:
    name = values.found.operation(node).name
    if name not in ("add", "sub", "neg", "pos") or not _all_numbers(values, node):
        return None
    forms = [values.scalar(argument) for argument in node.arguments]
    signs = {"add": (1, 1), "sub": (1, -1), "neg": (-1,), "pos": (1,)}[name]
    return plus(*zip(forms, signs, strict=True))


def _product(values: Values, node: core.Map) -> Form | None:
    if values.found.operation(node).name != "mul" or not _all_numbers(values, node):
        return None
    left, right = node.arguments
    for factor, other in ((left, right), (right, left)):
        known = _number(values, factor)
        if known is not None:
            return plus((values.scalar(other), known))
    forms = [values.scalar(argument) for argument in node.arguments]
    return values.stream.gate("product", forms, described(node), (), node.at)


def _quotient(values: Values, node: core.Map) -> Form | None:
    if values.found.operation(node).name != "div" or not _all_numbers(values, node):
        return None
    top, below = node.arguments
    known = _number(values, below)
    if known:
        return plus((values.scalar(top), Fraction(1) / known))
    part = values.found.ranges[below]
    table = values.found.tables.get(node)
    if isinstance(part, Range) and 0 in part.values and table is not None:
        return None
    inverse = values.stream.gate("reciprocal", [values.scalar(below)], f"1/({described(below)})", (), node.at)
    if isinstance(part, Range):
        values.finite[next(iter(inverse))] = [1 / Fraction(value) for value in part.values if value]
    fixed = _number(values, top)
    if fixed is not None:
        return plus((inverse, fixed))
    return values.stream.gate("product", [values.scalar(top), inverse], described(node), (), node.at)


def _order(values: Values, node: core.Map) -> Form | None:
    """[a > b] = relu(x) - relu(x - 1) and [a = b] = relu(x + 1) - 2 relu(x) + relu(x - 1) for x = (a - b) / gap."""
    name = values.found.operation(node).name
    constant_side = any(_known(values, argument) is not None for argument in node.arguments)
    if name not in COMPARISONS or (constant_side and node in values.found.tables):
        return None
    ranges = [values.found.ranges[argument] for argument in node.arguments]
    finite = [part for part in ranges if isinstance(part, Range) and part.numeric]
    least = gap(finite) if len(finite) == 2 else None
    if least is None:
        return None
    forms = [values.scalar(argument) for argument in node.arguments]
    a, b = forms if name in ("gt", "ge", "eq", "ne") else reversed(forms)
    shifts, weights = ((0, -1), (1, -1)) if name in ("gt", "lt") else ((1, 0), (1, -1))
    if name in ("eq", "ne"):
        shifts, weights = (1, 0, -1), (1, -2, 1)
    inputs = [plus((a, 1 / least), (b, -1 / least), (constant(1), shift)) for shift in shifts]
    made = values.stream.gate("relu", inputs, described(node), weights, node.at)
    return plus((constant(1), 1), (made, -1)) if name == "ne" else made


def _table(values: Values, node: core.Map) -> Form | None:
    found = values.found.tables.get(node)
    if found is None:
        return None
    varying = [i for i, argument in enumerate(node.arguments) if _known(values, argument) is None]
    arguments = [node.arguments[i] for i in varying]
    results = {
        tuple(values.code(node.arguments[i], row[i]) for i in varying): result for row, result in found.table.items()
    }
    forms = [values.scalar(argument) for argument in arguments]
    if len(forms) == 1 and found.refused is None:
        free = _affine_or_step(values, node, forms[0], results)
        if free is not None:
            return free
    refused = found.refused.what if found.refused else f"{node.operation} is not defined"
    table = values.stream.table(list(map(values.read, arguments)), results, refused, node.at)
    values.tables[node] = table
    return values.stream.column(table, described(node), lambda value: values.code(node, value))


def _affine_or_step(values: Values, node: core.Map, form: Form, results: dict) -> Form | None:
    """A table of one number as a linear form or, if it has two values and changes once, as two ReLUs."""
    pairs = [(key[0], values.code(node, result)) for key, result in results.items()]
    pairs.sort(key=lambda pair: in_order(pair[0]))
    inputs, outputs = [pair[0] for pair in pairs], [pair[1] for pair in pairs]
    fit = affine(inputs, outputs)
    if fit is not None:
        return plus((form, fit[0]), (constant(fit[1]), 1))
    changes = [i for i in range(1, len(outputs)) if outputs[i] != outputs[i - 1]]
    if len(changes) != 1:
        return None
    low, high = inputs[changes[0] - 1], inputs[changes[0]]
    slope = Fraction(1) / (high - low)
    edges = [plus((form, slope), (constant(1), -slope * bound)) for bound in (low, high)]
    step = values.stream.gate("relu", edges, described(node), (1, -1), node.at)
    return plus((constant(outputs[0]), 1), (step, outputs[-1] - outputs[0]))


def _choice(values: Values, node: core.Map) -> Form | None:
    """then if c else otherwise = otherwise + c (then - otherwise), with c 0 or 1."""
    if values.found.operation(node).name != "if" or not all(values.numeric(part) for part in node.arguments[1:]):
        return None
    condition, then, otherwise = node.arguments
    truth = core.Map(_TRUTH, (condition,), at=node.at)
    found = values.found
    part = found.ranges[condition]
    assert isinstance(part, Range)
    known = _known(values, condition)
    if known is not None:
        return values.scalar(then if known else otherwise)
    held = _mapped(values, truth, condition, part, lambda value: int(bool(value)))
    a, b = values.scalar(then), values.scalar(otherwise)
    chosen = values.stream.gate("product", [held, plus((a, 1), (b, -1))], described(node), (), node.at)
    return plus((b, 1), (chosen, 1))


def _mapped(values: Values, node: core.Map, source: core.Sequence, part: Range, result: Callable) -> Form:
    """A function with values 0 and 1 of a sequence with a finite range."""
    form = values.scalar(source)
    values.found.ranges[node] = Range("", {(): (0, 1)})
    results = {(values.code(source, value),): result(value) for value in part.values}
    free = _affine_or_step(values, node, form, results)
    if free is not None:
        return free
    table = values.stream.table([values.read(source)], results, "a condition is not defined", node.at)
    return values.stream.column(table, described(node), lambda value: value)


def _power(values: Values, node: core.Map) -> Form | None:
    if values.found.operation(node).name != "pow":
        return None
    power = exponent(values.found, node)
    base, top = node.arguments
    if power == "exp":
        weights = (_number(values, base),)
        return values.stream.gate("exp", [values.scalar(top)], described(node), weights, node.at)
    assert isinstance(power, int)
    form, made = values.scalar(base), constant(1)
    for _ in range(abs(power)):
        made = (
            form if made == constant(1) else values.stream.gate("product", [made, form], described(node), (), node.at)
        )
    return made if power >= 0 else values.stream.gate("reciprocal", [made], described(node), (), node.at)


def _exponential(values: Values, node: core.Map) -> Form | None:
    if values.found.operation(node).name != "exp":
        return None
    known = _known(values, node)
    if known is not None:
        return constant(known)
    return values.stream.gate("exp", [values.scalar(node.arguments[0])], described(node), (), node.at)


def _root(values: Values, node: core.Map) -> Form | None:
    if values.found.operation(node).name != "root":
        return None
    known = _known(values, node)
    if known is not None:
        return constant(known)
    base, exponent = node.arguments
    weights = (_number(values, exponent),)
    return values.stream.gate("root", [values.scalar(base)], described(node), weights, node.at)


_TRUTH = core.Operation("indicator")
