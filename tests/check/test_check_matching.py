"""Section 11: polynomial arithmetic against sympy, the query, and mutations that stay VALID only if still proved."""

from __future__ import annotations

import itertools
import json
import math
import random
import time
from collections.abc import Iterator
from fractions import Fraction
from typing import Any

import pytest
import sympy

from tests.check import build, corpus_matching
from tests.check import build_matching as bm
from tests.check.build import Artifact, rule

VALID = corpus_matching.valid()
HUGE = 10**40
Where = tuple[str | int, ...]


def random_polynomial(source: random.Random, variables: int) -> dict[tuple[int, ...], int]:
    words = [
        tuple(sorted(source.choices(range(variables), k=source.randint(0, 4)))) for _ in range(source.randint(0, 7))
    ]
    return {word: source.choice([-7, -1, 1, 2, 10**30]) for word in words}


def as_sympy(polynomial: dict[tuple[int, ...], int], x: Any) -> Any:
    return sum((c * sympy.prod([x[v] for v in word]) for word, c in polynomial.items()), sympy.Integer(0))


def test_polynomial_arithmetic_agrees_with_sympy() -> None:
    checker, source, x = rule("matching_polynomial"), random.Random(1), sympy.symbols("x:4")
    for _ in range(60):
        f, g, h = (random_polynomial(source, 4) for _ in range(3))
        total, product = checker.add(f, g, h), checker.multiply(f, g)
        assert sympy.expand(as_sympy(total, x) - as_sympy(f, x) - as_sympy(g, x) - as_sympy(h, x)) == 0
        assert sympy.expand(as_sympy(product, x) - as_sympy(f, x) * as_sympy(g, x)) == 0
        assert all(c and list(word) == sorted(word) for word, c in (total | product).items())
        assert checker.add(f, checker.multiply(f, checker.constant(-1))) == {}


def test_product_in_a_number_field_agrees_with_sympy() -> None:
    checker, source, t = rule("matching_field"), random.Random(2), sympy.Symbol("t")
    for _ in range(60):
        modulus, left, right = (
            [Fraction(source.randint(-5, 5)) for _ in range(source.randint(2, 5))] for _ in range(3)
        )
        modulus[-1] = Fraction(source.choice([-3, 1, 2]))
        polynomials = [sympy.Poly([sympy.Rational(c) for c in reversed(p)], t) for p in (left, right, modulus)]
        expected = (polynomials[0] * polynomials[1]).rem(polynomials[2])
        found = checker.times(left, right, modulus)
        assert [sympy.Rational(c) for c in found] == [
            c for c in reversed(expected.all_coeffs()) if not expected.is_zero
        ]


# ---- what an accepted certificate proves, from the definitions


def equations(p: dict[str, Any], part: dict[str, Any]) -> tuple[list[Any], list[Any]]:
    """Variables and equations of the slice system, by sympy."""
    H, L, m = (p[name] for name in "HLm")
    n, r, start = L * H, m - H**L, int(part["slice"] == "zero")
    axes = range(start, r + 1)
    variables, maps = [], []
    for i in range(1, n + 1):
        if part["heads"] == "general":
            own = {(a, b): sympy.Symbol(f"c{i}_{a}_{b}") for a in axes for b in range(a, r + 1)}
            maps.append(lambda x, own=own: sum(c * x[a] * x[b] for (a, b), c in own.items()))
            variables += own.values()
        else:
            sides = [{a: sympy.Symbol(f"{side}{i}_{a}") for a in axes} for side in "ab"]
            maps.append(lambda x, sides=sides: math.prod(sum(c * x[a] for a, c in side.items()) for side in sides))
            variables += [c for side in sides for c in side.values()]
    result = []
    for t, point in enumerate(part["points"]):
        unit = t + start
        x = [1, *(int(axis == unit) for axis in range(1, r + 1))]
        if t > 1 or unit > r:
            x = [1, *(sympy.Symbol(f"x{t + 1}_{a}") for a in range(1, r + 1))]
            variables += x[1:]
        result += [f(x) - q for f, q in zip(maps, point, strict=True)]
    return variables, result


def proved_identity(p: dict[str, Any], part: dict[str, Any]) -> bool:
    variables, system = equations(p, part)

    def read(polynomial: Any) -> Any:
        return sum((c * sympy.prod([variables[v] for v in word]) for c, word in polynomial), sympy.Integer(0))

    left = part["scale"] + sum(w * read(s) ** 2 for w, s in part["squares"])
    right = sum((read(c) * f for c, f in zip(part["cofactors"], system, strict=True)), sympy.Integer(0))
    positive = part["scale"] > 0 and all(w > 0 for w, _ in part["squares"])
    return positive and sympy.expand(left - right) == 0


