"""The independent checker on RASP: its interpreter agrees with symut's, and it refuses wrong certificates."""

from __future__ import annotations

import json
from collections.abc import Iterator
from fractions import Fraction
from hashlib import sha256
from itertools import product
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings

from symut.prover.checker import check_bytes
from symut.prover.rasp_equality import certify
from symut.rasp import RaspError, core, evaluate, read_program
from symut.rasp.symbolic import Domain, Letters, Limits, Numbers, compare
from symut.rasp.symbolic.domain import UnsupportedError
from symut.rasp.symbolic.graph import graph_of, plain
from symut.statement.rasp import Equality
from tests.check.build import rule
from tests.rasp.cases import CASES
from tests.rasp.generated import ALPHABET, Program, programs

SLOW = [HealthCheck.too_slow, HealthCheck.data_too_large]
BY_KEY = "y = sort(tokens_float, tokens_float);"
BY_RANK = """
x = tokens_float;
low = selector_width(select(x, x, <));
high = selector_width(select(x, x, <=));
y = aggregate(select(low, indices, <=) and select(high, indices, >), x);
"""


def node(text: str) -> core.Node:
    return read_program(text).node("y")


def certified(one: str, other: str, lengths: range, domain: Domain, **options: bool) -> tuple[dict, dict] | None:
    first, second = node(one), node(other)
    found = [compare(first, second, n, domain, Limits(), **options) for n in lengths]
    made = certify(first, second, found, domain, options.get("defined", False), (one, other))
    return made and (json.loads(made[0].as_bytes()), json.loads(made[1].as_bytes()))


def verdict(statement: dict, certificate: dict) -> Any:
    """The checker's answer to altered files whose hashes and claims are made to fit."""
    p = statement["parameters"]
    names = ("tokens", "letters", "nodes", "first", "second", "defined")
    fields = {name: p[name] for name in names}
    programs = (p["programs"][0], p["programs"][1])
    made = Equality(least=p["lengths"][0], most=p["lengths"][1], programs=programs, **fields)
    data = json.dumps(statement | {"claims": made.claims}).encode()
    return check_bytes(data, json.dumps(certificate | {"statement": sha256(data).hexdigest()}).encode(), None)


def interpreted(root: core.Node, given_input: list) -> list | None:
    try:
        return evaluate(root, given_input)
    except RaspError:
        return None


def by_the_checker(root: core.Node, given_input: list) -> list | None:
    nodes, place, _ = graph_of(root, root)
    graph, values, signs, run = rule("rasp_graph"), rule("rasp_values"), rule("rasp_signs"), rule("rasp_execute")
    read = [graph.read_node(node, number) for number, node in enumerate(json.loads(json.dumps(nodes)))]
    case = values.Case(len(given_input), signs.Assumed([]), rule("rasp_work").Steps())
    tokens = [graph.read_value(plain(token)) for token in given_input]
    return run.execute(case, read, tokens, sorted(graph.below(read, place)))


@settings(deadline=None, max_examples=100, suppress_health_check=SLOW)
@given(program=programs())
def test_two_interpreters_agree_on_random_programs(program: Program) -> None:
    root = node(f"y = {program[0]};")
    for word in product(ALPHABET, repeat=3):
        assert by_the_checker(root, list(word)) == interpreted(root, list(word))


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_two_interpreters_agree_on_every_construct(case) -> None:
    root = read_program(case.text).node("answer")
    if any(isinstance(part, core.Best) for part in core.order([root])):
        with pytest.raises(UnsupportedError, match="best"):
            graph_of(root, root)
        return
    for given_input, expected in case.runs:
        assert by_the_checker(root, list(given_input)) == expected
    others = [["a", "1", "b"], ["a"], [1, -2, 0], [Fraction(1, 3), 5], ["7", "-3"], [True, 2], ["0.5", "x"]]
    for given_input in others:
        found, wanted = by_the_checker(root, given_input), interpreted(root, given_input)
        assert found == wanted
        assert found is None or list(map(type, found)) == list(map(type, wanted or []))


