"""The table never mixes what is proved with what trusts a solver, and refuses artifacts that contradict each other."""

from hashlib import sha256

import pytest

from symut.cli import main
from symut.errors import UsageError
from symut.searcher.artifact import publish
from symut.searcher.matching import search_matching
from symut.searcher.request import Request
from symut.searcher.slice import ONES, Slice, query
from symut.searcher.table import minimal_widths
from symut.statement.search import QUERY, SliceQuery


def forged(out, m):
    """A conditional artifact whose query has a solution, so that whoever trusted the named solver was deceived."""
    chosen = Slice(2, m - 2, ONES, "general", ((1, 1),))
    text = query(chosen, 0)
    digest = sha256(text.encode()).hexdigest()
    statement = SliceQuery(
        goal=QUERY, H=2, L=1, m=m, heads="general", targets="weak", slice=ONES, points=((1, 1),), digest=digest
    )
    facts = {"n": 2, "r": m - 2, "slice": chosen}
    return publish(out, statement, "query", {"query": text, "solvers": ["z3"]}, "forged", facts)


def cell(proofs):
    return next(c for c in minimal_widths(proofs) if (c.H, c.heads, c.targets) == (2, "general", "weak"))


def test_trusted_bound_stands_beside_the_proved_one(tmp_path, capsys):
    search_matching(Request(2, 1, 3, "general", "weak"), tmp_path)
    forged(tmp_path, 60)
    found = cell(tmp_path)
    assert (found.lower.width, found.lower.status, found.settled) == (4, "PROVED", False)
    assert (found.trusted.width, found.trusted.status) == (61, "TRUSTED")
    assert main(["search", "attention_matching", "--table", "--out", str(tmp_path)]) == 0
    assert "4 PROVED, 61 TRUSTED" in capsys.readouterr().out


@pytest.mark.parametrize("m", [2, 3])
def test_trusted_bound_that_is_no_better_is_not_shown(tmp_path, m):
    search_matching(Request(2, 1, 3, "general", "weak"), tmp_path)
    forged(tmp_path, m)
    assert (cell(tmp_path).lower.status, cell(tmp_path).trusted.width) == ("PROVED", None)


def test_trusted_bound_alone_leaves_the_proved_side_open(tmp_path):
    forged(tmp_path, 3)
    search_matching(Request(2, 1, 4, "rank-one", "strong"), tmp_path)
    found = cell(tmp_path)
    assert (found.lower.status, found.trusted.width, found.settled) == ("open", 4, False)


def test_lower_bound_above_the_upper_one_is_an_error_that_names_both(tmp_path):
    low, high = forged(tmp_path, 60), search_matching(Request(2, 1, 4, "rank-one", "strong"), tmp_path).artifact
    with pytest.raises(UsageError, match="contradict each other") as caught:
        minimal_widths(tmp_path)
    assert str(low) in str(caught.value)
    assert str(high) in str(caught.value)