def proved_dimension(p: dict[str, Any], degree: int) -> bool:
    n, r = p["L"] * p["H"], p["m"] - p["H"] ** p["L"]
    quadric = math.comb(2 * degree - 2 + r, r) if min(p["H"], p["L"]) >= 2 and r >= 0 else 0
    return r < 0 or (degree >= 1 and math.comb(degree + n, n) > math.comb(2 * degree + r, r) - quadric)


def dense(pairs: Any, m: int) -> Any:
    matrix = sympy.zeros(m, m)
    for s, t in pairs:
        matrix[s, t] = 1
    return matrix


def proved_backbone(p: dict[str, Any], b: dict[str, Any]) -> bool:
    """The conditions with dense matrices and symbols v, z, and the determinants by sympy."""
    H, L, m = (p[name] for name in "HLm")
    v = {(l, h): sympy.Symbol(f"v{l}_{h}", nonzero=True) for l in range(1, L + 1) for h in range(1, H + 1)}  # noqa: E741

    def product(path: Any) -> Any:
        return sympy.prod([v[i + 1, h] for i, h in enumerate(path)])

    def word(slot: Any) -> Any:
        path, s = slot
        layer = "" if H == 1 else f"{len(path) + 1}_"
        return product(path) if s == 0 else product(path) * sympy.Symbol(f"z{layer}{s}")

    e = sympy.Matrix([[0 if slot is None else word(slot) for slot in b["slots"]]])
    groups: dict[int, list[Any]] = {}
    for length in range(L + 1):
        for path in itertools.product(range(1, H + 1), repeat=length):
            x = e
            for layer, h in enumerate(path):
                x = x * dense(b["values"][layer][h - 1], m)
            if length == L:
                if sympy.expand(sum(x[c] for c in b["readout"]) - product(path)) != 0:
                    return False
                continue
            factor = product(path) if H > 1 else 1
            for h in range(H):
                forms = [sympy.cancel(sum(k * x[c] for c, k in side) / factor) for side in b["forms"][length][h]]
                groups.setdefault(length if H > 1 else 0, []).append((h if H > 1 else length, tuple(forms)))
    return all(onto(dict(found), found, b["blocks"][g]) for g, found in groups.items())


def onto(scores: dict[int, Any], found: list[Any], blocks: Any) -> bool:
    if any(scores[i] != forms for i, forms in found) or sorted(i for block in blocks for i in block) != sorted(scores):
        return False
    used: set[Any] = set()
    for block in blocks:
        own = sorted(set().union(*(f.free_symbols for i in block for f in scores[i])), key=str)
        if used & set(own):
            return False
        used |= set(own)
        reads_output = [str(s)[0] for s in own] == ["v", "z"] and sympy.expand(math.prod(scores[0]) / own[0] / own[1])
        if reads_output and reads_output.is_number:
            continue
        if any(str(s)[0] == "v" for s in own) or len(own) != max(len(block), 2):
            return False
        choices = [scores[block[0]]] if len(block) == 1 else itertools.product(*(scores[i] for i in block))
        values = [sympy.Matrix([[f.coeff(s) for s in own] for f in choice]).det() for choice in choices]
        if 0 in values or (len(block) > 1 and math.prod(values) > 0):
            return False
    return True


def proved_model(p: dict[str, Any], model: dict[str, Any]) -> bool:
    variables, system = equations(p, p)
    theta = sympy.Symbol("theta")
    known = dict(zip(variables, (sympy.Rational(*x) for x in model["scores"]), strict=False))
    n = p["L"] * p["H"]
    for t, program in enumerate(model["programs"]):
        modulus = sympy.Poly(list(reversed(program["polynomial"])), theta)
        if modulus.count_roots(*(sympy.Rational(*end) for end in program["interval"])) < 1:
            return False
        own = {
            sympy.Symbol(f"x{t + 1}_{a}"): sum(sympy.Rational(*c) * theta**i for i, c in enumerate(row))
            for a, row in enumerate(program["coordinates"], 1)
        }
        for equation in system[t * n : (t + 1) * n]:
            value = sympy.sympify(equation).subs(known).subs(own)
            if not sympy.Poly(value, theta).rem(modulus).is_zero:
                return False
    return True


