"""What the published simulators get wrong, each a test of the emitted module: sizes, softmax, signs, singularity."""

from __future__ import annotations

from math import sin

import pytest
import torch


def test_a_product_has_any_inner_size(emitted):
    for r, k, c in ((2, 5, 3), (4, 1, 2), (3, 4, 3)):
        A, B = torch.randn(r, k, dtype=torch.float64), torch.randn(k, c, dtype=torch.float64)
        module = emitted("matmul", r=r, k=k, c=c).load(dtype=torch.float64)
        torch.testing.assert_close(module.simulate(A, B), A @ B)


def test_softmax_has_base_e_and_does_not_overflow(emitted):
    module = emitted("softmax", r=1, c=3).load(dtype=torch.float32)
    found = module.simulate([[0.0, 1.0, -3e4]])
    torch.testing.assert_close(found[0, 1] / found[0, 0], torch.tensor(torch.e))
    assert module.simulate([[1e30, 1e30, -1e30]]).tolist() == [[0.5, 0.5, 0.0]]


def test_maxmin_sorts_negative_numbers_and_equal_ones_in_groups_of_any_size(emitted):
    module = emitted("maxmin", groups=2, size=8).load(dtype=torch.float64)
    A = torch.tensor([[-3.0, -1, -7, -1, -2.5, -8, -4, -1], [5, -5, 0, 5, -5, 0.25, 1e9, -1e9]], dtype=torch.float64)
    assert module.simulate(A).tolist() == A.sort(dim=-1, descending=True).values.tolist()


@pytest.mark.parametrize("order", [1, 2, 3, 4])
def test_inverses_of_every_order_tell_singular_matrices(emitted, order):
    generator = torch.Generator().manual_seed(order)
    regular = torch.randn(40, order, order, generator=generator, dtype=torch.float64)
    for rank in range(order):
        for dtype in (torch.float32, torch.float64):
            module = emitted("inverse", order=order).load(dtype=dtype)
            right = torch.randn(40, rank, order, generator=generator, dtype=torch.float64)
            singular = (torch.randn(40, order, rank, generator=generator, dtype=torch.float64) @ right).to(dtype)
            found, invertible = module.simulate(torch.cat([singular, regular.to(dtype)]))
            assert found[~invertible].isnan().all()
            assert not invertible[:40][torch.linalg.svdvals(singular.double())[:, -1] < 1e-18].any()
            A = regular.to(dtype)[invertible[40:]]
            residual = A.double() @ found[40:][invertible[40:]].double() - torch.eye(order, dtype=torch.float64)
            assert residual.abs().max() < 0.01
            assert invertible[40:].float().mean() > 0.9


@pytest.mark.parametrize("order", [2, 3, 4])
def test_a_determinant_of_rounding_noise_is_not_an_inverse(emitted, order):
    A = torch.full((order, order), 0.1) * torch.arange(1, order + 1)
    A[0] += 1e-9
    for dtype in (torch.float32, torch.float64):
        found, invertible = emitted("inverse", order=order).load(dtype=dtype).simulate(A.to(dtype) * 1.1)
        assert found.isnan().all() or torch.linalg.cond(A.double()) < 1e9
        assert invertible.item() is not bool(found.isnan().all())


def test_a_small_determinant_is_not_lost(emitted):
    A = 1e-4 * (torch.eye(3) + torch.arange(9.0).reshape(3, 3) / 20)
    found, invertible = emitted("inverse", order=3).load(dtype=torch.float32).simulate(A)
    assert invertible.item() is True
    torch.testing.assert_close(found.double(), torch.linalg.inv(A.double()), rtol=1e-5, atol=0)


@pytest.mark.parametrize("p", [1, 2, 5, 7])
@pytest.mark.parametrize("itself", [False, True])
def test_match2_is_right_for_all_residues(emitted, p, itself):
    module = emitted("match2", p=p, n=6, **({"self": True} if itself else {})).load()
    x = torch.randint(p, (200, 6), generator=torch.Generator().manual_seed(p))
    x[0] = 0
    x[1] = 0 if p == 1 else torch.tensor([0, 1, 1, 1, 1, 1]) % p
    expected = [
        [int(any((a + b) % p == 0 and (itself or i != j) for j, b in enumerate(line))) for i, a in enumerate(line)]
        for line in x.tolist()
    ]
    assert module.simulate(x).tolist() == expected


def test_parity_is_that_of_the_marked_bits_only(emitted):
    module = emitted("parity", k=3, n=5).load()
    assert module.simulate([3, 3, 2, 1, 1]).tolist() == [0] * 5
    assert module.simulate([[1, 3, 3, 3, 1], [2, 2, 2, 1, 0]]).tolist() == [[1] * 5, [0] * 5]


FUNCTIONS = {
    "sine": lambda x, y: sin(x) / 2 + sin(y) / 2,
    "distance": lambda x, y: abs(x - 1 / 3) + abs(y - 0.9),
    "largest": lambda x, y: max(x, 1 - y),
}


@pytest.mark.parametrize("name", FUNCTIONS)
@pytest.mark.parametrize("dim", [1, 2])
def test_functions_of_slope_one_are_met_within_eps_and_from_above(emitted, name, dim):
    emission = emitted("lipschitz", dim=dim, constant="1", eps="1/4")
    module = emission.load(dtype=torch.float64)
    f = FUNCTIONS[name] if dim == 2 else lambda x: FUNCTIONS[name](x, 0.5)
    table = [f(*point) for point in emission.grid().tolist()]
    x = torch.rand(500, dim, generator=torch.Generator().manual_seed(0), dtype=torch.float64)
    excess = module.simulate(x, table) - torch.tensor([f(*point) for point in x.tolist()], dtype=torch.float64)
    assert excess.min() >= -1e-12
    assert excess.max() <= 0.25 + 1e-12
