"""Operations on numbers without a finite range: the ones that gates compute, and the comparisons inside max and min.

Main definitions: `real_range`, `exponential_range`, `root_range`, `require_orders`, `extremum`, `exponent`.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from symut.rasp import core
from symut.rasp.arithmetic import Value
from symut.rasp.errors import RaspError
from symut.rasp.lowering.mapped import ORDERS
from symut.rasp.lowering.ranges import NOTHING, REAL, Range, Real, below, constant, rational
from symut.rasp.operations import apply

if TYPE_CHECKING:
    from symut.rasp.lowering.facts import Analysis

MAX_POWER = 16


def real_range(found: Analysis, node: core.Map) -> Range | Real | None:
    """The range of an operation with an argument of no finite range; reports an issue if no gate computes it."""
    name = found.operation(node).name
    if not all(_numbers(found.ranges[argument]) for argument in node.arguments):
        found.report(node, name, "it mixes unbounded numbers with values that are no numbers")
        return None
    bounds = [below(found.ranges[argument]) for argument in node.arguments]
    if name in ("add", "sub", "mul", "neg", "pos"):
        return rational(None if None in bounds else math.prod(bound or 1 for bound in bounds))
    if name == "div" or (name == "pow" and exponent(found, node) is not None):
        return REAL
    if name == "if" and (isinstance(found.ranges[node.arguments[0]], Range) or extremum(found, node)):
        return rational(None if None in bounds[1:] else max(bound or 1 for bound in bounds[1:]))
    if name in ORDERS:
        return Range(NOTHING, {(): (False, True)})
    found.report(
        node,
        str(node.operation),
        "it reads numbers without a finite range, or with too many values",
        "give a finite --alphabet or a smaller --n; other numbers have gates for + - * /, powers, exp, root, max, min",
    )
    return None


def _numbers(found: Range | Real) -> bool:
    return isinstance(found, Real) or found.numeric


def exponential_range(found: Analysis, node: core.Map) -> Range | Real | None:
    """exp of 0 is 1; no other rational has a rational exponential, so its values are numbers without a finite range."""
    (argument,) = (found.ranges[part] for part in node.arguments)
    if not _numbers(argument):
        found.report(node, "exp", "its argument may be no number", "take it of numbers only")
        return None
    return Range(NOTHING, {(): (1,)}) if isinstance(argument, Range) and argument.values == (0,) else REAL


def root_range(found: Analysis, node: core.Map) -> Range | Real | None:
    """Few numbers have rational roots, so values of a root are numbers without a finite range, but for constants."""
    base, power = (found.ranges[argument] for argument in node.arguments)
    if not (isinstance(power, Range) and not power.by and power.single):
        found.report(node, "root", "its exponent may be no constant", "give a constant such as 1 / 2")
        return None
    if not _numbers(base):
        found.report(node, "root", "its argument may be no number", "take it of numbers only")
        return None
    if isinstance(base, Range) and not base.by and base.single:
        try:
            return constant(apply(node.operation, (base.values[0], power.values[0])))
        except RaspError:
            return REAL
    return REAL


def exponent(found: Analysis, node: core.Map) -> Value | None:
    """The constant whole exponent of a power, or "exp" if the base is a positive constant; None for other powers."""
    base, power = (found.ranges[argument] for argument in node.arguments)
    if isinstance(power, Range) and not power.by and power.single:
        value = power.values[0]
        return value if isinstance(value, int) and -MAX_POWER <= value <= MAX_POWER else None
    if isinstance(base, Range) and not base.by and base.single and base.values[0] > 0:
        return "exp"
    return None


def extremum(found: Analysis, node: core.Map) -> tuple[core.Sequence, core.Sequence, bool] | None:
    """(a, b, larger) if the node is max(a, b) (or min) written as a choice by a comparison of a with b."""
    if node.operation.name != "if" or not isinstance(node.arguments[0], core.Map):
        return None
    condition, (then, otherwise) = node.arguments[0], node.arguments[1:]
    name = found.operation(condition).name
    if name not in ORDERS or {then, otherwise} != set(condition.arguments):
        return None
    a = condition.arguments[0]
    return then, otherwise, (name in ("gt", "ge")) == (then is a)


def require_orders(found: Analysis) -> None:
    """Report comparisons of unbounded numbers that do more than choose the larger or smaller one."""
    nodes = core.order([found.root])
    for node in nodes:
        if not isinstance(node, core.Map) or node not in found.ranges or found.operation(node).name not in ORDERS:
            continue
        if not any(isinstance(found.ranges[argument], Real) for argument in node.arguments):
            continue
        users = [user for user in nodes if node in user.children]
        if node is found.root or not all(isinstance(user, core.Map) and extremum(found, user) for user in users):
            found.report(
                node, str(found.operation(node)), "it compares numbers without a finite range",
                "give a finite --alphabet; without one only max and min of two sequences can be chosen",
            )  # fmt: skip
