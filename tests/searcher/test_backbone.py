"""The products of the upper bounds take every value, and check.py accepts the backbone for every small shape."""

import itertools
import random

import numpy as np
import pytest

from symut.searcher.backbone import PAIR, TRIPLE, backbone, upper_width
from tests.check.build import rule


@pytest.mark.parametrize("targets", ["strong", "weak"])
@pytest.mark.parametrize(("H", "L"), [(H, L) for H in range(1, 8) for L in range(1, 5) if (H, L) < (5, 4)])
def test_backbone_is_accepted_at_its_width_and_padded(H, L, targets):
    for m in (upper_width(H, L, targets), upper_width(H, L, targets) + 3):
        rule("matching_backbone").rule_backbone(H, L, m, targets, backbone(H, L, m, targets))


def newton(forms, q, source):
    """A zero of the products minus q, from random starts."""
    forms = np.array(forms, dtype=float)
    for _ in range(400):
        x = np.array([source.gauss(0, 1) for _ in q])
        for _ in range(60):
            a, b = forms[:, 0] @ x, forms[:, 1] @ x
            gap = a * b - q
            if np.abs(gap).max() < 1e-9:
                return x
            jacobian = a[:, None] * forms[:, 1] + b[:, None] * forms[:, 0]
            if abs(np.linalg.det(jacobian)) < 1e-12:
                break
            x = x - np.linalg.solve(jacobian, gap)
    return None


@pytest.mark.parametrize("block", [PAIR, TRIPLE])
def test_products_take_every_small_value(block):
    source = random.Random(0)
    for q in itertools.product((-1.0, 0.0, 1.0, 2.5), repeat=len(block)):
        if any(q):
            assert newton(block, np.array(q), source) is not None, q


def test_products_with_an_even_number_of_negative_determinants_are_refused():
    even = ((1, 0), (0, 1)), ((1, 2), (1, 1))
    assert newton(even, np.array([-1.0, -2.0]), random.Random(0)) is None
    built = backbone(2, 1, 4, "strong")
    built["forms"][0][1] = [[[0, 1], [1, 2]], [[0, 1], [1, 1]]]
    checker = rule("matching_backbone")
    with pytest.raises(rule("strict").Invalid, match="even number"):
        checker.rule_backbone(2, 1, 4, "strong", built)
