"""k-hop answers follow the published definition; trivial predictors score what is known of them."""

import numpy as np
import pytest

from symut.errors import UsageError
from symut.experiment.tasks import IGNORED, Khop
from symut.experiment.tasks.khop import sequences
from symut.experiment.tasks.splits import Split, split_of


def hop_by_definition(X, k):
    """hop_k(X)_i for i = 1..n with find(i) = max({0} u {j <= i : X_{j-1} = X_i}), IGNORED where it is undefined."""

    def find(i):
        return max([0] + [j for j in range(2, i + 1) if X[j - 2] == X[i - 1]])

    answers = []
    for i in range(1, len(X) + 1):
        for _ in range(k):
            i = find(i) if i else 0
        answers.append(X[i - 1] if i else IGNORED)
    return answers


@pytest.mark.parametrize("hops", [0, 1, 2, 3, 7])
def test_answers_follow_the_definition(hops):
    block = Khop(hops, 25).block(Split.TEST, 0, 0, 40)
    for X, answers in zip(block.tokens.tolist(), block.answers.tolist(), strict=True):
        assert answers == hop_by_definition(X, hops)


def test_neighbours_differ_and_all_letters_occur():
    X = sequences(np.random.default_rng(0), 50, 2000)
    assert (X[:, 1:] != X[:, :-1]).all()
    assert np.bincount(X.ravel(), minlength=4) / X.size == pytest.approx(0.25, abs=0.01)


@pytest.mark.parametrize(
    ("hops", "n", "expected"),
    [
        (1, 100, {"x_{i-1}": 0.50, "x_i": 0.0, "last token": 0.33, "last 2 tokens": 0.51, "last 4 tokens": 0.80}),
        (2, 100, {"x_i": 0.50, "last 2 tokens": 0.51}),
        (4, 100, {"x_i": 0.35}),
        (0, 30, {"x_i": 1.0}),
    ],
)
def test_trivial_predictors_score_what_is_known(hops, n, expected):
    found = Khop(hops, n).baselines(Khop(hops, n).block(Split.TEST, 0, 0, 1500))
    for name, accuracy in expected.items():
        assert found[name] == pytest.approx(accuracy, abs=0.02), name


def test_half_of_the_answers_are_undefined_at_sixteen_hops():
    block = Khop(16, 100).block(Split.TEST, 0, 0, 500)
    assert (block.answers == IGNORED).mean() == pytest.approx(0.5, abs=0.03)


def test_every_sequence_is_in_one_split_only():
    for split in Split:
        block = Khop(1, 20).block(split, 0, 0, 300)
        assert all(split_of(row.tobytes()) == split for row in block.tokens)


@pytest.mark.parametrize("n", [3, 4, 5])
def test_the_most_hops_that_a_sequence_allows_are_defined_somewhere(n):
    hops = n - 2
    assert (Khop(hops, n).block(Split.TRAIN, 0, 0, 500).answers != IGNORED).any()
    with pytest.raises(UsageError, match="larger than the sequence allows"):
        Khop(hops + 1, n)


@pytest.mark.parametrize(("hops", "n"), [(-1, 30), (17, 100), (0, 1), (1, 5000)])
def test_sizes_out_of_range_are_refused(hops, n):
    with pytest.raises(UsageError, match="out of range"):
        Khop(hops, n)
