"""Exact kernel vectors of stored backbones: found where the rank is low, never where it is full."""

from fractions import Fraction

import numpy as np
import pytest

from symut.backbone import Backbone, Network, Shape, block_matrix, slots
from symut.exact import Matrix, Residues
from symut.exact.dyadic import fraction_bits, scaled_integers
from symut.exact.integers import Dependency, Integers, dependency, kernel_vector, predicted_digits
from symut.prover import Context
from symut.prover.bounds.columns import exact_columns, log_columns
from symut.prover.bounds.kernel import exact_kernel, refute_stored
from symut.prover.rank import certify

PRIME = 65521


def exact_block_matrix(tensors):
    """M(R) over the rationals, from the definition."""
    matrix = lambda a: Matrix.from_rows([[Fraction(float(x)) for x in row] for row in a])  # noqa: E731
    parts = [[[matrix(head) for head in layer] for layer in tensors[name]] for name in ("RQ", "RK", "RV")]
    return block_matrix(Backbone(Network(*parts), matrix(tensors["U"])))


def stored(shape, m, dtype, seed=0):
    generator = np.random.default_rng(seed)
    H, L, d, k = shape.H, shape.L, shape.d, shape.k
    draw = lambda *size: (4 * generator.standard_normal(size)).astype(dtype)  # noqa: E731
    return {"RQ": draw(L, H, m, k), "RK": draw(L, H, m, k), "RV": draw(L, H, m, m), "U": draw(m, d)}


def equal_values(tensors):
    tensors["RV"][0, 1] = tensors["RV"][0, 0]


def equal_rows(tensors):
    for name in ("RQ", "RK", "RV"):
        tensors[name][:, :, 1] = tensors[name][:, :, 0]
    tensors["U"][1] = tensors["U"][0]


def no_output(tensors):
    tensors["U"][:] = 0


@pytest.mark.parametrize("dtype", ["float32", "float64", "int8"])
@pytest.mark.parametrize("damage", [equal_values, equal_rows, no_output])
@pytest.mark.parametrize("sizes", [(2, 2, 1, 1), (2, 1, 2, 2)])
def test_a_kernel_vector_of_a_singular_backbone_is_exact(sizes, damage, dtype):
    shape = Shape(*sizes)
    tensors = stored(shape, shape.N, dtype)
    damage(tensors)
    found = exact_kernel(tensors, shape, certify(tensors, shape).prime)
    assert isinstance(found, list)
    assert any(found)
    product = exact_block_matrix(tensors) @ Matrix.from_rows([[x] for x in found])
    assert product == Matrix.from_rows([[0]] * shape.N)


def test_few_columns_are_enough_where_few_depend():
    shape = Shape(2, 2, 1, 1)
    tensors = stored(shape, shape.N, "float32")
    no_output(tensors)
    assert sum(map(bool, exact_kernel(tensors, shape, PRIME))) == 1


def test_a_relation_modulo_the_prime_only_is_no_kernel():
    rows = [[1, 1], [1, 1 + PRIME]]
    found = dependency(Residues.from_rows(rows, 2, PRIME))
    assert kernel_vector(Integers.from_rows(rows, 2), found) is None


def test_a_dependency_names_the_fewest_columns():
    rows = [[1, 0, 2, 1], [0, 1, 0, 1], [0, 0, 0, 0]]
    found = dependency(Residues.from_rows(rows, 4, PRIME))
    assert found == Dependency([0, 2], [0])
    assert kernel_vector(Integers.from_rows(rows, 4), found) in ([2, 0, -1, 0], [-2, 0, 1, 0])


def test_predicted_digits_bound_the_kernel_vector():
    generator = np.random.default_rng(1)
    rows = generator.integers(-(10**6), 10**6, (5, 6)).tolist()
    matrix, found = Integers.from_rows(rows, 6), dependency(Residues.from_rows(rows, 6, PRIME))
    vector = kernel_vector(matrix, found)
    assert vector is not None
    logarithms = np.log2(np.abs(np.array(rows, dtype=float)))[found.rows][:, found.columns]
    assert max(len(str(abs(x))) for x in vector) <= predicted_digits(logarithms)


def test_vectors_with_too_many_digits_are_not_computed(monkeypatch):
    monkeypatch.setattr("symut.prover.bounds.kernel.DIGIT_LIMIT", 20)
    shape = Shape(2, 2, 1, 1)
    tensors = stored(shape, shape.N, "float64")
    equal_rows(tensors)
    assert "more than 20" in exact_kernel(tensors, shape, PRIME)


def test_kernels_beyond_the_checkers_reach_are_refused():
    shape = Shape(1, 1, 600, 1)
    assert "above N = 512" in refute_stored(shape, {}, b"", certify_nothing(), Context(2**30))


def certify_nothing():
    from symut.prover.rank import Certified

    return Certified(0, PRIME, None)


@pytest.mark.parametrize("entries", [[0.5, -3.0, 0.0], [2.0**-149, 1.0, 2.0**100], [1e-300, 1.0, 3.0]])
def test_scaled_integers_are_the_entries_exactly(entries):
    tensor = np.array([entries])
    bits = fraction_bits(tensor)
    assert [Fraction(a, 2**bits) for a in scaled_integers(tensor, bits)[0]] == [Fraction(x) for x in entries]
    assert bits == 0 or any(a % 2 for a in scaled_integers(tensor, bits)[0])


def test_integer_tensors_need_no_scaling():
    assert fraction_bits(np.array([[4, -6]], dtype=np.int8)) == 0
    assert fraction_bits(np.zeros((2, 2))) == 0


@pytest.mark.parametrize("scale", [1.0, 2.0**-500, 2.0**400])
def test_the_chosen_columns_and_their_predicted_lengths_are_those_of_the_block_matrix(scale):
    shape = Shape(2, 3, 2, 1)
    tensors = stored(shape, shape.N, "float64")
    tensors["RV"] *= scale
    tensors["U"][0] = 0
    bits = {name: fraction_bits(tensor) for name, tensor in tensors.items()}
    listed = slots(2, 3, 2, 1)
    chosen = [listed[j] for j in (0, 3, 5, 20, shape.N - 1)]
    whole = exact_block_matrix(tensors).rows()
    exact = exact_columns(tensors, bits, chosen).inner.tolist()
    logarithms = log_columns(tensors, chosen)
    for column, slot in enumerate(chosen):
        power = len(slot.path) * bits["RV"] + bits[{"Q": "RQ", "K": "RK", "U": "U"}[slot.role]]
        for row in range(shape.N):
            entry = whole[row][listed.index(slot)]
            assert int(exact[row][column]) == entry * 2**power
            lengths = abs(entry.numerator).bit_length() - entry.denominator.bit_length()
            assert entry == 0 or abs(logarithms[row][column] - lengths) < 1.001