def proved(files: Artifact) -> bool:
    """Whether the certificate proves the claim, which must be the one of the parameters."""
    statement, certificate = (json.loads(files[name]) for name in ("statement.json", "certificate.json"))
    p, goal = statement["parameters"], statement["goal"]
    if statement["claims"] != [bm.claim(goal, p, certificate.get("query", ""))]:
        return False
    if goal == bm.BACKBONE:
        return proved_backbone(p, certificate["backbone"])
    if goal == bm.MODEL:
        return proved_model(p, certificate["model"])
    if goal == bm.QUERY:
        named = certificate["solvers"] and set(certificate["solvers"]) <= {"z3", "cvc5"}
        return bool(named) and certificate["query"] in (bm.LINEAR_QUERY, bm.PRODUCT_QUERY)
    if "dimension" in certificate:
        return proved_dimension(p, certificate["dimension"]["degree"])
    return proved_identity(p, certificate["identity"])


# ---- mutations


def nodes(value: Any, where: Where = ()) -> Iterator[tuple[Where, Any]]:
    yield where, value
    if isinstance(value, dict | list):
        for key, item in value.items() if isinstance(value, dict) else enumerate(value):
            yield from nodes(item, (*where, key))


def changed(value: Any, where: Where, new: Any) -> Any:
    copy = json.loads(json.dumps(value))
    inner = copy
    for key in where[:-1]:
        inner = inner[key]
    inner[where[-1]] = new
    return copy


def replacements(old: Any) -> list[Any]:
    if isinstance(old, list):
        return [old[:i] + old[i + 1 :] for i in range(len(old))] + [old[:1] + old, {}, None]
    if isinstance(old, dict):
        return [{k: v for k, v in old.items() if k != key} for key in old] + [old | {"extra": 1}, []]
    if isinstance(old, int):
        return [new for new in (old + 1, old - 1, -old, 0, HUGE) if new != old] + [bool(old), str(old), None]
    return ["", old + "x", old[:-1], 1, None] if isinstance(old, str) else [1, "1", []]


def sample(items: list[Any], name: str, most: int = 90) -> list[Any]:
    return items if len(items) <= most else random.Random(name).sample(items, most)


@pytest.mark.parametrize("name", VALID)
def test_valid_artifact_is_accepted_and_proved(name: str) -> None:
    assert build.verdict(VALID[name]).verdict == "VALID"
    assert proved(VALID[name])


@pytest.mark.parametrize("name", VALID)
def test_changed_certificate_is_rejected_or_still_proved(name: str) -> None:
    files, certificate = VALID[name], json.loads(VALID[name]["certificate.json"])
    rejected = 0
    for where, old in sample([node for node in nodes(certificate) if node[0]], name):
        for new in replacements(old):
            mutant = files | {"certificate.json": json.dumps(changed(certificate, where, new)).encode()}
            if build.verdict(mutant).verdict == "VALID":
                assert proved(mutant), (where, new)
            else:
                rejected += 1
    assert rejected > 10


@pytest.mark.parametrize("name", VALID)
def test_changed_statement_is_rejected_or_still_proved(name: str) -> None:
    statement, certificate = (json.loads(VALID[name][file]) for file in ("statement.json", "certificate.json"))
    for where, old in [node for node in nodes(statement) if node[0]]:
        for new in replacements(old):
            mutant = build.signed(changed(statement, where, new), certificate)
            assert build.verdict(mutant).verdict == "INVALID", (where, new)


@pytest.mark.parametrize("name", VALID)
def test_other_parameters_with_claims_that_fit_are_rejected_or_proved(name: str) -> None:
    p = json.loads(VALID[name]["statement.json"])["parameters"]
    changes = [{key: p[key] + step} for key in "HLm" for step in (-1, 1, 3) if p[key] + step > 0]
    changes += [{"heads": new} for new in bm.HEADS] + [{"targets": new} for new in bm.VALUES]
    accepted = 0
    for change in changes:
        mutant = corpus_matching.restated(VALID[name], **change)
        if build.verdict(mutant).verdict == "VALID":
            accepted += 1
            assert proved(mutant), change
    assert accepted >= 1  # the parameters themselves


def test_dimension_rule_stops_exactly_where_the_free_coordinates_suffice() -> None:
    for H, L in ((1, 1), (2, 1), (1, 3), (3, 1), (2, 2), (3, 2)):
        least = H**L + L * H + (H >= 2 and L >= 2)
        for m in range(1, least + 2):
            files = bm.artifact(bm.INFEASIBLE, bm.parameters(H, L, m, targets="weak"), dimension={"degree": 10**6})
            assert (build.verdict(files).verdict == "VALID") == (m < least), (H, L, m)


# ---- limits


def polynomial(terms: int, degree: int, bits: int) -> list[Any]:
    """Terms of this degree in the variables 0 and 1, with coefficients of this length."""
    words = itertools.islice(([0] * (d - i) + [1] * i for d in range(degree, 0, -1) for i in range(d + 1)), terms)
    return [[2**bits - 1, word] for word in words]


