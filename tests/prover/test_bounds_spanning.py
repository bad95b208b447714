"""The spanning targets span: exact ranks of the rows that the proofs of sharp_width and output_lower_bound use."""

from itertools import product

import numpy as np
import pytest

from symut.backbone import Backbone, Network, Shape, block_matrix, paths, target_blocks
from symut.errors import UsageError
from symut.exact import Matrix
from symut.prover import Context
from symut.prover.bounds.spanning import ones_and_identity, spanning_targets

SHAPES = [(1, 2, 2, 1), (2, 1, 2, 1), (2, 2, 1, 1), (2, 2, 2, 1), (3, 2, 1, 1)]
ROOM = Context(2**30)


def rank(rows):
    return Matrix.from_rows([[int(x) for x in row] for row in rows]).rank()


def network(shape, i, entry=None):
    """T_i with queries and keys zero but for at most one 1, at entry = (role, layer, head, row, column)."""
    basis = ones_and_identity(shape.H).basis
    zero = lambda: np.zeros((shape.L, shape.H, shape.d, shape.k), int)  # noqa: E731
    reads = {"Q": zero(), "K": zero()}
    if entry:
        reads[entry[0]][entry[1:]] = 1
    values = [[basis[letter][h] * np.eye(shape.d, dtype=int) for h in range(shape.H)] for letter in i]
    return Network(list(reads["Q"]), list(reads["K"]), values)


def probes(shape):
    """The explicit finite family of targets that counterexamples name."""
    places = product("QK", range(shape.L), range(shape.H), range(shape.d), range(shape.k))
    entries = [None, *places]
    return [network(shape, i, e) for i in product(range(shape.H), repeat=shape.L) for e in entries]


@pytest.mark.parametrize("H", [1, 2, 3, 7])
def test_ones_and_identity_is_inverted(H):
    found = ones_and_identity(H)
    assert (np.array(found.basis) @ np.array(found.inverse) == found.scale * np.eye(H, dtype=int)).all()
    assert np.all(np.array(found.basis))


@pytest.mark.parametrize(("H", "L"), [(1, 3), (2, 3), (3, 2)])
def test_values_along_paths_are_independent(H, L):
    basis = np.array(ones_and_identity(H).basis)
    words = list(paths(H, L))
    rows = [[int(np.prod([basis[a - 1, b - 1] for a, b in zip(i, p, strict=True)])) for p in words] for i in words]
    assert rank(rows) == H**L


@pytest.mark.parametrize("sizes", SHAPES)
def test_target_blocks_of_the_explicit_family_span_all_slots(sizes):
    shape = Shape(*sizes)
    assert rank([row for target in probes(shape) for row in target_blocks(target)]) == shape.N


@pytest.mark.parametrize("sizes", SHAPES)
def test_every_backbone_below_the_threshold_misses_a_target_of_the_family(sizes):
    shape = Shape(*sizes)
    generator = np.random.default_rng(3)
    m = shape.N - 1
    draw = lambda *size: list(generator.integers(-2, 3, (shape.L, shape.H, *size)))  # noqa: E731
    backbone = Backbone(
        Network(draw(m, shape.k), draw(m, shape.k), draw(m, m)), generator.integers(-2, 3, (m, shape.d))
    )
    M = block_matrix(backbone)
    before = rank(M)
    assert any(rank([*M, *target_blocks(target)]) > before for target in probes(shape))


def test_huge_bases_are_refused_in_one_line():
    for sizes in [(10**6, 1), (200, 3), (1, 10**6)]:
        with pytest.raises(UsageError) as caught:
            spanning_targets(*sizes, ROOM)
        assert "\n" not in str(caught.value)
