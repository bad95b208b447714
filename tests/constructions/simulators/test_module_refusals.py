"""What emitted simulators refuse, in one line that names the block, what was expected and what came; and odd names."""

from __future__ import annotations

import re

import pytest
import torch

import symut
from symut.cli import main
from symut.errors import UsageError

n, d, k = 4, 3, 2
NAN = float("nan")
SHAPES = {"WQ": (d, k), "WK": (d, k), "WV": (d, d), "b": (), "X": (n, d)}


@pytest.fixture(scope="session")
def attention(emitted):
    return emitted("attention_simulator", n=n, d=d, k=k).load()


def blocks(**changed):
    """The blocks of an attention layer, some of them changed."""
    return [changed.get(name, torch.ones(shape)) for name, shape in SHAPES.items()]


def refused(call, *parts):
    """The ValueError of a call, on one line with all the parts."""
    with pytest.raises(ValueError, match=re.escape(parts[0])) as caught:
        call()
    assert "\n" not in str(caught.value)
    assert all(part in str(caught.value) for part in parts)


@pytest.mark.parametrize(
    ("changed", "parts"),
    [
        ({"WQ": torch.ones(d, k + 1)}, ("shape of WQ: expected (..., 3, 2), got (3, 3)",)),
        ({"WV": torch.ones(d * d)}, ("shape of WV: expected (..., 3, 3), got (9,)",)),
        ({"X": torch.ones(n + 1, d)}, ("shape of X: expected (..., 4, 3), got (5, 3)",)),
        ({"X": 3.0}, ("shape of X: expected (..., 4, 3), got ()",)),
        ({"X": [[1, 2, 3], [1, 2]]}, ("X: expected a tensor, or nested lists of numbers",)),
        ({"b": "one"}, ("b: expected a tensor, or nested lists of numbers",)),
        ({"b": torch.tensor(1j)}, ("b: expected real numbers, got torch.complex64",)),
        ({"X": torch.full((n, d), NAN)}, ("X: expected numbers that are finite", "got nan at (0, 0)")),
        ({"WK": torch.full((d, k), 1e300, dtype=torch.float64)}, ("WK: expected numbers", "torch.float32", "inf")),
        ({"b": float("-inf")}, ("b: expected numbers that are finite", "-inf at ()")),
        ({"WQ": torch.ones(2, d, k), "X": torch.ones(3, n, d)}, ("leading dimensions: expected ones that broadcast",)),
    ],
)
def test_blocks_that_do_not_fit_are_named(attention, changed, parts):
    refused(lambda: attention.encode(*blocks(**changed)), *parts)


def test_a_wrong_number_of_blocks_is_refused(attention):
    refused(lambda: attention.encode(*blocks()[:-1]), "blocks: expected 5: WQ, WK, WV, b, X, got 4")
    refused(lambda: attention.encode(*blocks(), 1.0), "got 6")


def test_sequences_that_encode_does_not_make_are_refused(attention):
    tokens = attention.encode(*blocks())
    refused(lambda: attention(tokens[:-1]), "tokens: expected sequences of N = 34 numbers, got (33,)")
    refused(lambda: attention(torch.tensor(1.0)), "tokens: expected sequences of N = 34 numbers")
    refused(lambda: attention(torch.full_like(tokens, NAN)), "the token is not finite")
    refused(lambda: attention.decode(tokens[:5]), "values: expected a tensor (..., N = 34)", "shape (5,)")


def test_blanks_hold_nothing(emitted):
    module = emitted("matmul", r=3, k=1, c=3).load()
    tokens = module.encode(torch.ones(3, 1), torch.ones(1, 3))
    assert tokens[6:].tolist() == [0, 0, 0]
    refused(lambda: module(tokens + 1), "tokens: expected 0 in the blanks from token 6 on")


