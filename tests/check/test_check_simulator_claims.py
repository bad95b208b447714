"""What the claim of a simulator says: which letters, what the tokens without input hold; and what trees cost."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.check import build

ROOT = Path(__file__).resolve().parents[2]
goals, Invalid = build.rule("encoder_goals"), build.rule("strict").Invalid


def encoder_of(folder: str) -> dict:
    return json.loads((ROOT / "proofs" / folder / "certificate.json").read_text())["encoder"]


def claim(task: str, sizes: dict[str, int], encoder: dict) -> str:
    (found,) = goals.claims(goals.Simulator(task, sizes), {"encoder": encoder})
    return found


def test_the_claim_names_the_letters():
    encoder = encoder_of("match2/p2-n12")
    encoder = {**encoder, "letters": [0, 1, 7], "token": [[c, [*column, 7]] for c, column in encoder["token"]]}
    assert "letters x_i from 0 to 1," in claim("match2", {"p": 2, "n": 12, "self": 0}, encoder)


def test_the_claim_says_what_other_tokens_hold():
    encoder = encoder_of("relu/n4")
    assert "at the other tokens" not in claim("relu", {"n": 4}, encoder)
    assert "x_(n-1), and 0 at the other tokens, answers" in claim("relu", {"n": 2}, encoder)


@pytest.mark.parametrize(
    ("task", "sizes", "folder", "blank"),
    [
        ("matmul", {"r": 3, "k": 1, "c": 3}, "matmul/r3-k1-c3", True),
        ("matmul", {"r": 4, "k": 4, "c": 4}, "matmul/r4-k4-c4", False),
        ("inverse", {"order": 3}, "inverse/order3", True),
        ("attention", {"n": 8, "d": 4, "k": 4, "f": 0}, "attention_simulator/n8-d4-k4", True),
        ("multihead", {"n": 4, "d": 3, "k": 2, "H": 2}, "multihead_simulator/n4-d3-k2-H2", False),
    ],
)
def test_blank_tokens_are_counted(task, sizes, folder, blank):
    encoder = encoder_of(folder)
    assert ("at the other tokens" in claim(task, sizes, encoder)) == blank
    assert (
        claim(task, sizes, encoder)
        == json.loads((ROOT / "proofs" / folder / "statement.json").read_text())["claims"][0]
    )


def test_long_coefficients_of_trees_are_refused():
    leaves, work = build.rule("encoder_cases").leaves, build.rule("encoder_work").Work()
    tree = {"form": [1 << 4000, 1, 0], "cases": {"-": [], "0": [], "+": []}}
    with pytest.raises(Invalid, match="too large to check"):
        list(leaves(2, tree, work))
