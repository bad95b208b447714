"""The least cone lies between f and f + eps for named Lipschitz and Hölder functions; tables are judged exactly."""

from __future__ import annotations

import math
from fractions import Fraction
from itertools import product
from pathlib import Path

import numpy as np
import pytest
import torch

from constructions.simulators.lipschitz import LIPSCHITZ, fewest_steps, points, violation
from symut.emitter.simulators import emit_simulator
from symut.errors import UsageError
from symut.prover.simulators import described
from symut.rasp import evaluate
from symut.theorem import resolve
from tests.rasp.compiled import imported

CANTOR = [Fraction(sum(2 * d * 3**i for i, d in enumerate(digits)), 27) for digits in product((0, 1), repeat=3)]
CORNERS = [(0.0, 1.0), (0.5, 0.25), (1.0, 0.75)]


def to_cantor(x) -> float:
    return min(abs(x[0] - float(c)) for c in CANTOR)


def to_corners(x) -> float:
    return min(abs(x[0] - a) + abs(x[1] - b) for a, b in CORNERS)


def weierstrass(x) -> float:
    """sum_k 2^(-k/2) cos(2^k pi x) / 18: of differences at h terms with 2^k h <= 1 add up to at most 10.8 sqrt(h) / 18,
    since |cos a - cos b| <= |a - b|, and all others to at most 6.9 sqrt(h) / 18."""
    return sum(2 ** (-k / 2) * math.cos(2**k * math.pi * x[0]) for k in range(14)) / 18


NAMED = {
    "sine": ("1", {"constant": "13/2", "eps": "1/4"}, lambda x: math.sin(2 * math.pi * x[0])),
    "tent": ("1", {"constant": "2", "eps": "1/8"}, lambda x: abs(2 * x[0] - 1)),
    "saddle": ("1", {"dim": 2, "constant": "4/3", "eps": "1/2"}, lambda x: x[0] * x[1] - abs(x[0] - x[1]) / 3),
    "root of |x - 1/3|": ("1/2", {"eps": "1/4"}, lambda x: math.sqrt(abs(x[0] - 1 / 3))),
    "Weierstrass": ("1/2", {"eps": "1/4"}, weierstrass),
    "root of the distance to Cantor's set": ("1/2", {"eps": "1/4"}, lambda x: math.sqrt(to_cantor(x))),
    "root of the distance to three points": ("1/2", {"dim": 2, "eps": "1/2"}, lambda x: math.sqrt(to_corners(x))),
    "power 2/3 of a distance": ("2/3", {"dim": 2, "eps": "2/3"}, lambda x: to_corners(x) ** (2 / 3)),
}


def sizes_of(**values) -> dict[str, int]:
    return LIPSCHITZ.sizes(resolve(LIPSCHITZ, values))


def steepest(f, dim: int, K: float, A: float) -> float:
    """The largest |f(x) - f(y)| / (K |x - y|^A) of random pairs."""
    random = np.random.default_rng(1)
    x = random.random((3000, dim))
    y = np.clip(x + random.normal(size=x.shape) * 10.0 ** random.uniform(-5, 0, (len(x), 1)), 0, 1)
    rise = np.array([abs(f(a) - f(b)) for a, b in zip(x, y, strict=True)])
    return float((rise / (K * np.abs(x - y).sum(axis=1) ** A)).max())


@pytest.mark.parametrize("name", NAMED)
def test_the_answer_lies_between_a_named_function_and_eps_above_it(name: str) -> None:
    alpha, values, f = NAMED[name]
    sizes = sizes_of(alpha=alpha, **values)
    K, A = sizes["top"] / sizes["bottom"], sizes["up"] / sizes["down"]
    assert steepest(f, sizes["dim"], K, A) <= 1 + 1e-9
    table = [f([float(c) for c in p]) for p in points(sizes)]
    program, random, above = LIPSCHITZ.program(sizes), np.random.default_rng(0), []
    for x in [*random.random((40, sizes["dim"])), *np.array(points(sizes)[::7], dtype=float)]:
        above.append(evaluate(program, [*x.tolist(), *table], floats=True)[0] - f(x))
    assert min(above) >= -1e-12
    assert 1e-3 < max(above) <= float(Fraction(values["eps"])) + 1e-12