def test_a_hierarchy_refuses_more_rows_than_it_has(emitted):
    module = emitted("hierarchy", N=4, d=3, k=2).load()
    refused(lambda: module.encode(*blocks(X=torch.ones(5, d))), "rows of X: expected 1 to N = 4, got 5")
    refused(lambda: module.encode(*blocks(X=torch.ones(0, d))), "rows of X: expected 1 to N = 4")
    refused(lambda: module.encode(*blocks(X=torch.ones(d))), "rows of X: expected 1 to N = 4, got (3,)")
    refused(lambda: module.decode(module(module.encode(*blocks())), 5), "n: expected 1 to N = 4, got 5")


def test_a_table_that_is_too_steep_is_refused_with_two_points(emitted):
    module = emitted("lipschitz", dim=1, constant="1", eps="1/4").load()
    refused(
        lambda: module.encode([0.5], [0.0, 0.25, 0.75, 0.75]),
        "table: expected a slope of at most K = 1 in the sum norm",
        "f(0.125,) = 0 and f(0.625,) = 0.75",
    )
    refused(lambda: module.encode([1.5], [0.0] * 4), "x: expected coordinates from 0 to 1, got 1.5")
    refused(lambda: module.encode([0.5], [0.0, NAN, 0, 0]), "table: expected numbers that are finite")
    assert module.simulate([0.5], [0.0, 0.25, 0.5, 0.75]).item() == pytest.approx(0.375 + 0.0, abs=0.25)


@pytest.mark.parametrize("letters", [[4, 0, 0], [-1, 0, 0], [0.5, 0, 0]])
def test_letters_out_of_range_are_refused(emitted, letters):
    module = emitted("match2", p=4, n=3).load()
    refused(lambda: module.encode(letters), "x: expected letters from 0 to 3", f"{letters[0]:g} at (0,)")
    refused(lambda: module(torch.tensor(letters)), "tokens: expected letters from 0 to 3")
    refused(lambda: emitted("parity", k=1, n=3).load().encode(letters), "letters from 0 to 3")


def test_parity_wants_exactly_k_marks(emitted):
    refused(lambda: emitted("parity", k=3, n=5).load().encode([3, 2, 1, 0, 0]), "exactly k = 3 marked letters", "got 2")


def test_damaged_weights_and_unknown_dtypes_are_refused(emitted, tmp_path):
    emission = emitted("transpose", r=2, c=2)
    (tmp_path / "weights.safetensors").write_bytes(emission.WEIGHTS.read_bytes()[:-1] + b"\1")
    refused(lambda: emission.load(tmp_path / "weights.safetensors"), "SHA-256 of weights.safetensors")
    refused(lambda: emission.load(dtype=torch.float16), "dtype: expected float32 or float64, got float16")


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("attention_simulato",), "did you mean attention_simulator?"),
        (("attention_simulator", "--n", 0), "--n out of range"),
        (("attention_simulator", "--H", 2), "No such option"),
        (
            ("attention_simulator", "--n", 40),
            "too many tokens for attention_simulator: expected at most 1024, got 1600",
        ),
        (("attention_simulator", "--n", 10**7, "--d", 10**7), "too many tokens"),
        (("attention_simulator", "--max-memory", "1MiB"), "more memory"),
        (("match2", "--p", 10**7), "more memory"),
        (("inverse", "--order", 5), "--order out of range"),
        (("parity", "--k", 17), "--k out of range"),
    ],
)
def test_sizes_without_an_encoder_are_one_line_and_write_nothing(tmp_path, monkeypatch, capsys, arguments, message):
    monkeypatch.chdir(tmp_path)
    code = main(["emit", *map(str, arguments)])
    out, err = capsys.readouterr()
    assert (code, out, err.count("\n")) == (2, "", 1)
    assert message in err
    assert list(tmp_path.iterdir()) == []


def test_options_of_backbones_are_no_options_of_simulators(tmp_path):
    with pytest.raises(UsageError, match="attention_simulator has no parameter L"):
        symut.emit("attention_simulator", L=2, out=tmp_path)
