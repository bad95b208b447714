"""docs/coq.md, the table of counterparts and the sources of proofs/coq name the same theorems."""

import re
from pathlib import Path

import pytest

from symut.errors import UsageError
from symut.kernel.counterparts import COUNTERPARTS, THEOREMS, require_theorem
from symut.kernel.run import audit
from symut.registry import theorems

ROOT = Path(__file__).resolve().parents[2]
COQ = ROOT / "proofs" / "coq"


def documented():
    rows = re.findall(r"^\| `(\w+)` \| `(\w+)` \| (.*) \|$", (ROOT / "docs/coq.md").read_text(), re.MULTILINE)
    return [(theorem, goal, tuple(re.findall("`([^`]+)`", names))) for theorem, goal, names in rows]


def test_the_documented_map_is_the_one_that_is_applied():
    applied = [(theorem, goal, COUNTERPARTS[goal].theorems) for theorem in THEOREMS for goal in THEOREMS[theorem]]
    assert documented() == applied
    assert {goal for _, goal, _ in documented()} == set(COUNTERPARTS)


def test_every_named_theorem_is_stated_in_its_file():
    names = sorted({name for counterpart in COUNTERPARTS.values() for name in counterpart.theorems})
    for file, theorem in (name.split(".") for name in names):
        text = audit().strip_comments((COQ / f"{file}.v").read_text())
        assert re.search(rf"^(Theorem|Corollary) {theorem}\b", text, re.MULTILINE), (file, theorem)


def test_every_goal_applies_a_theorem_of_a_summary_or_says_so_by_its_file():
    beside = {"shared_residual_universality"}
    for goal, counterpart in COUNTERPARTS.items():
        assert goal in beside or any("Summary." in name for name in counterpart.theorems)


def test_every_theorem_with_a_counterpart_exists():
    assert set(THEOREMS) <= set(theorems())


def test_a_theorem_without_counterpart_is_refused_with_those_that_have_one():
    with pytest.raises(UsageError, match="parity has no Coq counterpart: expected one of sparse_universality, random"):
        require_theorem("parity")