def with_squares(*squares: Any) -> Artifact:
    return corpus_matching.infeasible(1, 1, 2, identity=bm.OPPOSITE | {"squares": list(squares)})


def with_cofactor(cofactor: Any) -> Artifact:
    return corpus_matching.infeasible(1, 1, 2, identity=bm.OPPOSITE | {"cofactors": [cofactor, cofactor]})


def model_of(m: int, modulus: Any, interval: Any, rows: Any, scores: Any = 1) -> Artifact:
    """One score on the slice ones, asked for 1, 2 and then for 3 at the program given."""
    r, p = m - 1, bm.parameters(1, 1, m, slice="ones", points=[[1], [2], [3]])
    pins = [[[[int(a == t), 1]] if a == t else [] for a in range(1, r + 1)] for t in (0, 1)]
    programs = [{"polynomial": [0, 1], "interval": [[-1, 1], [1, 1]], "coordinates": pin} for pin in pins]
    names = itertools.combinations_with_replacement(range(m), 2)
    own = [[scores if b < 2 and (a, b) != (1, 1) else 0 if b < 2 else 1, 1] for a, b in names]
    given = {"polynomial": modulus, "interval": interval, "coordinates": rows}
    return bm.artifact(bm.MODEL, p, model={"scores": own, "programs": [*programs, given]})


def coordinates(r: int, degree: int, size: int) -> Any:
    """Rows of fractions with different denominators, whose sums grow."""
    return [[[size + 2 * i + j, size + 3 * i + 5 * j + 1] for i in range(degree)] for j in range(r)]


LONG, UNIT = 10**4000, [[0, 1], [1, 1]]
TOO_MUCH = {
    "one long square": with_squares([1, polynomial(2000, 64, 1)]),
    "many squares": with_squares(*[[1, polynomial(300, 40, 1)]] * 200),
    "squares of long numbers": with_squares(*[[1, polynomial(60, 12, 13000)]] * 20),
    "a long weight": with_squares(*[[LONG, polynomial(100, 12, 1)]] * 100),
    "empty squares": with_squares(*[[1, []]] * 10**5),
    "long cofactors": with_cofactor(polynomial(2000, 64, 13000)),
    "a program of high degree": model_of(40, [-1] + [2] * 62 + [3], UNIT, coordinates(39, 63, 7)),
    "a modulus of long numbers": model_of(3, [-LONG] + [LONG + 1] * 62 + [LONG + 7], UNIT, coordinates(2, 63, 7)),
    "coordinates of long numbers": model_of(3, [-1] + [2] * 30 + [3], UNIT, coordinates(2, 31, LONG)),
    "ends of long numbers": model_of(3, [-1] + [2] * 62 + [3], [[-LONG, 7], [LONG, 3]], coordinates(2, 2, 1)),
}


@pytest.mark.parametrize("name", TOO_MUCH)
def test_certificate_of_too_much_work_is_refused_at_once(name: str) -> None:
    start = time.process_time()
    result = build.verdict(TOO_MUCH[name])
    assert (result.verdict, (result.reason or "")[-9:]) == ("INVALID", "too large")
    assert time.process_time() - start < 5


def slice_of(r: int, points: int, heads: str) -> dict[str, Any]:
    return bm.parameters(1, 1, r + 1, heads, slice="ones", points=[[t + 1] for t in range(points)])


@pytest.mark.parametrize(("r", "points", "heads"), [(64, 46, "general"), (20, 400, "general"), (64, 23, "rank-one")])
def test_largest_systems_are_built_fast_and_larger_ones_are_refused(r: int, points: int, heads: str) -> None:
    checker, start = rule("matching_slice"), time.process_time()
    p = slice_of(r, points, heads)
    chosen = checker.read_slice(1, 1, r + 1, heads, "strong", "ones", p["points"], "points")
    assert checker.query(chosen, 0).count("\n(assert") == points
    assert time.process_time() - start < 8
    wide = bm.artifact(bm.QUERY, slice_of(64, 400, heads) | {"seed": 0}, query="", solvers=["z3"])
    assert (build.verdict(wide).reason or "").endswith("terms, too large")


def test_work_is_one_budget_for_all_squares_and_cofactors() -> None:
    square = [1, polynomial(190, 16, 1)]
    reasons = [build.verdict(with_squares(*[square] * count)).reason or "" for count in (1, 30)]
    assert "different polynomials" in reasons[0]
    assert "too much work" in reasons[1]
