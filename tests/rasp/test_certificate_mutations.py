"""Mutations of equality artifacts: a false claim never becomes VALID, whatever is changed in graph or certificate.

The arbiter is symut's interpreter, which shares no code with the checker: whenever an artifact with changed nodes is
VALID, the interpreter finds no input among many on which the two nodes differ.
"""

from __future__ import annotations

import json
from fractions import Fraction
from itertools import product
from typing import Any

import pytest

from symut.rasp import RaspError, core, evaluate
from symut.rasp.operations import Operation
from tests.check import build, corpus_rasp, invalid_rasp
from tests.check.build import Artifact
from tests.check.build_rasp import stated
from tests.check.test_check_mutations import changed, leaves, nodes, sample

VALID = {name: files for name, files in corpus_rasp.valid().items() if "same" not in name}
FALSE = {
    name: files for name, (files, why) in invalid_rasp.invalid().items() if "differ on" in why or "in a case" in why
}
NUMBERS = (Fraction(-3, 2), -1, 0, Fraction(1, 2), 1, Fraction(3, 2), 2, 7)
OTHERS = {"ge": "gt", "gt": "ge", "le": "lt", "lt": "le", "eq": "ne", "ne": "eq", "and": "or", "or": "and"}
OTHERS |= {"add": "sub", "sub": "add", "mul": "add", "div": "mul", "mod": "sub", "float": "asis", "not": "neg"}


def value_of(value: Any) -> Any:
    return Fraction(*value["q"]) if isinstance(value, dict) else value


def core_of(graph: list[Any]) -> list[core.Node]:
    """The nodes of a graph as symut's, by their definitions in FORMAT.md."""
    made: list[Any] = []
    for kind, *rest in graph:
        made.append(_MAKERS[kind](made, *rest))
    return made


def _table(name: str, keyed: bool = False) -> Any:
    def make(made: list[Any], table: list[Any], place: int) -> core.Node:
        values = tuple(tuple(map(value_of, row)) if keyed else value_of(row) for row in table)
        return core.Map(Operation(name, values, keyed), (made[place],))

    return make


_MAKERS: dict[str, Any] = {
    "tokens": lambda made, kind: core.Tokens(kind),
    "indices": lambda made: core.Indices(),
    "constant": lambda made, value: core.Constant(value_of(value)),
    "map": lambda made, name, places: core.Map(Operation(name), tuple(made[place] for place in places)),
    "in": _table("in"),
    "index": _table("index"),
    "key": _table("index", True),
    "select": lambda made, name, keys, queries: core.Select(made[keys], made[queries], Operation(name)),
    "combine": lambda made, name, places: core.Combine(name, tuple(made[place] for place in places)),
    "aggregate": lambda made, s, a, default: core.Aggregate(made[s], made[a], value_of(default)),
    "width": lambda made, selector: core.SelectorWidth(made[selector]),
}


def interpreted(node: core.Node, word: list[Any]) -> list[Any] | None:
    try:
        return evaluate(node, word)
    except RaspError:
        return None


def words(p: dict[str, Any]) -> list[list[Any]]:
    letters = [value_of(letter) for letter in p["letters"]] or [
        number for number in NUMBERS if p["tokens"] == "rational" or isinstance(number, int)
    ]
    every = (list(word) for n in range(p["lengths"][0], p["lengths"][1] + 1) for word in product(letters, repeat=n))
    return sample(list(every), "words", 60)


def separated(p: dict[str, Any]) -> bool:
    made = core_of(p["nodes"])
    for word in words(p):
        one, other = (interpreted(made[p[name]], word) for name in ("first", "second"))
        if one != other and not (p["defined"] and (one is None or other is None)):
            return True
    return False


def read(files: Artifact) -> tuple[dict[str, Any], dict[str, Any]]:
    statement, certificate = (json.loads(files[name]) for name in ("statement.json", "certificate.json"))
    return statement["parameters"], {name: part for name, part in certificate.items() if name == "cases"}


@pytest.mark.parametrize("name", VALID)
def test_interpreter_agrees_with_valid_artifacts(name: str) -> None:
    assert not separated(read(VALID[name])[0])


@pytest.mark.parametrize("name", VALID)
def test_changed_graph_is_valid_only_if_no_input_separates_its_nodes(name: str) -> None:
    p, parts = read(VALID[name])
    mutants = 0
    for where, old in sample(list(leaves(p["nodes"])), name, 40):
        for new in [old + 1, old - 1] if type(old) is int else [not old] if type(old) is bool else [OTHERS.get(old)]:
            mutated = p | {"nodes": changed(p["nodes"], where, new)}
            if new is not None and build.verdict(stated(mutated, parts)).verdict == "VALID":
                assert not separated(mutated), (where, new)
            mutants += new is not None
    assert mutants


@pytest.mark.parametrize("name", FALSE)
def test_no_certificate_of_a_false_claim_is_accepted(name: str) -> None:
    p, parts = read(FALSE[name])
    assert build.verdict(stated(p, parts)).verdict == "INVALID"
    for where, old in sample(list(leaves(parts)), name, 60):
        for new in (old + 1, old - 1, -old):
            assert build.verdict(stated(p, changed(parts, where, new))).verdict == "INVALID"
    for where, old in nodes(parts):
        for mutant in _shorter(parts, where, old):
            assert build.verdict(stated(p, mutant)).verdict == "INVALID"


def _shorter(parts: dict[str, Any], where: tuple, old: Any) -> list[Any]:
    """Without a case or a combination, or with a leaf in place of a tree."""
    if not where or not isinstance(old, dict):
        return []
    smaller = [changed(parts, where, {k: v for k, v in old.items() if k != key}) for key in old]
    return [*smaller, changed(parts, where, [])]
