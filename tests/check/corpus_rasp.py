"""The corpus of the goal of section 12: valid, invalid and malformed artifacts (see corpus.py)."""

from __future__ import annotations

from typing import Any

from tests.check.build import Artifact
from tests.check.build_rasp import Graph, artifact, ordering, split
from tests.check.corpus import filed

Case = tuple[Artifact, str]
HALF, THIRD = {"q": [1, 2]}, {"q": [1, 3]}
ROWS: tuple[tuple[str, tuple[Any, ...], Any], ...] = (
    ("add", (2, HALF), {"q": [5, 2]}),
    ("add", ("a", "b"), "ab"),
    ("add", (True, True), 2),
    ("sub", (1, THIRD), {"q": [2, 3]}),
    ("mul", ("ab", 2), "abab"),
    ("mul", (-1, "ab"), ""),
    ("mul", (HALF, 4), 2),
    ("div", (1, -3), {"q": [-1, 3]}),
    ("mod", (-7, 3), 2),
    ("mod", (7, -3), -2),
    ("mod", ({"q": [7, 2]}, 1), HALF),
    ("pow", (2, -1), HALF),
    ("pow", (0, 0), 1),
    ("neg", (True,), -1),
    ("pos", (True,), 1),
    ("round", ({"q": [5, 2]},), 2),
    ("round", ({"q": [7, 2]},), 4),
    ("round", ({"q": [-1, 2]},), 0),
    ("indicator", ("",), 0),
    ("indicator", ("0",), 1),
    ("eq", (1, True), True),
    ("eq", ("1", 1), False),
    ("ne", ("1", 1), True),
    ("lt", ("B", "a"), True),
    ("le", ({"q": [1, 3]}, HALF), True),
    ("gt", ("a", ""), True),
    ("ge", (True, 1), True),
    ("not", (0,), True),
    ("and", ("a", 0), False),
    ("or", ("", 2), True),
    ("if", ("", 1, "other"), "other"),
)
"""Operations on constants, with their results."""


def operations(rows: Any) -> Artifact:
    """All rows hold: the conjunction of equalities is the constant true."""
    graph = Graph()
    all_hold = true = graph.constant(True)
    for name, values, result in rows:
        found = graph.map(name, *(graph.constant(value) for value in values))
        all_hold = graph.map("and", all_hold, graph.map("eq", found, graph.constant(result)))
    return artifact(graph, all_hold, true, letters=["a"])


def readings(table: dict[str, list[list[Any]]]) -> Artifact:
    """Every kind of token sequence is the table from letters to values."""
    graph = Graph()
    letters = graph.tokens("asis")
    all_hold = true = graph.constant(True)
    for kind, pairs in table.items():
        same = graph.map("eq", graph.tokens(kind), graph.node("key", pairs, letters))
        all_hold = graph.map("and", all_hold, same)
    return artifact(graph, all_hold, true, letters=LETTERS)


LETTERS = ["12", "-3", -2, {"q": [-5, 2]}]
READINGS = {
    "str": [["12", "12"], ["-3", "-3"], [-2, "-2"], [{"q": [-5, 2]}, "-2.5"]],
    "int": [["12", 12], ["-3", -3], [-2, -2], [{"q": [-5, 2]}, -2]],
    "float": [["12", 12], ["-3", -3], [-2, -2], [{"q": [-5, 2]}, {"q": [-5, 2]}]],
    "bool": [["12", True], ["-3", True], [-2, True], [{"q": [-5, 2]}, True]],
}


def histogram(letters: str, lengths: tuple[int, int], difference: Any = 0) -> Artifact:
    """How often a token occurs, counted and as n times a mean."""
    graph = Graph()
    tokens, one = graph.tokens("asis"), graph.constant(1)
    same = graph.select("eq", tokens, tokens)
    every = graph.select("eq", one, one)
    n = graph.node("width", every)
    other = graph.node("combine", "not", [same])
    left = graph.map("add", graph.map("sub", n, graph.node("width", other)), graph.constant(difference))
    return artifact(graph, graph.node("width", same), left, lengths=lengths, letters=list(letters))