@pytest.mark.parametrize(
    ("K", "eps", "dim", "A"),
    [*product(("1", "3/2"), ("1/4", "1/3", "2", "7"), (1, 2, 3), ("1", "1/2", "2/3", "5/7")), ("1", "1/8", 5, "1/2")],
)
def test_the_grid_is_the_coarsest_that_suffices(K: str, eps: str, dim: int, A: str) -> None:
    constant, error, exponent = Fraction(K), Fraction(eps), Fraction(A)
    p, q = exponent.numerator, exponent.denominator

    def enough(s: int) -> bool:
        return (2 * constant) ** q * Fraction(dim, 2 * s) ** p <= error**q

    s = fewest_steps(constant, error, dim, exponent)
    assert enough(s)
    assert s == 1 or not enough(s - 1)
    if exponent == 1:
        assert s == max(1, math.ceil(constant * dim / error))


def test_no_exponent_is_the_exponent_one() -> None:
    one, none = sizes_of(alpha="1"), sizes_of()
    assert one == none == {"dim": 1, "steps": 4, "top": 1, "bottom": 1, "up": 1, "down": 1}
    gates = [gate[0] for layer in described(LIPSCHITZ, none)["layers"] for level in layer["levels"] for gate in level]
    assert "root" not in gates


@pytest.mark.parametrize("alpha", ["2", "65/64", "1/65", "0", "-1/2", "half"])
def test_other_exponents_are_refused(alpha: str) -> None:
    with pytest.raises(UsageError, match="--alpha out of range"):
        sizes_of(alpha=alpha)


@pytest.mark.parametrize(
    ("values", "said"),
    [
        ({"alpha": "1/2", "eps": "1/100"}, "too many cases.*s = 20000"),
        ({"alpha": "1/64", "eps": "1/100"}, "too many cases.*s = "),
        ({"dim": 10**7, "alpha": "1/2"}, "too many cases"),
        ({"eps": "1/65"}, "too many cases.*got s = 65"),
        ({"constant": "1000001", "eps": "1000001"}, "too long for a proof"),
    ],
)
def test_sizes_without_a_proof_are_refused_in_one_line(values: dict, said: str) -> None:
    with pytest.raises(UsageError, match=said) as caught:
        LIPSCHITZ.require_provable(sizes_of(**values))
    assert "\n" not in str(caught.value)


TINY = Fraction(1, 10**40)


@pytest.mark.parametrize(
    ("sizes", "table", "found"),
    [
        ((1, 2, 1, 1, 1, 2), [Fraction(0), Fraction(7071, 10000)], None),
        ((1, 2, 1, 1, 1, 2), [Fraction(0), Fraction(7072, 10000)], (0, 1)),
        ((1, 4, 3, 2, 1, 2), [Fraction(0), Fraction(3, 4), Fraction(0), Fraction(3, 4)], None),
        ((1, 4, 3, 2, 1, 2), [Fraction(0), Fraction(3, 4), Fraction(0), Fraction(3, 4) + TINY], (2, 3)),
        ((2, 2, 1, 1, 2, 3), [Fraction(x) for x in (0, 0, 0, 1)], (1, 3)),
        ((2, 2, 2, 1, 2, 3), [Fraction(x) for x in (0, 0, 0, 1)], None),
        ((1, 2, 1, 1, 1, 1), [Fraction(0), Fraction(1, 2) + TINY], (0, 1)),
        ((1, 2, 1, 1, 1, 1), [Fraction(0), Fraction(1, 2)], None),
    ],
)
def test_two_points_name_a_table_that_is_too_steep_exactly(sizes: tuple, table: list, found: tuple | None) -> None:
    assert violation(dict(zip(("dim", "steps", "top", "bottom", "up", "down"), sizes, strict=True)), table) == found


@pytest.mark.parametrize("values", [{"alpha": "1/2", "eps": "1/2"}, {"dim": 2, "alpha": "2/3", "eps": "2/3"}])
def test_the_module_checks_itself_and_refuses_steep_tables(values: dict, tmp_path: Path) -> None:
    for name, content in emit_simulator(LIPSCHITZ, resolve(LIPSCHITZ, values), 2**30).files.items():
        (tmp_path / name).write_bytes(content)
    model = imported(tmp_path / "model.py")
    assert model.main() == 0
    module, sizes = model.load(dtype=torch.float64), sizes_of(**values)
    count, x = sizes["steps"] ** sizes["dim"], [0.3] * sizes["dim"]
    table = [to_corners([float(c) for c in (*p, 0.25)[:2]]) ** (sizes["up"] / sizes["down"]) for p in points(sizes)]
    assert module.simulate(x, table).shape == ()
    with pytest.raises(ValueError, match=r"table: expected a difference of at most 1 \|x - y\|\^\("):
        module.simulate(x, [0.0] * (count - 1) + [2.0])