@pytest.mark.parametrize(
    ("one", "other", "lengths", "domain"),
    [
        (BY_KEY, BY_RANK, range(1, 5), Numbers()),
        ("y = reversed(reversed(tokens));", "y = tokens;", range(1, 7), Numbers()),
        ("y = 1 / tokens_float;", "y = 2 / (tokens_float * 2);", range(1, 3), Numbers()),
        ("y = max(tokens_int, 2);", "y = tokens_int if tokens_int >= 2 else 2;", range(2, 3), Numbers(True)),
        ("y = hist;", "y = selector_width_by_heads(select(tokens, tokens, ==));", range(1, 5), Numbers()),
        ("y = hist;", "y = selector_width_by_heads(select(tokens, tokens, ==));", range(1, 4), Letters(tuple("abc"))),
        ("y = dyck1;", 'y = dyck(["()"]);', range(1, 9), Letters(tuple("()"))),
        ("y = (tokens_float - 1) * (tokens_float + 1);", "y = tokens_float ^ 2 - 1;", range(3, 4), Numbers()),
        ("y = [1, 2][tokens_float];", "y = {0: 1, 1: 2, -1: 2, -2: 1}[tokens_float];", range(1, 3), Numbers()),
        ("y = tokens_float in [1, 0.5];", "y = tokens_float == 1 or tokens_float == 1 / 2;", range(1, 3), Numbers()),
        ("y = tokens == 0.5;", "y = tokens_float == 0.5 and False;", range(1, 3), Numbers()),
        ("y = tokens_float % 2;", "y = tokens_float % 2;", range(1, 4), Numbers()),
        ("y = hist % 2;", "y = hist % 2;", range(60, 65), Letters(tuple("abc"))),
        ("y = select(tokens_float, 1, <);", "y = not select(tokens_float, 1, >=);", range(1, 3), Numbers()),
    ],
)
def test_equal_programs_have_a_certificate(one: str, other: str, lengths: range, domain: Domain) -> None:
    made = certified(one, other, lengths, domain)
    assert made is not None
    assert verdict(*made).verdict == "VALID"


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("y = exp(tokens_float) ^ 2;", "y = exp(2 * tokens_float);"),
        ("y = tokens_float * tokens_float >= 0;", "y = length > 0;"),
    ],
)
def test_what_the_checker_does_not_cover_has_no_certificate(one: str, other: str) -> None:
    assert compare(node(one), node(other), 2, Numbers(), Limits()).equal
    assert certified(one, other, range(2, 3), Numbers()) is None


def paths(tree: Any, at: tuple = ()) -> Iterator[tuple]:
    yield at
    if isinstance(tree, dict):
        for key in tree["cases"]:
            yield from paths(tree["cases"][key], (*at, "cases", key))


def inside(tree: Any, at: tuple) -> Any:
    for key in at:
        tree = tree[key]
    return tree


def sorting() -> tuple[dict, dict]:
    made = certified(BY_KEY, BY_RANK, range(3, 4), Numbers())
    assert made is not None
    return made


def refused(statement: dict, certificate: dict, tree: Any) -> str:
    result = verdict(statement, certificate | {"cases": [tree]})
    assert result.verdict == "INVALID"
    return result.reason


def test_a_case_that_is_left_out_is_missed() -> None:
    statement, certificate = sorting()
    text = json.dumps(certificate["cases"][0])
    for at in paths(json.loads(text)):
        node = inside(json.loads(text), at)
        for key in node["cases"] if isinstance(node, dict) else []:
            tree = json.loads(text)
            del inside(tree, at)["cases"][key]
            assert "not covered" in refused(statement, certificate, tree)


def test_a_leaf_that_comes_too_early_is_refused() -> None:
    statement, certificate = sorting()
    text = json.dumps(certificate["cases"][0])
    for at in paths(json.loads(text)):
        if at and isinstance(inside(json.loads(text), at), dict) and "excluded" not in inside(json.loads(text), at):
            tree = json.loads(text)
            inside(tree, at[:-1])[at[-1]] = []
            assert "do not determine" in refused(statement, certificate, tree)


def test_a_wrong_combination_is_refused() -> None:
    statement, certificate = sorting()
    text = json.dumps(certificate["cases"][0])
    tried = 0
    for at in paths(json.loads(text)):
        node = inside(json.loads(text), at)
        for key, combination in node.get("excluded", {}).items() if isinstance(node, dict) else []:
            for number in range(len(combination)):
                for change in ([0, 1, 0], [1, 0, 0]):
                    tree = json.loads(text)
                    entry = inside(tree, at)["excluded"][key][number]
                    entry[:] = [a + c for a, c in zip(entry, change, strict=True)]
                    refused(statement, certificate, tree)
                    tried += 1
            tree = json.loads(text)
            inside(tree, at)["excluded"][key] = []
            assert "not excluded" in refused(statement, certificate, tree)
    assert tried


def test_another_program_is_refused() -> None:
    statement, certificate = sorting()
    for number, entry in enumerate(statement["parameters"]["nodes"]):
        if entry[0] == "select":
            changed = json.loads(json.dumps(statement))
            changed["parameters"]["nodes"][number][1] = "ne"
            assert verdict(changed, certificate).verdict == "INVALID"