def shares(tokens: str) -> Artifact:
    """The mean of indicators is the count over n: a default where nothing is selected."""
    graph = Graph()
    read, here = graph.tokens("asis"), graph.node("indices")
    first = graph.node("combine", "and", [graph.select("lt", here, here), graph.select("eq", read, read)])
    once = graph.node("aggregate", first, graph.map("indicator", graph.map("eq", read, graph.constant("a"))), HALF)
    width = graph.node("width", first)
    marked = graph.map("if", graph.map("eq", read, graph.constant("a")), graph.constant(1), graph.constant(0))
    other = graph.map("if", graph.map("eq", width, graph.constant(0)), graph.constant(HALF), marked)
    return artifact(graph, once, other, lengths=(1, 4), letters=list(tokens))


def maximum(tree: Any = None, operation: str = "ge", **options: Any) -> Artifact:
    """max(max(x0, x1), x2) and max(x0, max(x1, x2))."""
    graph = Graph()
    x = graph.tokens(options.pop("kind", "float"))
    a, b, c = (graph.at(x, i) for i in range(3))
    left = graph.larger(graph.larger(a, b), c)
    inner = graph.larger(b, c)
    right = graph.map("if", graph.map(operation, a, inner), a, inner)
    return artifact(graph, left, right, lengths=(3, 3), cases=[ordering() if tree is None else tree], **options)


def threshold(tree: Any, bounds: tuple[int, int] = (1, 2)) -> Artifact:
    """x0 > a or x0 > b is x0 > a, for b > a."""
    graph = Graph()
    x = graph.tokens()
    first, second = (graph.map("gt", x, graph.constant(bound)) for bound in bounds)
    return artifact(graph, graph.map("or", first, second), first, cases=[tree])


def above(excluded: dict[str, list[list[int]]] | None = None) -> dict[str, Any]:
    """By 2 x0 - 2, then by x0 - 2: below 1 (and at 1) it cannot reach 2."""
    plus = {"plus": [[0, 1, 2], [1, 1, 1]], "zero": [[0, 1, 2]]} if excluded is None else excluded
    return split(
        [2, -2],
        {
            "-": split([1, -2], {"-": []}, **plus),
            "0": split([1, -2], {"-": []}),
            "+": split([1, -2], {"-": [], "0": [], "+": []}),
        },
    )


def reciprocal(tree: Any, **options: Any) -> Artifact:
    """1 / x and 2 / (2 x) have no value at 0."""
    graph = Graph()
    x, one, two = graph.tokens(), graph.constant(1), graph.constant(2)
    return artifact(
        graph, graph.map("div", one, x), graph.map("div", two, graph.map("mul", two, x)), cases=[tree], **options
    )


NOT_ZERO = split([1, 0], {"0": [], "!": []})


def at_zero(defined: bool, tree: Any = None) -> Artifact:
    """x / x and 1 differ only in that one has no value at 0."""
    graph = Graph()
    x, one = graph.tokens(), graph.constant(1)
    return artifact(graph, graph.map("div", x, x), one, defined=defined, cases=[NOT_ZERO if tree is None else tree])


def square_minus_one(constant: Any = -1) -> Artifact:
    """(x - 1)(x + 1) and x^2 - 1: no case is needed."""
    graph = Graph()
    x, one = graph.tokens(), graph.constant(1)
    left = graph.map("mul", graph.map("sub", x, one), graph.map("add", x, one))
    right = graph.map("add", graph.map("pow", x, graph.constant(2)), graph.constant(constant))
    return artifact(graph, left, right, lengths=(2, 3), cases=[[], []])


def negated_order(tree: Any, operation: str = "ge", **options: Any) -> Artifact:
    """Two selectors: x below x, and not at least x."""
    graph = Graph()
    x = graph.tokens()
    one, other = graph.select("lt", x, x), graph.select(operation, x, x)
    return artifact(graph, one, graph.node("combine", "not", [other]), lengths=(2, 2), cases=[tree], **options)


PAIR = split([1, -1, 0], {"-": [], "0": [], "+": []})


def mean_of_all(factor: Any = HALF) -> Artifact:
    """The mean of two tokens is half their sum."""
    graph = Graph()
    x, one = graph.tokens(), graph.constant(1)
    mean = graph.node("aggregate", graph.select("eq", one, one), x, 0)
    total = graph.map("mul", graph.map("add", graph.at(x, 0), graph.at(x, 1)), graph.constant(factor))
    return artifact(graph, mean, total, lengths=(2, 2), cases=[[]])


def booleans(values: str) -> Artifact:
    """A mean of several booleans and a quotient by 0: on two tokens neither has a value, on one the first has."""
    graph = Graph()
    here = graph.node("indices")
    marks = graph.map("eq", graph.tokens("asis"), graph.constant("a"))
    marks = graph.map(values, marks) if values == "indicator" else marks
    mean = graph.node("aggregate", graph.select("ge", here, graph.constant(0)), marks, 0)
    return artifact(graph, mean, graph.map("div", here, graph.constant(0)), lengths=(2, 3), letters=["a", "b"])


def same_node(selector: bool) -> Artifact:
    """One node, of which nothing is computed: it has no linear cases."""
    graph = Graph()
    x = graph.tokens()
    node = graph.select("lt", graph.map("mul", x, x), x) if selector else graph.map("mod", x, graph.constant(2))
    return artifact(graph, node, node, lengths=(1, 64))


def texts() -> Artifact:
    """The strings of two numbers are equal if the numbers are; a string is never equal to a number."""
    graph = Graph()
    text, x = graph.tokens("str"), graph.tokens()
    one = graph.map("or", graph.map("eq", text, graph.constant("0.5")), graph.map("eq", text, x))
    return artifact(graph, one, graph.map("eq", x, graph.constant(HALF)), cases=[split([2, -1], {"0": [], "!": []})])


def listed(entries: list[Any]) -> Artifact:
    """A list by an index that counts from the end, membership, and no entry at all at 2."""
    graph = Graph()
    x = graph.tokens("asis")
    pairs = [[0, "x"], [1, "y"], [-1, "y"], [-2, "x"]]
    return artifact(graph, graph.node("index", entries, x), graph.node("key", pairs, x), letters=[-2, -1, 0, 1, 2])


def valid() -> dict[str, Artifact]:
    return {
        "rasp-same-node": same_node(False),
        "rasp-same-selector": same_node(True),
        "rasp-inputs-operations": operations(ROWS),
        "rasp-inputs-readings": readings(READINGS),
        "rasp-inputs-counts": histogram("abc", (1, 4)),
        "rasp-inputs-default": shares("ab"),
        "rasp-inputs-list": listed(["x", "y"]),
        "rasp-inputs-mean-of-booleans": booleans("eq"),
        "rasp-cases-order": maximum(),
        "rasp-cases-integers": maximum(tokens="integer", kind="int"),
        "rasp-cases-constant": threshold(above()),
        "rasp-cases-no-value": reciprocal(NOT_ZERO),
        "rasp-cases-defined": at_zero(True),
        "rasp-cases-polynomial": square_minus_one(),
        "rasp-cases-selectors": negated_order(PAIR),
        "rasp-cases-mean": mean_of_all(),
        "rasp-cases-text": texts(),
    }


def cases() -> dict[str, Case]:
    """kind/name -> files and the reason's pattern (empty for valid)."""
    from tests.check.invalid_rasp import invalid, malformed

    return filed(valid(), invalid(), malformed())
